//! Writes of REST 3.0 in the journal: recovery settles them by their idempotency key, with the bytes on record.

use retry_runtime::journal::{MemoryJournal, Settlement, State};
use retry_runtime::{CallError, Client, Id, IdempotencyKey, bitrix_method};
use serde::{Deserialize, Serialize};

use crate::orders::{journal, only};
use crate::support::{Fake, Step, secs};

#[derive(Debug, Serialize, Deserialize)]
struct NewTask {
    title: String,
}

#[bitrix_method(name = "tasks.task.add", kind = write, version = 3, idempotency_key = once, journal)]
async fn add_task(client: &Client, fields: &NewTask, once: &IdempotencyKey) -> Result<Id, CallError>;

#[bitrix_method(name = "tasks.task.add", kind = write, version = 3, idempotency_key = once, journal, resend)]
async fn resend_task(client: &Client, fields: &NewTask, once: &IdempotencyKey) -> Result<Id, CallError>;

#[bitrix_method(name = "tasks.task.add", kind = write, version = 3, key = fields.title, idempotency_key = once, journal)]
async fn add_titled(client: &Client, fields: &NewTask, once: &IdempotencyKey) -> Result<Id, CallError>;

fn client(portal: &Fake, journal: &MemoryJournal) -> Client {
    portal.builder().journal(journal.clone()).build().unwrap()
}

/// A process whose runtime ends while its request is on its way.
fn ended(portal: &Fake, journal: &MemoryJournal) -> (Client, NewTask, IdempotencyKey) {
    let task = NewTask { title: "Deliver".into() };
    (client(portal, journal), task, IdempotencyKey::of_business("delivery", "A-1").unwrap())
}

#[tokio::test(start_paused = true)]
async fn p3_recovery_replays_the_same_bytes_after_the_settle_time_and_the_portal_makes_one() {
    for fate in [Step::silence(), Step::silence().applied(), Step::silence().applied_late(secs(20))] {
        let portal = Fake::new().on("tasks.task.add", [fate]);
        let journal = journal(&portal);
        let (before, task, once) = ended(&portal, &journal);
        let call = tokio::spawn(async move { add_task(&before, &task, &once).await });
        tokio::time::sleep(secs(1)).await;
        call.abort();
        let after = journal.restarted();
        // The old process is gone: what it would still do is not part of the test.
        let recovered = client(&portal, &after).recover([add_task::RECOVERY]).await.unwrap();
        assert_eq!(recovered.count(Settlement::Applied), 1, "{recovered:?}");
        let sent: Vec<_> = portal.received();
        assert!(sent.iter().all(|request| request.bytes == sent[0].bytes), "the same bytes");
        assert!(sent[1].at >= secs(90), "{:?}", sent[1].at);
        assert_eq!(portal.effects("tasks.task.add"), 1);
        assert!(matches!(only(&after).state, State::Applied { .. }), "{after:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn case_b81_an_entry_of_the_journal_that_is_25_hours_old_goes_to_a_person() {
    let portal = Fake::new().on("tasks.task.add", [Step::silence()]);
    let journal = journal(&portal);
    let (before, task, once) = ended(&portal, &journal);
    let call = tokio::spawn(async move { resend_task(&before, &task, &once).await });
    tokio::time::sleep(secs(1)).await;
    call.abort();
    let after = journal.restarted();
    portal.clock().set_forward(std::time::Duration::from_hours(25));
    let recovered = client(&portal, &after).recover([resend_task::RECOVERY]).await.unwrap();
    assert_eq!(recovered.count(Settlement::Manual), 1, "{recovered:?}");
    assert_eq!(portal.effects("tasks.task.add"), 0);
}

#[tokio::test(start_paused = true)]
async fn p1_a_call_that_takes_over_replays_under_the_key_that_was_sent_and_not_its_own() {
    let portal = Fake::new().on("tasks.task.add", [Step::silence().applied()]);
    let journal = journal(&portal);
    let (before, task, _) = ended(&portal, &journal);
    let call = tokio::spawn(async move {
        add_titled(&before, &task, &IdempotencyKey::new("made-for-the-first-call").unwrap()).await
    });
    tokio::time::sleep(secs(1)).await;
    call.abort();
    let after = journal.restarted();
    let (client, task, _) = ended(&portal, &after);
    add_titled(&client, &task, &IdempotencyKey::new("made-for-the-second-call").unwrap()).await.unwrap();
    // The old process replays as well, as it is not dead here: under its key that is no second task.
    let first = Some("made-for-the-first-call");
    assert!(portal.received().iter().all(|request| request.idempotency_key.as_deref() == first));
    assert_eq!(portal.effects("tasks.task.add"), 1);
    assert_eq!(only(&after).idempotency_key.as_deref(), first);
}
