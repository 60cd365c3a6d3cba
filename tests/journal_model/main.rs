//! A model of the write journal, its workers and the portal, explored to the last state: `docs/journal-model.md` says what it proves.
// Clippy takes what tests share for test code only below this.
#![cfg(test)]

mod guards;
mod holds;
mod invariants;
mod mishaps;
mod portal;
mod recovery;
mod settings;
mod state;
mod steps;
mod worker;
