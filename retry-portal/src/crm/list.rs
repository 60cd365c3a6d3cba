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
    /// How many rows there are in all, if that was asked for.
    pub(crate) counted: usize,
}

/// Whether lists show a record: it may be too young.
fn old_enough(context: &Context<'_>) -> impl Fn(&Record) -> bool + use<> {
    let lag = context.clock.real(context.switches.index_lag);
    let now = now();
    move |record| lag.is_zero() || record.born.is_none_or(|born| now.saturating_duration_since(born) >= lag)
}

/// Records that lists show: those of a hidden entity and those too young are left out.
pub(crate) fn visible<'a>(context: &Context<'a>, entity: Entity) -> Vec<&'a Record> {
    if context.switches.hidden(entity) {
        return Vec::new();
    }
    let old_enough = old_enough(context);
    context.store.table(entity).rows().filter(|record| old_enough(record)).collect()
}

/// What is asked of a list.
pub(crate) struct Wanted<'a> {
    /// What the call says outside its filter (the type of a smart process): no switch makes it void.
    pub(crate) within: Option<&'a dyn Fn(&Record) -> bool>,
    pub(crate) filter: &'a Filter,
    pub(crate) order: &'a [By],
    pub(crate) span: Span,
    /// Whether [`Page::counted`] is asked for.
    pub(crate) count: bool,
}

/// The rows that are wanted, in their order.
pub(crate) fn page<'a>(context: &Context<'a>, entity: Entity, wanted: &Wanted<'_>) -> Page<'a> {
    if context.switches.hidden(entity) {
        return Page { rows: Vec::new(), counted: 0 };
    }
    let Wanted { within, filter, order, span, count } = wanted;
    let ignored = context.switches.ignore_filters || filter.is_empty();
    let old_enough = old_enough(context);
    let fits = |row: &&Record| {
        old_enough(row) && within.is_none_or(|within| within(row)) && (ignored || filter.lets_through(row))
    };
    let table = context.store.table(entity);
    let ids = if ignored { 0..u64::MAX } else { filter.ids() };
    // By id the records are in order already: no need to look at more of them than are shown, unless they are counted.
    match order.first() {
        Some(by) if by.field != "ID" => sorted(table.span(ids).filter(fits).collect(), order, *span),
        Some(by) if by.descending => by_id(table.span(ids).rev().filter(fits), *span, *count),
        Some(_) | None => {
            let all = ignored && within.is_none() && context.switches.index_lag.is_zero();
            let page = by_id(table.span(ids).filter(fits), *span, *count && !all);
            if all { Page { counted: table.count(), ..page } } else { page }
        }
    }
}

fn by_id<'a>(mut rows: impl Iterator<Item = &'a Record>, span: Span, count: bool) -> Page<'a> {
    if count {
        let mut counted = 0;
        let mut shown = Vec::new();
        for row in rows {
            if counted >= span.offset && shown.len() < span.limit {
                shown.push(row);
            }
            counted += 1;
        }
        return Page { rows: shown, counted };
    }
    let shown: Vec<&Record> = rows.by_ref().skip(span.offset).take(span.limit).collect();
    Page { counted: shown.len(), rows: shown }
}

fn sorted<'a>(mut rows: Vec<&'a Record>, order: &[By], span: Span) -> Page<'a> {
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
