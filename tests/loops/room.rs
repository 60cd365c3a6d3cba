//! The room that a further send needs before the deadline, to the millisecond, and what is said where it is missing.

use std::time::Duration;

use retry_runtime::report::Ending;
use retry_runtime::{CallError, Id, Policy, Settle};

use crate::support::{Fake, NewDeal, NewTask, Step, add_blind_deal, add_deal, add_task, ending, millis, once, secs};

/// The settle time of 90 s and a read-back of 10 s.
const ROOM: Duration = Duration::from_secs(100);

/// Refused at once.
fn refused() -> Step {
    Step::code("RATE_LIMITED").takes(millis(0))
}

async fn write(step: Step, policy: Policy) -> (usize, Result<Id, CallError>) {
    let portal = Fake::new().on("crm.deal.add", [step]);
    let result = add_deal(&portal.client().with_policy(policy), &NewDeal::of("A-1")).await;
    (portal.sends("crm.deal.add"), result)
}

#[track_caller]
fn ends(result: Result<Id, CallError>, as_what: Ending, why: &str) {
    assert_eq!(ending(&result), as_what);
    let error = result.unwrap_err();
    assert!(error.failure().why().contains(why), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_hint_may_take_all_that_the_next_send_does_not_need() {
    let policy = Policy::new().backoff(millis(0), millis(0));
    let (sends, result) = write(refused().asks_to_wait(secs(10)), policy.deadline(secs(10) + ROOM)).await;
    assert_eq!((sends, result.unwrap()), (2, Id(1)));
    let (sends, result) =
        write(refused().asks_to_wait(secs(10)), policy.deadline((secs(10) + ROOM).saturating_sub(millis(1)))).await;
    assert_eq!(sends, 1);
    ends(result, Ending::Exhausted, "the server asks to wait 10s, for which the deadline leaves no room");
}

#[tokio::test(start_paused = true)]
async fn without_a_hint_it_is_the_attempt_that_has_no_room() {
    let (sends, result) = write(refused(), Policy::new().deadline(ROOM.saturating_sub(millis(1)))).await;
    assert_eq!(sends, 1);
    ends(result, Ending::Exhausted, "the deadline leaves no room for another attempt");
}

#[tokio::test(start_paused = true)]
async fn a_hint_that_would_fit_is_not_blamed_for_a_longer_backoff() {
    for hint in [millis(1), millis(2)] {
        let policy = Policy::new().backoff(secs(60), secs(60)).deadline(ROOM + millis(2));
        let (sends, result) = write(refused().asks_to_wait(hint), policy).await;
        assert_eq!(sends, 1);
        ends(result, Ending::Exhausted, "the deadline leaves no room for another attempt");
    }
}

#[tokio::test(start_paused = true)]
async fn what_nothing_can_settle_needs_no_room_to_settle_it() {
    let portal = Fake::new().on("crm.deal.add", [refused()]);
    let client = portal.client().with_policy(Policy::new().deadline(secs(50)));
    add_blind_deal(&client, &NewDeal::of("A-1")).await.unwrap();
    assert_eq!(portal.sends("crm.deal.add"), 2);
}

#[tokio::test(start_paused = true)]
async fn a_key_is_not_waited_for_that_is_due_at_the_deadline() {
    let portal = Fake::new().on("tasks.task.add", [Step::lost().takes(millis(0))]);
    let client = portal.client().with_policy(Policy::new().deadline(secs(90)));
    let result = add_task(&client, &NewTask::of("A-1"), &once("A-1")).await;
    ends(result, Ending::InDoubt, "the send before may still be under way at the deadline");
    assert!(portal.elapsed() < secs(1), "{:?}", portal.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_key_settles_nothing_where_no_settle_time_is_known_and_nobody_waits_for_it() {
    let portal = Fake::new().on("tasks.task.add", [Step::lost()]);
    let client = portal.builder().settle(Settle::unbounded()).build().unwrap();
    let result = add_task(&client, &NewTask::of("A-1"), &once("A-1")).await;
    ends(result, Ending::InDoubt, "nothing says how long the send before may still be under way");
    assert!(portal.elapsed() < secs(1));
}

#[tokio::test(start_paused = true)]
async fn an_absence_that_the_deadline_cut_off_is_said_to_be_that() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost()]);
    let client = portal.client().with_policy(Policy::new().deadline(secs(60)));
    let result = add_deal(&client, &NewDeal::of("A-1")).await;
    ends(result, Ending::InDoubt, "its absence could not be proved before the deadline");
}
