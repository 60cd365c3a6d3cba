//! `list`.

use std::io;
use std::time::SystemTime;

use comfy_table::{Attribute, Cell, Color, ContentArrangement, Table, presets};
use retry_runtime::journal::Intent;

use super::options::{List, StateName};
use super::output::Output;
use super::plain::plain;
use super::times::{ago, stamp};
use super::{Ended, now};
use crate::desk::{Desk, Query};

/// What a person wants to see first, then what machines work on, then the rest.
const GROUPS: [&[&str]; 3] = [&["manual"], &["sending", "unknown"], &["not applied", "rejected", "applied"]];

pub(crate) async fn list(desk: &dyn Desk, options: &List, output: &mut Output<'_>) -> Result<(), Ended> {
    let counted = desk.stats().await?;
    let asked: Vec<&str> = options.state.iter().copied().map(StateName::as_str).collect();
    let (mut intents, mut has_more) = (Vec::new(), false);
    for group in GROUPS {
        let states: Vec<Box<str>> =
            group.iter().filter(|name| asked.is_empty() || asked.contains(name)).map(|name| Box::from(*name)).collect();
        if states.is_empty() {
            continue;
        }
        let found = u32::try_from(intents.len()).unwrap_or(u32::MAX);
        let left = options.limit.saturating_sub(found);
        // One is asked for even if there is no room, to know whether there is more.
        let query = Query { states, text: options.text.as_deref().map(Box::from), before: None, limit: left.max(1) };
        let page = desk.list(&query).await?;
        if left == 0 {
            has_more |= !page.intents.is_empty();
        } else {
            has_more |= page.next.is_some();
            intents.extend(page.intents);
        }
    }
    if output.is_terminal {
        let total = counted.states.iter().map(|(_, count)| count).sum();
        table(&intents, now(&counted), total, has_more, output)?;
    } else {
        lines(&intents, output)?;
    }
    Ok(())
}

fn lines(intents: &[Intent], output: &mut Output<'_>) -> io::Result<()> {
    for intent in intents {
        let id = &intent.id;
        let columns = [
            intent.number.to_string(),
            intent.state.as_str().to_owned(),
            stamp(intent.began),
            stamp(intent.sent),
            intent.attempt.to_string(),
            plain(&id.portal),
            plain(&id.method),
            plain(&id.key),
            plain(intent.state.why().unwrap_or_default()),
        ];
        writeln!(output.out, "{}", columns.join("\t"))?;
    }
    Ok(())
}

fn table(intents: &[Intent], now: SystemTime, total: u64, has_more: bool, output: &mut Output<'_>) -> io::Result<()> {
    if intents.is_empty() {
        let what = if total == 0 { "The journal is empty." } else { "No intent is like that." };
        return writeln!(output.out, "{what}");
    }
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    if output.has_colours {
        table.enforce_styling();
    }
    let plainly = |text: &str| Cell::new(text);
    let strong =
        |text: &str| if output.has_colours { plainly(text).add_attribute(Attribute::Bold) } else { plainly(text) };
    table.set_header(["ID", "STATE", "BEGAN", "METHOD", "KEY", "PORTAL", "WHY"].map(strong));
    for intent in intents {
        let name = intent.state.as_str();
        let state = if output.has_colours { plainly(name).fg(table_colour(name)) } else { plainly(name) };
        table.add_row([
            plainly(&intent.number.to_string()),
            state,
            plainly(&ago(intent.began, now)),
            plainly(&plain(&intent.id.method)),
            plainly(&plain(&intent.id.key)),
            plainly(&plain(&intent.id.portal)),
            plainly(&plain(intent.state.why().unwrap_or_default())),
        ]);
    }
    writeln!(output.out, "{}", table.trim_fmt())?;
    let shown = intents.len();
    let more = if has_more { "; --limit shows more" } else { "" };
    writeln!(output.out, "\n{shown} of {total}: those for a person first, then the open ones, then the rest{more}.")
}

const fn table_colour(state: &str) -> Color {
    match state.as_bytes() {
        b"manual" => Color::Red,
        b"sending" | b"unknown" => Color::Yellow,
        b"applied" => Color::Green,
        b"not applied" => Color::Cyan,
        &[..] => Color::DarkGrey,
    }
}
