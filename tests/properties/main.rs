//! P1, P2, P3, P5 and P6 of several calls at once, on stories that proptest makes up: who calls what through which client and goes away
//! when, what each request meets on the portal, how clients are set, and what happens meanwhile. Each is judged by the truth on the
//! portal. A run hangs on its story alone: time is paused, and nothing else is left to chance.
//!
//! A failure shrinks to a short story. Its seed is kept in `proptest-regressions` and runs first from then on; as a seed means another
//! story when the strategies change, the story itself goes to `kept.rs`. Without `PROPTEST_CASES` the stories are the same each time, so
//! that a build does not fail by chance; with it they are new ones: `PROPTEST_CASES=20000 cargo test --release --test properties`.

// `cfg(test)` says to clippy that a broken expectation may end the test from a helper function too.
#[cfg(test)]
#[path = "../support/mod.rs"]
mod support;

#[cfg(test)]
mod asked;
#[cfg(test)]
mod batched;
#[cfg(test)]
mod clocks;
// The reader of the library itself: a scripted portal has no headers.
#[cfg(test)]
#[path = "../../retry-runtime/src/hint.rs"]
mod hint;
#[cfg(test)]
mod judge;
#[cfg(test)]
mod kept;
#[cfg(test)]
mod luck;
#[cfg(test)]
mod meets;
#[cfg(test)]
mod paced;
#[cfg(test)]
mod play;
#[cfg(test)]
mod reached;
#[cfg(test)]
mod run;
#[cfg(test)]
mod server;
#[cfg(test)]
mod server_clock;
#[cfg(test)]
mod several;
#[cfg(test)]
mod story;
#[cfg(test)]
mod together;
#[cfg(test)]
mod tokens;
#[cfg(test)]
mod two_clients;
