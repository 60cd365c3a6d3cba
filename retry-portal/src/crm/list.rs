//! Lists: which records are shown, in which order, which page of them.

use serde_json::Value;

use super::Context;
use super::filter::{self, Filter};
use super::records::{Entity, Record};
use super::schema::Kind;
use super::values::text;
use crate::clock::now;

/// One field of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct By {
    pub(crate) field: String,
    pub(crate) kind: Kind,
    pub(crate) descending: bool,
}

/// Which of the rows are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) offset: usize,
    pub(crate) limit: usize,
}

/// A part of the rows.
#[derive(Debug)]
pub(crate) struct Page<'a> {
    pub(crate) rows: Vec<&'a Record>,
    /// How many rows there are in all.
    pub(crate) counted: usize,
}

/// Records that lists show: those of a hidden entity and those too young are left out.
pub(crate) fn visible<'a>(context: &Context<'a>, entity: Entity) -> Vec<&'a Record> {
    if context.switches.hidden(entity) {
        return Vec::new();
    }
    let lag = context.clock.real(context.switches.index_lag);
    let now = now();
    let old_enough = |record: &&Record| record.born.is_none_or(|born| now.saturating_duration_since(born) >= lag);
    context.store.table(entity).rows().filter(old_enough).collect()
}

/// The rows that the filter lets through and `within` as well, in this order.
///
/// `within` is what the call says outside its filter (the type of a smart process): no switch makes it void.
pub(crate) fn page<'a>(
    context: &Context<'a>,
    entity: Entity,
    within: impl Fn(&Record) -> bool,
    filter: &Filter,
    order: &[By],
    span: Span,
) -> Page<'a> {
    let mut rows = visible(context, entity);
    rows.retain(|row| within(row) && (context.switches.ignore_filters || filter.lets_through(row)));
    // The sort is stable, so rows that are equal in all fields stay in the order of their ids.
    rows.sort_by(|one, other| {
        order
            .iter()
            .map(|by| {
                let found = filter::compare(one, other, &by.field, by.kind);
                if by.descending { found.reverse() } else { found }
            })
            .find(|found| found.is_ne())
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    let counted = rows.len();
    Page { rows: rows.into_iter().skip(span.offset).take(span.limit).collect(), counted }
}

/// Whether a direction of an order is one, and which.
pub(crate) fn descending(direction: &Value) -> Option<bool> {
    match text(direction)?.to_ascii_uppercase().as_str() {
        "ASC" => Some(false),
        "DESC" => Some(true),
        _ => None,
    }
}
