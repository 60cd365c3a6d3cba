//! What the callers and the observer were told, and whether it is true.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};

use retry_runtime::{CallError, Effect, Observer, Report};

use crate::truth::Truth;

/// How calls ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Done,
    Invalid,
    Refused,
    Exhausted,
    InDoubt,
    Duplicated,
    Undecodable,
    /// Its caller went away.
    Dropped,
    /// With an error that nobody knows.
    Strange,
}

pub(crate) const ENDS: [End; 9] = [
    End::Done,
    End::Invalid,
    End::Refused,
    End::Exhausted,
    End::InDoubt,
    End::Duplicated,
    End::Undecodable,
    End::Dropped,
    End::Strange,
];

impl End {
    fn of<T>(result: &Result<T, CallError>) -> Self {
        match result {
            Ok(_) => Self::Done,
            Err(CallError::Invalid(_)) => Self::Invalid,
            Err(CallError::Refused(_)) => Self::Refused,
            Err(CallError::Exhausted(_)) => Self::Exhausted,
            Err(CallError::InDoubt(_)) => Self::InDoubt,
            Err(CallError::Duplicated(_)) => Self::Duplicated,
            Err(CallError::Undecodable(_)) => Self::Undecodable,
            Err(_) => Self::Strange,
        }
    }
}

// What was said of a lot, by all calls about it.
const PRESENT: u8 = 1;
const ABSENT: u8 = 2;
const UNKNOWN: u8 = 4;
const READ: u8 = 8;

/// All that the callers were told. Its memory is there before the first call.
#[derive(Debug)]
pub(crate) struct Tally {
    pub(crate) began: AtomicU64,
    ends: [AtomicU64; ENDS.len()],
    said: Mutex<Vec<u8>>,
    /// The first error that no call of the load may end with.
    unexpected: Mutex<Option<String>>,
}

impl Tally {
    pub(crate) fn new(lots: usize) -> Self {
        let (said, unexpected) = (Mutex::new(vec![0; lots]), Mutex::default());
        Self { began: AtomicU64::new(0), ends: Default::default(), said, unexpected }
    }

    pub(crate) fn begin(&self) {
        self.began.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn read<T>(&self, lot: usize, result: Option<&Result<T, CallError>>) {
        self.count(result);
        self.say(lot, READ);
    }

    pub(crate) fn wrote<T>(&self, lot: usize, result: Option<&Result<T, CallError>>) {
        self.count(result);
        let effect = match result {
            None => Effect::Unknown,
            Some(Ok(_)) => Effect::Present,
            Some(Err(error)) => error.effect(),
        };
        self.say(
            lot,
            match effect {
                Effect::Present => PRESENT,
                Effect::Absent => ABSENT,
                Effect::Unknown => UNKNOWN,
            },
        );
    }

    fn count<T>(&self, result: Option<&Result<T, CallError>>) {
        let end = result.map_or(End::Dropped, End::of);
        if let Some(counter) = self.ends.get(end as usize) {
            counter.fetch_add(1, Ordering::Relaxed);
        }
        if let (End::Duplicated | End::Strange, Some(Err(error))) = (end, result) {
            let mut first = self.unexpected.lock().unwrap_or_else(PoisonError::into_inner);
            first.get_or_insert_with(|| error.to_string());
        }
    }

    /// The first error that no call may end with.
    pub(crate) fn unexpected(&self) -> Option<String> {
        self.unexpected.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn say(&self, lot: usize, what: u8) {
        if let Some(said) = self.said.lock().unwrap_or_else(PoisonError::into_inner).get_mut(lot) {
            *said |= what;
        }
    }

    pub(crate) fn ended(&self, end: End) -> u64 {
        self.ends.get(end as usize).map_or(0, |counter| counter.load(Ordering::Relaxed))
    }

    pub(crate) fn all_ended(&self) -> u64 {
        ENDS.into_iter().map(|end| self.ended(end)).sum()
    }

    /// The first lies: what was said of a lot, and how many records it has.
    pub(crate) fn lies(&self, truth: &Truth) -> Vec<String> {
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        let lots = said.iter().zip(&truth.lots).enumerate();
        let lies = lots.filter(|(_, (said, lot))| match (**said, lot.records) {
            // Nobody heard of it, or there are two of it.
            (0, _) | (_, 2..) => true,
            (said, 1) => said & (PRESENT | UNKNOWN) == 0,
            (said, 0) => said & PRESENT != 0,
        });
        lies.take(10).map(|(number, (said, lot))| format!("lot {number}: said {said:#b}, {lot:?}")).collect()
    }
}

/// What the observer hears, in numbers.
#[derive(Debug, Default)]
pub(crate) struct Heard {
    pub(crate) finished: AtomicU64,
    pub(crate) dropped: AtomicU64,
    pub(crate) answered_late: AtomicU64,
    pub(crate) distrusted: AtomicU64,
    pub(crate) resends: AtomicU64,
    pub(crate) checks: AtomicU64,
}

/// The observer of the client.
#[derive(Debug)]
pub(crate) struct Ear(pub(crate) std::sync::Arc<Heard>);

impl Ear {
    fn hear(&self, counter: &AtomicU64, report: &Report) {
        counter.fetch_add(1, Ordering::Relaxed);
        let count = |number: usize| u64::try_from(number).unwrap_or_default();
        self.0.resends.fetch_add(count(report.attempts().len().saturating_sub(1)), Ordering::Relaxed);
        self.0.checks.fetch_add(count(report.checks().len()), Ordering::Relaxed);
    }
}

impl Observer for Ear {
    fn finished(&self, report: &Report) {
        self.hear(&self.0.finished, report);
    }

    fn distrusted(&self, _: &Report) {
        self.0.distrusted.fetch_add(1, Ordering::Relaxed);
    }

    fn dropped(&self, report: &Report) {
        self.hear(&self.0.dropped, report);
    }

    fn answered_late(&self, _: &Report) {
        self.0.answered_late.fetch_add(1, Ordering::Relaxed);
    }
}
