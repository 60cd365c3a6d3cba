//! The write journal of `retry-runtime`: stores that outlive a process, and what a person does with them.

mod columns;
mod desk;
#[cfg(feature = "postgres")]
pub mod postgres;
#[cfg(feature = "sqlite")]
pub mod sqlite;

pub use desk::{Decided, Decision, Desk, DeskError, Page, Query, Shown, Signature, Stats, Work};
