//! What every journal promises, for each store alike.
//!
//! A further store says how it is made ([`kit::Stores`]) in a file of its own, and has all rules by `journal_contract!` and `desk_contract!`.

#[macro_use]
mod rules;

mod begins;
mod changes;
mod claims;
mod decisions;
mod kit;
mod looks;

mod memory;
#[cfg(feature = "sqlite")]
mod sqlite;
