//! The tables, and how older files get them.

use rusqlite::Connection;

use super::error::Failure;
use super::guard::Guard;

/// What `PRAGMA application_id` says of a journal: "rtrj".
pub(super) const APPLICATION: i64 = 0x7274_726a;

/// One step from a format to the next. It happens whole or not at all.
struct Step {
    tables: &'static str,
    then: fn(&Connection) -> Result<(), Failure>,
}

/// The step at index n makes format n + 1. A step is never changed once it is released: a change is a further step.
const STEPS: &[Step] = &[
    // Open states are below 10. `mark` is the checksum of its row.
    Step {
        tables: "
            CREATE TABLE intent (
                number INTEGER PRIMARY KEY,
                portal TEXT NOT NULL, method TEXT NOT NULL, key TEXT NOT NULL,
                stub TEXT NOT NULL, version INTEGER NOT NULL,
                arguments BLOB, digest BLOB NOT NULL, idempotency_key TEXT,
                state INTEGER NOT NULL, how INTEGER, result BLOB, why,
                attempt INTEGER NOT NULL, epoch INTEGER NOT NULL, owner TEXT,
                began INTEGER NOT NULL, sent INTEGER NOT NULL, closed INTEGER,
                mark INTEGER NOT NULL
            );
            CREATE UNIQUE INDEX intent_id ON intent (portal, method, key);
            CREATE INDEX intent_open ON intent (portal, stub) WHERE state < 10;
            CREATE INDEX intent_closed ON intent (state, closed) WHERE state >= 10;
            CREATE TABLE event (
                intent INTEGER NOT NULL, nr INTEGER NOT NULL,
                at INTEGER NOT NULL, kind TEXT NOT NULL, text NOT NULL, detail NOT NULL,
                mark INTEGER NOT NULL,
                PRIMARY KEY (intent, nr)
            ) WITHOUT ROWID;",
        then: |_| Ok(()),
    },
    // What the file has reached, the sum of all marks, the last number given, what the bodies are sealed with, and who ended
    // the last suspicion.
    Step {
        tables: "
            CREATE TABLE guard (
                id INTEGER PRIMARY KEY CHECK (id = 1),
                generation INTEGER NOT NULL, sequence INTEGER NOT NULL, total INTEGER NOT NULL, last INTEGER NOT NULL,
                suspicion TEXT, mark INTEGER NOT NULL, seal BLOB, trusted TEXT
            );",
        then: |connection| Guard::begin(connection).map(|_| ()),
    },
];

/// The newest format.
pub(super) fn known() -> i64 {
    i64::try_from(STEPS.len()).unwrap_or(i64::MAX)
}

/// The format of this file; 0 is an empty one, `None` a file of something else.
pub(super) fn found(connection: &Connection) -> Result<Option<i64>, Failure> {
    let number = |pragma: &str| connection.query_row(pragma, (), |row| row.get::<_, i64>(0));
    let format = number("PRAGMA user_version")?;
    let is_empty = number("SELECT count(*) FROM sqlite_schema")? == 0;
    let application = number("PRAGMA application_id")?;
    Ok(match (format, is_empty, application) {
        (0, true, 0) => Some(0),
        (1.., _, APPLICATION) => Some(format),
        _ => None,
    })
}

/// Brings a file up to the newest format.
pub(super) fn migrate(connection: &Connection, found: i64) -> Result<(), Failure> {
    for (step, format) in STEPS.iter().zip(1..) {
        if format > found {
            let transaction = connection.unchecked_transaction()?;
            transaction.execute_batch(step.tables)?;
            (step.then)(&transaction)?;
            transaction.pragma_update(None, "application_id", APPLICATION)?;
            transaction.pragma_update(None, "user_version", format)?;
            transaction.commit()?;
        }
    }
    Ok(())
}
