//! The whole run: ten tenths, and what the memory holds after each.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use retry_runtime::clock::PausedClock;
use retry_runtime::{Client, RateLimit, Settle};
use tokio::runtime::Builder;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::calls::Callers;
use crate::memory;
use crate::portal::Portal;
use crate::tally::{ENDS, Ear, End, Heard, Tally};
use crate::truth::{Came, Truth};

/// How many callers there are.
const CALLERS: u64 = 500;

const TENTHS: usize = 10;

/// Longer than anything that a call leaves behind is kept.
const AFTERWARDS: Duration = Duration::from_secs(600);

/// No tenth takes as long: a call hangs.
const FOR_EVER: Duration = Duration::from_hours(24 * 365);

/// The portal's limit in a run that is paced: so many at once, and one each.
const RATE: (u32, Duration) = (50, Duration::from_millis(20));

/// What a run is made of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Load {
    /// About so many calls.
    pub(crate) calls: usize,
    /// Whether there is a rate limit.
    pub(crate) paced: bool,
    /// The part of the requests, and of the commands in batches, that goes wrong, in thousandths.
    pub(crate) faults: u32,
    pub(crate) seed: u64,
}

/// What the memory holds after a tenth, when no call is open.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Point {
    pub(crate) calls: u64,
    pub(crate) live: usize,
    pub(crate) resident: Option<u64>,
}

/// What came of it.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) load: Load,
    pub(crate) points: Vec<Point>,
    /// Live bytes before the client was made.
    pub(crate) before: usize,
    /// What the client gave back when it was dropped, in bytes: all that it kept of all its calls.
    pub(crate) held: usize,
    /// How many times memory was asked for, the portal's own share included.
    pub(crate) allocations: usize,
    pub(crate) began: u64,
    pub(crate) ended: Vec<(End, u64)>,
    pub(crate) told: Told,
    pub(crate) came: Came,
    pub(crate) records: u64,
    pub(crate) lies: Vec<String>,
    pub(crate) unexpected: Option<String>,
    /// How long it took on the clock of the portal.
    pub(crate) took: Duration,
    /// The client as it shows itself at the end.
    pub(crate) shown: String,
}

/// What the observer was told, in numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Told {
    pub(crate) finished: u64,
    pub(crate) dropped: u64,
    pub(crate) answered_late: u64,
    pub(crate) distrusted: u64,
    pub(crate) resends: u64,
    pub(crate) checks: u64,
}

impl Load {
    /// Runs it on paused time, in one thread: every time is exact, however slow the machine.
    ///
    /// # Errors
    /// A call hangs or panics, or the runtime can't be made.
    pub(crate) fn run(self) -> Result<Outcome, String> {
        let runtime = Builder::new_current_thread().enable_time().start_paused(true).build();
        runtime.map_err(|error| error.to_string())?.block_on(self.on_paused_time())
    }

    async fn on_paused_time(self) -> Result<Outcome, String> {
        // Some lots get a second call (see `Callers::one`).
        let lots = self.calls * 100 / 109;
        let clock = PausedClock::starting_at(SystemTime::UNIX_EPOCH + Duration::from_secs(1_796_000_000));
        let portal = Portal::new(clock, Truth::new(lots, self.faults, self.seed, self.paced.then_some(RATE)));
        let (tally, heard) = (Tally::new(lots), Arc::new(Heard::default()));
        let (before, asked_before) = (memory::live(), memory::allocations());

        let mut builder = Client::builder().transport(portal.clone()).clock(clock).settle(Settle::cloud());
        builder = builder.seed(self.seed).observer(Ear(Arc::clone(&heard)));
        if self.paced {
            builder = builder.rate_limit(RateLimit::new(RATE.0, RATE.1));
        }
        let client = builder.build().map_err(|error| error.to_string())?;
        let (next, until) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let callers = Arc::new(Callers { batched: client.batched(), single: client, tally, next, until });

        let mut points = Vec::with_capacity(TENTHS);
        for tenth in 1..=TENTHS {
            callers.until.store(lots * tenth / TENTHS, Ordering::Relaxed);
            // Each caller has asked for one lot too many.
            callers.next.store(lots * (tenth - 1) / TENTHS, Ordering::Relaxed);
            self.tenth(tenth, &callers).await?;
            let calls = callers.tally.all_ended();
            points.push(Point { calls, live: memory::live(), resident: memory::resident() });
        }
        let allocations = memory::allocations().saturating_sub(asked_before);
        let shown = format!("{:?}", callers.single);
        let Some(Callers { tally, single, batched, .. }) = Arc::into_inner(callers) else {
            return Err("somebody still makes calls".into());
        };
        let truth = portal.truth();
        let outcome = Outcome {
            load: self,
            lies: tally.lies(&truth),
            unexpected: tally.unexpected(),
            records: truth.lots.iter().map(|lot| u64::from(lot.records)).sum(),
            came: truth.came,
            points,
            before,
            held: 0,
            allocations,
            began: tally.began.load(Ordering::Relaxed),
            ended: ENDS.map(|end| (end, tally.ended(end))).to_vec(),
            told: Told::of(&heard),
            took: portal.elapsed(),
            shown,
        };
        drop(truth);
        let kept = memory::live();
        drop((single, batched));
        Ok(Outcome { held: kept.saturating_sub(memory::live()), ..outcome })
    }

    /// A tenth of the calls. It is over when no call is open and nothing is kept back any more.
    async fn tenth(self, tenth: usize, callers: &Arc<Callers>) -> Result<(), String> {
        let mut tasks = JoinSet::new();
        for caller in 0..CALLERS {
            let seed = self.seed ^ (u64::try_from(tenth).unwrap_or_default() << 32) ^ (caller << 1);
            tasks.spawn(Arc::clone(callers).work(seed));
        }
        let all = async {
            while let Some(ended) = tasks.join_next().await {
                ended.map_err(|error| error.to_string())?;
            }
            Ok::<(), String>(())
        };
        timeout(FOR_EVER, all).await.map_err(|_| format!("a call of tenth {tenth} never ends"))??;
        drop(tasks);
        sleep(AFTERWARDS).await;
        Ok(())
    }
}

impl Told {
    fn of(heard: &Heard) -> Self {
        let [finished, dropped, answered_late, distrusted, resends, checks] =
            [&heard.finished, &heard.dropped, &heard.answered_late, &heard.distrusted, &heard.resends, &heard.checks]
                .map(|counter| counter.load(Ordering::Relaxed));
        Self { finished, dropped, answered_late, distrusted, resends, checks }
    }
}

impl Outcome {
    /// All that must hold.
    pub(crate) fn problems(&self) -> Vec<String> {
        let ended: u64 = self.ended.iter().map(|(_, count)| count).sum();
        let live: Vec<usize> = self.points.iter().map(|point| point.live).collect();
        let (first, last) = (live.first().copied().unwrap_or_default(), live.last().copied().unwrap_or_default());
        let told = self.told.finished + self.told.dropped;
        let rules = [
            (ended == self.began, format!("{} calls began, and {ended} ended", self.began)),
            (told == self.began, format!("{} calls began, and the observer heard of {told} ends", self.began)),
            (self.lies.is_empty(), format!("not as it was told: {:#?}", self.lies)),
            (self.unexpected.is_none(), format!("a call must not end so: {:?}", self.unexpected)),
            (self.told.distrusted == 0, "an honest verifier was distrusted".into()),
            (self.came.refused_by_rate == 0, format!("{} requests over the limit", self.came.refused_by_rate)),
            (last.saturating_sub(first) <= SLACK, format!("the memory grows: {live:?}")),
            (!self.shown.contains("waiting") || self.shown.contains("waiting: 0"), format!("in line: {}", self.shown)),
        ];
        rules.into_iter().filter(|(holds, _)| !holds).map(|(_, problem)| problem).collect()
    }
}

/// By so much two points may differ, in bytes, however many calls lie between them: maps grow by doubling, and forget
/// only now and then.
const SLACK: usize = 256 * 1024;

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Load { paced, faults, seed, .. } = self.load;
        writeln!(f, "paced: {paced}, faults: {faults} in 1,000, seed {seed}")?;
        let Came { requests, batches, in_batches, faults, refused_by_rate } = self.came;
        writeln!(f, "requests {requests}, of them {batches} batches with {in_batches} calls; faults {faults}")?;
        writeln!(
            f,
            "refused by the portal's rate limit: {refused_by_rate}; time on the portal's clock {:?}",
            self.took
        )?;
        for (end, count) in self.ended.iter().filter(|(_, count)| *count > 0) {
            writeln!(f, "  {end:?}: {count}")?;
        }
        writeln!(f, "calls {}, records {}", self.began, self.records)?;
        let Told { finished, dropped, answered_late, distrusted, resends, checks } = self.told;
        writeln!(f, "the observer heard of {finished} ends, {dropped} dropped calls and {answered_late} late answers")?;
        writeln!(f, "sent again {resends}, read back {checks}, verifiers distrusted {distrusted}")?;
        let per_call = u64::try_from(self.allocations).unwrap_or_default() / self.began.max(1);
        writeln!(f, "allocations {} ({per_call} a call, with the portal's own)", self.allocations)?;
        writeln!(f, "live bytes before the client {}, in the client at the end {}", self.before, self.held)?;
        writeln!(f, "{:>10} {:>12} {:>10}", "calls", "live bytes", "VmRSS kB")?;
        for Point { calls, live, resident } in &self.points {
            writeln!(f, "{calls:>10} {live:>12} {:>10}", resident.unwrap_or_default())?;
        }
        Ok(())
    }
}
