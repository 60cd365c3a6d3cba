//! What every journal promises, for each store alike.
//!
//! A further store says how it is made ([`kit::Stores`]) in a file of its own, and has all rules by `journal_contract!` and `desk_contract!`.

// `cfg(test)` says to clippy that a broken expectation may end the test from a helper function too.
#[cfg(test)]
#[macro_use]
mod rules;

#[cfg(test)]
mod begins;
#[cfg(test)]
mod changes;
#[cfg(test)]
mod claims;
#[cfg(test)]
mod decisions;
#[cfg(test)]
mod kit;
#[cfg(test)]
mod looks;

#[cfg(test)]
mod memory;
#[cfg(feature = "sqlite")]
#[cfg(test)]
mod sqlite;
