//! REST 3.0: tasks whose creates carry idempotency keys.

use std::time::Duration;

use retry_portal::{Answer, Coded, Cut, Fault, Faults, Portal};
use retry_runtime::report::Ending;
use retry_runtime::{Client, Effect, Id, IdempotencyKey};
use tokio::task::JoinSet;

use crate::setting::{portal, scaled};
use crate::stubs::{NewTask, add_task};

const ADD: &str = "tasks.task.add";

fn client(portal: &Portal) -> Client {
    scaled(Client::builder().webhook(&portal.webhook_url())).build().unwrap()
}

fn once(order: &str) -> IdempotencyKey {
    IdempotencyKey::of_business("order", order).unwrap()
}

/// So many calls at once, each for an order of its own; how many tasks there are then.
async fn tasks_after(portal: &Portal, calls: usize) -> usize {
    let client = client(portal);
    let mut running = JoinSet::new();
    for number in 0..calls {
        let client = client.clone();
        running.spawn(async move {
            let order = number.to_string();
            add_task(&client, &NewTask::of(&order), &once(&order)).await.map(|made| made.item.id)
        });
    }
    for made in running.join_all().await {
        made.unwrap();
    }
    portal.settled().await;
    portal.records("task").len()
}

#[tokio::test]
async fn a_task_is_made_and_its_key_gives_the_stored_answer_again() {
    let portal = portal().start().await.unwrap();
    let client = client(&portal);
    for _ in 0..3 {
        let made = add_task(&client, &NewTask::of("7"), &once("7")).await.unwrap();
        assert_eq!(made.item.id, Id(1));
    }
    assert_eq!((portal.count(ADD), portal.records("task").len()), (3, 1));
    let sent = portal.requests();
    assert!(sent.iter().all(|sent| sent.header("Idempotency-Key") == Some(once("7").as_str())));
    assert!(sent.windows(2).all(|pair| pair[0].body == pair[1].body));
    assert_eq!(sent.iter().map(|sent| sent.replayed).collect::<Vec<_>>(), [false, true, true]);
}

#[tokio::test]
async fn with_the_answer_lost_on_every_first_attempt_there_is_one_task_a_call() {
    for answer in [Answer::Close, Answer::Reset, Answer::Cut(Cut::Percent(70)), Answer::Html(504)] {
        for fault in [Fault::before(answer.clone()), Fault::never(answer.clone())] {
            let faults = Faults::seeded(7).share(1.0).in_a_row(1).reads([]).writes([(1, fault.clone())]);
            let portal = portal().faults(faults).start().await.unwrap();
            assert_eq!(tasks_after(&portal, 30).await, 30, "{fault:?}");
            assert_eq!(portal.count(ADD), 60, "{fault:?}");
        }
    }
}

#[tokio::test]
async fn a_late_effect_is_waited_out() {
    // Portal time: 50 s are 50 ms.
    let late = Fault::late(Duration::from_secs(50), Answer::Close);
    let faults = Faults::seeded(7).share(1.0).in_a_row(1).reads([]).writes([(1, late)]);
    let portal = portal().faults(faults).start().await.unwrap();
    assert_eq!(tasks_after(&portal, 30).await, 30);
}

#[tokio::test]
async fn the_guard_is_as_good_as_the_portals_storing() {
    // The assumption that the docs name: where a success is stored only with its answer, a lost one runs again.
    for (atomic, tasks) in [(true, 10), (false, 20)] {
        let lost = Fault::before(Answer::Close);
        let faults = Faults::seeded(7).share(1.0).in_a_row(1).reads([]).writes([(1, lost)]);
        let portal = portal().idempotency_atomic(atomic).faults(faults).start().await.unwrap();
        assert_eq!(tasks_after(&portal, 10).await, tasks, "atomic: {atomic}");
    }
}

#[tokio::test]
async fn the_report_shows_the_stored_answer() {
    let portal = portal().script(ADD, [Fault::before(Answer::Close), Fault::none()]).start().await.unwrap();
    let seen = crate::secrets::Reports::default();
    let builder = scaled(Client::builder().webhook(&portal.webhook_url()));
    let client = builder.observer(seen.clone()).build().unwrap();
    add_task(&client, &NewTask::of("7"), &once("7")).await.unwrap();
    let report = seen.last();
    assert_eq!(report.attempts().iter().map(|attempt| attempt.replayed).collect::<Vec<_>>(), [false, true]);
}

#[tokio::test]
async fn an_error_is_never_sent_again_under_its_key() {
    for (code, end) in [("INTERNAL_SERVER_ERROR", Ending::InDoubt), ("NEVER_HEARD_OF", Ending::InDoubt)] {
        let fault = Fault::before(Answer::Coded(Coded::new(500, code)));
        let portal = portal().script(ADD, [fault]).start().await.unwrap();
        let error = add_task(&client(&portal), &NewTask::of("7"), &once("7")).await.unwrap_err();
        assert_eq!((error.report().ending(), error.effect()), (end, Effect::Unknown), "{error}");
        assert_eq!((portal.count(ADD), portal.records("task").len()), (1, 1));
    }
}

#[tokio::test]
async fn a_key_that_another_body_has_used_is_refused_and_unknown() {
    let portal = portal().start().await.unwrap();
    let client = client(&portal);
    add_task(&client, &NewTask::of("7"), &once("7")).await.unwrap();
    let error = add_task(&client, &NewTask::of("8"), &once("7")).await.unwrap_err();
    assert_eq!((error.report().ending(), error.effect()), (Ending::Refused, Effect::Unknown), "{error}");
    assert_eq!(portal.records("task").len(), 1);
}

#[tokio::test]
async fn what_the_portal_refuses_is_absent_and_names_the_fields() {
    let portal = portal().require("task", "DESCRIPTION").start().await.unwrap();
    let error = add_task(&client(&portal), &NewTask::of("7"), &once("7")).await.unwrap_err();
    assert_eq!((error.report().ending(), error.effect()), (Ending::Refused, Effect::Absent), "{error}");
    assert!(error.to_string().to_lowercase().contains("description"), "{error}");
}
