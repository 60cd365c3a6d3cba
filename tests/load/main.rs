//! Load: every call of many ends with an outcome that is true, and leaves nothing behind in memory.
//!
//! This is the small version; `cargo bench --bench load` runs a million calls.
// Clippy takes what tests share for test code only below this.
#![cfg(test)]

mod calls;
mod faults;
mod memory;
mod portal;
mod run;
mod stubs;
mod tally;
mod truth;

use run::Load;

/// One test, as the memory is that of the process.
#[test]
fn p1_p2_twenty_thousand_calls_with_faults_are_all_told_the_truth_and_leave_no_memory_behind() {
    for paced in [false, true] {
        let outcome = Load { calls: 10_000, paced, faults: 150, seed: 7 }.run().unwrap();
        assert!(outcome.problems().is_empty(), "{outcome}{:#?}", outcome.problems());
    }
}
