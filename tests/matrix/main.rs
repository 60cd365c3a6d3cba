//! The decision table, row by row: what is expected is written out by hand, from the specification and the design.

#[path = "../support/mod.rs"]
mod support;

mod classifier;
mod decisions;
mod no_code;
mod reads;
mod rows;
mod writes;
