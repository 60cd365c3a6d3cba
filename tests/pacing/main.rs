//! Pacing: the limits of a portal, the pauses it asks for, and the circuit breaker.

// `cfg(test)` says to clippy that a broken expectation may end the test from a helper function too.
#[cfg(test)]
#[path = "../support/mod.rs"]
mod support;

#[cfg(test)]
mod breaker;
#[cfg(test)]
mod deadlines;
#[cfg(test)]
mod dropped;
#[cfg(test)]
mod order;
#[cfg(test)]
mod pauses;
#[cfg(test)]
mod rates;
#[cfg(test)]
mod shared;
#[cfg(test)]
mod stated;
#[cfg(test)]
mod strict;
