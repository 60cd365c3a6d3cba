//! The callers: each makes one call after another, some of them many at once, and some go away.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use fastrand::Rng;
use retry_runtime::{CallError, Client, IdempotencyKey};
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::stubs::{Deal, add_blindly, add_deal, add_task, ensure_deal, look_up};
use crate::tally::Tally;

/// What all callers share.
#[derive(Debug)]
pub(crate) struct Callers {
    pub(crate) single: Client,
    pub(crate) batched: Client,
    pub(crate) tally: Tally,
    /// The next lot, and the first one of which nothing is wanted any more.
    pub(crate) next: AtomicUsize,
    pub(crate) until: AtomicUsize,
}

/// One group in so many draws, and its calls at the most: about half of all calls travel together.
const GROUPS: u32 = 40;
const LARGEST: usize = 80;

impl Callers {
    /// A lot that nobody has had, until there is none left.
    fn lot(&self) -> Option<usize> {
        let lot = self.next.fetch_add(1, Ordering::Relaxed);
        (lot < self.until.load(Ordering::Relaxed)).then_some(lot)
    }

    /// Makes calls until the lots are used up.
    pub(crate) async fn work(self: Arc<Self>, seed: u64) {
        let mut rng = Rng::with_seed(seed);
        while let Some(lot) = self.lot() {
            if rng.u32(..GROUPS) == 0 {
                Box::pin(self.group(lot, &mut rng)).await;
            } else {
                Box::pin(self.one(&self.single, lot, &mut rng)).await;
            }
        }
    }

    /// Many calls at the same time, by the batched client.
    async fn group(self: &Arc<Self>, first: usize, rng: &mut Rng) {
        let mut calls = JoinSet::new();
        let mut lot = Some(first);
        for _ in 0..rng.usize(1..=LARGEST) {
            let Some(number) = lot else { break };
            let (callers, mut rng) = (Arc::clone(self), rng.fork());
            calls.spawn(async move { Box::pin(callers.one(&callers.batched, number, &mut rng)).await });
            lot = self.lot();
        }
        // One lot was drawn that no call was made for: it gets its call alone.
        if let Some(number) = lot {
            Box::pin(self.one(&self.single, number, rng)).await;
        }
        calls.join_all().await;
    }

    /// What is done about one lot.
    async fn one(&self, client: &Client, lot: usize, rng: &mut Rng) {
        let deal = Deal::of(lot);
        match rng.u32(..100) {
            0..30 => self.read(lot, look_up(client, lot), patience(rng, 3)).await,
            30..70 => self.write(lot, add_deal(client, &deal), None).await,
            // A caller that goes away, at any time until long after the settle time; half of them come back.
            70..80 => {
                self.write(lot, add_deal(client, &deal), Some(patience(rng, 50))).await;
                if rng.bool() {
                    self.write(lot, ensure_deal(client, &deal), None).await;
                }
            }
            // Two that want the same.
            80..85 => {
                tokio::join!(
                    self.write(lot, ensure_deal(client, &deal), None),
                    self.write(lot, ensure_deal(client, &deal), None)
                );
            }
            85..90 => self.write(lot, add_blindly(client, &deal), None).await,
            _ => {
                if let Ok(once) = IdempotencyKey::of_business("lot", &lot.to_string()) {
                    self.write(lot, add_task(client, &deal, &once), None).await;
                }
            }
        }
    }

    async fn read<T>(&self, lot: usize, call: impl Future<Output = Result<T, CallError>>, patience: Duration) {
        self.tally.begin();
        let result = timeout(patience, call).await.ok();
        self.tally.read(lot, result.as_ref());
    }

    async fn write<T>(&self, lot: usize, call: impl Future<Output = Result<T, CallError>>, patience: Option<Duration>) {
        self.tally.begin();
        let result = match patience {
            None => Some(call.await),
            Some(patience) => timeout(patience, call).await.ok(),
        };
        self.tally.wrote(lot, result.as_ref());
    }
}

/// For how long a caller waits: so many in a hundred about as long as an answer takes, the others up to long after the
/// settle time.
fn patience(rng: &mut Rng, hurried: u32) -> Duration {
    let most = if rng.u32(..100) < hurried { 400 } else { 200_000 };
    Duration::from_millis(rng.u64(1..=most))
}
