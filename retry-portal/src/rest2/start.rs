//! `start`, and what it makes of a list.

use serde_json::Value;

use crate::crm::{By, Context, Entity, Filter, Page, Record, Span, Wanted, float, page, text};
use crate::params::Params;
use crate::refusal::Answered;

/// Fixed in Bitrix24.
const PAGE: usize = 50;

/// Where the page begins. `None`: `start=-1`, the first page, and nothing is counted.
fn start(params: &Params) -> Option<usize> {
    // What is no number is the first page; an offset is the page it lies in.
    let wanted = params.either("start").and_then(text);
    let Some(number) = wanted.as_deref().and_then(float) else { return Some(0) };
    if number < 0.0 {
        return None;
    }
    let offset: usize = format!("{number:.0}").parse().unwrap_or(usize::MAX);
    Some(offset / PAGE * PAGE)
}

/// The page that `start` names, with `total` and `next`; `result` puts its rows together.
pub(super) fn listed(
    context: &Context<'_>,
    entity: Entity,
    filter: &Filter,
    order: &[By],
    params: &Params,
    result: impl FnOnce(Vec<&Record>) -> Value,
) -> Answered {
    let start = start(params);
    let offset = start.unwrap_or(0);
    let span = Span { offset, limit: PAGE };
    let wanted = Wanted { within: None, filter, order, span, count: start.is_some() };
    let Page { rows, counted } = page(context, entity, &wanted);
    let end = offset.saturating_add(PAGE);
    let total = if start.is_some() { counted } else { 0 };
    let answered = Answered::plain(result(rows)).beside("total", total);
    if start.is_some() && end < counted { answered.beside("next", end) } else { answered }
}
