//! The stories reach what they are about, and each ends in one way only.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use retry_runtime::report::{Attempt, Ending, Outcome};
use retry_runtime::{CallError, Report};

use crate::luck::{Topic, stories};
use crate::play::{Played, SHARED, play};
use crate::run::fixed;
use crate::story::Story;
use crate::support::{Told, secs};

/// So many stories about these topics, and how they went.
fn played(topics: &[Topic], count: usize) -> Vec<(Story, Played)> {
    let (mut runner, strategy) = (TestRunner::new(fixed()), stories(topics));
    let story = |_| {
        let story = strategy.new_tree(&mut runner).unwrap().current();
        let played = play(&story);
        (story, played)
    };
    (0..count).map(story).collect()
}

/// In how many of them this is so. Fails if that is in none.
#[track_caller]
fn reached(what: &str, played: &[(Story, Played)], is_so: impl Fn(&Played) -> bool) {
    let count = played.iter().filter(|(_, played)| is_so(played)).count();
    println!("{what}: {count} of {}", played.len());
    assert!(count > 0, "no story reaches: {what}");
}

fn any_report(played: &Played, is_so: impl Fn(Told, &Report) -> bool) -> bool {
    played.told.iter().any(|(told, report)| is_so(*told, report))
}

fn ends(played: &Played, ending: Ending) -> bool {
    any_report(played, |told, report| told == Told::Finished && report.ending() == ending)
}

fn resent_after_proof(report: &Report) -> bool {
    report.attempts().len() > 1 && report.checks().iter().any(|check| check.proves) && report.ending() == Ending::Done
}

fn waited_for(pair: &[Attempt]) -> bool {
    pair.first().is_some_and(|earlier| earlier.hint.is_some_and(|hint| hint > secs(1)) && earlier.pause >= earlier.hint)
}

#[test]
fn every_ending_is_reached() {
    let all = played(&[], 200);
    let endings = [
        ("done", Ending::Done),
        ("found", Ending::Found),
        ("refused", Ending::Refused),
        ("exhausted", Ending::Exhausted),
        ("in doubt", Ending::InDoubt),
        ("undecodable", Ending::Undecodable),
    ];
    for (what, ending) in endings {
        reached(what, &all, |played| ends(played, ending));
    }
    reached("sent again after proof", &all, |played| any_report(played, |_, report| resent_after_proof(report)));
    reached("dropped", &all, |played| any_report(played, |told, _| told == Told::Dropped));
    reached("answered late", &all, |played| any_report(played, |told, _| told == Told::AnsweredLate));
}

#[test]
fn what_topics_are_about_is_reached() {
    let two_clients = played(&[Topic::TwoClients, Topic::OneOrder], 100);
    let deals = |played: &Played| played.records.iter().filter(|record| record.origin() == SHARED).count();
    reached("two records of one order", &two_clients, |played| deals(played) > 1);
    let duplicated = |played: &Played| matches!(played.audit, Some(Err(CallError::Duplicated(_))));
    reached("who looks is told", &two_clients, duplicated);
    reached("a call is told", &two_clients, |played| ends(played, Ending::Duplicated));

    let tokens = played(&[Topic::Tokens], 100);
    let outcome = |is_so: fn(&Outcome) -> bool| {
        move |played: &Played| any_report(played, |_, report| report.attempts().iter().any(|sent| is_so(&sent.outcome)))
    };
    reached("a renewed token", &tokens, outcome(|outcome| matches!(outcome, Outcome::TokenRenewed)));
    reached("a replay kept back", &tokens, outcome(|outcome| matches!(outcome, Outcome::Unsendable { .. })));

    let asked = played(&[Topic::ServerClock], 100);
    let waits = |played: &Played| any_report(played, |_, report| report.attempts().windows(2).any(waited_for));
    reached("a wait that the server asks for", &asked, waits);
    let too_long = |played: &Played| {
        any_report(played, |_, report| {
            report.ending() == Ending::Exhausted && report.attempts().last().is_some_and(|last| last.hint.is_some())
        })
    };
    reached("a wait that is too long", &asked, too_long);

    let batched = played(&[Topic::Batched], 100);
    let in_batch = |played: &Played| played.received.iter().filter(|sent| sent.in_batch && sent.is_write()).count();
    reached("writes in batches", &batched, |played| in_batch(played) > 1);
    let lost = |played: &Played| in_batch(played) > 1 && any_report(played, |_, report| resent_after_proof(report));
    reached("sent again after a batch", &batched, lost);

    let paced = played(&[Topic::Paced], 100);
    let waited = |played: &Played| played.told.iter().any(|(_, report)| report.to_string().contains("for its turn"));
    reached("a wait for a turn", &paced, waited);
}

#[test]
fn a_story_always_goes_the_same_way() {
    for topics in [&[Topic::Batched, Topic::Paced, Topic::TwoClients][..], &[Topic::Clocks, Topic::Tokens]] {
        for (story, first) in played(topics, 50) {
            assert_eq!(play(&story).to_string(), first.to_string(), "{story:?}");
        }
    }
}
