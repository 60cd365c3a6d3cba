//! Whose turn it is: 16 rows at a time, and no more a minute than the portal takes.

use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Interval, interval};

use crate::leads::Lead;

const AT_A_TIME: usize = 16;

/// What the portal's limit of 50 requests at once leaves room for, with two requests and some read-backs a row.
const AT_ONCE: u32 = 20;

/// Does a job for each row. `rows_a_minute` counts after the first 20 rows; `None` is as many as there is room for.
///
/// # Errors
/// A job that broke, which is a bug of this program.
pub(crate) async fn each_row<Job, Done>(
    leads: Vec<Lead>,
    rows_a_minute: Option<u16>,
    job: impl Fn(Lead) -> Job,
    mut ended: impl FnMut(Done),
) -> Result<(), String>
where
    Job: Future<Output = Done> + Send + 'static,
    Done: Send + 'static,
{
    let mut pace = Pace::of(rows_a_minute);
    let mut open = JoinSet::new();
    let mut waiting = leads.into_iter();
    loop {
        let room = open.len() < AT_A_TIME && waiting.len() > 0;
        tokio::select! {
            () = pace.turn(), if room => {
                // The row goes with its task: a call that borrows from a row outside can't be spawned.
                if let Some(lead) = waiting.next() {
                    open.spawn(job(lead));
                }
            }
            Some(done) = open.join_next() => ended(done.map_err(|broken| broken.to_string())?),
            else => return Ok(()),
        }
    }
}

/// The library does not pace its calls yet, and a portal of the cloud lets two requests a second through, retries included.
struct Pace {
    at_once: u32,
    ticks: Option<Interval>,
}

impl Pace {
    fn of(rows_a_minute: Option<u16>) -> Self {
        let ticks = rows_a_minute.map(|rows| interval(Duration::from_secs(60) / u32::from(rows)));
        Self { at_once: AT_ONCE, ticks }
    }

    /// Comes when one more row may begin.
    async fn turn(&mut self) {
        match &mut self.ticks {
            Some(ticks) if self.at_once == 0 => {
                ticks.tick().await;
            }
            Some(_) | None => self.at_once = self.at_once.saturating_sub(1),
        }
    }
}
