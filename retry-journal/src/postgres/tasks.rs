//! What goes on behind a handle: the heartbeat, and the changes that wait for the server.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use retry_runtime::journal::{Entry, JournalError, Recorded};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::oneshot;

use super::core::Core;

/// What is put down without anybody waiting for it.
pub(super) enum Errand {
    /// A change. It is counted in `Core::waiting`.
    Record(Entry),
    /// Tells when everything before it is on record.
    Flush(oneshot::Sender<()>),
}

/// Between two tries to reach the server.
const PAUSE: Duration = Duration::from_millis(250);

/// Old rows are looked for once in so many heartbeats.
const CLEAN_EVERY: u32 = 60;

/// Runs the errands one after the other until the last handle is gone, then ends the heartbeat.
pub(super) async fn run_errands(core: Arc<Core>, mut errands: UnboundedReceiver<Errand>, _alive: oneshot::Sender<()>) {
    while let Some(errand) = errands.recv().await {
        match errand {
            Errand::Record(entry) => {
                put_down(&core, &entry, &errands).await;
                core.waiting.fetch_sub(1, Ordering::Relaxed);
            }
            Errand::Flush(done) => {
                // Whoever asked may have stopped waiting.
                let _ = done.send(());
            }
        }
    }
}

/// Tries until it is on record. With the last handle gone it tries once: what is left is claimed by another worker.
async fn put_down(core: &Core, entry: &Entry, errands: &UnboundedReceiver<Errand>) {
    let intent = entry.held.number;
    loop {
        match core.record(entry).await {
            Ok(Recorded::Yes) => return,
            Ok(Recorded::Taken(_)) => {
                tracing::info!(intent, "an outcome came to the journal after another worker had taken its intent over");
                return;
            }
            Err(JournalError::Unavailable(why)) if !errands.is_closed() => {
                tracing::debug!(intent, "an outcome waits for the journal: {why}");
                tokio::time::sleep(PAUSE).await;
            }
            Err(error) => {
                tracing::error!(intent, "an outcome is not on record, and will be read back: {error}");
                return;
            }
        }
    }
}

/// Says now and then that this worker is alive; at the end, that it is gone.
pub(super) async fn beat(core: Arc<Core>, mut gone: oneshot::Receiver<()>) {
    let mut beats = 0_u32;
    loop {
        tokio::select! {
            _ = &mut gone => break,
            () = tokio::time::sleep(core.lease / 3) => {}
        }
        let done = async {
            core.beat().await?;
            core.see_suspicion().await?;
            core.let_go_of_lost().await?;
            if beats.is_multiple_of(CLEAN_EVERY) {
                core.clean().await?;
            }
            Ok::<_, JournalError>(())
        };
        if let Err(error) = done.await {
            tracing::warn!(worker = &*core.me, "the journal can't see this worker: {error}");
        }
        beats = beats.wrapping_add(1);
    }
    let ended = async {
        core.let_go_of_lost().await?;
        core.leave().await
    };
    if let Err(error) = ended.await {
        tracing::warn!(worker = &*core.me, "what this worker held is free after its lease: {error}");
    }
}
