//! The line of a fleet.

use std::time::Duration;

use retry_runtime::journal::Journal;

use crate::{builder, server};

const EVERY: Duration = Duration::from_millis(500);

/// When each of `times` turns of each handle may go, in order, from the moment before the first.
#[expect(clippy::disallowed_methods, reason = "a real server on real time")]
async fn turns(server: &server::Server, egress: [&str; 4], times: usize) -> Vec<Duration> {
    let schema = server::schema();
    let mut handles = Vec::new();
    for egress in egress {
        handles.push(builder(&schema).egress(egress).connect(&server.address()).await.unwrap());
    }
    let start = tokio::time::Instant::now();
    let tasks: Vec<_> = handles
        .into_iter()
        .map(|journal| {
            tokio::spawn(async move {
                let mut turns = Vec::new();
                for _ in 0..times {
                    let wait = journal.turn("portal", EVERY).await.unwrap();
                    turns.push(start.elapsed() + wait);
                }
                turns
            })
        })
        .collect();
    let mut all = Vec::new();
    for task in tasks {
        all.extend(task.await.unwrap());
    }
    all.sort_unstable();
    all
}

/// The answer travels after the turn was given, so that the moments are known by that much.
const ROUND_TRIP: Duration = Duration::from_millis(250);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn four_workers_at_one_address_keep_the_rate_together() {
    let Some(server) = server::shared().await else { return };
    let turns = turns(&server, ["a"; 4], 5).await;
    for (place, at) in (0_u32..).zip(&turns) {
        assert!(*at + ROUND_TRIP >= EVERY * place, "turn {place} at {at:?}: {turns:?}");
    }
    // Nor is the line longer than it must be.
    assert!(turns[19] <= EVERY * 20 + ROUND_TRIP * 4, "{turns:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn workers_at_several_addresses_have_a_line_each() {
    let Some(server) = server::shared().await else { return };
    let turns = turns(&server, ["a", "b", "c", "d"], 5).await;
    assert!(turns[19] <= EVERY * 4 + ROUND_TRIP * 4, "{turns:?}");
    for (place, at) in (0_u32..).zip(&turns) {
        assert!(*at + ROUND_TRIP >= EVERY * (place / 4), "turn {place} at {at:?}: {turns:?}");
    }
}
