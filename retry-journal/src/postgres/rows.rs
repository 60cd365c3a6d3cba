//! Rows of the tables as the types of the journal, and back.

use std::time::SystemTime;

use bytes::Bytes;
use retry_runtime::journal::{Digest, Epoch, Event, EventKind, Intent, IntentId, JournalError};
use retry_runtime::transport::Version;
use tokio_postgres::Row;
use tokio_postgres::types::FromSqlOwned;

use crate::columns::Columns;

/// One column.
pub(super) fn get<T: FromSqlOwned>(row: &Row, index: usize) -> Result<T, JournalError> {
    row.try_get(index).map_err(|error| JournalError::Damaged(format!("column {index} of a row: {error}").into()))
}

/// An intent from the columns of `COLUMNS`, in their order.
pub(super) fn intent(row: &Row) -> Result<Intent, JournalError> {
    let columns = Columns {
        state: get(row, 9)?,
        how: get(row, 10)?,
        result: get::<Option<Vec<u8>>>(row, 11)?.map(Bytes::from),
        why: get::<Option<String>>(row, 12)?.map(String::into),
    };
    let number = count(get(row, 0)?)?;
    let not_an_intent =
        |what: &dyn ToString| JournalError::Damaged(format!("intent {number}: {}", what.to_string()).into());
    let text = |index| get::<String>(row, index).map(String::into_boxed_str);
    Ok(Intent {
        number,
        id: IntentId { portal: text(1)?, method: text(2)?, key: text(3)? },
        stub: text(4)?,
        version: match get::<i16>(row, 5)? {
            2 => Version::Two,
            3 => Version::Three,
            other => return Err(not_an_intent(&format!("{other} is no version of the REST interface"))),
        },
        arguments: get::<Option<Vec<u8>>>(row, 6)?.map(Bytes::from),
        digest: Digest(
            get::<Vec<u8>>(row, 7)?.try_into().map_err(|_| not_an_intent(&"its digest does not have 32 bytes"))?,
        ),
        idempotency_key: get::<Option<String>>(row, 8)?.map(String::into),
        state: columns.state().map_err(|error| not_an_intent(&error))?,
        attempt: u32::try_from(get::<i32>(row, 13)?).map_err(|error| not_an_intent(&error))?,
        epoch: Epoch(count(get(row, 14)?)?),
        owner: get::<Option<String>>(row, 15)?.map(String::into),
        began: get(row, 16)?,
        sent: get(row, 17)?,
        closed: get(row, 18)?,
    })
}

/// An event from the columns at, kind, text, detail.
pub(super) fn event(row: &Row) -> Result<Event, JournalError> {
    let kind: String = get(row, 1)?;
    Ok(Event {
        at: get(row, 0)?,
        kind: EventKind::of(&kind)
            .ok_or_else(|| JournalError::Damaged(format!("{kind:?} is no kind of event").into()))?,
        text: get::<String>(row, 2)?.into(),
        detail: get::<String>(row, 3)?.into(),
    })
}

/// A story as four columns.
pub(super) struct Story {
    pub(super) at: Vec<SystemTime>,
    pub(super) kind: Vec<&'static str>,
    pub(super) text: Vec<String>,
    pub(super) detail: Vec<String>,
}

impl Story {
    pub(super) fn of(events: &[Event]) -> Self {
        Self {
            at: events.iter().map(|event| event.at).collect(),
            kind: events.iter().map(|event| event.kind.as_str()).collect(),
            text: events.iter().map(|event| clean(&event.text)).collect(),
            detail: events.iter().map(|event| clean(&event.detail)).collect(),
        }
    }
}

/// A text for people, without the one character that PostgreSQL does not keep.
pub(super) fn clean(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}

pub(super) const fn version(version: Version) -> i16 {
    match version {
        Version::Two => 2,
        Version::Three => 3,
    }
}

/// A number of a row or an epoch, which are never negative.
pub(super) fn count(number: i64) -> Result<u64, JournalError> {
    u64::try_from(number).map_err(|_| JournalError::Damaged(format!("{number} is no number of a row or epoch").into()))
}

/// A number as the server has it; what is beyond its numbers is in no row.
pub(super) fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(-1)
}
