//! What is to be said of an intent, beside its story: the same in the terminal and on the page.

use std::time::SystemTime;

use retry_runtime::journal::{How, State};

use super::plain::plain;
use super::times::{ago, readable, stamp};
use super::{detail, link};
use crate::desk::Shown;

/// One line about an intent.
pub(crate) struct Fact {
    pub(crate) name: &'static str,
    pub(crate) text: String,
    /// Where the browser shows it.
    pub(crate) link: Option<String>,
}

impl Fact {
    fn new(name: &'static str, text: String) -> Self {
        Self { name, text, link: None }
    }
}

/// All that is known of an intent, in the order in which a person asks.
pub(crate) fn facts(shown: &Shown, now: SystemTime) -> Vec<Fact> {
    let intent = &shown.intent;
    let mut facts = Vec::new();
    if let Some(why) = intent.state.why() {
        facts.push(Fact::new("why", plain(why)));
    }
    if let State::Applied { how, result } = &intent.state {
        facts.push(Fact::new("known by", how_it_is_known(*how).to_owned()));
        let text = plain(&String::from_utf8_lossy(result));
        let link = link::record(intent).and_then(|record| link::to(intent, &record));
        facts.push(Fact { name: "result", text, link });
    } else {
        for (record, link) in detail::linked_candidates(intent, &shown.story) {
            facts.push(Fact { name: "candidate", text: record, link });
        }
    }
    facts.push(Fact::new("portal", plain(&intent.id.portal)));
    facts.push(Fact::new("stub", plain(&intent.stub)));
    facts.push(Fact::new("began", when(intent.began, now)));
    let attempts = format!("{}, the last one {}", intent.attempt, when(intent.sent, now));
    facts.push(Fact::new("attempts", attempts));
    if let Some(closed) = intent.closed {
        facts.push(Fact::new("closed", when(closed, now)));
    }
    if intent.state.is_open() {
        facts.push(Fact::new("held by", intent.owner.as_deref().map_or_else(|| "nobody".to_owned(), plain)));
    }
    if let Some(key) = &intent.idempotency_key {
        facts.push(Fact::new("idempotency key", plain(key)));
    }
    let there = if intent.arguments.is_some() { "on record" } else { "dropped" };
    // Enough to tell two apart; `export` has all of it.
    facts.push(Fact::new("arguments", format!("{there}, SHA-256 {:.12}…", intent.digest.to_string())));
    facts.push(Fact::new("epoch", intent.epoch.0.to_string()));
    facts
}

const fn how_it_is_known(how: How) -> &'static str {
    match how {
        How::Answer => "the answer of the portal",
        How::ReadBack => "reading it back",
        How::Person => "a person who adopted it",
    }
}

fn when(at: SystemTime, now: SystemTime) -> String {
    format!("{} ({})", readable(&stamp(at)), ago(at, now))
}
