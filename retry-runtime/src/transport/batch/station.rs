//! The queues of one batched client, one for each runtime that calls are made in, and what it knows of methods.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::runtime::Id;

use super::item::Item;
use super::queue::Queue;
use super::worker::Worker;
use super::{BatchLimits, Exit};
use crate::api::BatchForm;
use crate::transport::Request;

pub(super) struct Station {
    exit: Exit,
    limits: BatchLimits,
    /// A task of one runtime must not hold up the calls of another, nor end with it: each has a queue of its own.
    queues: Mutex<HashMap<Id, Queue>>,
    /// The methods that the portal does not take inside a batch.
    alone: Mutex<HashSet<&'static str>>,
}

impl Station {
    pub(super) fn new(exit: Exit, limits: BatchLimits) -> Self {
        Self { exit, limits, queues: Mutex::default(), alone: Mutex::default() }
    }

    pub(super) const fn exit(&self) -> &Exit {
        &self.exit
    }

    pub(super) const fn limits(&self) -> &BatchLimits {
        &self.limits
    }

    /// The call as a piece of an envelope; `None` if it goes alone.
    pub(super) fn piece(&self, request: &Request) -> Option<(BatchForm, Arc<str>)> {
        let form = BatchForm::of(self.exit.route, self.exit.oauth, request)?;
        let goes_alone = self.alone.lock().unwrap_or_else(PoisonError::into_inner).contains(request.method);
        if goes_alone { None } else { form.piece(request).map(|piece| (form, piece.into())) }
    }

    /// Calls of this method go alone from now on.
    pub(super) fn goes_alone(&self, method: &'static str) {
        self.alone.lock().unwrap_or_else(PoisonError::into_inner).insert(method);
    }

    /// Puts a call into the queue of the runtime it is made in.
    pub(super) fn enqueue(self: &Arc<Self>, queue: Id, item: Item) {
        let mut queues = self.queues();
        let waiting = queues.entry(queue).or_default();
        waiting.push(item, &self.limits);
        let needed = waiting.needs_worker(&self.limits);
        // A runtime that is shut down drops the task at once, which then looks into the queue itself.
        drop(queues);
        if needed {
            self.take_on(queue);
        }
    }

    /// A worker that the queue has counted already.
    pub(super) fn take_on(self: &Arc<Self>, queue: Id) {
        let worker = Worker::new(Arc::clone(self), queue);
        tokio::spawn(worker.run());
    }

    /// Looks into a queue; `None` if it is not there any more.
    pub(super) fn with<T>(&self, queue: Id, look: impl FnOnce(&mut Queue) -> T) -> Option<T> {
        self.queues().get_mut(&queue).map(look)
    }

    /// A caller has gone away.
    pub(super) fn left(&self, queue: Id) {
        self.with(queue, Queue::left);
    }

    /// Takes a queue away that nobody works on any more; calls that still wait in it are not sent.
    pub(super) fn clear(&self, queue: Id) {
        let mut queues = self.queues();
        let abandoned = queues.get(&queue).is_some_and(Queue::is_abandoned);
        let waiting = if abandoned { queues.remove(&queue) } else { None };
        drop(queues);
        drop(waiting);
    }

    fn queues(&self) -> MutexGuard<'_, HashMap<Id, Queue>> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Station {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batched").field("line", &self.exit.line).field("limits", &self.limits).finish_non_exhaustive()
    }
}
