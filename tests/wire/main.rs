//! The wire: real sockets, real time, scaled to fractions of a second.
//!
//! P4 (one attempt is one HTTP request) in every fault of the portal; "not sent" against what servers read; P7 against
//! everything that any crate logs; the cases of people who do this job that are about the wire; answers byte by byte.

// `cfg(test)` says to clippy that a broken expectation may end the test from a helper function too.
#[cfg(test)]
mod answers_in_bytes;
#[cfg(test)]
mod cases_bodies;
#[cfg(test)]
mod cases_codes;
#[cfg(test)]
mod cases_lost;
#[cfg(test)]
mod cases_pauses;
#[cfg(test)]
mod cut_anywhere;
#[cfg(test)]
mod dropped;
#[cfg(test)]
mod framings;
#[cfg(test)]
mod handshakes;
#[cfg(test)]
mod heads;
#[cfg(test)]
mod hooks;
#[cfg(test)]
mod not_sent;
#[cfg(test)]
mod p4_every_fault;
#[cfg(test)]
mod p7_no_secret;
#[cfg(test)]
mod proxies;
#[cfg(test)]
mod requests_cut;
#[cfg(test)]
mod secrets;
#[cfg(test)]
mod sockets;
#[cfg(test)]
mod support;
