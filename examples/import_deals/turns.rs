//! Whose turn it is: so many rows at a time.

use tokio::task::JoinSet;

use crate::leads::Lead;

/// Does a job for each row.
///
/// # Errors
/// A job that broke, which is a bug of this program.
pub(crate) async fn each_row<Job, Done>(
    leads: Vec<Lead>,
    at_a_time: usize,
    job: impl Fn(Lead) -> Job,
    mut ended: impl FnMut(Done),
) -> Result<(), String>
where
    Job: Future<Output = Done> + Send + 'static,
    Done: Send + 'static,
{
    let mut open = JoinSet::new();
    let mut waiting = leads.into_iter();
    loop {
        // The row goes with its task: a call that borrows from a row outside can't be spawned.
        for lead in waiting.by_ref().take(at_a_time - open.len()) {
            open.spawn(job(lead));
        }
        match open.join_next().await {
            Some(done) => ended(done.map_err(|broken| broken.to_string())?),
            None => return Ok(()),
        }
    }
}
