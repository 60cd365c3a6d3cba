//! Reports of people who do this job, each as a script: those that concern single REST 2 calls and can be shown without a socket.
//!
//! `docs/cases.md` lists all cases with their tests, wherever they are; `table` holds it.

// `cfg(test)` says to clippy that a broken expectation may end the test from a helper function too.
#[cfg(test)]
#[path = "../support/mod.rs"]
mod support;

#[cfg(test)]
mod bodies;
#[cfg(test)]
mod codes;
#[cfg(test)]
mod declared;
#[cfg(test)]
mod limits;
#[cfg(test)]
mod lost;
#[cfg(test)]
mod noted;
#[cfg(test)]
mod settings;
#[cfg(test)]
mod table;
#[cfg(test)]
mod verifiers;
