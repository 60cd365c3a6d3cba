//! The journal in PostgreSQL, on a real server that the tests start by themselves.

#[cfg(test)]
#[path = "../contract/begins.rs"]
mod begins;
#[cfg(test)]
#[path = "../contract/changes.rs"]
mod changes;
#[cfg(test)]
#[path = "../contract/claims.rs"]
mod claims;
#[cfg(test)]
#[path = "../contract/decisions.rs"]
mod decisions;
#[cfg(test)]
#[path = "../contract/kit.rs"]
mod kit;
#[cfg(test)]
#[path = "../contract/looks.rs"]
mod looks;
#[cfg(test)]
#[path = "../contract/rules.rs"]
#[macro_use]
mod rules;

#[cfg(test)]
mod bodies;
#[cfg(test)]
mod contract;
#[cfg(test)]
mod faults;
#[cfg(test)]
mod fleet;
#[cfg(test)]
mod forgotten;
#[cfg(test)]
mod limiter;
#[cfg(test)]
mod server;
#[cfg(test)]
mod start;
#[cfg(test)]
mod tool;

use retry_journal::postgres::{PostgresBuilder, PostgresJournal};
use retry_runtime::journal::Claim;

use crate::kit::{PORTAL, STUB};

fn open(limit: u32) -> Claim {
    Claim::Open { portal: PORTAL.into(), stubs: vec![STUB.into()], limit }
}

fn builder(schema: &str) -> PostgresBuilder {
    PostgresJournal::builder().schema(schema)
}
