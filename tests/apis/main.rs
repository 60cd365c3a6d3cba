//! The other APIs of a portal, over real sockets and on real time: the Vibecode gateway, REST 3.0 and OAuth.

// `cfg(test)` says to clippy that a broken expectation may end the test from a helper function too.
#[cfg(test)]
mod batches;
#[cfg(test)]
mod gateway_answers;
#[cfg(test)]
mod gateway_statuses;
#[cfg(test)]
mod oauth_renewal;
#[cfg(test)]
mod oauth_shared;
#[cfg(test)]
mod rest3;
#[cfg(test)]
mod rest_statuses;
#[cfg(test)]
mod secrets;
#[cfg(test)]
mod setting;
#[cfg(test)]
mod stubs;
#[cfg(test)]
mod vibe;
