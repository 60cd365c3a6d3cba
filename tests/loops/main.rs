//! The finer points of the read and the write loop: design section 5.

// `cfg(test)` says to clippy that a broken expectation may end the test from a helper function too.
#[cfg(test)]
#[path = "../support/mod.rs"]
mod support;

#[cfg(test)]
mod checks;
#[cfg(test)]
mod clients;
#[cfg(test)]
mod ensure;
#[cfg(test)]
mod panics;
#[cfg(test)]
mod pauses;
#[cfg(test)]
mod proof;
#[cfg(test)]
mod proof_undecided;
#[cfg(test)]
mod repeats;
#[cfg(test)]
mod replay_bounds;
#[cfg(test)]
mod replay_cases;
#[cfg(test)]
mod replay_schedules;
#[cfg(test)]
mod replays;
#[cfg(test)]
mod room;
#[cfg(test)]
mod threads;
#[cfg(test)]
mod tokens;
