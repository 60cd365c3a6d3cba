//! What `bitrix-journal` can be told.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Shows and settles the intents of a write journal: what was sent to Bitrix24, what became of it, and what is in doubt.
///
/// It works beside the running program. Each decision is kept for good with your name and note, and counts only if nothing has
/// changed since you looked.
#[derive(Debug, Parser)]
#[command(name = "bitrix-journal", version, arg_required_else_help = true, after_help = AFTER)]
pub struct Options {
    /// Which journal.
    #[arg(
        long,
        help = "The file of the journal, or the address of its PostgreSQL",
        env = "BITRIX_JOURNAL",
        hide_env_values = true,
        value_name = "FILE or postgres://..",
        global = true
    )]
    pub journal: Option<String>,
    /// A file with the key that the bodies of the journal are encrypted with: 32 bytes, or 64 hexadecimal digits.
    #[arg(long, env = "BITRIX_JOURNAL_KEY_FILE", value_name = "FILE", global = true)]
    pub key_file: Option<PathBuf>,
    /// The schema of the tables in PostgreSQL, if the program has another one than `bitrix_journal`.
    #[arg(long, env = "BITRIX_JOURNAL_SCHEMA", value_name = "NAME", global = true)]
    pub schema: Option<String>,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const AFTER: &str = "In a pipe there are no colours, and lists have one line an intent with tabs between its columns. NO_COLOR=1 turns colours off.

Exit code: 0 done; 1 not done: no such intent, it has changed, it can't be decided that way now, or the journal can't be read;
2 wrong usage; 3 a person is needed (only `stats --check`).

Examples:
  bitrix-journal --journal orders.journal list
  bitrix-journal --journal orders.journal show 17
  bitrix-journal --journal orders.journal adopt 17 4711 --note 'is deal 4711, looked at it'
  bitrix-journal --journal orders.journal serve";

/// What to do.
#[derive(Debug, Subcommand)]
#[non_exhaustive]
pub enum Command {
    /// Lists intents: those that wait for a person first, then the open ones, then the rest; in each the newest first.
    ///
    /// In a pipe the columns are: number, state, began, last attempt, attempts, portal, method, key, why.
    List(List),
    /// Shows all that is known of one intent, and its story.
    Show(One),
    /// Hands an intent back to the program: its next recovery reads it back. Of a manual intent.
    Verify(Decide),
    /// The effect is on the portal, as RECORD: the intent is applied. Of an open or manual intent.
    Adopt(Adopt),
    /// The effect is not there, and nobody wants it any more. Of an open, manual or not applied intent.
    Reject(Decide),
    /// The effect is not there: the next call with its key may send it once more. Of a manual or rejected intent.
    AllowOnce(Decide),
    /// Counts the intents of each state, and tells how old the oldest are.
    Stats(Stats),
    /// Writes all intents and their stories as JSON, one a line.
    Export(Export),
    /// Ends the suspicion of the journal: you have made sure that nothing is missing in it.
    Trust(Sign),
    /// Serves the same as a web page, until Ctrl-C.
    Serve(Serve),
}

/// Which intents to list.
#[derive(Debug, Args)]
pub struct List {
    /// Only intents in this state; may be given several times.
    #[arg(long, value_enum)]
    pub state: Vec<StateName>,
    /// Only intents of which method, key, portal or stub contains this.
    #[arg(long)]
    pub text: Option<String>,
    /// At most so many.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    pub limit: u32,
}

/// One intent.
#[derive(Debug, Args)]
pub struct One {
    /// The number of the intent, as `list` shows it.
    #[arg(value_name = "ID")]
    pub number: u64,
}

/// Who decides, and why.
#[derive(Debug, Args)]
pub struct Sign {
    /// Your name; stays on record.
    #[arg(long, env = "USER")]
    pub name: String,
    /// Why; stays on record.
    #[arg(long)]
    pub note: String,
}

/// A decision about one intent.
#[derive(Debug, Args)]
pub struct Decide {
    /// The number of the intent, as `list` shows it.
    #[arg(value_name = "ID")]
    pub number: u64,
    /// The epoch that `show` showed: if the intent has another one by now, nothing is decided.
    ///
    /// By default the one that it has when this command reads it.
    #[arg(long)]
    pub epoch: Option<u64>,
    /// Who decides.
    #[command(flatten)]
    pub sign: Sign,
}

/// The decision that a record is the effect.
#[derive(Debug, Args)]
pub struct Adopt {
    /// The decision. It comes first on the command line.
    #[command(flatten)]
    pub decide: Decide,
    /// The record on the portal: its id, as the write would have returned it.
    #[arg(value_name = "RECORD", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub record: String,
}

/// What to count.
#[derive(Debug, Args)]
pub struct Stats {
    /// Exit with 3 if a person is needed: an intent is manual, or the journal is under suspicion. For cron.
    #[arg(long)]
    pub check: bool,
}

/// How to export.
#[derive(Debug, Args)]
pub struct Export {
    /// As JSON lines, the only format there is.
    #[arg(long, required = true)]
    pub json: bool,
    /// Write the arguments of the calls too, which may be personal data.
    #[arg(long)]
    pub with_arguments: bool,
}

/// Where to serve the page.
#[derive(Debug, Args)]
pub struct Serve {
    /// The address to listen at. Any other than a loopback one needs a token. Port 0 takes a free one.
    #[arg(long, default_value = "127.0.0.1:0")]
    pub listen: SocketAddr,
    /// What people log in with, at least 16 letters. Better by the environment: a command line is seen by everybody on the machine.
    #[arg(long, env = "BITRIX_JOURNAL_TOKEN", hide_env_values = true)]
    pub token: Option<String>,
    /// A further name, with its port if there is one, by which browsers may call the page: of the TLS proxy before it.
    #[arg(long, value_name = "HOST")]
    pub host: Vec<String>,
}

/// The name of a state on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StateName {
    /// A person has to look
    Manual,
    /// An attempt may be under way
    Sending,
    /// An attempt ended without a proof, or its process died
    Unknown,
    /// No attempt was applied, or can be any more
    #[value(alias = "not applied", alias = "ready")]
    NotApplied,
    /// It was refused, and had no effect
    Rejected,
    /// It has its effect
    Applied,
}

impl StateName {
    /// Its name on record.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Manual => "manual",
            Self::Sending => "sending",
            Self::Unknown => "unknown",
            Self::NotApplied => "not applied",
            Self::Rejected => "rejected",
            Self::Applied => "applied",
        }
    }
}
