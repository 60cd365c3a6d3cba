//! What a person does, inside one transaction.

use retry_runtime::journal::{Epoch, Event, EventKind, How, State};

use super::error::Failure;
use super::row;
use super::work::Work;
use crate::{Decided, Decision, Page, Query, Shown, Signature, Stats};

/// The states by their codes in the file.
const STATES: [(i64, &str); 6] =
    [(1, "sending"), (2, "unknown"), (10, "not applied"), (11, "rejected"), (12, "manual"), (13, "applied")];

impl Work<'_> {
    pub(super) fn list(&self, query: &Query) -> Result<Page, Failure> {
        let limit = if query.limit == 0 { 50 } else { query.limit };
        let text = query.text.as_deref().map(str::to_lowercase);
        let mut found = self.some(
            "WHERE number < ?1 ORDER BY number DESC",
            [query.before.map_or(i64::MAX, row::int)],
            |intent| {
                let id = &intent.id;
                (query.states.is_empty() || query.states.iter().any(|name| **name == *intent.state.as_str()))
                    && text.as_deref().is_none_or(|text| {
                        [&id.method, &id.key, &id.portal, &intent.stub]
                            .into_iter()
                            .any(|part| part.to_lowercase().contains(text))
                    })
            },
            limit.saturating_add(1),
        )?;
        let is_more = found.len() > usize::try_from(limit).unwrap_or(usize::MAX);
        if is_more {
            found.pop();
        }
        let intents: Vec<_> = found.into_iter().map(|known| known.intent).collect();
        let next = if is_more { intents.last().map(|intent| intent.number) } else { None };
        Ok(Page { intents, next })
    }

    pub(super) fn show(&self, number: u64) -> Result<Option<Shown>, Failure> {
        let Some(known) = self.numbered(number)? else { return Ok(None) };
        let story = self.story(&known.intent)?;
        Ok(Some(Shown { intent: known.intent, story }))
    }

    /// The epoch grows, so that whoever looked at it before, a person or a holder, has to look again.
    pub(super) fn decide(
        &mut self,
        number: u64,
        epoch: Epoch,
        decision: &Decision,
        by: &Signature,
    ) -> Result<Option<Decided>, Failure> {
        let Some(mut known) = self.numbered(number)? else { return Ok(None) };
        if known.intent.epoch != epoch {
            return Ok(Some(Decided::Changed(Box::new(known.intent))));
        }
        let before = known.intent.state.as_str();
        let Some(state) = decided(&known.intent.state, decision, by) else {
            return Ok(Some(Decided::NotNow(Box::new(known.intent))));
        };
        known.intent.state = state;
        known.intent.epoch = Epoch(epoch.0.saturating_add(1));
        known.intent.owner = None;
        self.update(&mut known)?;
        let record = match decision {
            Decision::Adopt(record) => format!(" as {record}"),
            Decision::Reject | Decision::AllowOnce | Decision::Verify => String::new(),
        };
        let what = decision.as_str();
        let now = known.intent.state.as_str();
        let text = format!("{} decided {what}{record}, from {before} to {now}: {}", by.name(), by.note());
        let event = Event { at: self.now, kind: EventKind::Person, text: text.into(), detail: "{}".into() };
        self.tell(&known.intent, &[event])?;
        Ok(Some(Decided::Yes(Box::new(known.intent))))
    }

    pub(super) fn stats(&self) -> Result<Stats, Failure> {
        let mut states = STATES.map(|(_, name)| (name, 0));
        // Two halves, each of which one index answers alone.
        for half in ["state < 10", "state >= 10"] {
            let sql = format!("SELECT state, count(*) FROM intent WHERE {half} GROUP BY state");
            let mut statement = self.connection.prepare_cached(&sql)?;
            for counted in statement.query_map((), |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)))? {
                let (state, count) = counted?;
                for ((_, known), (code, _)) in states.iter_mut().zip(STATES) {
                    if code == state {
                        *known = count.unsigned_abs();
                    }
                }
            }
        }
        let age = |began: std::time::SystemTime| self.now.duration_since(began).unwrap_or_default();
        Ok(Stats {
            states: states.into(),
            oldest_open: self.least("SELECT min(began) FROM intent WHERE state < 10")?.map(age),
            oldest_manual: self.least("SELECT min(began) FROM intent WHERE state >= 10 AND state = 12")?.map(age),
            at: Some(self.now),
        })
    }

    pub(super) fn trust(&mut self, by: &Signature) -> Result<(), Failure> {
        if let Some(why) = self.guard.suspicion.take() {
            tracing::warn!(name = by.name(), note = by.note(), why, "a person trusts the journal again");
            let trusted = format!("{}: {} (it was: {why})", by.name(), by.note());
            self.connection.execute("UPDATE guard SET trusted = ?1", [trusted])?;
        }
        Ok(())
    }
}

/// The state after a decision, if there is something to decide that way.
fn decided(state: &State, decision: &Decision, by: &Signature) -> Option<State> {
    let why = || format!("{}: {}", by.name(), by.note()).into();
    let is_manual = matches!(state, State::Manual { .. });
    match decision {
        Decision::Adopt(record) if state.is_open() || is_manual => {
            Some(State::Applied { how: How::Person, result: json(record).into_bytes().into() })
        }
        Decision::Reject if state.is_open() || is_manual || matches!(state, State::Ready { .. }) => {
            Some(State::Rejected { why: why() })
        }
        Decision::AllowOnce if is_manual || matches!(state, State::Rejected { .. }) => {
            Some(State::Ready { why: why() })
        }
        Decision::Verify if is_manual => Some(State::Unknown { why: why() }),
        Decision::Adopt(_) | Decision::Reject | Decision::AllowOnce | Decision::Verify => None,
    }
}

/// A record as JSON: a number where it is one as people write it, else a text.
fn json(record: &str) -> String {
    match record.parse::<u64>() {
        Ok(number) if number.to_string() == record => record.into(),
        Ok(_) | Err(_) => serde_json::Value::from(record).to_string(),
    }
}
