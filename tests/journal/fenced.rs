//! A process that was stopped for long, and another one that took its intent over.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use retry_runtime::Client;
use retry_runtime::journal::{How, MemoryJournal, Settlement, State};
use retry_runtime::transport::{Answer, BoxFuture, Loss, Request, Transport, Wire};

use crate::orders::{Order, RESEND, client, journal, only, resend_order};
use crate::support::{Fake, Step, secs};

/// A way out whose process is stopped once, between the record and the first byte.
#[derive(Debug)]
struct Stopped {
    portal: Fake,
    stopped: Mutex<Option<Duration>>,
}

impl Transport for Stopped {
    fn send<'a>(&'a self, request: &'a Request, wire: &'a Arc<Wire>) -> BoxFuture<'a, Result<Answer, Loss>> {
        Box::pin(async move {
            if request.method == "crm.deal.add" {
                let stopped = self.stopped.lock().unwrap().take();
                tokio::time::sleep(stopped.unwrap_or_default()).await;
            }
            self.portal.send(request, wire).await
        })
    }
}

fn stopped(portal: &Fake, journal: &MemoryJournal, stopped: Duration) -> Client {
    let line = Stopped { portal: portal.clone(), stopped: Mutex::new(Some(stopped)) };
    portal.builder().transport(line).journal(journal.clone()).build().unwrap()
}

#[tokio::test(start_paused = true)]
async fn p3_what_was_put_on_record_long_ago_does_not_leave_any_more() {
    for (pause, sent_by_itself) in [(secs(4), true), (secs(6), false)] {
        let portal = Fake::new();
        let journal = journal(&portal);
        resend_order(&stopped(&portal, &journal, pause), &Order::of("A-1")).await.unwrap();
        assert_eq!((only(&journal).attempt == 1, portal.effects("crm.deal.add")), (sent_by_itself, 1));
    }
}

#[tokio::test(start_paused = true)]
async fn p1_p3_a_stopped_sender_is_fenced_and_gets_the_result_of_the_other() {
    for pause in [secs(91), secs(200)] {
        let portal = Fake::new();
        let journal = journal(&portal);
        let late = stopped(&portal, &journal, pause);
        let late = tokio::spawn(async move { resend_order(&late, &Order::of("A-1")).await });
        tokio::time::sleep(secs(1)).await;
        let recovered = client(&portal, &journal.shared()).recover([RESEND]).await.unwrap();
        late.await.unwrap().unwrap();
        assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (1, 1), "{pause:?}");
        assert!(matches!(only(&journal).state, State::Applied { .. }), "{journal:?}");
        // With the shorter pause it wakes before the other one is through, and takes the intent over in its turn.
        let settlement = if pause < secs(100) { Settlement::Open } else { Settlement::Applied };
        assert_eq!(recovered.count(settlement), 1, "{recovered:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn p2_the_late_success_of_a_fenced_sender_is_believed() {
    let portal = Fake::new().on("crm.deal.add", [Step::honest().takes(secs(50))]);
    let journal = journal(&portal);
    let slow = client(&portal, &journal);
    let slow = tokio::spawn(async move { resend_order(&slow, &Order::of("A-1")).await });
    tokio::time::sleep(secs(1)).await;
    let other = client(&portal, &journal.shared());
    let other = tokio::spawn(async move { other.recover([RESEND]).await });
    slow.await.unwrap().unwrap();
    assert!(matches!(only(&journal).state, State::Applied { how: How::Answer, .. }), "{journal:?}");
    other.await.unwrap().unwrap();
    assert!(matches!(only(&journal).state, State::Applied { .. }), "{journal:?}");
    assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn p1_eight_processes_that_recover_at_once_send_once() {
    let portal = Fake::new().on("crm.deal.add", [Step::silence()]);
    let journal = journal(&portal);
    crate::crash::dead(&portal, &journal, RESEND, "A-1").await;
    let mut workers = tokio::task::JoinSet::new();
    let mut shared = journal.clone();
    for number in 0..8 {
        shared = shared.shared();
        let client = client(&portal, &shared);
        workers.spawn(async move {
            // Each takes it from the one before while that one waits.
            tokio::time::sleep(secs(number * 20)).await;
            client.recover([RESEND]).await.unwrap()
        });
    }
    workers.join_all().await;
    assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (2, 1));
    assert!(matches!(only(&journal).state, State::Applied { .. }), "{journal:?}");
}
