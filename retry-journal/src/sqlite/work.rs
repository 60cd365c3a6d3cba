//! What is done inside one transaction.

use std::time::SystemTime;

use retry_runtime::journal::{
    Beginning, Begun, Change, Claim, Entry, Epoch, Event, EventKind, Intent, IntentId, Recorded, State,
};
use rusqlite::{Connection, OptionalExtension as _, Params, params, params_from_iter};

use super::error::Failure;
use super::guard::Guard;
use super::row;
use crate::bodies::Sealer;

/// One transaction, with what all of its commands share.
pub(super) struct Work<'a> {
    pub(super) connection: &'a Connection,
    pub(super) guard: &'a mut Guard,
    pub(super) sealer: &'a Sealer,
    /// This run of this process.
    pub(super) owner: &'a str,
    pub(super) drops_bodies: bool,
    pub(super) now: SystemTime,
}

/// An intent as it is in the file.
pub(super) struct Known {
    pub(super) intent: Intent,
    pub(super) mark: i64,
}

const DIED: &str = "its process ended before its outcome was on record";

impl Work<'_> {
    pub(super) fn look(&self, id: &IntentId) -> Result<Option<Known>, Failure> {
        self.one("WHERE portal = ?1 AND method = ?2 AND key = ?3", params![id.portal, id.method, id.key])
    }

    pub(super) fn numbered(&self, number: u64) -> Result<Option<Known>, Failure> {
        self.one("WHERE number = ?1", [row::int(number)])
    }

    pub(super) fn begin(&mut self, beginning: &Beginning) -> Result<Begun, Failure> {
        match (self.look(&beginning.id)?, beginning.expected) {
            (None, None) => {
                self.guard.last = self.guard.last.saturating_add(1);
                let intent = Intent {
                    number: self.guard.last.unsigned_abs(),
                    id: beginning.id.clone(),
                    stub: beginning.stub.clone(),
                    version: beginning.version,
                    arguments: Some(beginning.arguments.clone()),
                    digest: beginning.digest,
                    idempotency_key: beginning.idempotency_key.clone(),
                    state: State::Sending,
                    attempt: 1,
                    epoch: Epoch(1),
                    owner: Some(self.owner.into()),
                    began: self.now,
                    sent: self.now,
                    closed: None,
                };
                self.insert(&intent)?;
                self.tell(&intent, &beginning.story)?;
                Ok(Begun::Yes(intent.held()))
            }
            (Some(mut known), Some(epoch))
                if known.intent.epoch == epoch
                    && (known.intent.state.is_open() || known.intent.state.is_without_effect()) =>
            {
                let intent = &mut known.intent;
                intent.stub.clone_from(&beginning.stub);
                intent.version = beginning.version;
                intent.arguments = Some(beginning.arguments.clone());
                intent.digest = beginning.digest;
                intent.idempotency_key.clone_from(&beginning.idempotency_key);
                intent.state = State::Sending;
                intent.attempt = intent.attempt.saturating_add(1);
                intent.epoch = Epoch(epoch.0.saturating_add(1));
                intent.owner = Some(self.owner.into());
                intent.sent = self.now;
                intent.closed = None;
                self.update(&mut known)?;
                self.tell(&known.intent, &beginning.story)?;
                Ok(Begun::Yes(known.intent.held()))
            }
            (Some(known), _) => Ok(Begun::Taken(Some(Box::new(known.intent)))),
            (None, Some(_)) => Ok(Begun::Taken(None)),
        }
    }

    pub(super) fn record(&mut self, entry: &Entry) -> Result<Recorded, Failure> {
        let Some(mut known) = self.numbered(entry.held.number)? else { return Ok(Recorded::Taken(None)) };
        let intent = &mut known.intent;
        let is_news = matches!(entry.change, Change::Applied { .. });
        if !intent.state.is_open() {
            if is_news {
                self.late(intent, entry)?;
            }
            return Ok(Recorded::Taken(Some(Box::new(known.intent))));
        }
        if intent.epoch != entry.held.epoch && !is_news {
            return Ok(Recorded::Taken(Some(Box::new(known.intent))));
        }
        intent.state = match entry.change.clone() {
            Change::Unknown { why, let_go } => {
                if let_go {
                    intent.owner = None;
                }
                State::Unknown { why }
            }
            Change::Ready { why } => State::Ready { why },
            Change::Applied { how, result } => State::Applied { how, result },
            Change::Rejected { why } => State::Rejected { why },
            Change::Manual { why } => State::Manual { why },
        };
        self.update(&mut known)?;
        self.tell(&known.intent, &entry.story)?;
        Ok(Recorded::Yes)
    }

    /// Somebody else has closed it, and now there is news that it was applied. What was decided stays; a person has to know.
    fn late(&mut self, intent: &Intent, entry: &Entry) -> Result<(), Failure> {
        let state = intent.state.as_str();
        if !matches!(intent.state, State::Applied { .. }) {
            tracing::warn!(
                intent = intent.number,
                state,
                "an intent was applied after all, as its earlier holder tells: see its story in the journal"
            );
        }
        self.tell(intent, &entry.story)?;
        let result = match &entry.change {
            Change::Applied { result, .. } => String::from_utf8_lossy(result).into_owned(),
            Change::Unknown { .. } | Change::Ready { .. } | Change::Rejected { .. } | Change::Manual { .. } => {
                String::new()
            }
        };
        let text = format!(
            "news from an earlier holder, when it was {state} already: it was applied, with the result {result}"
        );
        let event = Event { at: self.now, kind: EventKind::Change, text: text.into(), detail: "{}".into() };
        self.tell(intent, &[event])
    }

    pub(super) fn claim(&mut self, claim: &Claim) -> Result<Vec<Intent>, Failure> {
        let free = "state < 10 AND (owner IS NULL OR owner <> ?1)";
        let found = match claim {
            Claim::One(id) => self.some(
                &format!("WHERE portal = ?2 AND method = ?3 AND key = ?4 AND {free}"),
                params![self.owner, id.portal, id.method, id.key],
                |_| true,
                1,
            )?,
            Claim::Open { portal, stubs, limit } => self.some(
                &format!("WHERE portal = ?2 AND {free} ORDER BY number"),
                params![self.owner, portal],
                |intent| stubs.contains(&intent.stub),
                *limit,
            )?,
        };
        let mut claimed = Vec::new();
        for mut known in found {
            let intent = &mut known.intent;
            if intent.state == State::Sending {
                intent.state = State::Unknown { why: DIED.into() };
            }
            intent.epoch = Epoch(intent.epoch.0.saturating_add(1));
            intent.owner = Some(self.owner.into());
            self.update(&mut known)?;
            claimed.push(known.intent);
        }
        Ok(claimed)
    }

    /// Adds to the story of an intent.
    pub(super) fn tell(&mut self, intent: &Intent, story: &[Event]) -> Result<(), Failure> {
        if story.is_empty() {
            return Ok(());
        }
        let mut last: i64 = self
            .connection
            .prepare_cached("SELECT coalesce(max(nr), 0) FROM event WHERE intent = ?1")?
            .query_row([row::int(intent.number)], |row| row.get(0))?;
        let mut insert = self.connection.prepare_cached("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?)")?;
        for event in story {
            last = last.saturating_add(1);
            let values = row::of_event(intent, last, event, self.sealer)?;
            self.count(&values, 0);
            insert.execute(params_from_iter(values))?;
        }
        Ok(())
    }

    fn insert(&mut self, intent: &Intent) -> Result<(), Failure> {
        let values = row::of_intent(intent, self.sealer)?;
        self.count(&values, 0);
        self.connection
            .prepare_cached("INSERT INTO intent VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")?
            .execute(params_from_iter(values))?;
        Ok(())
    }

    /// Puts an intent back as it is now. What a closed one does not need is put right here, so that no way to an end forgets it.
    pub(super) fn update(&mut self, known: &mut Known) -> Result<(), Failure> {
        let intent = &mut known.intent;
        if intent.state.is_open() {
            intent.closed = None;
        } else {
            intent.owner = None;
            intent.closed = Some(self.now);
        }
        if self.drops_bodies && matches!(intent.state, State::Applied { .. } | State::Rejected { .. }) {
            intent.arguments = None;
        }
        let values = row::of_intent(intent, self.sealer)?;
        known.mark = self.count(&values, known.mark);
        self.connection
            .prepare_cached(
                "UPDATE intent SET stub = ?5, version = ?6, arguments = ?7, digest = ?8, idempotency_key = ?9, state = ?10, how = ?11, \
                 result = ?12, why = ?13, attempt = ?14, epoch = ?15, owner = ?16, began = ?17, sent = ?18, closed = ?19, mark = ?20 \
                 WHERE number = ?1 AND portal = ?2 AND method = ?3 AND key = ?4",
            )?
            .execute(params_from_iter(values))?;
        Ok(())
    }

    /// Keeps the sum of all marks; says the new mark.
    fn count(&mut self, values: &[rusqlite::types::Value], before: i64) -> i64 {
        let mark = match values.last() {
            Some(rusqlite::types::Value::Integer(mark)) => *mark,
            Some(_) | None => 0,
        };
        self.guard.total = self.guard.total.wrapping_sub(before).wrapping_add(mark);
        mark
    }

    fn one(&self, condition: &str, params: impl Params) -> Result<Option<Known>, Failure> {
        Ok(self.some(condition, params, |_| true, 1)?.pop())
    }

    /// At most so many intents, in the order of the condition.
    pub(super) fn some(
        &self,
        condition: &str,
        params: impl Params,
        wanted: impl Fn(&Intent) -> bool,
        limit: u32,
    ) -> Result<Vec<Known>, Failure> {
        let mut statement =
            self.connection.prepare_cached(&format!("SELECT {} FROM intent {condition}", row::INTENT))?;
        let mut rows = statement.query(params)?;
        let mut found = Vec::new();
        while found.len() < usize::try_from(limit).unwrap_or(usize::MAX) {
            let Some(next) = rows.next()? else { break };
            let (intent, mark) = row::intent(next, self.sealer)?;
            if wanted(&intent) {
                found.push(Known { intent, mark });
            }
        }
        Ok(found)
    }

    /// The story of an intent, oldest event first.
    pub(super) fn story(&self, intent: &Intent) -> Result<Vec<Event>, Failure> {
        let sql = format!("SELECT {} FROM event WHERE intent = ?1 ORDER BY nr", row::EVENT);
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut rows = statement.query([row::int(intent.number)])?;
        let mut story = Vec::new();
        while let Some(next) = rows.next()? {
            story.push(row::event(&intent.id, next, self.sealer)?);
        }
        Ok(story)
    }

    /// The first row of what the condition says, of one column.
    pub(super) fn least(&self, sql: &str) -> Result<Option<SystemTime>, Failure> {
        let found =
            self.connection.prepare_cached(sql)?.query_row((), |row| row.get::<_, Option<i64>>(0)).optional()?;
        Ok(found.flatten().map(row::wall))
    }
}
