//! Stories told by hand: those that have failed once, and those that show how far a statement goes.

use retry_runtime::Proof;
use retry_runtime::report::Ending;

use crate::meets::{Answer, Effect, Meets, Said, Shows};
use crate::play::{SHARED, play};
use crate::run::holds;
use crate::story::{Caller, Ms, Settings, Story, Stub, Who};
use crate::support::ending;

/// A story of these calls for the shared order, with the default settings, on a portal that works.
fn story(callers: impl IntoIterator<Item = (Stub, Who, u32)>) -> Story {
    let caller = |(stub, who, comes)| Caller { who, stub, shared: true, comes: Ms(comes), patience: None };
    let settings = Settings {
        attempts: 4,
        deadline: Ms(300_000),
        backoff: (Ms(500), Ms(30_000)),
        budget: 100,
        proof: Proof::Off,
        batched: false,
        pace: None,
    };
    Story {
        settings,
        callers: callers.into_iter().map(caller).collect(),
        events: Vec::new(),
        deals: Vec::new(),
        tasks: Vec::new(),
        batches: Vec::new(),
        lists: Vec::new(),
        skew: 0,
    }
}

/// Without it, what is said of two clients would be true of nothing.
#[test]
fn two_clients_with_ensure_may_make_two_records_and_whoever_looks_is_told() {
    let story = story([(Stub::Ensured, Who::A, 0), (Stub::Ensured, Who::B, 0)]);
    holds(&story).unwrap();
    let played = play(&story);
    assert!(played.calls.iter().all(|call| matches!(call.result, Some(Ok(_)))), "{played}");
    assert_eq!(played.records.iter().filter(|record| record.origin() == SHARED).count(), 2, "{played}");
    assert_eq!(ending(&played.audit.unwrap()), Ending::Duplicated);
}

#[test]
fn two_clients_with_one_idempotency_key_may_make_two_records() {
    let story = story([(Stub::Idempotent, Who::A, 0), (Stub::Idempotent, Who::B, 0)]);
    holds(&story).unwrap();
    let played = play(&story);
    assert!(played.calls.iter().all(|call| matches!(call.result, Some(Ok(_)))), "{played}");
    assert_eq!(played.records.len(), 2, "{played}");
}

/// The one who waits finds the record of the other, whose answer was lost, and neither makes a second one.
#[test]
fn one_client_with_ensure_makes_one_record_whatever_is_lost() {
    let lost = Meets {
        answer: Answer::Lost,
        effect: Effect::Late(100),
        takes: Ms(100),
        waits: Ms(0),
        hint: None,
        said: Said::InSeconds,
    };
    let mut story = story([(Stub::Ensured, Who::A, 0), (Stub::Ensured, Who::A, 10)]);
    story.deals = vec![lost];
    story.lists = vec![Shows::Truth, Shows::Nothing, Shows::Refused];
    holds(&story).unwrap();
    assert_eq!(play(&story).records.len(), 1);
}
