//! The journal in a file against what happens to files and processes.
#![cfg(feature = "sqlite")]

// `cfg(test)` says to clippy that a broken expectation may end the test from a helper function too.
#[cfg(test)]
mod beside;
#[cfg(test)]
mod bodies;
#[cfg(test)]
mod busy;
#[cfg(test)]
mod child;
#[cfg(test)]
mod damage;
#[cfg(test)]
mod disk;
#[cfg(test)]
mod format;
#[cfg(test)]
mod kill;
#[cfg(test)]
mod kit;
#[cfg(test)]
mod opening;
#[cfg(test)]
mod unheard;
