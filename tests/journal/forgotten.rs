//! A journal that may have forgotten something: what is not on record is looked for before its first send.

use std::sync::Arc;

use retry_runtime::journal::{
    Beginning, Begun, Claim, Entry, Held, Intent, IntentId, Job, Journal, MemoryJournal, Recorded,
};

use crate::orders::{Order, add_order, blind_order, journal};
use crate::support::{Fake, secs};

/// An older copy has come back, as far as it knows.
#[derive(Debug)]
pub(crate) struct Suspicious(pub(crate) MemoryJournal);

impl Journal for Suspicious {
    fn look<'a>(&'a self, id: &'a IntentId) -> Job<'a, Option<Intent>> {
        self.0.look(id)
    }

    fn begin<'a>(&'a self, beginning: &'a Beginning) -> Job<'a, Begun> {
        self.0.begin(beginning)
    }

    fn record<'a>(&'a self, entry: &'a Entry) -> Job<'a, Recorded> {
        self.0.record(entry)
    }

    fn claim<'a>(&'a self, claim: &'a Claim) -> Job<'a, Vec<Intent>> {
        self.0.claim(claim)
    }

    fn release(&self, held: Held, why: &str) {
        self.0.release(held, why);
    }

    fn flush(&self) -> Job<'_, ()> {
        self.0.flush()
    }

    fn suspicion(&self) -> Option<Arc<str>> {
        Some("an older copy has come back".into())
    }
}

#[tokio::test(start_paused = true)]
async fn p1_what_was_sent_without_a_trace_is_found_before_it_is_sent_again() {
    let portal = Fake::new();
    portal.insert_deal("A-1");
    let client = portal.builder().journal(Suspicious(journal(&portal))).build().unwrap();
    add_order(&client, &Order::of("A-1")).await.unwrap();
    assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (0, 1));
}

#[tokio::test(start_paused = true)]
async fn p3_what_is_not_there_is_sent_after_the_settle_time() {
    let portal = Fake::new();
    let client = portal.builder().journal(Suspicious(journal(&portal))).build().unwrap();
    add_order(&client, &Order::of("A-1")).await.unwrap();
    let times = portal.times("crm.deal.add");
    assert!(times.len() == 1 && times[0] >= secs(90), "{times:?}");
}

#[tokio::test(start_paused = true)]
async fn what_nobody_can_read_back_is_not_sent() {
    let portal = Fake::new();
    let client = portal.builder().journal(Suspicious(journal(&portal))).build().unwrap();
    let error = blind_order(&client, &Order::of("A-1")).await.unwrap_err();
    assert_eq!(portal.sends("crm.deal.add"), 0);
    assert!(error.to_string().contains("an older copy has come back"), "{error}");
}
