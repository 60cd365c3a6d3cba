//! The write journal in one file, for one process: [`SqliteJournal`].
//!
//! The file is a database of SQLite (bundled with this crate) on a local disk; a network file system can't hold it, as its locks and syncs can't be
//! relied on. Four files go together: `FILE`, `FILE-wal` (the newest commits), `FILE.head` (how far it has come, to tell an older copy by)
//! and `FILE.lock` (who sends by it). Copy and restore `FILE` with its `-wal`, and leave `FILE.head` out: then what came back is seen as what it is.
//!
//! # What it promises
//!
//! What was answered is on the disk. Commits are shared: while one is being synced, what is asked for meanwhile gathers for the next one.
//!
//! A write that fails (a full disk, an error of the device) stops the journal: each further call gets [`JournalError::Stopped`](retry_runtime::journal::JournalError::Stopped) until the file is opened
//! anew, since nobody can know what of a failed write is there.
//!
//! A file that is damaged does not open. One that lacks its newest commits, is an older copy, or is not there although its head is, opens under
//! [suspicion](retry_runtime::journal::Journal::suspicion), and stays so until a person [trusts](crate::Desk::trust) it: each intent without a record is read back before its first send.

mod builder;
mod desk;
mod error;
mod guard;
mod head;
mod journal;
mod lock;
mod open;
mod retention;
mod row;
mod schema;
mod seal;
mod store;
mod thread;
mod unheard;
mod work;

pub use builder::Builder;
pub use error::OpenError;
pub use journal::{SqliteDesk, SqliteJournal};

pub use crate::bodies::{Bodies, BodyKey};
