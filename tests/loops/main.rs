//! The finer points of the read and the write loop: design section 5.

#[path = "../support/mod.rs"]
mod support;

mod checks;
mod clients;
mod ensure;
mod panics;
mod pauses;
mod repeats;
mod threads;
