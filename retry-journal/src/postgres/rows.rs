//! Rows of the tables as the types of the journal, and back.

use std::time::SystemTime;

use bytes::Bytes;
use retry_runtime::journal::{Digest, Epoch, Event, EventKind, Intent, IntentId, JournalError};
use retry_runtime::transport::Version;
use tokio_postgres::Row;
use tokio_postgres::types::FromSqlOwned;

use super::seal;
use crate::bodies::Sealer;
use crate::columns::Columns;

/// One column.
pub(super) fn get<T: FromSqlOwned>(row: &Row, index: usize) -> Result<T, JournalError> {
    row.try_get(index).map_err(|error| JournalError::Damaged(format!("column {index} of a row: {error}").into()))
}

/// The name of an intent from three columns, the first of them at `index`.
pub(super) fn id(row: &Row, index: usize) -> Result<IntentId, JournalError> {
    let text = |index| get::<String>(row, index).map(String::into_boxed_str);
    Ok(IntentId { portal: text(index)?, method: text(index + 1)?, key: text(index + 2)? })
}

/// An intent from the columns of `COLUMNS`, in their order.
pub(super) fn intent(row: &Row, sealer: &Sealer) -> Result<Intent, JournalError> {
    let id = id(row, 1)?;
    let opened = |index, what| {
        let stored: Option<Vec<u8>> = get(row, index)?;
        stored.map(|stored| seal::opened(sealer, &id, what, &stored).map(Bytes::from)).transpose()
    };
    let columns = Columns {
        state: get(row, 9)?,
        how: get(row, 10)?,
        result: opened(11, "result")?,
        why: get::<Option<String>>(row, 12)?.map(|why| seal::opened_text(sealer, &id, "why", why)).transpose()?,
    };
    let number = count(get(row, 0)?)?;
    let not_an_intent =
        |what: &dyn ToString| JournalError::Damaged(format!("intent {number}: {}", what.to_string()).into());
    Ok(Intent {
        number,
        stub: get::<String>(row, 4)?.into(),
        version: match get::<i16>(row, 5)? {
            2 => Version::Two,
            3 => Version::Three,
            other => return Err(not_an_intent(&format!("{other} is no version of the REST interface"))),
        },
        arguments: opened(6, "arguments")?,
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
        id,
    })
}

/// An event from the columns at, kind, text, detail.
pub(super) fn event(row: &Row, id: &IntentId, sealer: &Sealer) -> Result<Event, JournalError> {
    let kind: String = get(row, 1)?;
    Ok(Event {
        at: get(row, 0)?,
        kind: EventKind::of(&kind)
            .ok_or_else(|| JournalError::Damaged(format!("{kind:?} is no kind of event").into()))?,
        text: seal::opened_text(sealer, id, "story", get(row, 2)?)?,
        detail: seal::opened_text(sealer, id, "detail", get(row, 3)?)?,
    })
}

/// A story as four columns.
pub(super) struct Story {
    /// `None`: now, by the clock of the server.
    pub(super) at: Vec<Option<SystemTime>>,
    pub(super) kind: Vec<&'static str>,
    pub(super) text: Vec<String>,
    pub(super) detail: Vec<String>,
}

impl Story {
    pub(super) fn of(events: &[Event], id: &IntentId, sealer: &Sealer) -> Result<Self, JournalError> {
        let mut story = Self { at: Vec::new(), kind: Vec::new(), text: Vec::new(), detail: Vec::new() };
        for event in events {
            story.add(Some(event.at), event.kind, seal::text(sealer, id, "story", &event.text)?);
            story.detail.push(seal::text(sealer, id, "detail", &event.detail)?);
        }
        Ok(story)
    }

    /// One more event, now.
    pub(super) fn add_now(
        &mut self,
        kind: EventKind,
        text: &str,
        id: &IntentId,
        sealer: &Sealer,
    ) -> Result<(), JournalError> {
        self.add(None, kind, seal::text(sealer, id, "story", text)?);
        self.detail.push(seal::text(sealer, id, "detail", "{}")?);
        Ok(())
    }

    fn add(&mut self, at: Option<SystemTime>, kind: EventKind, text: String) {
        self.at.push(at);
        self.kind.push(kind.as_str());
        self.text.push(text);
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
