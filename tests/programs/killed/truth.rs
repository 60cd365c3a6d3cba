//! What the portal and the journal say at the end, and whether they agree.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;

use retry_journal::sqlite::{OpenError, SqliteJournal};
use retry_journal::{Desk, Query};
use retry_portal::Portal;
use retry_runtime::journal::{How, Intent, State};

/// What came of the kills.
#[derive(Debug, Default)]
pub(super) struct Count {
    pub(super) kills: u64,
    pub(super) runs: u64,
    pub(super) files: u64,
    pub(super) rows: u64,
    /// Writes that were open when their process died.
    pub(super) open: u64,
    /// Found by a read-back.
    pub(super) found: u64,
    /// Sent more than once.
    pub(super) resent: u64,
    /// Left to a person.
    pub(super) manual: u64,
    /// Records above the first of their order.
    pub(super) duplicates: u64,
    /// What must not be.
    pub(super) wrong: Vec<String>,
}

impl Count {
    pub(super) fn add(&mut self, other: Self) {
        self.kills += other.kills;
        self.runs += other.runs;
        self.files += other.files;
        self.rows += other.rows;
        self.open += other.open;
        self.found += other.found;
        self.resent += other.resent;
        self.manual += other.manual;
        self.duplicates += other.duplicates;
        self.wrong.extend(other.wrong);
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kills, runs, files, rows, open, found, resent, manual, duplicates, wrong } = self;
        write!(
            f,
            "{kills} kills in {runs} runs of {files} files with {rows} rows: {open} writes were open at a kill, {found} were found by read-back, \
             {resent} sent again, {manual} are manual, {duplicates} duplicates, {} wrong",
            wrong.len()
        )?;
        wrong.iter().try_for_each(|wrong| write!(f, "\n  {wrong}"))
    }
}

/// All that is on record. A process that died young leaves no journal yet, or an empty one.
pub(super) async fn intents(journal: &Path) -> Vec<Intent> {
    let desk = match SqliteJournal::desk(journal) {
        Ok(desk) => desk,
        Err(OpenError::Missing { .. } | OpenError::Older { .. }) => return Vec::new(),
        Err(error) => panic!("{error}"),
    };
    desk.list(&Query { limit: 10_000, ..Query::default() }).await.unwrap().intents
}

/// Whether nothing more is done about it.
pub(super) fn is_over(state: &State) -> bool {
    match state {
        State::Applied { .. } | State::Manual { .. } => true,
        State::Sending | State::Unknown { .. } | State::Ready { .. } | State::Rejected { .. } => false,
    }
}

/// Each order is there once and on record as applied, or a person has to look and has something to look at.
pub(super) async fn compare(portal: &Portal, journal: &Path, orders: &[String], count: &mut Count) {
    let mut copies: HashMap<String, u64> = HashMap::new();
    for deal in portal.records("deal") {
        *copies.entry(deal.text("ORIGIN_ID").unwrap_or_default().to_owned()).or_default() += 1;
    }
    let desk = SqliteJournal::desk(journal).unwrap();
    let intents: HashMap<String, Intent> =
        intents(journal).await.into_iter().map(|intent| (intent.id.key.to_string(), intent)).collect();
    count.rows += orders.len() as u64;
    for order in orders {
        let there = copies.remove(order).unwrap_or_default();
        count.duplicates += there.saturating_sub(1);
        let Some(intent) = intents.get(order) else {
            count.wrong.push(format!("{order} is not on record, and {there} times on the portal"));
            continue;
        };
        count.resent += u64::from(intent.attempt > 1);
        let story = desk.show(intent.number).await.unwrap().story;
        match &intent.state {
            State::Applied { how, .. } if there >= 1 => count.found += u64::from(*how == How::ReadBack),
            State::Manual { .. } if !story.is_empty() => count.manual += 1,
            state @ (State::Sending
            | State::Unknown { .. }
            | State::Ready { .. }
            | State::Applied { .. }
            | State::Rejected { .. }
            | State::Manual { .. }) => {
                count.wrong.push(format!("{order} is {state:?}, and {there} times on the portal: {story:#?}"));
            }
        }
    }
    count.wrong.extend(copies.keys().map(|order| format!("nobody has ordered {order}")));
}
