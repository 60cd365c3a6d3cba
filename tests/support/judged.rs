//! A write whose verifier says what a test tells it to.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use retry_runtime::{CallError, Client, Id, ReadBack, Reader, bitrix_method};
use serde::Serialize;

use super::deals::{NewDeal, find_deal};

/// What one check says.
#[derive(Debug, Clone)]
pub(crate) enum Says {
    Found(u64),
    Absent,
    Multiple(Vec<u64>),
    Unreliable(&'static str),
    Panic,
    /// It never ends.
    Hangs,
    /// Absent after so long, whatever is there.
    AbsentAfter(Duration),
}

/// A deal, and what its verifier says; after that it looks.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Judged {
    #[serde(flatten)]
    deal: NewDeal,
    #[serde(skip)]
    says: Arc<Mutex<VecDeque<Says>>>,
    #[serde(skip)]
    asked: Arc<Mutex<usize>>,
}

impl Judged {
    pub(crate) fn new(order: &str, says: impl IntoIterator<Item = Says>) -> Self {
        let says = Arc::new(Mutex::new(says.into_iter().collect()));
        Self { deal: NewDeal::of(order), says, asked: Arc::default() }
    }

    /// How often the verifier was asked.
    pub(crate) fn asked(&self) -> usize {
        *self.asked.lock().unwrap()
    }
}

/// Creates a deal; the test speaks for the verifier.
#[bitrix_method(name = "crm.deal.add", kind = write, verify = say)]
pub(crate) async fn add_judged(client: &Client, fields: &Judged) -> Result<Id, CallError>;

/// The same, looked for before the first send, one open write for each order.
#[bitrix_method(name = "crm.deal.add", kind = write, verify = say, key = fields.deal.origin, ensure)]
pub(crate) async fn ensure_judged(client: &Client, fields: &Judged) -> Result<Id, CallError>;

async fn say(reader: &Reader, fields: &Judged) -> Result<ReadBack<Id>, CallError> {
    *fields.asked.lock().unwrap() += 1;
    let next = fields.says.lock().unwrap().pop_front();
    match next {
        None => find_deal(reader, &fields.deal).await,
        Some(Says::Found(id)) => Ok(ReadBack::Found(Id(id))),
        Some(Says::Absent) => Ok(ReadBack::Absent),
        Some(Says::Multiple(ids)) => Ok(ReadBack::Multiple(ids.into_iter().map(Id).collect())),
        Some(Says::Unreliable(why)) => Ok(ReadBack::Unreliable(why.into())),
        Some(Says::Panic) => panic!("the verifier of the test panics"),
        Some(Says::Hangs) => std::future::pending().await,
        Some(Says::AbsentAfter(time)) => {
            tokio::time::sleep(time).await;
            Ok(ReadBack::Absent)
        }
    }
}
