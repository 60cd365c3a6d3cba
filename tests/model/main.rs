//! A model of client, gateway and portal, explored to the last state: `docs/model.md` says what it proves.
// Clippy takes what tests share for test code only below this.
#![cfg(test)]

mod client;
mod guards;
mod holds;
mod portal;
mod promises;
mod settings;
mod state;
mod steps;
