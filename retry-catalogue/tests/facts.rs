//! The table has every method of the facts, with what they say of it. The facts are not in this repository: they are
//! held by their counts and by one checksum over them all.

use retry_catalogue::{Action, Kind, Method, Replay, Strength, Versions, all};

fn count(of: impl Fn(&Method) -> bool) -> usize {
    all().filter(of).count()
}

#[test]
fn all_methods_are_there_with_the_kinds_of_the_facts() {
    assert_eq!(all().count(), 1_671);
    assert_eq!(count(|method| method.kind == Kind::Write), 935);
    assert_eq!(count(|method| method.kind == Kind::Read), 736);
    // The names that read or write by their arguments are among the writes.
    assert_eq!(count(|method| method.two_forms), 7);
}

#[test]
fn all_methods_have_the_versions_of_the_facts() {
    assert_eq!(count(|method| method.versions == Versions::Two), 1_561);
    assert_eq!(count(|method| method.versions == Versions::Three), 103);
    assert_eq!(count(|method| method.versions == Versions::Both), 7);
    assert_eq!(count(Method::takes_idempotency_key), 37);
}

#[test]
fn all_writes_have_the_second_send_of_the_facts() {
    let expected = [
        (Replay::Same, 344),
        (Replay::Duplicate, 197),
        (Replay::Refused, 69),
        (Replay::MaybeRefused, 9),
        (Replay::Gone, 238),
        (Replay::Act, 68),
        (Replay::Toggle, 4),
        (Replay::Relative, 5),
        (Replay::Loss, 1),
    ];
    for (replay, methods) in expected {
        assert_eq!(count(|method| method.replay == Some(replay)), methods, "{replay}");
    }
    assert_eq!(expected.len(), Replay::ALL.len());
}

#[test]
fn three_methods_that_the_facts_call_outdated_only_link_to_outdated_ones() {
    assert_eq!(count(|method| method.outdated.is_some()), 243 - 3);
    for name in ["crm.activity.layout.blocks.set", "crm.stagehistory.list", "sale.persontype.list"] {
        assert_eq!(retry_catalogue::lookup(name).and_then(|method| method.outdated), None, "{name}");
    }
}

/// FNV-1a over name, versions, kind, action and second send of each method.
#[test]
fn nothing_of_the_facts_was_changed_on_the_way() {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for method in all() {
        let (versions, kind, action) = (method.versions.as_str(), method.kind.as_str(), method.action.as_str());
        let replay = method.replay.map_or("-", Replay::as_str);
        for byte in format!("{}\t{versions}\t{kind}\t{action}\t{replay}\n", method.name).bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    assert_eq!(hash, CHECKSUM, "{hash:#018x}");
}

const CHECKSUM: u64 = 0xfe5d_394c_b1e0_8e64;

/// How much the judgement is worth: if a number moves, somebody judged anew.
#[test]
fn most_writes_can_be_read_back() {
    let strong = |strength| count(|method| method.strength == Some(strength));
    assert!(strong(Strength::Exact) > 500, "{}", strong(Strength::Exact));
    assert!(strong(Strength::Server) > 100, "{}", strong(Strength::Server));
    assert!(strong(Strength::Nothing) < 160, "{}", strong(Strength::Nothing));
    let creates = |method: &Method| method.action == Action::Create && method.strength == Some(Strength::Nothing);
    assert!(count(creates) < 45, "{}", count(creates));
}
