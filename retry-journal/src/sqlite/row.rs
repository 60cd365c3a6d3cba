//! Rows of the tables, each with a checksum over all its columns.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use retry_runtime::journal::{Digest, Epoch, Event, EventKind, Intent, IntentId};
use retry_runtime::transport::Version;
use rusqlite::Row;
use rusqlite::types::{FromSql, Value, ValueRef};
use sha2::{Digest as _, Sha256};

use super::error::Failure;
use super::seal;
use crate::bodies::Sealer;
use crate::columns::Columns;

/// All columns of an intent but its mark, in the order of its table.
pub(super) const INTENT: &str = "number, portal, method, key, stub, version, arguments, digest, idempotency_key, state, how, result, why, \
     attempt, epoch, owner, began, sent, closed, mark";

/// All columns of an event.
pub(super) const EVENT: &str = "intent, nr, at, kind, text, detail, mark";

/// Which table a row is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Table {
    Intent,
    Event,
    Guard,
}

impl Table {
    /// How many columns are before the mark.
    const fn columns(self) -> usize {
        match self {
            Self::Intent => 19,
            Self::Event => 6,
            Self::Guard => 5,
        }
    }
}

/// The checksum of a row. Types and lengths go in as well, so that no two rows have the same bytes.
pub(super) fn mark<'a>(table: Table, values: impl Iterator<Item = ValueRef<'a>>) -> i64 {
    let mut hash = Sha256::new_with_prefix([table as u8]);
    for value in values {
        match value {
            ValueRef::Null => hash.update([0]),
            ValueRef::Integer(number) => {
                hash.update([1]);
                hash.update(number.to_le_bytes());
            }
            ValueRef::Real(number) => {
                hash.update([2]);
                hash.update(number.to_le_bytes());
            }
            ValueRef::Text(bytes) => {
                hash.update([3]);
                hash.update((bytes.len() as u64).to_le_bytes());
                hash.update(bytes);
            }
            ValueRef::Blob(bytes) => {
                hash.update([4]);
                hash.update((bytes.len() as u64).to_le_bytes());
                hash.update(bytes);
            }
        }
    }
    hash.finalize().first_chunk::<8>().map_or(0, |first| i64::from_le_bytes(*first))
}

/// The mark of a row that was read, if the row still fits it.
pub(super) fn checked(table: Table, row: &Row<'_>) -> Result<i64, Failure> {
    let columns = table.columns();
    let mut values = Vec::with_capacity(columns);
    for index in 0..columns {
        values.push(row.get_ref(index)?);
    }
    let number = values.first().and_then(|value| value.as_i64().ok()).unwrap_or_default();
    if row.get_ref(columns)?.as_i64() == Ok(mark(table, values.into_iter())) {
        row.get_ref(columns)?.as_i64().map_err(|error| Failure::Damaged(error.to_string().into()))
    } else {
        let what = match table {
            Table::Intent => "",
            Table::Event => "the story of ",
            Table::Guard => "the guard of ",
        };
        Err(Failure::Damaged(format!("{what}intent {number} does not read as it was written").into()))
    }
}

/// An intent as it is put into the file, with its mark at the end.
pub(super) fn of_intent(intent: &Intent, sealer: &Sealer) -> Result<Vec<Value>, Failure> {
    let id = &intent.id;
    let Columns { state, how, result, why } = Columns::of(&intent.state);
    let bytes =
        |what, bytes: Option<&Bytes>| bytes.map_or(Ok(Value::Null), |bytes| seal::bytes(sealer, id, what, bytes));
    let mut values = vec![
        Value::Integer(int(intent.number)),
        text(&id.portal),
        text(&id.method),
        text(&id.key),
        text(&intent.stub),
        Value::Integer(match intent.version {
            Version::Two => 2,
            Version::Three => 3,
        }),
        bytes("arguments", intent.arguments.as_ref())?,
        Value::Blob(intent.digest.0.into()),
        intent.idempotency_key.as_deref().map_or(Value::Null, text),
        Value::Integer(state.into()),
        how.map_or(Value::Null, |how| Value::Integer(how.into())),
        bytes("result", result.as_ref())?,
        why.map_or(Ok(Value::Null), |why| seal::text(sealer, id, "why", &why))?,
        Value::Integer(intent.attempt.into()),
        Value::Integer(int(intent.epoch.0)),
        intent.owner.as_deref().map_or(Value::Null, text),
        time(intent.began),
        time(intent.sent),
        intent.closed.map_or(Value::Null, time),
    ];
    values.push(Value::Integer(mark(Table::Intent, values.iter().map(ValueRef::from))));
    Ok(values)
}

/// An intent as it was put into the file, and its mark.
pub(super) fn intent(row: &Row<'_>, sealer: &Sealer) -> Result<(Intent, i64), Failure> {
    let mark = checked(Table::Intent, row)?;
    let number: i64 = get(row, 0)?;
    let id = IntentId { portal: get(row, 1)?, method: get(row, 2)?, key: get(row, 3)? };
    let opened =
        |index: usize, what| Ok::<_, Failure>(seal::opened(sealer, &id, what, row.get_ref(index)?)?.map(Bytes::from));
    let why = opened(12, "why")?.map(|why| String::from_utf8_lossy(&why).into());
    let columns = Columns { state: get(row, 9)?, how: get(row, 10)?, result: opened(11, "result")?, why };
    let state = columns.state().map_err(|error| Failure::Damaged(format!("intent {number}: {error}").into()))?;
    let version = match get(row, 5)? {
        2 => Version::Two,
        3 => Version::Three,
        other => return Err(Failure::Damaged(format!("intent {number} is of REST version {other}").into())),
    };
    let intent = Intent {
        number: number.unsigned_abs(),
        stub: get(row, 4)?,
        version,
        arguments: opened(6, "arguments")?,
        digest: Digest(get(row, 7)?),
        idempotency_key: get(row, 8)?,
        state,
        attempt: get(row, 13)?,
        epoch: Epoch(get::<i64>(row, 14)?.unsigned_abs()),
        owner: get(row, 15)?,
        began: wall(get(row, 16)?),
        sent: wall(get(row, 17)?),
        closed: get::<Option<i64>>(row, 18)?.map(wall),
        id,
    };
    Ok((intent, mark))
}

/// An event as it is put into the file.
pub(super) fn of_event(intent: &Intent, nr: i64, event: &Event, sealer: &Sealer) -> Result<Vec<Value>, Failure> {
    let mut values = vec![
        Value::Integer(int(intent.number)),
        Value::Integer(nr),
        time(event.at),
        text(event.kind.as_str()),
        seal::text(sealer, &intent.id, "story", &event.text)?,
        seal::text(sealer, &intent.id, "detail", &event.detail)?,
    ];
    values.push(Value::Integer(mark(Table::Event, values.iter().map(ValueRef::from))));
    Ok(values)
}

/// An event as it was put into the file.
pub(super) fn event(id: &IntentId, row: &Row<'_>, sealer: &Sealer) -> Result<Event, Failure> {
    checked(Table::Event, row)?;
    let opened = |index: usize, what| {
        let bytes = seal::opened(sealer, id, what, row.get_ref(index)?)?.unwrap_or_default();
        Ok::<Box<str>, Failure>(String::from_utf8_lossy(&bytes).into())
    };
    let kind: String = get(row, 3)?;
    Ok(Event {
        at: wall(get(row, 2)?),
        kind: EventKind::of(&kind)
            .ok_or_else(|| Failure::Damaged(format!("the story of {id} has an event of kind {kind}").into()))?,
        text: opened(4, "story")?,
        detail: opened(5, "detail")?,
    })
}

/// A column that has the type it was written with.
fn get<T: FromSql>(row: &Row<'_>, index: usize) -> Result<T, Failure> {
    row.get(index).map_err(|error| Failure::Damaged(error.to_string().into()))
}

fn text(text: &str) -> Value {
    Value::Text(text.into())
}

/// SQLite counts up to 2^63, which no journal reaches.
pub(super) fn int(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A time in microseconds, since 1970.
pub(super) fn micros(at: SystemTime) -> i64 {
    at.duration_since(UNIX_EPOCH).map_or(0, |since| i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
}

fn time(at: SystemTime) -> Value {
    Value::Integer(micros(at))
}

pub(super) fn wall(micros: i64) -> SystemTime {
    UNIX_EPOCH.checked_add(Duration::from_micros(micros.unsigned_abs())).unwrap_or(UNIX_EPOCH)
}
