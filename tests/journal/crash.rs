//! A process that dies at a step of our choice, and a store that fails.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use retry_runtime::journal::{
    Beginning, Begun, Claim, Entry, Held, Intent, IntentId, Job, Journal, JournalError, MemoryJournal, Recorded,
    Recovery,
};
use retry_runtime::transport::{Answer, BoxFuture, Loss, Request, Transport, Wire};
use tokio::sync::Notify;

use crate::orders::{Order, call};
use crate::support::{Fake, millis};

/// Where the process dies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    BeforeLook,
    BeforeBegin,
    AfterBegin,
    BeforeSend,
    Sent,
    BeforeRecord,
    AfterRecord,
}

impl Step {
    pub(crate) const ALL: [Self; 7] = [
        Self::BeforeLook,
        Self::BeforeBegin,
        Self::AfterBegin,
        Self::BeforeSend,
        Self::Sent,
        Self::BeforeRecord,
        Self::AfterRecord,
    ];
}

/// What the store does to the first attempt of the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Store {
    Works,
    /// It fails, and the record is there all the same.
    FailsAfterWriting,
    /// It fails, and nothing is there.
    FailsWithoutWriting,
    /// It works, and the next process finds it empty, and knows that it should not be.
    Forgets,
}

impl Store {
    pub(crate) const ALL: [Self; 4] = [Self::Works, Self::FailsAfterWriting, Self::FailsWithoutWriting, Self::Forgets];
}

/// A process: dead once it has come to its step, whatever its tasks would do.
#[derive(Debug, Clone)]
pub(crate) struct Process(Arc<Life>);

#[derive(Debug)]
struct Life {
    dies: Step,
    dead: Notify,
    stopped: AtomicBool,
}

impl Process {
    pub(crate) fn that_dies(dies: Step) -> Self {
        Self(Arc::new(Life { dies, dead: Notify::new(), stopped: AtomicBool::new(false) }))
    }

    /// Waits until it is dead.
    pub(crate) async fn death(&self) {
        self.0.dead.notified().await;
    }

    /// Goes on, unless the process dies here.
    async fn passes(&self, step: Step) {
        if self.0.dies == step {
            self.0.dead.notify_one();
            std::future::pending::<()>().await;
        }
    }
}

/// The journal of such a process.
#[derive(Debug)]
pub(crate) struct Mortal {
    pub(crate) journal: MemoryJournal,
    pub(crate) process: Process,
    pub(crate) store: Store,
}

impl Mortal {
    fn works(&self) -> Result<(), JournalError> {
        if self.process.0.stopped.load(Ordering::Relaxed) { Err(stopped()) } else { Ok(()) }
    }
}

fn stopped() -> JournalError {
    JournalError::Stopped("the disk is full".into())
}

impl Journal for Mortal {
    fn look<'a>(&'a self, id: &'a IntentId) -> Job<'a, Option<Intent>> {
        Box::pin(async move {
            self.process.passes(Step::BeforeLook).await;
            self.journal.look(id).await
        })
    }

    fn begin<'a>(&'a self, beginning: &'a Beginning) -> Job<'a, Begun> {
        Box::pin(async move {
            self.process.passes(Step::BeforeBegin).await;
            self.works()?;
            match self.store {
                Store::Works | Store::Forgets => {}
                Store::FailsAfterWriting => {
                    self.process.0.stopped.store(true, Ordering::Relaxed);
                    self.journal.begin(beginning).await?;
                    return Err(stopped());
                }
                Store::FailsWithoutWriting => {
                    self.process.0.stopped.store(true, Ordering::Relaxed);
                    return Err(stopped());
                }
            }
            let begun = self.journal.begin(beginning).await;
            self.process.passes(Step::AfterBegin).await;
            begun
        })
    }

    fn record<'a>(&'a self, entry: &'a Entry) -> Job<'a, Recorded> {
        Box::pin(async move {
            self.process.passes(Step::BeforeRecord).await;
            self.works()?;
            let recorded = self.journal.record(entry).await;
            self.process.passes(Step::AfterRecord).await;
            recorded
        })
    }

    fn claim<'a>(&'a self, claim: &'a Claim) -> Job<'a, Vec<Intent>> {
        self.journal.claim(claim)
    }

    fn release(&self, held: Held, why: &str) {
        self.journal.release(held, why);
    }

    fn flush(&self) -> Job<'_, ()> {
        self.journal.flush()
    }
}

/// The way out of such a process. What it has sent goes on without it.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) portal: Fake,
    pub(crate) process: Process,
}

impl Transport for Line {
    fn send<'a>(&'a self, request: &'a Request, wire: &'a Arc<Wire>) -> BoxFuture<'a, Result<Answer, Loss>> {
        Box::pin(async move {
            self.process.passes(Step::BeforeSend).await;
            let (portal, request, wire) = (self.portal.clone(), request.clone(), Arc::clone(wire));
            let sent = tokio::spawn(async move { portal.send(&request, &wire).await });
            self.process.passes(Step::Sent).await;
            sent.await.unwrap()
        })
    }
}

/// A process that sends this order and dies at once.
pub(crate) async fn dead(portal: &Fake, journal: &MemoryJournal, stub: Recovery, order: &str) {
    let process = Process::that_dies(Step::Sent);
    let mortal = Mortal { journal: journal.clone(), process: process.clone(), store: Store::Works };
    let line = Line { portal: portal.clone(), process: process.clone() };
    let client = portal.builder().transport(line).journal(mortal).build().unwrap();
    let order = Order::of(order);
    tokio::select! {
        () = process.death() => {}
        ended = call(&client, &order, stub) => panic!("it did not die: {ended:?}"),
    }
    // It arrives as one that was on the wire by then.
    tokio::time::sleep(millis(200)).await;
}
