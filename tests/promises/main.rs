//! The promises P1, P2, P3, P5, P6 and P7, each by name, on paused time with a scripted portal.
//!
//! P4 (one attempt is one HTTP request) needs the wire and P8 (said at compile time) the compiler: `wire` and `ui` hold them.

#[path = "../support/mod.rs"]
mod support;

mod p1_one_effect;
mod p2_every_ending_is_told;
mod p2_nothing_is_lost;
mod p3_clocks;
mod p3_keys;
mod p3_settle;
mod p5_bounds;
mod p6_did_it_happen;
mod p7_no_secret;
mod schedules;
