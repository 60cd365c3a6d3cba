//! The running portal, as its owner sees it.

mod access;
mod switches;

use std::collections::BTreeMap;
use std::fmt;
use std::net::SocketAddr;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::task::JoinHandle;

use crate::builder::PortalBuilder;
use crate::crm::{Entity, InsertError, Record, insert, insert_many, seeds};
use crate::fault::Fault;
use crate::journal::Received;
use crate::state::Shared;

/// A running portal.
///
/// The handle is cheap to clone and can be used from any thread. When the last one is dropped, the portal stops
/// listening, ends its connections and forgets what was still to happen.
///
/// Entities are named `"deal"`, `"lead"`, `"contact"`, `"company"`, `"quote"`, `"item"` (of a smart process), `"task"`,
/// `"activity"`, `"product"`, `"productrow"`, `"requisite"`, `"status"`, `"comment"` (of a timeline) and `"message"` (of
/// a chat). Other names have no records. All APIs read and write the same records.
#[derive(Clone)]
pub struct Portal {
    shared: Arc<Shared>,
    address: SocketAddr,
    server: Arc<Server>,
}

/// Closes the portal with the last handle.
struct Server {
    shared: Arc<Shared>,
    task: Mutex<Option<JoinHandle<()>>>,
}

/// The address alone: the rest is long, and the webhook is secret.
impl fmt::Debug for Portal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Portal").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.close();
    }
}

impl Portal {
    /// Sets up a portal; [`PortalBuilder::start`] starts it.
    pub fn builder() -> PortalBuilder {
        PortalBuilder::new()
    }

    pub(crate) fn new(shared: Arc<Shared>, address: SocketAddr, task: JoinHandle<()>) -> Self {
        let server = Arc::new(Server { shared: Arc::clone(&shared), task: Mutex::new(Some(task)) });
        Self { shared, address, server }
    }

    /// All records of an entity, in the order of their ids. Switches such as [`Portal::hide`] do not matter here.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let portal = retry_portal::Portal::builder().start().await?;
    /// portal.insert("contact", serde_json::json!({"NAME": "Ann", "PHONE": [{"VALUE": "+7"}]}))?;
    /// let contacts = portal.records("contact");
    /// assert_eq!(contacts[0].text("NAME"), Some("Ann"));
    /// assert_eq!(contacts[0].fields()["PHONE"][0]["VALUE"], "+7");
    /// # Ok(())
    /// # }
    /// ```
    pub fn records(&self, entity: &str) -> Vec<Record> {
        let state = self.shared.state();
        Entity::named(entity).map_or_else(Vec::new, |entity| state.memory.store.table(entity).rows().cloned().collect())
    }

    /// The values of a field (`"ORIGIN_ID"`) that more than one record of the entity has, each with the number of these
    /// records, in the order of the values. Empty fields do not count.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let portal = retry_portal::Portal::builder().start().await?;
    /// for origin in ["A-1", "A-2", "A-1"] {
    ///     portal.insert("deal", serde_json::json!({"ORIGIN_ID": origin}))?;
    /// }
    /// assert_eq!(portal.duplicates_by("deal", "ORIGIN_ID"), [("A-1".to_owned(), 2)]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn duplicates_by(&self, entity: &str, field: &str) -> Vec<(String, usize)> {
        let state = self.shared.state();
        Entity::named(entity).map_or_else(Vec::new, |entity| state.memory.store.duplicates(entity, field))
    }

    /// Puts a record there without a request, and gives its id. Fields have the names of the old methods; those that
    /// only the server sets (`DATE_CREATE`) can be set too, except `ID`. Lists show the record at once, whatever the
    /// index lag.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use serde_json::json;
    ///
    /// let portal = retry_portal::Portal::builder().start().await?;
    /// let id = portal.insert("deal", json!({"TITLE": "Old deal", "ORIGIN_ID": "A-1"}))?;
    /// assert_eq!(portal.records("deal")[0].id(), id);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`InsertError`]: no such entity, no object, or a field that the entity does not have.
    pub fn insert(&self, entity: &str, fields: Value) -> Result<u64, InsertError> {
        let mut state = self.shared.state();
        insert(&mut state.memory.store, entity, fields, self.shared.settings.user)
    }

    /// Puts so many records there without requests; `fields` says those of the first one (1), the second and so on, as
    /// for [`Portal::insert`]. What is the same in all of them takes memory once, so that a hundred thousand fit. Gives
    /// their ids, which follow each other.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use serde_json::json;
    ///
    /// let portal = retry_portal::Portal::builder().start().await?;
    /// let ids = portal.insert_many("lead", 1_000, |number| json!({"ORIGIN_ID": number.to_string()}))?;
    /// assert_eq!((ids, portal.records("lead").len()), (1..1_001, 1_000));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Portal::insert`]; then none of them is there.
    pub fn insert_many(
        &self,
        entity: &str,
        count: u64,
        fields: impl Fn(u64) -> Value,
    ) -> Result<Range<u64>, InsertError> {
        let seeds = seeds(entity, count, fields)?;
        let mut state = self.shared.state();
        Ok(insert_many(&mut state.memory.store, seeds, self.shared.settings.user))
    }

    /// Every request that has reached the portal since the start or the last [`Portal::clear_requests`], in the order
    /// in which their heads arrived.
    pub fn requests(&self) -> Vec<Received> {
        self.shared.state().journal.entries().to_vec()
    }

    /// How many calls named this method, whatever its case: requests, and commands of batches whether or not their turn
    /// came. `"batch"` counts the envelopes.
    pub fn count(&self, method: &str) -> usize {
        self.shared.state().journal.count(method)
    }

    /// How many HTTP requests there were: the length of [`Portal::requests`], without a copy of them.
    pub fn request_count(&self) -> usize {
        self.shared.state().journal.entries().len()
    }

    /// How many commands were in the batches among them.
    pub fn command_count(&self) -> usize {
        self.shared.state().journal.commands()
    }

    /// How often each code was given before any work was done, to a request or to a command of a batch: by a limit
    /// (`QUERY_LIMIT_EXCEEDED`, `OPERATION_TIME_LIMIT`, `RATE_LIMITED`, `QUEUE_OVERFLOW` …), a pause, or for the address
    /// or the credentials of a request. Codes that a fault makes or a method gives are not among them.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), std::io::Error> {
    /// let portal = retry_portal::Portal::builder().start().await?;
    /// assert_eq!(portal.refused().get("QUERY_LIMIT_EXCEEDED"), None);
    /// # Ok(())
    /// # }
    /// ```
    pub fn refused(&self) -> BTreeMap<String, usize> {
        self.shared.state().refused.clone()
    }

    /// Forgets the requests so far and what was refused. Records, scripts and what the seeded faults have drawn stay.
    pub fn clear_requests(&self) {
        let mut state = self.shared.state();
        state.journal.clear();
        state.refused.clear();
    }

    /// What happens to the next request of this method, the one after it, and so on; after that the method behaves
    /// normally. Replaces what was left of an earlier script of this method, and takes it out of the seeded faults.
    ///
    /// A method has one script for all APIs: `crm.deal.add` is also `POST /v1/deals`. The token server has the name
    /// `oauth.token`.
    ///
    /// The method need not be one that the portal knows: an [`Answer::Coded`](crate::Answer::Coded) or
    /// [`Answer::Raw`](crate::Answer::Raw) answers for any. Requests that a limit, a pause, the gateway's queue or a
    /// wrong secret stops do not use up the script.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use retry_portal::{Answer, Cut, Fault};
    ///
    /// # let portal = retry_portal::Portal::builder().start().await?;
    /// // The first create works, the second is carried out and half of its answer is lost, the third meets a proxy.
    /// portal.script("crm.deal.add", [
    ///     Fault::none(),
    ///     Fault::before(Answer::Cut(Cut::Percent(50))),
    ///     Fault::never(Answer::Html(502)),
    /// ]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn script(&self, method: &str, faults: impl IntoIterator<Item = Fault>) {
        let limit = self.shared.settings.execution_limit;
        let mut state = self.shared.state();
        state.scripts.set(method, faults);
        state.lateness = state.lateness.max(state.scripts.max_lateness(limit));
        state.may_be_slow |= state.scripts.may_be_slow();
    }

    /// Comes when every pending effect has taken place: late effects and slow work. Effects of requests that arrive
    /// meanwhile count too.
    pub async fn settled(&self) {
        self.shared.settled().await;
    }

    /// The longest time in real time between the arrival of a request and its effect, over the seeded faults and all
    /// scripts so far. A client that believes in absence after this time (and [`Portal::index_lag`]) is not mistaken
    /// here.
    ///
    /// Slow commands of one batch add up: a script that makes several of them slow raises this time while they run.
    ///
    /// The seeded faults stay below the execution limit, and an effect that a busy machine would delay beyond that
    /// limit never takes place. Only a script can make an effect that comes later than the limit. If any fault makes
    /// work slow ([`Answer::Slow`](crate::Answer::Slow)), calls may wait behind it in the gateway's queue first, so the
    /// longest wait there is part of this time.
    pub fn max_lateness(&self) -> Duration {
        let settings = &self.shared.settings;
        let state = self.shared.state();
        let queue = if state.may_be_slow { settings.queue.wait } else { Duration::ZERO };
        settings.clock.real(state.lateness.saturating_add(queue))
    }

    /// The execution limit in real time.
    pub fn execution_limit(&self) -> Duration {
        self.shared.settings.clock.real(self.shared.settings.execution_limit)
    }

    /// How long a second of portal time lasts in real seconds.
    pub fn time_scale(&self) -> f64 {
        self.shared.settings.clock.scale()
    }

    /// Stops listening and ends all connections, and comes when that is done. Records and requests can still be read;
    /// what was still to happen does not happen.
    pub async fn close(&self) {
        self.shared.close();
        let task = self.server.task.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(task) = task {
            // The task ends by itself; a failed join means that the runtime has ended it.
            drop(task.await);
        }
    }
}
