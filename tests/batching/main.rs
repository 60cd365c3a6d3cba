//! Calls that travel together, on paused time: what is in which request, and that each call keeps its own story. Design sections 7 and 9.

// `cfg(test)` says to clippy that a broken expectation may end the test from a helper function too.
#[cfg(test)]
#[path = "../support/mod.rs"]
mod support;

#[cfg(test)]
mod alone;
#[cfg(test)]
mod calls;
#[cfg(test)]
mod codes;
#[cfg(test)]
mod dropped;
#[cfg(test)]
mod lost;
#[cfg(test)]
mod runtimes;
#[cfg(test)]
mod together;
