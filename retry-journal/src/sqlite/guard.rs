//! What a file knows of itself, so that a file that forgot something is seen.

use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, OptionalExtension as _, params};

use super::error::Failure;
use super::head::{Found, Reached};
use super::row::{Table, mark};

/// The one row of the table of the same name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Guard {
    pub(super) reached: Reached,
    /// The sum of the marks of all rows: a row that is gone, or came back as it was before, changes it.
    pub(super) total: i64,
    /// The last number that was given: none is given twice.
    pub(super) last: i64,
    pub(super) suspicion: Option<String>,
}

impl Guard {
    /// The first row of a file, over what it holds already.
    pub(super) fn begin(connection: &Connection) -> Result<Self, Failure> {
        let (total, last) = counted(connection)?;
        let guard = Self { reached: Reached { generation: random()?, sequence: 0 }, total, last, suspicion: None };
        connection.execute("INSERT INTO guard VALUES (1, 0, 0, 0, 0, NULL, 0, NULL, NULL)", ())?;
        guard.save(connection)?;
        Ok(guard)
    }

    pub(super) fn load(connection: &Connection) -> Result<Self, Failure> {
        let damaged = || Failure::Damaged("its own account of itself does not read as it was written".into());
        let found = connection
            .prepare_cached("SELECT generation, sequence, total, last, suspicion, mark FROM guard WHERE id = 1")?
            .query_row((), |row| {
                let reached = Reached { generation: row.get(0)?, sequence: row.get(1)? };
                let guard = Self { reached, total: row.get(2)?, last: row.get(3)?, suspicion: row.get(4)? };
                Ok((guard, row.get::<_, i64>(5)?))
            })
            .optional();
        match found {
            Ok(Some((guard, mark))) if guard.mark() == mark => Ok(guard),
            Ok(_) | Err(rusqlite::Error::InvalidColumnType(..) | rusqlite::Error::Utf8Error(..)) => Err(damaged()),
            Err(error) => Err(error.into()),
        }
    }

    pub(super) fn save(&self, connection: &Connection) -> Result<(), Failure> {
        connection
            .prepare_cached(
                "UPDATE guard SET generation = ?1, sequence = ?2, total = ?3, last = ?4, suspicion = ?5, mark = ?6",
            )?
            .execute(params![
                self.reached.generation,
                self.reached.sequence,
                self.total,
                self.last,
                self.suspicion,
                self.mark()
            ])?;
        Ok(())
    }

    fn mark(&self) -> i64 {
        let numbers = [self.reached.generation, self.reached.sequence, self.total, self.last];
        let suspicion = self.suspicion.clone().map_or(Value::Null, Value::Text);
        let values: Vec<Value> = numbers.into_iter().map(Value::Integer).chain([suspicion]).collect();
        mark(Table::Guard, values.iter().map(ValueRef::from))
    }

    /// Takes down that something may be missing. The file goes on as another one, so that neither an older copy nor the lost one passes for it later.
    pub(super) fn suspect(&mut self, why: &str, head: Found) -> Result<(), Failure> {
        let furthest = match head {
            Found::Reached(reached) => reached.sequence.max(self.reached.sequence),
            Found::Nothing | Found::Unreadable => self.reached.sequence,
        };
        self.reached = Reached { generation: random()?, sequence: furthest.saturating_add(1) };
        self.suspicion = Some(match self.suspicion.take() {
            Some(before) => format!("{before}; and {why}"),
            None => why.into(),
        });
        Ok(())
    }

    /// Why this file may have forgotten something.
    pub(super) fn doubt(&self, is_new: bool, head: Found) -> Option<String> {
        match head {
            Found::Reached(_) | Found::Unreadable if is_new => Some(
                "the file of the journal was not there, although the head file beside it shows that there was one"
                    .into(),
            ),
            Found::Nothing if self.reached.sequence > 0 => {
                Some("the head file beside the journal is gone: this may be an older copy of it".into())
            }
            Found::Unreadable => Some(
                "the head file beside the journal can't be read, so that nobody knows whether this is an older copy"
                    .into(),
            ),
            Found::Reached(head) if head.generation != self.reached.generation => {
                Some("the file of the journal is not the one that the head file beside it belongs to".into())
            }
            Found::Reached(head) if head.sequence > self.reached.sequence => Some(format!(
                "the last {} commits of the journal are missing: an older copy came back, or its end was cut off",
                head.sequence.saturating_sub(self.reached.sequence)
            )),
            Found::Nothing | Found::Reached(_) => None,
        }
    }
}

/// The sum of all marks, and the largest number.
pub(super) fn counted(connection: &Connection) -> Result<(i64, i64), Failure> {
    let mut total = 0_i64;
    for table in ["SELECT mark FROM intent", "SELECT mark FROM event"] {
        let mut statement = connection.prepare(table)?;
        let mut rows = statement.query(())?;
        while let Some(row) = rows.next()? {
            total = total.wrapping_add(row.get(0)?);
        }
    }
    let last = connection.query_row("SELECT coalesce(max(number), 0) FROM intent", (), |row| row.get(0))?;
    Ok((total, last))
}

fn random() -> Result<i64, Failure> {
    getrandom::u64()
        .map(u64::cast_signed)
        .map_err(|error| Failure::Io("the system gave no random number", std::io::Error::other(error.to_string())))
}
