//! A journal that answers late, and one with a line for all processes.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use retry_runtime::journal::{
    Beginning, Begun, Claim, Entry, Held, Intent, IntentId, Job, Journal, MemoryJournal, Recorded, Settlement, State,
};
use retry_runtime::{Client, Policy, RateLimit};

use crate::orders::{ADD, Order, add_order, client, journal};
use crate::support::{Fake, millis, secs};

#[derive(Debug)]
struct Slow {
    journal: MemoryJournal,
    /// A beginning is on record at once, and answered so much later.
    begins: Duration,
    /// Each turn comes so much later than the one before.
    every: Duration,
    turns: AtomicU32,
}

impl Slow {
    fn of(journal: &MemoryJournal, begins: Duration, every: Duration) -> Self {
        Self { journal: journal.clone(), begins, every, turns: AtomicU32::new(0) }
    }
}

impl Journal for Slow {
    fn look<'a>(&'a self, id: &'a IntentId) -> Job<'a, Option<Intent>> {
        self.journal.look(id)
    }

    fn begin<'a>(&'a self, beginning: &'a Beginning) -> Job<'a, Begun> {
        Box::pin(async move {
            let begun = self.journal.begin(beginning).await;
            tokio::time::sleep(self.begins).await;
            begun
        })
    }

    fn record<'a>(&'a self, entry: &'a Entry) -> Job<'a, Recorded> {
        self.journal.record(entry)
    }

    fn claim<'a>(&'a self, claim: &'a Claim) -> Job<'a, Vec<Intent>> {
        self.journal.claim(claim)
    }

    fn release(&self, held: Held, why: &str) {
        self.journal.release(held, why);
    }

    fn flush(&self) -> Job<'_, ()> {
        self.journal.flush()
    }

    fn turn<'a>(&'a self, _portal: &'a str, _every: Duration) -> Job<'a, Duration> {
        Box::pin(async move { Ok(self.every * self.turns.fetch_add(1, Ordering::Relaxed)) })
    }
}

async fn calls(client: &Client, count: usize) -> usize {
    let mut calls = tokio::task::JoinSet::new();
    for number in 0..count {
        let client = client.clone();
        calls.spawn(async move { add_order(&client, &Order::of(&number.to_string())).await });
    }
    calls.join_all().await.iter().filter(|made| made.is_ok()).count()
}

#[tokio::test(start_paused = true)]
async fn p2_an_attempt_that_is_on_record_only_after_the_deadline_is_held_by_nobody() {
    for (count, together) in [(1, false), (1, true), (3, true)] {
        let portal = Fake::new();
        let journal = journal(&portal);
        let slow = portal.builder().journal(Slow::of(&journal, secs(20), Duration::ZERO)).build().unwrap();
        let slow = if together { slow.batched() } else { slow }.with_policy(Policy::new().deadline(secs(10)));
        assert_eq!(calls(&slow, count).await, 0);
        tokio::time::sleep(secs(60)).await;
        for intent in journal.intents() {
            assert!(intent.owner.is_none() && intent.state != State::Sending, "{count} {together}: {intent:?}");
        }
        // The same process can go on with each of them.
        let client = client(&portal, &journal);
        let recovered = client.recover([ADD]).await.unwrap();
        assert_eq!(recovered.count(Settlement::Open), 0, "{recovered:?}");
        assert_eq!(calls(&client, count).await, count);
        assert_eq!(portal.effects("crm.deal.add"), count);
    }
}

fn in_line(portal: &Fake, journal: &MemoryJournal, every: Duration) -> Client {
    let line = Slow::of(journal, Duration::ZERO, every);
    portal.builder().rate_limit(RateLimit::new(50, millis(500))).journal(line).build().unwrap()
}

#[tokio::test(start_paused = true)]
async fn p3_a_batch_takes_one_turn_so_that_all_of_it_leaves_soon_after_it_is_on_record() {
    let portal = Fake::new();
    let journal = journal(&portal);
    assert_eq!(calls(&in_line(&portal, &journal, secs(1)).batched(), 20).await, 20);
    assert_eq!((portal.sends("batch"), portal.effects("crm.deal.add")), (1, 20));
    assert!(journal.intents().iter().all(|intent| intent.attempt == 1), "{journal:?}");
}

#[tokio::test(start_paused = true)]
async fn a_turn_after_the_deadline_is_not_waited_for_and_nothing_is_on_record() {
    for together in [false, true] {
        let portal = Fake::new();
        let journal = journal(&portal);
        let client = in_line(&portal, &journal, secs(60)).with_policy(Policy::new().deadline(secs(30)));
        let client = if together { client.batched() } else { client };
        add_order(&client, &Order::of("first")).await.unwrap();
        let error = add_order(&client, &Order::of("second")).await.unwrap_err();
        assert!(error.to_string().contains("turn"), "{error}");
        assert_eq!((portal.effects("crm.deal.add"), journal.intents().len()), (1, 1));
        assert!(portal.elapsed() < secs(5), "{:?}", portal.elapsed());
    }
}
