//! The catalogue of Bitrix24's REST methods: which of them read and which write, what a second send of a write does, and
//! how one finds out whether the first was applied when its answer is lost.
//!
//! Names do not say it. `event.offline.get` deletes what it returns, `timeman.settings` begins like a setter and reads,
//! `im.message.add` posts a message to people. The table has all 1,671 documented methods of REST 2 and REST 3.0, so that
//! nobody has to guess.
//!
//! ```
//! use retry_catalogue::{Kind, Replay, Strength, lookup};
//!
//! let add = lookup("crm.deal.add").expect("it is in the table");
//! assert_eq!(add.kind, Kind::Write);
//! assert_eq!(add.replay, Some(Replay::Duplicate));
//! assert_eq!(format!("a second {} {}", add.name, add.again), "a second crm.deal.add makes a second deal");
//!
//! // How it can be read back: with which read, by which fields of your own.
//! assert_eq!(add.strength, Some(Strength::Exact));
//! assert_eq!(add.read_with, Some("crm.deal.list"));
//! assert_eq!(add.key_fields().collect::<Vec<_>>(), ["ORIGINATOR_ID", "ORIGIN_ID"]);
//! println!("read it back: {}", add.hint);
//! ```
//!
//! Names are compared without regard to case, as the portal does. What is not in the table may still exist on a
//! self-hosted portal; a typing error is more likely, and [`nearest`] names what was probably meant:
//!
//! ```
//! use retry_catalogue::{lookup, nearest};
//!
//! assert!(lookup("CRM.Deal.Add").is_some());
//! assert!(lookup("crm.deals.create").is_none());
//! assert_eq!(nearest("crm.deals.create").collect::<Vec<_>>(), ["crm.deal.add"]);
//! ```
//!
//! # What the table is worth
//!
//! It says what the documentation says (`bitrix24/b24restdocs` at 5988ed13, August 2026); nothing in it was tried against
//! a portal. Where the documentation is silent, the row says so, and the kind is the cautious one: a method that might
//! write is a write. A read-back proves absence only if it began when the request could no longer be applied, ran as the
//! same user, and read its list to the end.
//!
//! # Cost
//!
//! The table is text in the binary, sorted by name. [`lookup`] is a binary search in that text; nothing is built at start
//! and nothing is allocated (the crate is `no_std` without `alloc`).

#![no_std]

mod helper;
mod method;
mod nearest;
mod table;
mod words;

pub use helper::Helper;
pub use method::{Method, Outdated};
pub use nearest::nearest;
pub use table::{all, lookup};
pub use words::{Action, Kind, Replay, Strength, Versions};
