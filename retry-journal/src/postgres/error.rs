//! Why PostgreSQL could not do it, in words for the person who meets it.

use std::error::Error as _;
use std::time::Duration;

use retry_runtime::journal::JournalError;
use tokio_postgres::error::SqlState;

/// Why a journal could not be opened. Nothing was sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// The address does not read as one.
    #[error(
        "the address of the journal is not one of PostgreSQL: {0}. It reads postgres://USER:PASSWORD@HOST:PORT/DATABASE"
    )]
    Address(Box<str>),
    /// The name of the schema is none.
    #[error("{0:?} can't name the schema of the journal: take 1 to 63 of a-z, 0-9 and _, and no digit at the start")]
    SchemaName(Box<str>),
    /// The lease is too short to be renewed in time, or so long that it can't be counted.
    #[error("the lease of a worker must be between 1 second and 1 day, not {0:?}")]
    Lease(Duration),
    /// The certificates of the operating system could not be read.
    #[error(
        "the connection to the journal needs TLS, and no certificate to trust was found: {0}. Install ca-certificates, or name a file in SSL_CERT_FILE"
    )]
    Certificates(Box<str>),
    /// The server is older than 13.
    #[error("the journal needs PostgreSQL 13 or newer, and this server is {0}")]
    TooOld(Box<str>),
    /// The tables were made by a newer version of this crate.
    #[error(
        "the schema {schema} of the journal has version {found}, and this program knows {known}: update the program"
    )]
    Newer {
        /// The schema.
        schema: Box<str>,
        /// Its version.
        found: i32,
        /// The newest that is known here.
        known: i32,
    },
    /// The key does not fit.
    #[error("the journal in the schema {schema}: {why}")]
    Key {
        /// The schema.
        schema: Box<str>,
        /// What does not fit, and what to do.
        why: Box<str>,
    },
    /// The server can't be reached, or refused.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// What a statement ended with.
pub(super) fn failed(error: &tokio_postgres::Error) -> JournalError {
    let text = told(error);
    match error.as_db_error() {
        Some(refusal) if is_lasting(refusal.code()) => JournalError::Damaged(text),
        Some(_) | None => JournalError::Unavailable(text),
    }
}

/// Whether the server will say so each time: the tables are not as they should be. All else passes, or is mended by the operator of the server.
fn is_lasting(code: &SqlState) -> bool {
    ["0A", "22", "23", "26", "42"].iter().any(|class| code.code().starts_with(class))
        && *code != SqlState::INSUFFICIENT_PRIVILEGE
}

/// The error with its cause, without the values that the server may tell in the details.
fn told(error: &tokio_postgres::Error) -> Box<str> {
    if let Some(refusal) = error.as_db_error() {
        return format!("PostgreSQL says {} (SQLSTATE {})", refusal.message(), refusal.code().code()).into();
    }
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text.into()
}
