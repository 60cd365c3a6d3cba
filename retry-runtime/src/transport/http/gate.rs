//! A body that leaves within the send window or not at all.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};

use crate::clock::{Clock, Moment};

/// The bytes of a request, handed out once, and only while the send window is open.
///
/// A process that was stopped between the decision to send and the socket (suspend, a stalled runtime) would send later than
/// the settle time counts on. The clock that says more time has passed decides.
pub(super) struct Gate {
    bytes: Option<Bytes>,
    clock: Arc<dyn Clock>,
    opened: Moment,
    window: Duration,
}

impl Gate {
    pub(super) const fn new(bytes: Bytes, clock: Arc<dyn Clock>, opened: Moment, window: Duration) -> Self {
        Self { bytes: Some(bytes), clock, opened, window }
    }
}

/// The send window was over before the body could leave.
#[derive(Debug)]
pub(super) struct TooLate;

impl fmt::Display for TooLate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the send window was over before the body could leave")
    }
}

impl std::error::Error for TooLate {}

impl Body for Gate {
    type Data = Bytes;
    type Error = TooLate;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, TooLate>>> {
        let Some(bytes) = self.bytes.take() else {
            return Poll::Ready(None);
        };
        if self.clock.now().at_most_since(self.opened) > self.window {
            return Poll::Ready(Some(Err(TooLate)));
        }
        Poll::Ready(Some(Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        self.bytes.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.bytes.as_ref().map_or(0, |bytes| bytes.len() as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::SystemClock;

    #[derive(Debug)]
    struct Stopped(Moment);

    impl Clock for Stopped {
        fn now(&self) -> Moment {
            self.0
        }
    }

    fn first_frame(passed: Duration) -> bool {
        let opened = SystemClock.now();
        let clock = Arc::new(Stopped(opened.after(passed)));
        let mut gate = Gate::new(Bytes::from_static(b"{}"), clock, opened, Duration::from_secs(5));
        let mut context = Context::from_waker(std::task::Waker::noop());
        matches!(Pin::new(&mut gate).poll_frame(&mut context), Poll::Ready(Some(Ok(_))))
    }

    #[test]
    fn p3_a_body_does_not_leave_after_its_send_window() {
        assert!(first_frame(Duration::from_secs(5)));
        assert!(!first_frame(Duration::from_secs(6)));
    }
}
