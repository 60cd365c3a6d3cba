//! The decision table, row by row: what is expected is written out by hand, from the specification and the design.

// `cfg(test)` says to clippy that a broken expectation may end the test from a helper function too.
#[cfg(test)]
#[path = "../support/mod.rs"]
mod support;

#[cfg(test)]
mod classifier;
#[cfg(test)]
mod decisions;
#[cfg(test)]
mod gateway;
#[cfg(test)]
mod gateway_rows;
#[cfg(test)]
mod no_code;
#[cfg(test)]
mod reads;
#[cfg(test)]
mod rows;
#[cfg(test)]
mod writes;
