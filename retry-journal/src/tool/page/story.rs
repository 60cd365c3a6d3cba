//! One intent: what is known of it, its story as a time line, and what a person can decide.

use std::sync::Arc;

use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse as _, Response};
use maud::{Markup, html};
use retry_runtime::journal::{Event, Intent};

use super::frame::{Bar, badge, frame};
use super::problem::Problem;
use super::{Here, Shared};
use crate::desk::Shown;
use crate::tool::choices::{Choice, STILL_OPEN};
use crate::tool::facts::facts;
use crate::tool::plain::plain;
use crate::tool::times::{fine_stamp, readable};
use crate::tool::{detail, now};

#[derive(serde::Deserialize)]
pub(super) struct After {
    done: Option<String>,
}

pub(super) async fn story(
    State(shared): Here,
    number: Result<Path<u64>, PathRejection>,
    after: Result<Query<After>, QueryRejection>,
) -> Result<Response, Problem> {
    let Path(number) = number.map_err(|_| Problem::NoSuchIntent)?;
    let done = after.ok().and_then(|Query(after)| after.done).and_then(|done| Choice::of(&done));
    Ok(page(&shared, number, &News::of(done)).await?.into_response())
}

/// The page of an intent after nothing was decided, with what to know.
pub(super) async fn undecided(shared: &Arc<Shared>, number: u64, why: &str) -> Result<Response, Problem> {
    Ok((StatusCode::CONFLICT, page(shared, number, &News::Undecided(why)).await?).into_response())
}

/// What is said above an intent.
enum News<'a> {
    None,
    Decided(Choice),
    Undecided(&'a str),
}

impl News<'_> {
    const fn of(done: Option<Choice>) -> Self {
        match done {
            Some(choice) => Self::Decided(choice),
            None => Self::None,
        }
    }

    /// A link can claim what it likes: that something was decided is said only of an intent that looks like it.
    fn told(&self, intent: &Intent) -> Markup {
        match self {
            Self::Decided(choice) if choice.outcome() == intent.state.as_str() => {
                html! { p.news.good role="status" { "Intent " (intent.number) " is " (choice.done()) "." } }
            }
            Self::None | Self::Decided(_) => html! {},
            Self::Undecided(why) => html! { p.news.bad role="alert" { b { "Nothing was decided." } " " (why) } },
        }
    }
}

async fn page(shared: &Arc<Shared>, number: u64, news: &News<'_>) -> Result<Html<String>, Problem> {
    let shown = shared.desk.show(number).await?;
    let stats = shared.desk.stats().await?;
    let intent = &shown.intent;
    let form = shared.secrets.form();
    let body = html! {
        p.back { a href="/" { "← Queue" } }
        (news.told(intent))
        h1.title { span.number { "#" (number) } " " (plain(&intent.id.method)) " " b { (plain(&intent.id.key)) } " " (badge(intent.state.as_str())) }
        div.columns {
            section.card.known {
                h2 { "What is known" }
                dl.facts {
                    @for fact in facts(&shown, now(&stats)) {
                        div {
                            dt { (fact.name) }
                            dd {
                                (fact.text)
                                @if let Some(link) = fact.link { " " a href=(link) rel="noreferrer" target="_blank" { "on the portal ↗" } }
                            }
                        }
                    }
                }
            }
            section.card.told {
                h2 { "Story" }
                @if shown.story.is_empty() { p.nothing { "Nothing is told of it yet." } }
                ol.story { @for event in &shown.story { (told(event)) } }
            }
            (decisions(&shown, form))
        }
    };
    let title = format!("Intent {number}");
    Ok(frame(&title, Bar::Full(shared.secrets.needs_login().then_some(form)), &body))
}

fn told(event: &Event) -> Markup {
    html! {
        li class=(event.kind.as_str()) {
            p.when { time datetime=(fine_stamp(event.at)) { (readable(&fine_stamp(event.at))) } " " span.kind { (event.kind.as_str()) } }
            p.text { (plain(&event.text)) }
            @let pairs = detail::pairs(event);
            @if !pairs.is_empty() {
                dl { @for (name, value) in pairs { div { dt { (name) } dd { (value) } } } }
            }
        }
    }
}

fn decisions(shown: &Shown, form: &str) -> Markup {
    let choices = Choice::for_state(&shown.intent.state);
    html! {
        section.card.decide {
            h2 { "What you can decide" }
            @if choices.is_empty() {
                p.nothing { "Nothing is to be decided about it." }
            } @else {
                @if shown.intent.state.is_open() { p { (STILL_OPEN) } }
                p { "Look at the portal first. What you decide stays on record with your name and note." }
            }
            @for choice in choices { (decision(choice, &shown.intent, &detail::candidates(&shown.story), form)) }
        }
    }
}

fn decision(choice: Choice, intent: &Intent, candidates: &[String], form: &str) -> Markup {
    let name = choice.name();
    let title = match choice {
        Choice::Adopt => "Adopt",
        Choice::Reject => "Reject",
        Choice::AllowOnce => "Allow once",
        Choice::Verify => "Verify",
    };
    html! {
        details.decision name="decision" id=(name) {
            summary { b { (title) } " " span { (choice.meaning()) } }
            form method="post" action=(format!("/intents/{}/{name}", intent.number)) {
                input type="hidden" name="form" value=(form);
                input type="hidden" name="epoch" value=(intent.epoch.0);
                @if choice == Choice::Adopt {
                    label { "Record on the portal" input name="record" required maxlength="500" list="candidates" autocomplete="off"; }
                    datalist id="candidates" { @for record in candidates { option value=(plain(record)); } }
                }
                label { "Your name" input name="name" required maxlength="500" autocomplete="name"; }
                label { "Note: how do you know?" textarea name="note" required maxlength="500" rows="2" {} }
                button class=(name) type="submit" { (title) " intent " (intent.number) }
            }
        }
    }
}
