//! Switches of the gateway.

use std::time::Duration;

use super::PortalBuilder;
use crate::secret::Secret;
use crate::shape::Shape;
use crate::vibe::{QueueLimits, UserFieldNames};

impl PortalBuilder {
    /// The key of the gateway: ASCII letters and digits, `-` and `_`. Default: `vibe_api_` and 32 random ones.
    pub fn vibe_api_key(mut self, key: impl Into<String>) -> Self {
        self.vibe_key = Some(Secret(key.into()));
        self
    }

    /// So many requests of one key in so much portal time; one above it gets `RATE_LIMITED`. A batch is one request.
    /// Default: 300 in 60 s, as documented.
    pub fn vibe_rate(mut self, requests: u32, window: Duration) -> Self {
        self.gateway.rate = Some((requests, window));
        self
    }

    /// The queue in front of Bitrix24: so many calls run at once, so many wait, none of them longer than this (portal
    /// time). Beyond it come `QUEUE_OVERFLOW` and `QUEUE_TIMEOUT`. Default: 2, 50 and 30 s; the 50 is a guess.
    ///
    /// A call holds its place only while it works, so the queue is felt with [`Answer::Slow`](crate::Answer::Slow).
    pub fn vibe_queue(mut self, running: usize, waiting: usize, wait: Duration) -> Self {
        self.queue = QueueLimits { running, length: waiting, wait };
        self
    }

    /// After so many equal refusals of Bitrix24 (`BITRIX_ERROR`, `INVALID_PARAMS`) for one key and method within an
    /// hour of portal time, the method is closed: `ERROR_LOOP_DETECTED`, but every 50th call is let through, and one
    /// that succeeds opens it again. `None`: never. Default: 10, a guess.
    pub fn vibe_error_loop(mut self, failures: Option<u32>) -> Self {
        self.gateway.error_loop = failures;
        self
    }

    /// How long the gateway itself refuses a method after Bitrix24 has answered `OPERATION_TIME_LIMIT` (portal time);
    /// zero: not at all. Default: 60 s, a guess.
    pub fn vibe_operation_pause(mut self, length: Duration) -> Self {
        self.gateway.operation_pause = length;
        self
    }

    /// How long the gateway refuses a method with `TIMEOUT_QUARANTINE` after a `BITRIX_TIMEOUT` (portal time); zero:
    /// not at all. Default: 30 s, a guess.
    pub fn vibe_quarantine(mut self, length: Duration) -> Self {
        self.gateway.quarantine = length;
        self
    }

    /// How long the gateway waits for Bitrix24 before it answers `BITRIX_TIMEOUT` (portal time). The work goes on and
    /// may take effect up to the execution limit. Default: 60 s, a guess.
    pub fn vibe_upstream_timeout(mut self, limit: Duration) -> Self {
        self.gateway.upstream_timeout = limit;
        self
    }

    /// The status that comes with a code of the gateway, in place of the documented or guessed one. It holds for all
    /// that the gateway refuses by itself and for [`Coded::of`](crate::Coded::of).
    pub fn vibe_status(mut self, code: &str, status: u16) -> Self {
        self.gateway.statuses.set(code, status);
        self
    }

    /// The form of the gateway's errors. Default: [`Shape::Nested`], the documented one.
    pub fn vibe_error_shape(mut self, shape: Shape) -> Self {
        self.gateway.shape = shape;
        self
    }

    /// Whether a batch without errors says so with `"errors": []`, as one page of the documentation shows it. Default:
    /// no, with `"errors": {}`, as the page about batches does.
    pub fn vibe_empty_errors_as_list(mut self, as_list: bool) -> Self {
        self.gateway.batch_errors_as_list = as_list;
        self
    }

    /// Whether `originId`, `originatorId` and the like of leads, deals, contacts, companies and quotes get through the
    /// gateway, and filters on them too. Default: no, they are dropped without a word, as nothing public says that they
    /// do. Custom fields always get through, and so does `xmlId` of the entities that document it.
    pub fn vibe_keeps_origin(mut self, keeps: bool) -> Self {
        self.gateway.keeps_origin = keeps;
        self
    }

    /// Under which names the gateway shows custom fields. Default: both.
    pub fn vibe_user_field_names(mut self, names: UserFieldNames) -> Self {
        self.gateway.user_field_names = names;
        self
    }
}
