//! The examples as a person runs them: child processes, what they print, and how they end.

// Says to clippy that a broken expectation may end the test from a helper function too.
#![cfg(test)]

mod export;
mod import_batched;
mod import_files;
mod import_journal;
mod import_portals;
mod import_rows;
mod import_told;
mod killed;
mod run;
mod small;
