//! What `bitrix-journal` is made of: its commands, and the same as a page for the browser.
//!
//! A program that wants the commands or the page inside of itself calls [`execute`] with any [`Desk`].

mod choices;
mod decide;
mod detail;
mod export;
mod facts;
mod link;
mod list;
mod open;
mod options;
mod output;
mod page;
mod plain;
#[cfg(test)]
mod sample;
mod show;
mod stats;
mod times;

use std::io;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::SystemTime;

use retry_runtime::clock::{Clock as _, SystemClock};

use self::choices::Choice;
pub use self::open::open;
pub use self::options::{Adopt, Command, Decide, Export, List, One, Options, Serve, Sign, StateName, Stats};
pub use self::output::Output;
use self::plain::plain;
use crate::desk::{self, Desk, DeskError};

/// Why a command did not end well.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Ended {
    /// It could not be done: exit code 1.
    #[error("{0}")]
    NotDone(String),
    /// It was asked for in a wrong way: exit code 2.
    #[error("{0}")]
    Usage(String),
    /// It was done, and a person is needed: exit code 3.
    #[error("{0}")]
    PersonNeeded(String),
    /// The output broke, or the page could not be served.
    #[error("{0}")]
    Io(#[from] io::Error),
}

impl From<DeskError> for Ended {
    fn from(error: DeskError) -> Self {
        Self::NotDone(plain(&error.to_string()))
    }
}

impl Ended {
    /// The exit code. A reader that has seen enough, such as `head`, is no failure.
    pub fn code(&self) -> ExitCode {
        match self {
            Self::Io(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Self::NotDone(_) | Self::Io(_) => ExitCode::from(1),
            Self::Usage(_) => ExitCode::from(2),
            Self::PersonNeeded(_) => ExitCode::from(3),
        }
    }
}

/// Does what the command says with this journal.
///
/// # Errors
/// Why it was not done, or that a person is needed.
///
/// # Cancel safety
/// A decision that was handed to the journal may be on record although this was dropped; look again.
pub async fn execute(desk: Arc<dyn Desk>, command: &Command, output: &mut Output<'_>) -> Result<(), Ended> {
    let journal = &*desk;
    match command {
        Command::List(options) => list::list(journal, options, output).await,
        Command::Show(One { number }) => show::show(journal, *number, output).await,
        Command::Verify(options) => decide::decide(journal, Choice::Verify, options, "", output).await,
        Command::Adopt(Adopt { decide, record }) => {
            decide::decide(journal, Choice::Adopt, decide, record, output).await
        }
        Command::Reject(options) => decide::decide(journal, Choice::Reject, options, "", output).await,
        Command::AllowOnce(options) => decide::decide(journal, Choice::AllowOnce, options, "", output).await,
        Command::Stats(options) => stats::stats(journal, options, output).await,
        Command::Export(options) => export::export(journal, options, output).await,
        Command::Trust(sign) => decide::trust(journal, sign, output).await,
        Command::Serve(options) => page::serve(desk, options, output).await,
    }
}

/// The time by the clock of the journal, which ages are counted from.
fn now(stats: &desk::Stats) -> SystemTime {
    stats.at.unwrap_or_else(|| SystemClock.now().wall())
}
