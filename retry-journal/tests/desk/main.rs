//! What the person uses: the commands, the page, and the page in a real browser.

// `cfg(test)` says to clippy that a broken expectation may end the test from a helper function too.
#[cfg(test)]
mod binary;
#[cfg(test)]
#[cfg(feature = "outside")]
mod browser;
#[cfg(test)]
mod commands;
#[cfg(test)]
mod fixtures;
#[cfg(test)]
mod http;
#[cfg(test)]
mod memory;
#[cfg(test)]
mod numbers;
#[cfg(test)]
mod page;
#[cfg(test)]
mod page_decisions;
#[cfg(test)]
mod page_login;
#[cfg(test)]
mod readme;
#[cfg(test)]
mod serving;
