//! The promises P1, P2, P3, P5, P6 and P7, each by name, on paused time with a scripted portal.
//!
//! P4 (one attempt is one HTTP request) needs the wire and P8 (said at compile time) the compiler: `wire` and `ui` hold them.

// `cfg(test)` says to clippy that a broken expectation may end the test from a helper function too.
#[cfg(test)]
#[path = "../support/mod.rs"]
mod support;

#[cfg(test)]
mod p1_one_effect;
#[cfg(test)]
mod p2_a_person_has_to_look;
#[cfg(test)]
mod p2_every_ending_is_told;
#[cfg(test)]
mod p2_nothing_is_lost;
#[cfg(test)]
mod p3_clocks;
#[cfg(test)]
mod p3_keys;
#[cfg(test)]
mod p3_settle;
#[cfg(test)]
mod p5_bounds;
#[cfg(test)]
mod p6_did_it_happen;
#[cfg(test)]
mod p7_no_secret;
#[cfg(test)]
mod schedules;
