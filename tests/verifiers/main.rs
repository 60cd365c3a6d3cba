//! Verifiers as one writes them with the helpers: against a script on paused time, and against a portal on real sockets.

// `cfg(test)` says to clippy that a broken expectation may end the test from a helper function too.
#[cfg(test)]
#[path = "../apis/setting.rs"]
#[allow(dead_code, reason = "each test crate uses its own part of this")]
mod setting;
#[cfg(test)]
#[path = "../support/mod.rs"]
mod support;

#[cfg(test)]
mod deletes;
#[cfg(test)]
mod keys;
#[cfg(test)]
mod lists;
#[cfg(test)]
mod updates;
