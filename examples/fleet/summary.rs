//! What is shown: the file before the import, the table of the workers after it, and what a person has to look at.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::process::ExitCode;

use comfy_table::{Cell, CellAlignment, Table, presets};

use crate::leads::Export;
use crate::tally::Counts;

/// What the workers have told.
#[derive(Debug, Default)]
pub(crate) struct Fleet {
    pub(crate) workers: Vec<(u16, Counts)>,
    /// How many were killed, and told nothing.
    pub(crate) killed: u32,
}

/// The file and its bad rows.
pub(crate) fn show_file(path: &Path, export: &Export) {
    let name = path.file_name().unwrap_or(path.as_os_str()).display();
    println!(
        "{name}: {} good rows, {} bad ones, {} that repeat an earlier one",
        export.leads.len(),
        export.bad.len(),
        export.repeated.len()
    );
    for (line, problem) in &export.bad {
        println!("  line {line}: {problem}");
    }
}

/// The end of an import, and the exit code that goes with it.
pub(crate) fn show(export: &Export, fleet: &Fleet, copies: &HashMap<String, usize>) -> ExitCode {
    println!("\n{}", workers(fleet));
    let failed: BTreeSet<_> = fleet.workers.iter().flat_map(|(_, counts)| &counts.failed).collect();
    for (line, why) in &failed {
        println!("\nline {line}: {why}");
    }
    let orders = export.orders();
    let of = |order: &str| copies.get(order).copied().unwrap_or(0);
    let missing: Vec<_> = orders.iter().filter(|order| of(order) == 0).collect();
    let twice: Vec<_> = orders.iter().filter(|order| of(order) > 1).collect();
    println!(
        "\n{} orders, {} deals of them on the portal: {} missing, {} more than once; {} workers were killed",
        orders.len(),
        orders.iter().map(|order| of(order)).sum::<usize>(),
        missing.len(),
        twice.len(),
        fleet.killed
    );
    for (what, orders) in [("missing", &missing), ("more than once", &twice)] {
        for order in orders {
            println!("  {what}: {order}");
        }
    }
    if failed.is_empty() && missing.is_empty() && twice.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

fn workers(fleet: &Fleet) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_BORDERS_ONLY_CONDENSED);
    table.set_header(["worker", "created", "found", "resent", "attached", "recovered", "no deal"]);
    let mut sum = [0; 6];
    for (number, counts) in &fleet.workers {
        let numbers = numbers(counts);
        for (sum, number) in sum.iter_mut().zip(numbers) {
            *sum += number;
        }
        table.add_row(row(&number.to_string(), numbers));
    }
    table.add_row(row("all", sum));
    table
}

fn numbers(counts: &Counts) -> [usize; 6] {
    let rows = [counts.created, counts.found, counts.resent, counts.attached];
    let [created, found, resent, attached] = rows.map(|count| usize::try_from(count).unwrap_or(usize::MAX));
    [created, found, resent, attached, counts.recovered, counts.failed.len()]
}

fn row(name: &str, numbers: [usize; 6]) -> Vec<Cell> {
    let numbers = numbers.map(|number| Cell::new(number).set_alignment(CellAlignment::Right));
    [Cell::new(name)].into_iter().chain(numbers).collect()
}
