//! Durable pairs of intent and outcome per second, against the bare stores.
//!
//! `cargo bench -p retry-journal --bench commits [-- ROUNDS SECONDS DIRECTORY]`; 5 rounds of 2 seconds in a temporary directory by default.
//! The contenders take turns, so that a noisy machine is as noisy for all; the medians and their ratios count, not one round.

#![allow(clippy::unwrap_used, reason = "a measurement that fails should end")]

mod bare;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use retry_journal::sqlite::SqliteJournal;
use retry_runtime::clock::{Clock as _, SystemClock};
use retry_runtime::journal::{Beginning, Begun, Change, Digest, Entry, How, IntentId, Journal as _};
use retry_runtime::transport::Version;
use tokio::runtime::Runtime;

use bare::{Append, Bare};

const CONTENDERS: [&str; 3] = ["SqliteJournal", "bare rusqlite, grouped", "bare append, fdatasync"];

/// As many bytes as a create of a CRM has.
const BODY: usize = 400;

fn main() {
    // cargo bench says --bench.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let number = |index: usize, usual| arguments.get(index).map_or(usual, |text: &String| text.parse().unwrap());
    let (rounds, seconds) = (number(0, 5), number(1, 2));
    let directory = tempfile::tempdir_in(arguments.get(2).map_or_else(std::env::temp_dir, PathBuf::from)).unwrap();
    println!("{rounds} rounds of {seconds} s; body of {BODY} bytes; load {}", load());
    for writers in [1, 8, 64] {
        let mut figures: [Vec<f64>; 3] = Default::default();
        for round in 0..rounds {
            for (contender, figures) in figures.iter_mut().enumerate() {
                let path = directory.path().join(format!("{writers}-{round}-{contender}"));
                figures.push(pairs(contender, &path, writers, Duration::from_secs(seconds)));
            }
        }
        let medians = figures.each_mut().map(|figures| {
            figures.sort_by(f64::total_cmp);
            figures[figures.len() / 2]
        });
        println!("\n{writers} writers{:>34}{:>10}{:>10}", "pairs/s (median)", "(worst)", "ratio");
        for ((name, figures), median) in CONTENDERS.iter().zip(&figures).zip(medians) {
            println!("  {name:<28}{median:>14.0}{:>10.0}{:>10.2}", figures[0], median / medians[0]);
        }
    }
    println!("\nload at the end {}", load());
}

/// What else the machine does.
fn load() -> String {
    std::fs::read_to_string("/proc/loadavg").map_or_else(|_| "unknown".into(), |text| text.trim().into())
}

fn pairs(contender: usize, path: &Path, writers: usize, time: Duration) -> f64 {
    let runtime = Runtime::new().unwrap();
    match contender {
        0 => {
            let journal = SqliteJournal::open(path).unwrap();
            measured(&runtime, writers, time, move |key| {
                let journal = journal.clone();
                async move {
                    let Begun::Yes(held) = journal.begin(&beginning(&key)).await.unwrap() else { return };
                    let change = Change::Applied { how: How::Answer, result: Bytes::from_static(b"4711") };
                    journal.record(&Entry { held, change, story: Vec::new() }).await.unwrap();
                }
            })
        }
        1 => {
            let bare = Arc::new(Bare::open(path));
            measured(&runtime, writers, time, move |key| {
                let bare = Arc::clone(&bare);
                async move {
                    let number = bare.insert(key, body()).await;
                    bare.update(number).await;
                }
            })
        }
        _ => {
            let append = Arc::new(Append::open(path));
            measured(&runtime, writers, time, move |_| {
                let append = Arc::clone(&append);
                async move {
                    append.line(body()).await;
                    append.line(vec![b'y'; 40]).await;
                }
            })
        }
    }
}

/// How many pairs a second so many writers get done.
fn measured<F: Future<Output = ()> + Send + 'static>(
    runtime: &Runtime,
    writers: usize,
    time: Duration,
    pair: impl Fn(String) -> F + Send + Sync + 'static,
) -> f64 {
    let (pair, done) = (Arc::new(pair), Arc::new(AtomicUsize::new(0)));
    let start = SystemClock.now();
    let until = start.after(time).instant();
    let tasks: Vec<_> = (0..writers)
        .map(|writer| {
            let (pair, done) = (Arc::clone(&pair), Arc::clone(&done));
            runtime.spawn(async move {
                let mut number = 0_u32;
                while SystemClock.now().instant() < until {
                    pair(format!("{writer}-{number}")).await;
                    number += 1;
                    done.fetch_add(1, Ordering::Relaxed);
                }
            })
        })
        .collect();
    runtime.block_on(async {
        for task in tasks {
            task.await.unwrap();
        }
    });
    let took = SystemClock.now().instant().duration_since(start.instant()).as_secs_f64();
    f64::from(u32::try_from(done.load(Ordering::Relaxed)).unwrap()) / took
}

fn body() -> Vec<u8> {
    format!(r#"{{"fields":{{"TITLE":"{}"}}}}"#, "x".repeat(BODY - 24)).into_bytes()
}

fn beginning(key: &str) -> Beginning {
    let arguments = Bytes::from(body());
    Beginning {
        id: IntentId { portal: "acme.bitrix24.com".into(), method: "crm.deal.add".into(), key: key.into() },
        stub: "shop::add_deal".into(),
        version: Version::Two,
        digest: Digest::of(b"{}"),
        arguments,
        idempotency_key: None,
        expected: None,
        story: Vec::new(),
    }
}
