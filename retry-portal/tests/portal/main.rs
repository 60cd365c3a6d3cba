//! The portal as a client sees it: real sockets, real time.

// `cfg(test)` says to clippy that a broken expectation may end the test from a helper function too.
#[cfg(test)]
mod batch;
#[cfg(test)]
mod chat;
#[cfg(test)]
mod classic;
#[cfg(test)]
mod client;
#[cfg(test)]
mod faults;
#[cfg(test)]
mod handle;
#[cfg(test)]
mod items;
#[cfg(test)]
mod large;
#[cfg(test)]
mod lateness;
#[cfg(test)]
mod limits;
#[cfg(test)]
mod lists;
#[cfg(test)]
mod oauth;
// Without the feature there is no program to run.
#[cfg(all(test, feature = "cli"))]
mod program;
#[cfg(test)]
mod requests;
#[cfg(test)]
mod rest3;
#[cfg(test)]
mod seeded;
#[cfg(test)]
mod switches;
#[cfg(test)]
mod vibe;
