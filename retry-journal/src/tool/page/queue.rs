//! The queue: what waits for a person, and what is open; by a filter everything else.

use std::time::SystemTime;

use axum::extract::rejection::QueryRejection;
use axum::extract::{self, State};
use axum::response::Html;
use maud::{Markup, html};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use retry_runtime::journal::Intent;

use super::frame::{Bar, badge, frame};
use super::problem::Problem;
use super::{Here, trust};
use crate::desk::{Page, Query, Stats};
use crate::states::NAMES;
use crate::tool::now;
use crate::tool::plain::plain;
use crate::tool::times::{ago, stamp};

/// How many are on one page.
const LIMIT: u32 = 50;

#[derive(serde::Deserialize, Default)]
pub(super) struct Filter {
    #[serde(default)]
    state: String,
    #[serde(default)]
    text: String,
    before: Option<u64>,
}

impl Filter {
    /// The one state of the filter, if it is one.
    fn state(&self) -> Option<&'static str> {
        NAMES.into_iter().find(|name| *name == self.state)
    }

    fn is_everything(&self) -> bool {
        self.state == "all" || (self.state().is_none() && self.state != "open" && !self.text.trim().is_empty())
    }

    fn query(&self, states: &[&str]) -> Query {
        let text = self.text.trim();
        Query {
            states: states.iter().map(|name| Box::from(*name)).collect(),
            text: (!text.is_empty()).then(|| text.into()),
            before: self.before,
            limit: LIMIT,
        }
    }
}

pub(super) async fn queue(
    State(shared): Here,
    filter: Result<extract::Query<Filter>, QueryRejection>,
) -> Result<Html<String>, Problem> {
    let extract::Query(filter) = filter.map_err(|_| Problem::NoSuchPage)?;
    let stats = shared.desk.stats().await?;
    let now = now(&stats);
    let groups: Vec<(&str, &[&str])> = match filter.state() {
        Some(name) => vec![(name, one(name))],
        None if filter.state == "open" => vec![("open", &["sending", "unknown"])],
        None if filter.is_everything() => vec![("all", &[])],
        None => vec![("manual", &["manual"]), ("open", &["sending", "unknown"])],
    };
    let mut lists = Vec::new();
    for (name, states) in groups {
        lists.push((name, shared.desk.list(&filter.query(states)).await?));
    }
    let suspicion = shared.desk.suspicion().await?;
    let form = shared.secrets.form();
    let body = html! {
        @if let Some(why) = &suspicion { (trust::banner(why, form)) }
        h1.title { "Intents" }
        (tabs(&filter, &stats))
        (search(&filter))
        @for (name, page) in &lists { (group(name, page, &filter, now)) }
    };
    Ok(frame("Queue", Bar::Full(shared.secrets.needs_login().then_some(form)), &body))
}

/// The state alone, as a list.
fn one(name: &'static str) -> &'static [&'static str] {
    NAMES.iter().position(|state| *state == name).map_or(&[], |at| &NAMES[at..=at])
}

fn tabs(filter: &Filter, stats: &Stats) -> Markup {
    let total: u64 = stats.states.iter().map(|(_, count)| count).sum();
    let in_doubt: u64 = ["manual", "sending", "unknown"].iter().map(|name| stats.count(name)).sum();
    let is_queue = filter.state().is_none() && !filter.is_everything();
    let tab = |name: &str, address: &str, count: u64, is_current: bool| {
        html! {
            a href=(address) aria-current=[is_current.then_some("page")] { (name) " " span.count { (count) } }
        }
    };
    html! {
        nav.tabs aria-label="States" {
            (tab("in doubt", "/", in_doubt, is_queue))
            @for name in NAMES {
                (tab(name, &format!("/?state={}", name.replace(' ', "+")), stats.count(name), filter.state() == Some(name)))
            }
            (tab("all", "/?state=all", total, filter.state == "all"))
        }
    }
}

fn search(filter: &Filter) -> Markup {
    html! {
        form.search method="get" action="/" role="search" {
            input type="hidden" name="state" value=(filter.state().unwrap_or("all"));
            input type="search" name="text" value=(plain(&filter.text)) aria-label="Method, key, portal or stub contains" placeholder="Method, key, portal or stub";
            button type="submit" { "Find" }
        }
    }
}

fn group(name: &str, page: &Page, filter: &Filter, now: SystemTime) -> Markup {
    let (title, nothing) = match name {
        "manual" => ("Waiting for a person", "Nothing waits for a person."),
        "open" => ("Open: the program settles them", "Nothing is open."),
        _ => ("", "No intent is like that."),
    };
    html! {
        section.group {
            @if !title.is_empty() { h2 { (title) } }
            @if page.intents.is_empty() {
                p.nothing { (nothing) }
            } @else {
                ol.intents { @for intent in &page.intents { (line(intent, now)) } }
            }
            @if let Some(next) = page.next {
                @let text = utf8_percent_encode(filter.text.trim(), NON_ALPHANUMERIC);
                p.older { a href=(format!("/?state={}&text={text}&before={next}", name.replace(' ', "+"))) { "Older ones" } }
            }
        }
    }
}

fn line(intent: &Intent, now: SystemTime) -> Markup {
    html! {
        li {
            a.intent href=(format!("/intents/{}", intent.number)) {
                span.head {
                    span.number { "#" (intent.number) }
                    span.name { (plain(&intent.id.method)) " " b { (plain(&intent.id.key)) } }
                    (badge(intent.state.as_str()))
                    time.age datetime=(stamp(intent.began)) { (ago(intent.began, now)) }
                }
                @if let Some(why) = intent.state.why() { span.why { (plain(why)) } }
                span.portal { (plain(&intent.id.portal)) }
            }
        }
    }
}
