//! A clock on paused time whose wall part a test can turn.

use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use retry_runtime::clock::{Clock, Moment, PausedClock};

/// Follows tokio's paused time; its wall clock may be set forward (as suspend does too: the monotonic clock stands still then) and back.
#[derive(Debug, Clone)]
pub(crate) struct TurnedClock {
    paused: PausedClock,
    turned: Arc<Mutex<Turned>>,
}

#[derive(Debug, Default)]
struct Turned {
    forward: Duration,
    back: Duration,
}

impl TurnedClock {
    pub(crate) fn starting_at(wall: SystemTime) -> Self {
        Self { paused: PausedClock::starting_at(wall), turned: Arc::default() }
    }

    pub(crate) fn set_forward(&self, by: Duration) {
        self.turned.lock().unwrap().forward += by;
    }

    pub(crate) fn set_back(&self, by: Duration) {
        self.turned.lock().unwrap().back += by;
    }
}

impl Clock for TurnedClock {
    fn now(&self) -> Moment {
        let now = self.paused.now();
        let turned = self.turned.lock().unwrap();
        Moment::new(now.instant(), now.wall() + turned.forward - turned.back)
    }
}
