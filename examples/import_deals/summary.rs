//! What is shown: the file before the import, the table after it, and everything that a person has to look at.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::process::ExitCode;

use comfy_table::{Cell, CellAlignment, Table, presets};
use retry_runtime::{CallError, Effect};

use crate::api::Api;
use crate::blind::Blind;
use crate::import::{Failure, Outcome};
use crate::leads::Export;
use crate::vibe::FIELD;

type Copies = Result<HashMap<String, usize>, String>;

/// The file and its bad rows.
pub(crate) fn show_file(path: &Path, export: &Export) {
    let name = path.file_name().unwrap_or(path.as_os_str()).display();
    let rows = export.leads.len() + export.bad.len();
    println!("{name}: {rows} rows, {} good, {} bad", export.leads.len(), export.bad.len());
    for (line, problem) in &export.bad {
        println!("  line {line}: {problem}");
    }
    for (line, first) in &export.repeated {
        println!("  line {line}: the same as line {first}, so both are one deal");
    }
}

/// The end of an import, and the exit code that goes with it.
pub(crate) fn show(api: Api, export: &Export, outcome: &Outcome, copies: &Copies, journal: Option<&Path>) -> ExitCode {
    let Outcome { counts, requests, failures, unsendable, key_dropped } = outcome;
    show_failures(failures);
    for (line, why) in unsendable {
        println!("\nline {line}: {why}");
    }
    let of = |ending| failures.iter().filter(|failure| ending_of(&failure.error) == ending).count();
    let mut table = Lines::default();
    table.rows_of(export);
    table.line("created", counts.created);
    table.line(api.found(), counts.found);
    table.line(api.resent(), counts.resent);
    match journal {
        Some(_) => {
            table.line("already there", counts.already_there);
            table.line("on record, nothing was sent", counts.on_record);
        }
        // The order that is in the file twice.
        None => table.line("already there", counts.already_there + counts.on_record),
    }
    table.line("refused", of(End::Refused) + unsendable.len());
    table.line("given up, nothing was created", of(End::GivenUp));
    table.line("in doubt", of(End::InDoubt));
    let all_there_once = table.portal(export, copies);
    table.line("requests sent", *requests);
    println!("\n{}", table.0);
    if of(End::InDoubt) > 0 {
        println!("\na person has to look at what is in doubt: above is all that is known of it");
        if let Some(journal) = journal {
            println!(
                "the journal has it too, and lets you decide: bitrix-journal --journal {} list",
                journal.display()
            );
        }
    }
    if let Some((line, id)) = key_dropped {
        println!(
            "\nstopped: deal {id}, made of line {line}, came back without {FIELD}, so it could not be found again and each retry\n\
             would be a duplicate. Is there a text field of this name for deals? Make it, delete the deal, and run it again{}.",
            if journal.is_some() { ",\nwith another journal: this one has that deal as made" } else { "" }
        );
    }
    if failures.is_empty() && unsendable.is_empty() && key_dropped.is_none() && all_there_once {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// The end of the blind loop.
pub(crate) fn show_blind(export: &Export, blind: &Blind, copies: &Copies) {
    let mut table = Lines::default();
    table.rows_of(export);
    table.line("answered", blind.answered);
    table.line("given up", blind.given_up);
    table.portal(export, copies);
    table.line("requests sent", blind.requests);
    println!("\n{}", table.0);
    println!("\nthat was the plain loop, which sends again on any error;");
    println!("without --blind the same file makes no duplicates");
}

struct Lines(Table);

impl Default for Lines {
    fn default() -> Self {
        let mut table = Table::new();
        table.load_style(presets::ASCII_BORDERS_ONLY_CONDENSED);
        Self(table)
    }
}

impl Lines {
    fn line(&mut self, what: &str, value: impl Into<Cell>) {
        self.0.add_row([what.into(), value.into()]);
        if let Some(column) = self.0.column_mut(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }

    fn rows_of(&mut self, export: &Export) {
        self.line("rows", export.leads.len() + export.bad.len());
        self.line("bad rows, not sent", export.bad.len());
    }

    /// What the portal has of this file. Whether each order is there, and once.
    fn portal(&mut self, export: &Export, copies: &Copies) -> bool {
        let copies = match copies {
            Ok(copies) => copies,
            Err(error) => {
                self.line("duplicates on the portal", "not counted");
                eprintln!("\nnot counted: {error}");
                return true;
            }
        };
        let orders = export.orders();
        let found: Vec<usize> = orders.iter().filter_map(|order| copies.get(*order).copied()).collect();
        let duplicates: usize = found.iter().map(|copies| copies - 1).sum();
        self.line("orders on the portal", format!("{} of {}", found.len(), orders.len()));
        self.line("duplicates on the portal", duplicates);
        found.len() == orders.len() && duplicates == 0
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Refused,
    GivenUp,
    InDoubt,
}

fn ending_of(error: &CallError) -> End {
    match (error, error.effect()) {
        (CallError::Refused(_) | CallError::Invalid(_), _) => End::Refused,
        (_, Effect::Absent) => End::GivenUp,
        (_, Effect::Present | Effect::Unknown) => End::InDoubt,
    }
}

/// Each failure: by reason where nothing happened, whole where a person has to look.
fn show_failures(failures: &[Failure]) {
    let mut reasons: BTreeMap<(&str, &str), Vec<String>> = BTreeMap::new();
    for failure in failures {
        let title = match ending_of(&failure.error) {
            End::Refused if failure.error.effect() == Effect::Absent => "refused",
            End::Refused => "refused, and whether it happened is unknown: look at the portal",
            End::GivenUp => "given up, nothing was created: run it again",
            End::InDoubt => continue,
        };
        let lines = reasons.entry((title, failure.error.failure().why())).or_default();
        lines.push(failure.line.to_string());
    }
    for ((title, why), lines) in reasons {
        println!("\n{title}\n  {why}\n  lines {}", lines.join(", "));
    }
    for Failure { line, error } in failures {
        if ending_of(error) == End::InDoubt {
            println!("\nline {line}: {error}");
        }
    }
}
