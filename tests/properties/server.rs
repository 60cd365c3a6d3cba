//! A server whose clock is wrong, and the waits that it asks for. What it writes is read by the library's own reader.

use std::time::{Duration, SystemTime};

use httpdate::fmt_http_date;
use retry_runtime::clock::Clock as _;

use crate::hint;
use crate::meets::Said;
use crate::support::{Step, TurnedClock, secs};

pub(crate) struct Server {
    /// The client's clock. Where it is turned, that of the server goes along: only differences of it are ever read.
    pub(crate) clock: TurnedClock,
    /// How many seconds it is ahead of that.
    pub(crate) skew: i64,
}

impl Server {
    /// An answer that asks to wait so long, in these words. A date is exact to the second.
    pub(crate) fn asks(&self, step: Step, wait: Duration, said: Said) -> Step {
        let received = self.clock.now().wall() + step.way();
        let date = self.shows(received);
        let until = fmt_http_date(date + secs(wait.as_secs()));
        let (read, means) = match said {
            Said::InSeconds => (hint::from_header(&wait.as_secs_f64().to_string(), None, received), Some(wait)),
            Said::AsADate => {
                let read = hint::from_header(&until, Some(&fmt_http_date(date)), received);
                (read, Some(secs(wait.as_secs())))
            }
            // What is meant can't be known then.
            Said::Undated => (hint::from_header(&until, None, received), None),
        };
        let step = step.asks_to_wait(read.expect("the header is one"));
        means.map_or(step.clone(), |means| step.means(means))
    }

    fn shows(&self, wall: SystemTime) -> SystemTime {
        let by = secs(self.skew.unsigned_abs());
        if self.skew < 0 { wall - by } else { wall + by }
    }
}
