//! The rate that a portal allows.

use std::time::Duration;

/// How many requests a portal takes. A batch is one request.
///
/// Whatever is sent faster is refused, so that a client makes its calls wait for their turn instead: before they are sent, within their deadline,
/// in the order in which they came. All clients of a process that call one portal wait in one line.
///
/// Without a setting, clients of the cloud's domains count by [`cloud`](Self::cloud), those of the Vibecode gateway by [`gateway`](Self::gateway), and those of
/// any other host by [`none`](Self::none), as nothing says that it has a limit.
///
/// A client stays a little below its limit, as requests arrive later than they leave, some more than others, and no two clocks run alike (our choice): of the requests
/// at once a tenth is kept back, at least one, and the rate is one per cent less; a window is a thirtieth longer. The portal counts by source address
/// (documented): what other processes of this machine send comes on top, and if it is too much, the pauses that the portal asks for are kept.
///
/// ```
/// use std::time::Duration;
/// use retry_runtime::{Client, RateLimit};
///
/// let client = Client::builder()
///     .webhook("https://acme.bitrix24.com/rest/1/abcdefgh12345678/")
///     .rate_limit(RateLimit::enterprise())
///     .build()?;
/// # Ok::<(), retry_runtime::BuildError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimit {
    pub(super) rate: Rate,
    pub(super) operating: Option<Duration>,
}

/// How requests are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rate {
    None,
    Bucket { at_once: u32, each: Duration },
    Window { most: u32, within: Duration },
}

/// The operating limit of the cloud, by the example of its documentation.
const CLOUD_OPERATING: Duration = Duration::from_secs(480);

impl RateLimit {
    /// 50 at once and 2 a second, as the cloud's documentation says of all plans but Enterprise; 480 s of operating time in ten minutes for each method.
    pub const fn cloud() -> Self {
        Self::new(50, Duration::from_millis(500)).operating_limit(CLOUD_OPERATING)
    }

    /// 250 at once and 5 a second, as the cloud's documentation says of the Enterprise plan; 480 s of operating time in ten minutes for each method.
    pub const fn enterprise() -> Self {
        Self::new(250, Duration::from_millis(200)).operating_limit(CLOUD_OPERATING)
    }

    /// 300 in any 60 s for each key, as the Vibecode documentation says. Where the gateway itself says that less is left, that counts.
    pub const fn gateway() -> Self {
        Self::window(300, Duration::from_secs(60))
    }

    /// A leaky bucket: so many requests at once, and after `each` one of them no longer counts. Less than 1 at once is 1, and an `each` of zero is no limit.
    ///
    /// With 1 at once nothing can be kept back for requests that arrive late.
    pub const fn new(at_once: u32, each: Duration) -> Self {
        let rate = if each.is_zero() { Rate::None } else { Rate::Bucket { at_once, each } };
        Self { rate, operating: None }
    }

    /// At most so many requests in any time of this length. Less than 1 is 1, and a length of zero is no limit.
    pub const fn window(most: u32, within: Duration) -> Self {
        let rate = if within.is_zero() { Rate::None } else { Rate::Window { most, within } };
        Self { rate, operating: None }
    }

    /// The time between two requests, in the long run.
    pub(super) fn each(&self) -> Option<Duration> {
        match self.rate {
            Rate::None => None,
            Rate::Bucket { each, .. } => Some(each),
            Rate::Window { most, within } => Some(within / most.max(1)),
        }
    }

    /// No limit. The pauses that the portal asks for are kept all the same.
    pub const fn none() -> Self {
        Self { rate: Rate::None, operating: None }
    }

    /// How long the calls of one method may run on the portal in ten minutes, each application or webhook for itself.
    ///
    /// From 90 % of it on (our choice), further calls of the method wait until the portal no longer counts the oldest, by its own account in `time` of
    /// each answer. After `OPERATION_TIME_LIMIT` they wait for as long as the portal says there or has said before, else for a minute (it counts by the minute).
    ///
    /// Default: as documented for the cloud. Where no limit is known, nothing is held back before the portal refuses, and then only if it says for how long.
    #[must_use]
    pub const fn operating_limit(mut self, limit: Duration) -> Self {
        self.operating = Some(limit);
        self
    }

    /// From which operating time on a method slows down.
    pub(super) fn slow_from(self) -> Option<Duration> {
        Some(self.operating?.saturating_sub(self.operating? / 10))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_without_time_is_none() {
        assert_eq!(RateLimit::new(5, Duration::ZERO), RateLimit::none());
        assert_eq!(RateLimit::window(5, Duration::ZERO), RateLimit::none());
    }

    #[test]
    fn a_method_slows_down_at_nine_tenths() {
        assert_eq!(RateLimit::cloud().slow_from(), Some(Duration::from_secs(432)));
        assert_eq!(RateLimit::none().slow_from(), None);
    }
}
