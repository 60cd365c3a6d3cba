//! The journal in PostgreSQL, on a real server that the tests start by themselves.

mod contract;
mod desk;
mod faults;
mod fleet;
mod limiter;
mod server;
mod start;
mod tool;

use bytes::Bytes;
use retry_journal::postgres::{PostgresBuilder, PostgresJournal};
use retry_runtime::journal::{Beginning, Begun, Change, Claim, Digest, Entry, Epoch, Held, IntentId, Journal};
use retry_runtime::transport::Version;

const PORTAL: &str = "portal.example:443";
const STUB: &str = "crm::add_deal";

fn id(key: &str) -> IntentId {
    IntentId { portal: PORTAL.into(), method: "crm.deal.add".into(), key: key.into() }
}

fn beginning(key: &str, expected: Option<Epoch>) -> Beginning {
    let arguments = Bytes::from(format!("{{\"key\":\"{key}\"}}"));
    Beginning {
        id: id(key),
        stub: STUB.into(),
        version: Version::Two,
        digest: Digest::of(&arguments),
        arguments,
        idempotency_key: None,
        expected,
        story: Vec::new(),
    }
}

async fn begun(journal: &PostgresJournal, key: &str, expected: Option<Epoch>) -> Held {
    match journal.begin(&beginning(key, expected)).await.unwrap() {
        Begun::Yes(held) => held,
        Begun::Taken(row) => panic!("{key} is taken: {row:?}"),
    }
}

fn entry(held: Held, change: Change) -> Entry {
    Entry { held, change, story: Vec::new() }
}

fn open(limit: u32) -> Claim {
    Claim::Open { portal: PORTAL.into(), stubs: vec![STUB.into()], limit }
}

fn builder(schema: &str) -> PostgresBuilder {
    PostgresJournal::builder().schema(schema)
}
