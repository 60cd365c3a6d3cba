//! A million calls with faults on one client, and what they leave behind: no duplicate, no lost call, no memory.
//!
//! `cargo bench --bench load` runs it without and with a rate limit; `cargo bench --bench load -- 20000` makes fewer calls.

#[path = "../tests/load/calls.rs"]
mod calls;
#[path = "../tests/load/faults.rs"]
mod faults;
#[path = "../tests/load/memory.rs"]
mod memory;
#[path = "../tests/load/portal.rs"]
mod portal;
#[path = "../tests/load/run.rs"]
mod run;
#[path = "../tests/load/stubs.rs"]
mod stubs;
#[path = "../tests/load/tally.rs"]
mod tally;
#[path = "../tests/load/truth.rs"]
mod truth;

use std::error::Error;

use retry_runtime::clock::{Clock as _, SystemClock};
use run::Load;

fn main() -> Result<(), Box<dyn Error>> {
    let calls = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(1_000_000);
    for paced in [false, true] {
        let began = SystemClock.now();
        let outcome = Load { calls, paced, faults: 150, seed: 7 }.run()?;
        let took = SystemClock.now().at_least_since(began);
        println!("{outcome}on this machine: {:.1} s\n", took.as_secs_f64());
        let problems = outcome.problems();
        if !problems.is_empty() {
            return Err(problems.join("\n").into());
        }
    }
    Ok(())
}
