//! The task that takes batches out of a queue, one at a time, and sends them.

use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use futures_util::future::join_all;
use tokio::runtime::Id;
use tokio::time::timeout_at;

use super::item::Item;
use super::queue::Queue;
use super::station::Station;
use super::{Answered, Denied, Lane, Limiter};
use crate::api::{BATCH, Heard};
use crate::clock::{Clock, Moment};
use crate::effect::OperationKind;
use crate::transport::{Request, Wire};

/// One of the tasks that work on a queue. Dropped before its time, it answers for the calls that it has, and the last one for those that wait.
pub(super) struct Worker {
    station: Arc<Station>,
    queue: Id,
    /// Whether it has yet to take its batch.
    collecting: bool,
    left: bool,
}

impl Worker {
    pub(super) const fn new(station: Arc<Station>, queue: Id) -> Self {
        Self { station, queue, collecting: true, left: false }
    }

    /// Sends batches until nobody waits.
    pub(super) async fn run(mut self) {
        loop {
            self.window().await;
            if self.turn().await {
                let load = self.load();
                self.send(load).await;
            } else {
                self.take_nothing();
            }
            let station = &self.station;
            if !station.with(self.queue, |queue| queue.goes_on(station.limits())).unwrap_or_default() {
                break;
            }
            self.collecting = true;
        }
        self.left = true;
        self.station.clear(self.queue);
    }

    /// Waits until the batch is full, or its first call has waited long enough for others.
    async fn window(&self) {
        let (limits, clock) = (self.station.limits(), &self.station.exit().clock);
        while let Some(Some((until, signals))) = self.station.with(self.queue, |queue| queue.open_until(limits)) {
            if clock.now().instant() >= until {
                return;
            }
            // Either way it looks again: the signal and the time may be those of another batch.
            let _ = timeout_at(until, signals.full.notified()).await;
        }
    }

    /// Waits for the right to send one request; `false` if it was given up, as nobody waited any more.
    async fn turn(&self) -> bool {
        let Some(limiter) = &self.station.exit().limiter else { return true };
        while let Some(Some((lane, send_by, signals))) = self.station.with(self.queue, |queue| queue.next_turn()) {
            let turn = turn(limiter, lane, send_by);
            let got = match lane {
                Lane::ReadBack => turn.await,
                Lane::Ordinary => tokio::select! {
                    biased;
                    got = turn => got,
                    // It goes on in the faster lane.
                    () = signals.urgent.notified() => continue,
                },
            };
            match got {
                Ok(()) => return true,
                // Each of them goes alone, and is judged by what its own method hears.
                Err(Denied::Open { .. }) => {
                    self.station.with(self.queue, Queue::hand_back);
                }
                Err(Denied::TooLate { why }) => {
                    self.station.with(self.queue, |queue| queue.too_late(send_by, &why));
                }
            }
        }
        false
    }

    /// Without a turn, whoever has come since has to wait for one.
    fn take_nothing(&mut self) {
        self.collecting = false;
        self.station.with(self.queue, Queue::takes_nothing);
    }

    /// Takes what waits by now, so that a batch is filled as late as possible.
    fn load(&mut self) -> Vec<Item> {
        let station = &self.station;
        let now = station.exit().clock.now();
        let mut methods: Vec<(&str, bool)> = Vec::new();
        let mut may_go = |item: &Item| {
            let Some(limiter) = &station.exit().limiter else { return true };
            let method = item.request.method;
            if let Some((_, free)) = methods.iter().find(|(known, _)| *known == method) {
                return *free;
            }
            let free = is_free_now(limiter, &item.request);
            methods.push((method, free));
            free
        };
        let taken = station.with(self.queue, |queue| {
            let load = queue.load(station.limits(), now, &mut may_go);
            (load, queue.needs_worker(station.limits()))
        });
        self.collecting = false;
        let (load, needed) = taken.unwrap_or_default();
        if needed {
            station.take_on(self.queue);
        }
        load
    }

    async fn send(&self, mut load: Vec<Item>) {
        match load.pop() {
            None => {}
            Some(only) if load.is_empty() => {
                let answered = self.station.exit().plain(&only.request, &only.wire).await;
                only.answer(answered);
            }
            Some(last) => {
                load.push(last);
                self.send_together(load).await;
            }
        }
    }

    /// Sends a batch: each call by its own ticket to the wire, the envelope by one of its own.
    async fn send_together(&self, load: Vec<Item>) {
        let exit = self.station.exit();
        let mut load = on_record(load, &*exit.clock).await;
        let now = exit.clock.now();
        load.retain(|item| item.wire.claim(now));
        let Some(first) = load.first() else { return };
        let form = first.form;
        let envelope = envelope(first, &load);
        let wire = Arc::new(Wire::new(now));
        tracing::debug!(calls = load.len(), bytes = envelope.arguments.len(), "sends a batch");
        let result = exit.line.send(&envelope, &wire).await;
        if let Some(credentials) = wire.credentials() {
            for item in &load {
                item.wire.sent_with(credentials);
            }
        }
        let whole = result.map(crate::api::Answer::opened);
        if let Some(limiter) = &exit.limiter {
            limiter.heard(BATCH, &whole);
        }
        match whole {
            Ok(whole) => {
                let of_its_own = matches!(whole.heard, Heard::Success(_));
                let calls: Vec<&Request> = load.iter().map(|item| &item.request).collect();
                let parts = form.split(&whole, &calls);
                for (item, part) in load.into_iter().zip(parts) {
                    let answered = Ok(part.answer);
                    if let Some(limiter) = exit.limiter.as_ref().filter(|_| of_its_own) {
                        limiter.heard(item.request.method, &answered);
                        if let Some(usage) = part.usage {
                            limiter.used(item.request.method, usage);
                        }
                    }
                    self.tell(item, answered);
                }
            }
            Err(loss) => load.into_iter().for_each(|item| item.answer(Err(loss.clone()))),
        }
    }

    fn tell(&self, item: Item, answered: Answered) {
        if matches!(&answered, Ok(answer) if matches!(answer.heard, Heard::NotInBatch)) {
            self.station.goes_alone(item.request.method);
        }
        item.answer(answered);
    }
}

/// The request that carries these calls.
pub(super) fn envelope(first: &Item, load: &[Item]) -> Request {
    let any = |is: fn(&Request) -> bool| load.iter().any(|item| is(&item.request));
    let send_by = load.iter().map(|item| item.request.send_by).min_by_key(|moment| moment.instant());
    Request {
        method: BATCH,
        kind: if any(|call| call.kind == OperationKind::Write) { OperationKind::Write } else { OperationKind::Read },
        version: first.form.version(),
        arguments: first.form.envelope(load.iter().map(|item| &*item.piece)),
        idempotency_key: None,
        credentials: None,
        token_renewed: any(|call| call.token_renewed),
        read_back: any(|call| call.read_back),
        send_by: send_by.unwrap_or(first.request.send_by),
        record: None,
    }
}

/// Puts all of them on record at once, which is one commit. What the journal does not take down stays behind, and hears so.
async fn on_record(load: Vec<Item>, clock: &dyn Clock) -> Vec<Item> {
    let recorded = load.iter().filter_map(|item| Some((item.request.record.as_ref()?, item.request.send_by)));
    let Some((record, send_by)) = recorded.max_by_key(|(_, send_by)| send_by.instant()) else { return load };
    // They are one request, and take one turn.
    if let Err(loss) = record.turn(send_by, clock).await {
        let (late, others): (Vec<_>, Vec<_>) = load.into_iter().partition(|item| item.request.record.is_some());
        for item in late {
            item.answer(Err(loss.clone()));
        }
        return others;
    }
    let begun = join_all(load.iter().map(async |item| match &item.request.record {
        Some(record) => record.begin(&item.wire, clock).await,
        None => Ok(()),
    }))
    .await;
    let mut recorded = Vec::with_capacity(load.len());
    for (item, begun) in load.into_iter().zip(begun) {
        match begun {
            Ok(()) => recorded.push(item),
            Err(loss) => item.answer(Err(loss)),
        }
    }
    recorded
}

/// The turn of an envelope.
async fn turn(limiter: &Limiter, lane: Lane, send_by: Moment) -> Result<(), Denied> {
    limiter.method_is_free(BATCH, send_by).await?;
    limiter.turn(lane, send_by).await
}

/// Whether nothing stands against the method of a call at this moment.
fn is_free_now(limiter: &Limiter, request: &Request) -> bool {
    let waiting = pin!(limiter.method_is_free(request.method, request.send_by));
    matches!(waiting.poll(&mut Context::from_waker(Waker::noop())), Poll::Ready(Ok(())))
}

impl Drop for Worker {
    fn drop(&mut self) {
        if !self.left {
            self.station.with(self.queue, |queue| queue.lose_worker(self.collecting));
            self.station.clear(self.queue);
        }
    }
}
