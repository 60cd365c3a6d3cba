//! Idempotency keys: the reports of people who do this job.

use std::collections::BTreeSet;

use retry_runtime::report::Ending;
use retry_runtime::{Effect, IdempotencyKey, Policy};

use crate::support::{Fake, NewTask, Step, add_sought_task, add_task, ending, ensure_task, once, secs};

const ADD: &str = "tasks.task.add";

/// The keys of all sends of the create.
fn keys(portal: &Fake) -> Vec<String> {
    let received = portal.received().into_iter().filter(|request| request.method == ADD);
    received.map(|request| request.idempotency_key.unwrap()).collect()
}

#[tokio::test(start_paused = true)]
async fn case_b81_each_create_has_a_key_of_its_own() {
    let portal = Fake::new();
    let client = portal.client();
    // The same words on purpose: by their keys they are four operations.
    let task = NewTask::of("A-1");
    for key in [once("A-1"), once("B-1"), IdempotencyKey::random(), IdempotencyKey::random()] {
        add_task(&client, &task, &key).await.unwrap();
    }
    assert_eq!(keys(&portal).into_iter().collect::<BTreeSet<_>>().len(), 4);
    assert_eq!((portal.sends(ADD), portal.effects(ADD)), (4, 4));
}

#[tokio::test(start_paused = true)]
async fn case_b81_an_operation_asked_for_twice_at_once_is_one_request_with_ensure() {
    let portal = Fake::new().on(ADD, [Step::honest().takes(secs(20))]);
    let client = portal.client();
    let (task, key) = (NewTask::of("A-1"), once("A-1"));
    let (one, other) = tokio::join!(ensure_task(&client, &task, &key), ensure_task(&client, &task, &key));
    assert_eq!(one.unwrap(), other.unwrap());
    assert_eq!((portal.sends(ADD), portal.effects(ADD)), (1, 1));

    // Without a look before it, the second one waits, and is answered from what the portal has stored.
    let portal = Fake::new().on(ADD, [Step::honest().takes(secs(20))]);
    let client = portal.client();
    let (one, other) = tokio::join!(add_task(&client, &task, &key), add_task(&client, &task, &key));
    assert_eq!(one.unwrap(), other.unwrap());
    assert_eq!(portal.effects(ADD), 1);
    assert!(portal.times(ADD)[1] >= secs(20), "{:?}", portal.times(ADD));
}

/// A day and an hour later the portal has forgotten the key: the call is looked for, and its key is not relied on.
#[tokio::test(start_paused = true)]
async fn case_b81_after_25_hours_a_doubt_is_read_back_and_not_replayed() {
    for looks in [vec![], vec![Step::html(); 50]] {
        let fails = !looks.is_empty();
        let portal = Fake::new().on(ADD, [Step::lost().applied_late(secs(20))]).on("tasks.task.list", looks);
        let call = tokio::spawn({
            let client = portal.client().with_policy(Policy::new().deadline(secs(400_000)));
            async move { add_sought_task(&client, &NewTask::of("A-1"), &once("A-1")).await }
        });
        tokio::time::sleep(secs(10)).await;
        portal.clock().set_forward(secs(25 * 3_600));
        let result = call.await.unwrap();
        assert_eq!((portal.sends(ADD), portal.effects(ADD)), (1, 1));
        if fails {
            assert_eq!(ending(&result), Ending::InDoubt);
            assert_eq!(result.unwrap_err().effect(), Effect::Unknown);
        } else {
            assert_eq!(result.unwrap().0, 1);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn case_b82_the_key_is_made_before_the_call_and_all_its_sends_carry_it() {
    let portal = Fake::new().on(ADD, [Step::lost(), Step::lost(), Step::code("RATE_LIMITED"), Step::lost().applied()]);
    let client = portal.client();
    let hasty = client.with_policy(Policy::new().attempts(1));
    let (task, key) = (NewTask::of("A-1"), IdempotencyKey::random());
    let result = add_task(&hasty, &task, &key).await;
    assert_eq!(ending(&result), Ending::InDoubt);
    // The error says which one it was, for who did not keep it.
    assert_eq!(result.unwrap_err().report().idempotency_key(), Some(&key));
    add_task(&client.with_policy(Policy::new().deadline(secs(900))), &task, &key).await.unwrap();
    assert_eq!(keys(&portal), vec![key.as_str(); 5]);
    assert_eq!(portal.effects(ADD), 1);
    // One that is made from what the operation is about is the same wherever it is made.
    assert_eq!(once("A-1"), once("A-1"));
    assert_ne!(once("A-1"), once("A-2"));
}
