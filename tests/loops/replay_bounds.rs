//! Idempotency keys: what bounds the replays of a call, and what its key means for other calls.

use std::time::Duration;

use retry_runtime::report::Ending;
use retry_runtime::{CallError, Client, Effect, Id, Policy, Settle};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::support::{Fake, NewTask, Seen, Step, Told, about, add_task, ending, once, secs};

const ADD: &str = "tasks.task.add";

const fn hours(hours: u64) -> Duration {
    Duration::from_secs(hours * 3_600)
}

fn patient() -> Policy {
    Policy::new().deadline(hours(100))
}

fn spawn(client: &Client) -> JoinHandle<Result<Id, CallError>> {
    let client = client.clone();
    tokio::spawn(async move { add_task(&client, &NewTask::of("A-1"), &once("A-1")).await })
}

#[track_caller]
fn in_doubt(result: Result<Id, CallError>, why: &str) -> CallError {
    assert_eq!(ending(&result), Ending::InDoubt);
    let error = result.unwrap_err();
    assert_eq!(error.effect(), Effect::Unknown);
    assert!(error.to_string().contains(why), "{error}");
    error
}

#[tokio::test(start_paused = true)]
async fn case_b81_a_key_is_relied_on_for_23_hours_of_the_wall_clock() {
    for (forward, sends) in [(22, 2), (23, 1), (48, 1)] {
        let portal = Fake::new().on(ADD, [Step::lost().applied()]);
        let call = spawn(&portal.client().with_policy(patient()));
        tokio::time::sleep(secs(30)).await;
        portal.clock().set_forward(hours(forward));
        let result = call.await.unwrap();
        assert_eq!((portal.sends(ADD), portal.effects(ADD)), (sends, 1), "{forward} h");
        match sends {
            2 => assert_eq!(result.unwrap(), Id(1)),
            _ => drop(in_doubt(result, "may be forgotten by the portal")),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_key_is_relied_on_for_23_hours_of_the_monotonic_clock() {
    // The wall clock is set back: by it the settle time ends in time for the key, by the other clock too late.
    for (back, sends) in [(0, 2), (2, 1)] {
        let portal = Fake::new().on(ADD, [Step::lost().applied()]);
        let client = portal.builder().settle(Settle::self_hosted(hours(22))).policy(patient()).build().unwrap();
        let call = spawn(&client);
        tokio::time::sleep(hours(1)).await;
        portal.clock().set_back(hours(back));
        let result = call.await.unwrap();
        assert_eq!((portal.sends(ADD), portal.effects(ADD)), (sends, 1), "back by {back} h");
        if sends == 1 {
            in_doubt(result, "may be forgotten by the portal");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn the_23_hours_count_from_the_first_send_and_not_from_the_last() {
    let portal = Fake::new().on(ADD, vec![Step::lost().applied(); 9]);
    let settle = Settle::self_hosted(hours(10));
    let policy = patient().attempts(9);
    let client = portal.builder().settle(settle).policy(policy).build().unwrap();
    in_doubt(spawn(&client).await.unwrap(), "may be forgotten by the portal");
    // At 0 h, 10 h and 20 h; the next one would be at 30 h.
    assert_eq!((portal.sends(ADD), portal.effects(ADD)), (3, 1));
}

#[tokio::test(start_paused = true)]
async fn attempts_bound_the_replays() {
    for attempts in 1..=4 {
        let portal = Fake::new().on(ADD, vec![Step::lost(); 9]);
        let client = portal.client().with_policy(patient().attempts(attempts));
        let error = in_doubt(spawn(&client).await.unwrap(), "attempts are used up");
        assert_eq!((portal.sends(ADD), error.report().attempts().len()), (attempts as usize, attempts as usize));
    }
}

#[tokio::test(start_paused = true)]
async fn the_deadline_bounds_the_replays() {
    let portal = Fake::new().on(ADD, vec![Step::lost(); 9]);
    let client = portal.client().with_policy(Policy::new().deadline(secs(60)));
    in_doubt(spawn(&client).await.unwrap(), "deadline");
    assert!(portal.elapsed() < secs(1), "no waiting for what can't be: {:?}", portal.elapsed());
    assert_eq!(portal.sends(ADD), 1);
}

#[tokio::test(start_paused = true)]
async fn the_retry_budget_bounds_the_replays() {
    let portal = Fake::new().on(ADD, vec![Step::lost(); 9]);
    let client = portal.builder().retry_budget(0).build().unwrap();
    in_doubt(spawn(&client).await.unwrap(), "retry budget");
    assert_eq!(portal.sends(ADD), 1);
}

#[tokio::test(start_paused = true)]
async fn without_a_settle_time_nothing_is_sent_twice() {
    let portal = Fake::new().on(ADD, vec![Step::lost(); 9]);
    let client = portal.builder().settle(Settle::unbounded()).build().unwrap();
    in_doubt(spawn(&client).await.unwrap(), "may still be under way");
    assert_eq!(portal.sends(ADD), 1);
}

#[tokio::test(start_paused = true)]
async fn a_pause_that_the_server_asks_for_is_kept_before_a_replay() {
    let portal = Fake::new().on(ADD, [Step::html().applied().asks_to_wait(secs(120))]);
    spawn(&portal.client()).await.unwrap().unwrap();
    assert!(about(portal.times(ADD)[1], 120), "{:?}", portal.times(ADD));
}

#[tokio::test(start_paused = true)]
async fn case_b81_one_flight_for_each_method_and_key_in_a_client() {
    let portal = Fake::new().on(ADD, [Step::lost().applied_late(secs(60))]);
    let client = portal.client();
    let calls: Vec<_> = (0..5).map(|_| spawn(&client)).collect();
    for call in calls {
        assert_eq!(call.await.unwrap().unwrap(), Id(1));
    }
    let received = portal.received();
    assert_eq!((received.len(), portal.effects(ADD)), (6, 1));
    for pair in received.windows(2) {
        assert!(pair[1].at >= pair[0].settled.unwrap(), "{pair:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn calls_with_other_keys_do_not_wait() {
    let portal = Fake::new().on(ADD, [Step::silence()]);
    let client = portal.client();
    let first = spawn(&client);
    tokio::time::sleep(secs(1)).await;
    add_task(&client, &NewTask::of("B-1"), &once("B-1")).await.unwrap();
    assert!(portal.elapsed() < secs(2));
    first.await.unwrap().unwrap();
}

#[tokio::test(start_paused = true)]
async fn after_a_doubt_the_same_key_waits_and_finds_the_stored_answer() {
    let portal = Fake::new().on(ADD, [Step::lost().applied_late(secs(60))]);
    let client = portal.client();
    in_doubt(spawn(&client.with_policy(Policy::new().attempts(1))).await.unwrap(), "attempts are used up");
    assert_eq!(spawn(&client).await.unwrap().unwrap(), Id(1));
    assert!(about(portal.times(ADD)[1], 90));
    assert_eq!(portal.effects(ADD), 1);
}

#[tokio::test(start_paused = true)]
async fn a_dropped_caller_leaves_its_key_closed_until_nothing_can_be_applied() {
    // Dropped while it waits for its answer, and in the wait before its replay.
    for (step, patience) in [(Step::silence().applied_late(secs(20)), 3), (Step::lost().applied_late(secs(80)), 30)] {
        let portal = Fake::new().on(ADD, [step.clone()]);
        let seen = Seen::default();
        let client = portal.builder().observer(seen.clone()).build().unwrap();
        let (task, key) = (NewTask::of("A-1"), once("A-1"));
        assert!(timeout(secs(patience), add_task(&client, &task, &key)).await.is_err());
        assert_eq!(seen.only(Told::Dropped).idempotency_key(), Some(&key));
        assert_eq!(add_task(&client, &task, &key).await.unwrap(), Id(1), "{step:?}");
        assert!(portal.times(ADD)[1] >= secs(90), "{:?}", portal.times(ADD));
        assert_eq!((portal.sends(ADD), portal.effects(ADD)), (2, 1), "{step:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_dropped_caller_replays_nothing_by_itself() {
    let portal = Fake::new().on(ADD, [Step::lost().applied()]);
    let client = portal.client();
    let (task, key) = (NewTask::of("A-1"), once("A-1"));
    assert!(timeout(secs(30), add_task(&client, &task, &key)).await.is_err());
    tokio::time::sleep(secs(1_000)).await;
    assert_eq!(portal.sends(ADD), 1);
}
