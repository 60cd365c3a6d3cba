//! The client: what may write, and what may only read.

mod batching;
mod build;
mod builder;
mod portal;
mod recovery;

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

pub use batching::Batching;
use tokio::task::JoinHandle;
use tokio_util::task::TaskTracker;

pub use build::BuildError;
pub use builder::ClientBuilder;

use crate::budget::RetryBudget;
use crate::call::{Keys, ReadBackMark, Standing, Verifiers};
use crate::clock::{Clock, Moment};
use crate::decision::Route;
use crate::journal::Journal;
use crate::oauth::{Application, Renewal, TokenError, TokenStore};
use crate::observer::Watch;
use crate::policy::Policy;
use crate::secret::Secrets;
use crate::settle::Settle;
use crate::transport::{Limited, Limiter, Transport};

/// What all handles of one client share.
pub(crate) struct Shared {
    /// The way a single request leaves by.
    pub(crate) line: Arc<dyn Transport>,
    /// Whose turn it is, where there is a limit.
    pub(crate) limiter: Option<Arc<Limiter>>,
    pub(crate) route: Route,
    /// Whether an OAuth token goes into each request.
    pub(crate) oauth: bool,
    pub(crate) settle: Settle,
    pub(crate) send_window: Duration,
    pub(crate) attempt_timeout: Duration,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) budget: RetryBudget,
    pub(crate) keys: Arc<Keys>,
    pub(crate) watch: Watch,
    pub(crate) verifiers: Verifiers,
    pub(crate) secrets: Secrets,
    /// The tokens of an OAuth application.
    pub(crate) renewal: Option<Renewal>,
    /// Where the intents of its calls go on record.
    pub(crate) journal: Option<Arc<dyn Journal>>,
    /// The portal, as a journal names it.
    pub(crate) portal: Box<str>,
    /// The calls whose intents are on record, while they are under way.
    intents: TaskTracker,
    rng: Mutex<fastrand::Rng>,
}

impl Shared {
    /// The way out for single calls, each in its turn.
    pub(crate) fn single(&self) -> Arc<dyn Transport> {
        match &self.limiter {
            Some(limiter) => Arc::new(Limited::new(Arc::clone(&self.line), Arc::clone(limiter))),
            None => Arc::clone(&self.line),
        }
    }

    /// Runs a call whose intent goes on record; the error is that no more are taken.
    pub(crate) fn spawn<T: Send + 'static>(
        &self,
        task: impl Future<Output = T> + Send + 'static,
    ) -> Result<JoinHandle<T>, ShutDown> {
        if self.intents.is_closed() { Err(ShutDown) } else { Ok(self.intents.spawn(task)) }
    }

    /// What must not be shown of what a read-back found.
    pub(crate) fn secrets(&self) -> Secrets {
        self.renewal.as_ref().map_or_else(|| self.secrets.clone(), Renewal::secrets)
    }

    /// How long after its sending a request can be applied and then seen; `None` is without bound.
    pub(crate) fn settle_time(&self) -> Option<Duration> {
        Some(self.settle.after_loss()?.saturating_add(self.send_window))
    }

    /// Where a send stands that has begun and not ended.
    pub(crate) fn standing_of_an_open_send(&self, started: Moment) -> Standing {
        Standing::until(started.after(self.attempt_timeout), self.settle.after_loss())
    }

    /// A random pause before the send that follows this one.
    pub(crate) fn backoff(&self, policy: &Policy, attempt: u32) -> Duration {
        let mut rng = self.rng.lock().unwrap_or_else(PoisonError::into_inner);
        policy.pauses().pause(attempt, &mut rng)
    }
}

/// The client takes no further intent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ShutDown;

/// May make read calls. A verifier gets one, so that it cannot write.
///
/// Every [`Client`] is a reader too: where a stub takes `&Reader`, pass `&client`.
#[derive(Clone)]
pub struct Reader {
    pub(crate) shared: Arc<Shared>,
    /// How its calls leave: by themselves, or together with others.
    pub(crate) transport: Arc<dyn Transport>,
    /// How many of them share a request at the most.
    pub(crate) together: u32,
    pub(crate) policy: Policy,
    pub(crate) read_back: Option<Arc<ReadBackMark>>,
}

impl Reader {
    /// This reader with the limits of the read-back taken off.
    pub(crate) fn unmarked(&self) -> Self {
        Self { read_back: None, ..self.clone() }
    }

    /// A reader for the verifier of one write.
    pub(crate) fn marked(&self) -> Self {
        Self { read_back: Some(Arc::default()), ..self.clone() }
    }
}

/// Makes calls of one portal, writes included. A clone is another handle of the same client.
///
/// ```no_run
/// use retry_runtime::Client;
///
/// let client = Client::webhook("https://acme.bitrix24.com/rest/1/abcdefgh12345678/")?;
/// # Ok::<(), retry_runtime::BuildError>(())
/// ```
#[derive(Clone)]
pub struct Client {
    reader: Reader,
}

impl Client {
    /// A client for an inbound webhook, with all defaults.
    ///
    /// The URL is the one the portal shows: `https://PORTAL/rest/USER/SECRET/`. Plain `http` goes to a loopback address only.
    ///
    /// # Errors
    /// The URL is malformed (the error says where, without the secret), or the HTTP client can't be made.
    pub fn webhook(url: &str) -> Result<Self, BuildError> {
        Self::builder().webhook(url).build()
    }

    /// A client for a portal behind the Vibecode gateway, with all defaults.
    ///
    /// # Errors
    /// The key is empty, has letters that no header carries or manages the platform; or the HTTP client can't be made.
    pub fn vibe(key: &str) -> Result<Self, BuildError> {
        Self::builder().vibe(key).build()
    }

    /// A client for the portal that has installed this OAuth application, with all defaults. The tokens are those of the store.
    ///
    /// # Errors
    /// The store has no tokens or can't be read, or the HTTP client can't be made.
    pub async fn oauth(application: Application, store: impl TokenStore) -> Result<Self, BuildError> {
        let tokens = store.load().await.map_err(TokenError::from)?.ok_or(TokenError::Missing)?;
        Self::builder().oauth(application, store, tokens).build()
    }

    /// A client with settings.
    pub fn builder() -> ClientBuilder {
        ClientBuilder::new()
    }

    /// The same client with other limits, for some of its calls.
    #[must_use]
    pub fn with_policy(&self, policy: Policy) -> Self {
        Self { reader: Reader { policy, ..self.reader.clone() } }
    }

    /// The same client for what is left of the time of a call.
    pub(crate) fn with_the_rest_of_its_time(&self, began: Moment) -> Self {
        let passed = self.shared().clock.now().instant().saturating_duration_since(began.instant());
        let policy = self.reader.policy;
        self.with_policy(policy.deadline(policy.time_limit().saturating_sub(passed)))
    }

    pub(crate) const fn shared(&self) -> &Arc<Shared> {
        &self.reader.shared
    }

    pub(crate) const fn from_reader(reader: Reader) -> Self {
        Self { reader }
    }
}

impl Deref for Client {
    type Target = Reader;

    fn deref(&self) -> &Reader {
        &self.reader
    }
}

impl AsRef<Self> for Client {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl AsRef<Reader> for Client {
    fn as_ref(&self) -> &Reader {
        &self.reader
    }
}

impl AsRef<Self> for Reader {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader")
            .field("transport", &self.transport)
            .field("policy", &self.policy)
            .field("settle", &self.shared.settle)
            .field("reads_back", &self.read_back.is_some())
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Client").field(&self.reader).finish()
    }
}
