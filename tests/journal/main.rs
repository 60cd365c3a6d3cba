//! The write journal on paused time: what is on record when, and what becomes of it after a crash at any step.

#[cfg(test)]
#[path = "../support/mod.rs"]
mod support;

#[cfg(test)]
mod attach;
#[cfg(test)]
mod batches;
#[cfg(test)]
mod crash;
#[cfg(test)]
mod dropped;
#[cfg(test)]
mod endings;
#[cfg(test)]
mod fenced;
#[cfg(test)]
mod forgotten;
#[cfg(test)]
mod orders;
#[cfg(test)]
mod recovery;
#[cfg(test)]
mod replays;
#[cfg(test)]
mod slow;
#[cfg(test)]
mod sweep;
