//! Reports of people who do this job, each as a script: those that concern single REST 2 calls and can be shown without a socket.
//!
//! The others live elsewhere:
//! * on the wire, with real sockets: B07, B09, B10, B32, B87, B90 and B91, and the envelopes of B15, B20, B22 to B25, B33 and B42;
//! * beside the code they are about, as unit tests: B67, B69 and B70 (backoff), B71, B73 and B74 (reading `Retry-After`), B50 (matches);
//! * with the gateway, in tests/apis: B21 in its own envelope; with pacing, a later issue: B28, B78 and the rate of B31;
//! * with batches, beside the code of their forms, in tests/batching and in tests/apis: B35 to B40, B43, the second half of B44 and that of B58; with walks through lists: B47, B48, B59 and the rest of B46 and B49;
//! * with OAuth: B61, B65 and B66 beside the code of the tokens, B62 in tests/apis; with idempotency keys: B81 in tests/loops.

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
mod verifiers;
