//! The default lists of seeded faults.

use std::time::Duration;

use serde_json::json;

use super::{Answer, Coded, Cut, Fault, Raw};
use crate::shape::Shape;

/// A fault and how often it is drawn.
type Weighted = (u32, Fault);

pub(super) fn rest_reads() -> Vec<Weighted> {
    vec![
        (3, Fault::never(Answer::Reset)),
        (3, Fault::never(Answer::Close)),
        (1, Fault::never(Answer::Silence)),
        (2, Fault::never(Answer::Cut(Cut::Percent(50)))),
        (1, Fault::never(Answer::Cut(Cut::LastChunk))),
        (1, Fault::never(Answer::HeadThenReset)),
        (1, Fault::never(Answer::HeadThenSilence)),
        (1, Fault::never(Answer::Html(200))),
        (1, Fault::never(Answer::Html(500))),
        (2, Fault::never(Answer::Html(502))),
        (1, Fault::never(Answer::Html(503))),
        (2, Fault::never(Answer::Html(504))),
        (2, Fault::never(Answer::Coded(query_limit()))),
        (1, Fault::never(Answer::Coded(time_limit()))),
        (1, Fault::never(Answer::Coded(internal()))),
        (2, Fault::never(Answer::Slow(Duration::from_secs(10)))),
    ]
}

pub(super) fn rest_writes() -> Vec<Weighted> {
    let late = Duration::from_secs(20);
    vec![
        (3, Fault::before(Answer::Reset)),
        (3, Fault::before(Answer::Close)),
        (1, Fault::before(Answer::Silence)),
        (2, Fault::before(Answer::Cut(Cut::Percent(50)))),
        (1, Fault::before(Answer::Cut(Cut::LastChunk))),
        (1, Fault::before(Answer::HeadThenReset)),
        (1, Fault::before(Answer::HeadThenSilence)),
        (1, Fault::before(Answer::Html(200))),
        (2, Fault::before(Answer::Html(502))),
        (2, Fault::before(Answer::Html(504))),
        (1, Fault::before(Answer::Coded(internal()))),
        (2, Fault::before(Answer::Slow(Duration::from_secs(10)))),
        (3, Fault::never(Answer::Reset)),
        (2, Fault::never(Answer::Close)),
        (1, Fault::never(Answer::Silence)),
        (1, Fault::never(Answer::Html(500))),
        (2, Fault::never(Answer::Html(502))),
        (1, Fault::never(Answer::Html(503))),
        (2, Fault::never(Answer::Coded(query_limit()))),
        (1, Fault::never(Answer::Coded(time_limit()))),
        (1, Fault::never(Answer::Coded(internal()))),
        (2, Fault::late(late, Answer::Reset)),
        (2, Fault::late(late, Answer::Close)),
        (1, Fault::late(late, Answer::Silence)),
        (2, Fault::late(late, Answer::Html(504))),
    ]
}

/// The gateway has the losses of any connection, and its own codes in place of the native ones. Codes of hosted
/// applications (`BH_…`) are not among them: no such application stands behind these routes.
pub(super) fn vibe_reads() -> Vec<Weighted> {
    let mut list = losses(rest_reads());
    list.extend([
        (2, Fault::never(coded("RATE_LIMITED"))),
        (1, Fault::never(coded("OPERATION_TIME_LIMIT"))),
        (1, Fault::never(coded("BITRIX_TIMEOUT"))),
        (2, Fault::never(coded("BITRIX_UNAVAILABLE"))),
        (1, Fault::never(coded("QUEUE_OVERFLOW"))),
        (1, Fault::never(coded("QUEUE_TIMEOUT"))),
        (1, Fault::never(coded("POOL_EXHAUSTED"))),
        (1, Fault::never(coded("DB_TRANSIENT"))),
        (1, Fault::never(coded("SERVICE_UNAVAILABLE"))),
        (1, Fault::never(as_text("BITRIX_UNAVAILABLE"))),
        (1, Fault::never(coded("SOMETHING_NEW"))),
        (1, Fault::never(failed_under_200())),
        (1, Fault::never(empty_502())),
    ]);
    list
}

pub(super) fn vibe_writes() -> Vec<Weighted> {
    let late = Duration::from_secs(20);
    let mut list = losses(rest_writes());
    list.extend([
        (2, Fault::never(coded("RATE_LIMITED"))),
        (1, Fault::never(coded("QUEUE_OVERFLOW"))),
        (1, Fault::never(coded("QUEUE_TIMEOUT"))),
        (1, Fault::never(coded("LARGE_BODY_BACKEND_BUSY"))),
        (1, Fault::before(coded("OPERATION_TIME_LIMIT"))),
        (1, Fault::never(coded("OPERATION_TIME_LIMIT"))),
        (1, Fault::before(coded("BITRIX_TIMEOUT"))),
        (1, Fault::never(coded("BITRIX_TIMEOUT"))),
        (1, Fault::late(late, coded("BITRIX_TIMEOUT"))),
        (2, Fault::before(coded("BITRIX_UNAVAILABLE"))),
        (1, Fault::never(coded("BITRIX_UNAVAILABLE"))),
        (1, Fault::late(late, coded("BITRIX_UNAVAILABLE"))),
        (1, Fault::before(coded("DB_TRANSIENT"))),
        (1, Fault::never(coded("DB_TRANSIENT"))),
        (1, Fault::before(coded("POOL_EXHAUSTED"))),
        (1, Fault::never(coded("POOL_EXHAUSTED"))),
        (1, Fault::before(coded("SERVICE_UNAVAILABLE"))),
        (1, Fault::never(coded("SERVICE_UNAVAILABLE"))),
        (1, Fault::before(as_text("BITRIX_UNAVAILABLE"))),
        (1, Fault::before(coded("SOMETHING_NEW"))),
        (1, Fault::never(coded("SOMETHING_NEW"))),
        (1, Fault::before(failed_under_200())),
        (1, Fault::never(failed_under_200())),
        (1, Fault::before(terminated())),
        (1, Fault::late(late, terminated())),
        (1, Fault::before(empty_502())),
        (1, Fault::never(empty_502())),
    ]);
    list
}

fn losses(list: Vec<Weighted>) -> Vec<Weighted> {
    list.into_iter().filter(|(_, fault)| !matches!(fault.answer, Answer::Coded(_))).collect()
}

fn coded(code: &str) -> Answer {
    Answer::Coded(Coded::of(code).description("A fault by chance"))
}

fn as_text(code: &str) -> Answer {
    Answer::Coded(Coded::of(code).shape(Shape::Text))
}

fn terminated() -> Answer {
    Answer::Coded(Coded::new(200, "GATEWAY_CONNECTION_TERMINATED"))
}

fn failed_under_200() -> Answer {
    Answer::Raw(Raw::json(200, &json!({"success": false})))
}

fn empty_502() -> Answer {
    Answer::Raw(Raw::new(502))
}

fn query_limit() -> Coded {
    Coded::new(503, "QUERY_LIMIT_EXCEEDED").description("Too many requests")
}

fn time_limit() -> Coded {
    Coded::new(429, "OPERATION_TIME_LIMIT").description("Method is blocked due to operation time limit")
}

fn internal() -> Coded {
    Coded::new(500, "INTERNAL_SERVER_ERROR").description("Internal server error")
}
