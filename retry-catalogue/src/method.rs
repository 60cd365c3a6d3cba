//! One method, and the row of the table that it is read from.

use crate::table::lookup;
use crate::words::{Action, Kind, Replay, Strength, Versions};

/// What the table says of one method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Method {
    /// The name as the documentation spells it.
    pub name: &'static str,
    /// The versions of the REST interface that have it.
    pub versions: Versions,
    /// Whether it may change anything. A method that reads or writes by its arguments is a write, see
    /// [`two_forms`](Self::two_forms).
    pub kind: Kind,
    /// Whether its arguments decide if it reads or writes: `entity.rights` reads without `ACCESS` and replaces all rights
    /// with it.
    pub two_forms: bool,
    /// What it does, by and large.
    pub action: Action,
    /// What a second send does; `None` for a read, of which each send does the same.
    pub replay: Option<Replay>,
    /// Whether the documentation calls it outdated. Half of the CRM is, and in daily use.
    pub outdated: Option<Outdated>,
    /// How surely a write can be told from its absence; `None` for a read.
    ///
    /// For a method of both versions it is what holds on REST 2: on REST 3.0 a write takes an idempotency key as well, see
    /// [`takes_idempotency_key`](Self::takes_idempotency_key).
    pub strength: Option<Strength>,
    /// The read to read it back with: in the table, a read, and of a version that this method has. `None` if there is none.
    pub read_with: Option<&'static str>,
    /// The fields that identify the effect, as in `ORIGINATOR_ID, ORIGIN_ID`: a key of your own for what is created, the id
    /// for what is changed or removed, the field for a marker where only a listing can be searched. Empty if there are none.
    pub keys: &'static str,
    /// How it is read back, or why it can't be: one sentence without its full stop, which follows "read it back: " or
    /// stands alone. Empty for a read.
    pub hint: &'static str,
    /// The end of the sentence "a second `crm.deal.add` makes a second deal". Empty for a read.
    pub again: &'static str,
    /// The end of the sentence "`event.offline.get` deletes what it returns", where the kind may surprise.
    pub reason: Option<&'static str>,
}

/// That the documentation calls a method outdated, and what it names instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outdated {
    /// The method that replaces it, if one is known. It is in the table and of the same kind.
    pub instead: Option<&'static str>,
    /// How the other one is called to do the same: `entityTypeId = 2`.
    pub how: Option<&'static str>,
}

impl Method {
    /// The fields of [`keys`](Self::keys), one by one.
    ///
    /// ```
    /// let add = retry_catalogue::lookup("crm.status.add").expect("it is in the table");
    /// assert_eq!(add.key_fields().collect::<Vec<_>>(), ["ENTITY_ID", "STATUS_ID"]);
    /// ```
    pub fn key_fields(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.keys.split(", ").filter(|key| !key.is_empty())
    }

    /// Whether REST 3.0 has it and it writes: for 24 hours a second call with the same idempotency key and body is answered
    /// with the first one's result, and nothing runs.
    pub const fn takes_idempotency_key(&self) -> bool {
        match self.kind {
            Kind::Read => false,
            Kind::Write => self.versions.has_rest3(),
        }
    }

    /// The row of [`read_with`](Self::read_with).
    pub fn read_back_method(&self) -> Option<Self> {
        lookup(self.read_with?)
    }

    /// The method of one row; `None` if the row is malformed, which the tests of this crate rule out.
    pub(crate) fn parse(row: &'static str) -> Option<Self> {
        let mut cells = row.split('\t');
        let method = Self {
            name: cells.next()?,
            versions: Versions::parse(cells.next()?)?,
            kind: Kind::parse(cells.next()?)?,
            two_forms: forms(cells.next()?)?,
            action: Action::parse(cells.next()?)?,
            replay: match filled(cells.next()?) {
                Some(word) => Some(Replay::parse(word)?),
                None => None,
            },
            outdated: filled(cells.next()?).map(Outdated::parse),
            strength: match filled(cells.next()?) {
                Some(word) => Some(Strength::parse(word)?),
                None => None,
            },
            read_with: filled(cells.next()?),
            keys: text(cells.next()?),
            hint: text(cells.next()?),
            again: text(cells.next()?),
            reason: filled(cells.next()?),
        };
        cells.next().is_none().then_some(method)
    }
}

impl Outdated {
    fn parse(cell: &'static str) -> Self {
        match cell.split_once(' ') {
            _ if cell == "yes" => Self { instead: None, how: None },
            None => Self { instead: Some(cell), how: None },
            Some((instead, how)) => Self { instead: Some(instead), how: Some(how) },
        }
    }
}

/// What stands in a cell, if it is not empty.
fn filled(cell: &'static str) -> Option<&'static str> {
    (cell != EMPTY).then_some(cell)
}

fn text(cell: &'static str) -> &'static str {
    filled(cell).unwrap_or_default()
}

fn forms(cell: &str) -> Option<bool> {
    match cell {
        EMPTY => Some(false),
        "two" => Some(true),
        _ => None,
    }
}

const EMPTY: &str = "-";
