//! Stories told by hand: those that have failed once, and those that show how far a statement goes.
