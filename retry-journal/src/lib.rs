//! The write journal of `retry-runtime`: stores that outlive a process, and what a person does with them.
//!
//! The person has `bitrix-journal`, in a terminal and as a page in the browser: feature `tool`, on by default for `cargo install`. A program that only sends
//! takes this crate with `default-features = false` and the store it wants.

#[cfg(any(feature = "sqlite", feature = "postgres"))]
mod bodies;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
mod columns;
mod desk;
#[cfg(feature = "metrics")]
mod metrics;
#[cfg(feature = "postgres")]
pub mod postgres;
#[cfg(feature = "sqlite")]
pub mod sqlite;
#[cfg(any(feature = "metrics", feature = "tool"))]
mod states;
#[cfg(feature = "tool")]
pub mod tool;

#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub use bodies::{Bodies, BodyKey};
pub use desk::{Decided, Decision, Desk, DeskError, Page, Query, Shown, Signature, Stats, Work};

#[cfg(feature = "metrics")]
pub use crate::metrics::report_metrics;
#[cfg(feature = "postgres")]
pub use crate::postgres::PostgresJournal;
#[cfg(feature = "sqlite")]
pub use crate::sqlite::SqliteJournal;
