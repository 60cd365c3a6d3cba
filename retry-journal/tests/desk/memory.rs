//! A journal in memory, as a person sees it.

use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use retry_journal::{Decided, Decision, Desk, DeskError, Page, Query, Shown, Signature, Stats, Work};
use retry_runtime::journal::{Epoch, Event, EventKind, How, Intent, JournalError, State};

/// The time of the journal.
pub(crate) const NOW: u64 = 1_796_040_000;

#[derive(Debug, Default)]
pub(crate) struct MemoryDesk {
    rows: Mutex<Vec<Shown>>,
    suspicion: Mutex<Option<Box<str>>>,
    broken: Mutex<Option<JournalError>>,
}

pub(crate) fn at(seconds_ago: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(NOW - seconds_ago)
}

impl MemoryDesk {
    pub(crate) fn new(rows: Vec<Shown>) -> Self {
        Self { rows: Mutex::new(rows), ..Self::default() }
    }

    pub(crate) fn suspect(&self, why: &str) {
        *self.suspicion.lock().unwrap() = Some(why.into());
    }

    /// From now on it can't count or decide any more.
    pub(crate) fn break_with(&self, error: JournalError) {
        *self.broken.lock().unwrap() = Some(error);
    }

    fn unbroken(&self) -> Result<(), DeskError> {
        self.broken.lock().unwrap().clone().map_or(Ok(()), |error| Err(DeskError::Journal(error)))
    }

    pub(crate) fn rows(&self) -> MutexGuard<'_, Vec<Shown>> {
        self.rows.lock().unwrap()
    }

    /// What a worker does meanwhile: a new epoch.
    pub(crate) fn raise_epoch(&self, number: u64) {
        let mut rows = self.rows();
        let row = rows.iter_mut().find(|row| row.intent.number == number).unwrap();
        row.intent.epoch = Epoch(row.intent.epoch.0 + 1);
    }

    pub(crate) fn get(&self, number: u64) -> Shown {
        self.rows().iter().find(|row| row.intent.number == number).unwrap().clone()
    }

    fn found(&self, query: &Query) -> Page {
        let text = query.text.as_deref().map(str::to_lowercase);
        let fits = |intent: &Intent| {
            let all =
                format!("{} {} {} {}", intent.id.method, intent.id.key, intent.id.portal, intent.stub).to_lowercase();
            (query.states.is_empty() || query.states.iter().any(|state| **state == *intent.state.as_str()))
                && query.before.is_none_or(|before| intent.number < before)
                && text.as_ref().is_none_or(|text| all.contains(text.as_str()))
        };
        let mut intents: Vec<Intent> = self.rows().iter().map(|row| row.intent.clone()).filter(fits).collect();
        intents.sort_by_key(|intent| std::cmp::Reverse(intent.number));
        let limit = if query.limit == 0 { 50 } else { query.limit as usize };
        let has_more = intents.len() > limit;
        intents.truncate(limit);
        let next = intents.last().filter(|_| has_more).map(|intent| intent.number);
        Page { intents, next }
    }

    fn decided(&self, number: u64, epoch: Epoch, decision: &Decision, by: &Signature) -> Result<Decided, DeskError> {
        self.unbroken()?;
        let mut rows = self.rows();
        let row = rows.iter_mut().find(|row| row.intent.number == number).ok_or(DeskError::NoSuch(number))?;
        let intent = &mut row.intent;
        if intent.epoch != epoch {
            return Ok(Decided::Changed(Box::new(intent.clone())));
        }
        let is_manual = matches!(intent.state, State::Manual { .. });
        let fits = match decision {
            Decision::Adopt(_) => intent.state.is_open() || is_manual,
            Decision::Reject => intent.state.is_open() || is_manual || matches!(intent.state, State::Ready { .. }),
            Decision::AllowOnce => is_manual || matches!(intent.state, State::Rejected { .. }),
            Decision::Verify => is_manual,
        };
        if !fits {
            return Ok(Decided::NotNow(Box::new(intent.clone())));
        }
        let why: Box<str> = format!("{}: {}", by.name(), by.note()).into();
        intent.state = match decision {
            Decision::Adopt(record) => State::Applied { how: How::Person, result: Bytes::from(record.to_string()) },
            Decision::Reject => State::Rejected { why },
            Decision::AllowOnce => State::Ready { why },
            Decision::Verify => State::Unknown { why },
        };
        intent.epoch = Epoch(epoch.0 + 1);
        intent.owner = None;
        let detail = format!("{{\"decision\":\"{}\"}}", decision.as_str());
        let text = format!("{} decided {}: {}", by.name(), decision.as_str(), by.note());
        let event = Event { at: at(0), kind: EventKind::Person, text: text.into(), detail: detail.into() };
        let now = intent.clone();
        row.story.push(event);
        Ok(Decided::Yes(Box::new(now)))
    }

    fn counted(&self) -> Stats {
        let rows = self.rows();
        let oldest = |is_it: &dyn Fn(&State) -> bool| {
            rows.iter()
                .filter(|row| is_it(&row.intent.state))
                .map(|row| at(0).duration_since(row.intent.began).unwrap())
                .max()
        };
        let mut states: Vec<(&'static str, u64)> = Vec::new();
        for row in rows.iter() {
            let name = row.intent.state.as_str();
            match states.iter_mut().find(|(state, _)| *state == name) {
                Some((_, count)) => *count += 1,
                None => states.push((name, 1)),
            }
        }
        Stats {
            states,
            oldest_open: oldest(&State::is_open),
            oldest_manual: oldest(&|state| matches!(state, State::Manual { .. })),
            at: Some(at(0)),
        }
    }
}

impl Desk for MemoryDesk {
    fn list<'a>(&'a self, query: &'a Query) -> Work<'a, Page> {
        Box::pin(async move { Ok(self.found(query)) })
    }

    fn show(&self, number: u64) -> Work<'_, Shown> {
        Box::pin(async move {
            let rows = self.rows();
            rows.iter().find(|row| row.intent.number == number).cloned().ok_or(DeskError::NoSuch(number))
        })
    }

    fn decide<'a>(&'a self, number: u64, epoch: Epoch, decision: &'a Decision, by: &'a Signature) -> Work<'a, Decided> {
        Box::pin(async move { self.decided(number, epoch, decision, by) })
    }

    fn stats(&self) -> Work<'_, Stats> {
        Box::pin(async move { self.unbroken().map(|()| self.counted()) })
    }

    fn suspicion(&self) -> Work<'_, Option<Box<str>>> {
        Box::pin(async move { Ok(self.suspicion.lock().unwrap().clone()) })
    }

    fn trust<'a>(&'a self, _by: &'a Signature) -> Work<'a, ()> {
        Box::pin(async move {
            *self.suspicion.lock().unwrap() = None;
            Ok(())
        })
    }
}
