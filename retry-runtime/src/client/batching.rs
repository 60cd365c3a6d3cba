//! A client whose concurrent calls travel together.

use std::sync::Arc;
use std::time::Duration;

use super::{Client, Reader};
use crate::decision::Route;
use crate::transport::{BatchLimits, Batched, Exit};

/// The calls of one batch at the most (documented).
const MOST: usize = 50;

/// How the calls of a [batched client](Client::batched_with) are put together.
///
/// ```
/// use std::time::Duration;
/// use retry_runtime::Batching;
///
/// let batching = Batching::new().window(Duration::from_millis(20)).most(25).in_flight(2);
/// # let _ = batching;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Batching {
    window: Duration,
    most: usize,
    in_flight: Option<usize>,
}

impl Default for Batching {
    fn default() -> Self {
        Self::new()
    }
}

impl Batching {
    /// The defaults.
    pub const fn new() -> Self {
        Self { window: Duration::from_millis(5), most: MOST, in_flight: None }
    }

    /// How long the first call of a batch waits for others to come. Default 5 ms (our choice).
    #[must_use]
    pub const fn window(mut self, window: Duration) -> Self {
        self.window = window;
        self
    }

    /// The most calls of one batch, 1 to 50; what lies outside counts as the nearest of these. Default 50, the portal's limit (documented).
    #[must_use]
    pub const fn most(mut self, calls: usize) -> Self {
        self.most = if calls < 1 {
            1
        } else if calls > MOST {
            MOST
        } else {
            calls
        };
        self
    }

    /// The most batches under way at once in one runtime, at least 1. Calls that go alone are not counted. Default 4 (our choice), through the
    /// Vibecode gateway 2: it runs two requests of a portal at once (documented).
    #[must_use]
    pub const fn in_flight(mut self, batches: usize) -> Self {
        self.in_flight = Some(if batches < 1 { 1 } else { batches });
        self
    }

    const fn limits(self, route: Route) -> BatchLimits {
        let in_flight = match (self.in_flight, route) {
            (Some(batches), _) => batches,
            (None, Route::Direct) => 4,
            (None, Route::Gateway) => 2,
        };
        BatchLimits { window: self.window, most: self.most, in_flight }
    }
}

impl Client {
    /// The same client, with calls that travel together: [`batched_with`](Self::batched_with) the defaults.
    #[must_use]
    pub fn batched(&self) -> Self {
        self.batched_with(Batching::new())
    }

    /// The same client, with calls that travel together: those made at the same time leave in one request, up to 50 in each.
    ///
    /// The portal counts a batch as one request. Nothing else changes. Each call keeps its own loop, and is decided by its own result or code: if the
    /// answer to a batch is lost, each write in it is read back for itself, and only what may be sent again is. Read-backs travel together too, ahead
    /// of new calls. The limits, keys and observer are those of this client.
    ///
    /// A call goes alone where the batch would change it or has no form for it: arguments with `null`, a boolean, `[]` or `{}` in them (REST 2 batches
    /// are queries, not JSON), more than 32 KiB, REST 3.0 writes and OAuth calls, calls with an idempotency key, gateway methods without a place in its
    /// batch, and what the portal does not take inside one.
    ///
    /// Calls are put together per tokio runtime, and only if they are made at the same time: use `join_all`, a `JoinSet` or the like.
    ///
    /// # Cancel safety
    /// A call that is dropped before its batch leaves is taken out of it. Dropped later, it is told to the observer as any other dropped call, and the
    /// other calls of its batch go on.
    ///
    /// ```no_run
    /// use retry_runtime::{CallError, Client, Reader, bitrix_method};
    ///
    /// /// Shows a deal.
    /// #[bitrix_method(name = "crm.deal.get", kind = read)]
    /// async fn get_deal(reader: &Reader, id: u64) -> Result<serde_json::Value, CallError>;
    ///
    /// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
    /// let client = Client::webhook("https://acme.bitrix24.com/rest/1/abcdefgh12345678/")?.batched();
    /// let mut calls = tokio::task::JoinSet::new();
    /// for id in 1..=200 {
    ///     let client = client.clone();
    ///     calls.spawn(async move { get_deal(&client, id).await });
    /// }
    /// // 200 calls, 4 requests.
    /// for deal in calls.join_all().await {
    ///     println!("{}", deal?["TITLE"]);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn batched_with(&self, batching: Batching) -> Self {
        let shared = &self.reader.shared;
        let exit = Exit {
            line: Arc::clone(&shared.line),
            limiter: shared.limiter.clone(),
            clock: Arc::clone(&shared.clock),
            route: shared.route,
            oauth: shared.oauth,
        };
        let transport = Arc::new(Batched::new(exit, batching.limits(shared.route)));
        Self { reader: Reader { transport, ..self.reader.clone() } }
    }
}
