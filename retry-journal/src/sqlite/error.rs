//! What goes wrong with a file, and what to do then.

use std::io;
use std::path::{Path, PathBuf};

use retry_runtime::journal::JournalError;
use rusqlite::ErrorCode;

/// Why a journal could not be opened. Nothing was sent, and nothing on record was changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// Another process sends by this journal.
    #[error(
        "the journal {} is in use by {by}. A journal is for one sending process at a time: stop that one, or give this one a file of its own. To look and decide beside it, open it as a desk", path.display()
    )]
    InUse {
        /// The file.
        path: PathBuf,
        /// Who has it.
        by: Box<str>,
    },
    /// There is no file, although one must be there.
    #[error(
        "there is no journal {}. Is its disk mounted, and is this the right path? Where a first journal is wanted, open it once without saying that it must exist", path.display()
    )]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// A newer version of this crate has written it.
    #[error(
        "the journal {} has format {found}, and this program knows formats up to {known}. Run the newer program; the file was not touched", path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: i64,
        /// The newest known one.
        known: i64,
    },
    /// An older version of this crate has written it, and a desk changes no format.
    #[error(
        "the journal {} has the older format {found}. Start the program that sends by it once: it brings the file up to format {known}", path.display()
    )]
    Older {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: i64,
        /// The format it would have.
        known: i64,
    },
    /// It is a file of something else.
    #[error("{} is not a journal. Give the journal a path of its own; the file was not touched", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The key does not fit.
    #[error("the journal {}: {why}", path.display())]
    Key {
        /// The file.
        path: PathBuf,
        /// What does not fit, and what to do.
        why: Box<str>,
    },
    /// The system refused something.
    #[error("the journal {}: {doing}: {source}. See to its directory: it must exist, be on a local disk with space left, and be writable", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What was tried.
        doing: &'static str,
        /// Why it did not work.
        source: io::Error,
    },
    /// The journal is there and can't be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

impl OpenError {
    /// What to say of a file that opened but does not work.
    pub(super) fn of(path: &Path, failure: Failure) -> Self {
        match failure {
            Failure::Damaged(why) => Self::Journal(damaged(path, &why)),
            Failure::Io(doing, source) => Self::Io { path: path.into(), doing, source },
            Failure::Sql(error) => match error.sqlite_error_code() {
                Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                    Self::Journal(damaged(path, &error.to_string()))
                }
                _ => Self::Io {
                    path: path.into(),
                    doing: "it could not be opened",
                    source: io::Error::other(error.to_string()),
                },
            },
        }
    }
}

/// Says what to do with a file that does not read as it was written.
pub(super) fn damaged(path: &Path, why: &str) -> JournalError {
    JournalError::Damaged(
        format!(
            "{}: {why}. Nothing is sent by it. Check its disk, and move the file and its -wal aside (keep them); leave {}.head where it is: \
             the next start then knows that something is missing, and reads back before each first send",
            path.display(),
            path.display()
        )
        .into(),
    )
}

/// Why something could not be done with a file.
#[derive(Debug)]
pub(super) enum Failure {
    /// SQLite said so.
    Sql(rusqlite::Error),
    /// A row does not read as it was written.
    Damaged(Box<str>),
    /// The system said so, when this was tried.
    Io(&'static str, io::Error),
}

impl Failure {
    /// Whether somebody else has the file for now, so that nothing was tried.
    pub(super) fn is_busy(&self) -> bool {
        match self {
            Self::Sql(error) => error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy),
            Self::Damaged(_) | Self::Io(..) => false,
        }
    }

    pub(super) fn why(&self) -> Box<str> {
        match self {
            Self::Sql(error) => error.to_string().into(),
            Self::Damaged(why) => why.clone(),
            Self::Io(doing, error) => format!("{doing}: {error}").into(),
        }
    }
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sql(error)
    }
}
