//! `import_deals --batched`: the same rows in few requests, with faults around its batches and inside them.

use std::thread;

use crate::run::{Run, import, some_orders};

/// So many rows that the requests of a batch or two, and of what has to be settled one after the other, weigh little.
const ROWS: usize = 1_500;

/// Each row is there once, whatever was lost.
fn all_there_once(run: &Run, rows: &str) {
    let on_the_portal = (run.line("orders on the portal"), run.number("duplicates on the portal"));
    assert_eq!((run.code, on_the_portal), (0, (rows, 0)), "{run:?}");
}

#[test]
fn p1_p2_each_order_is_one_deal_in_twenty_times_fewer_requests() {
    let file = some_orders("batched.csv", ROWS);
    let run = |arguments: &'static [&str]| {
        let file = file.clone();
        thread::spawn(move || import(&[&["--seed", "3", &file], arguments].concat()))
    };
    let runs = [run(&[]), run(&["--batched"])].map(|run| run.join().unwrap());
    for run in &runs {
        all_there_once(run, "1500 of 1500");
    }
    let [alone, together] = runs.map(|run| run.number("requests sent"));
    assert!(alone >= 20 * together, "{alone} requests, and {together} in batches");
}

#[test]
fn p1_p2_each_order_is_one_record_in_batches_of_each_api() {
    let run = |api, seed| thread::spawn(move || (api, import(&["--batched", "--api", api, "--seed", seed])));
    let runs = ["rest2", "rest3", "vibe"].map(|api| run(api, "7"));
    for (api, run) in runs.map(|run| run.join().unwrap()) {
        all_there_once(&run, "298 of 298");
        // A write with an idempotency key goes alone.
        let most = if api == "rest3" { 1_000 } else { 299 };
        assert!(run.number("requests sent") < most, "{run:?}");
    }
}
