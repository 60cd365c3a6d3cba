//! Every way in which the portal can answer, and what the design (section 4) says that it means.

use std::time::Duration;

use retry_portal::{Answer, Coded, Cut, Framing, Raw, RetryAfter};
use retry_runtime::OperationKind;
use serde_json::{Value, json};

use super::secs;

/// What an answer means for the loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Means {
    /// It is a success.
    Success,
    /// The call was certainly not applied: retry, whatever the kind.
    NotApplied,
    /// Nobody knows until the settle time is over, or a shorter time for answers that ended the request.
    Unknown,
    /// Nobody will ever know.
    Unbounded,
    /// Refused before it could have an effect.
    Refusal,
    /// A business error: never sent again, but no proof.
    Business,
}

/// One way to answer.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) means: Means,
    pub(crate) answer: Answer,
}

impl Row {
    /// How long to wait for the answer: two seconds for one that never comes, else as long as a busy machine may take.
    pub(crate) fn attempt_timeout(&self) -> Duration {
        if matches!(self.answer, Answer::SilenceFor(_)) { secs(2) } else { secs(20) }
    }
}

fn row(means: Means, name: &str, answer: Answer) -> Row {
    Row { name: name.to_owned(), means, answer }
}

/// All of them for a call of this kind to a portal with this secret. `elsewhere` is `HOST:PORT` of a server that must never be called.
pub(crate) fn every_answer(kind: OperationKind, method: &str, elsewhere: &str, secret: &str) -> Vec<Row> {
    [losses(), codes(), redirects(method, elsewhere, secret), raw(kind)].concat()
}

/// The answers that the portal loses, and the ones that it does not.
fn losses() -> Vec<Row> {
    use Means::{Success, Unknown};
    let mut rows = vec![
        row(Success, "normal", Answer::Normal),
        row(Success, "slow", Answer::Slow(secs(20))),
        row(Unknown, "slower than the execution limit", Answer::Slow(secs(90))),
        row(Unknown, "reset", Answer::Reset),
        row(Unknown, "close", Answer::Close),
        row(Unknown, "silence", Answer::Silence),
        row(Unknown, "silence until the attempt timeout", Answer::SilenceFor(secs(100_000))),
        row(Unknown, "cut after 20 bytes", Answer::Cut(Cut::Bytes(20))),
        row(Unknown, "cut before the first byte", Answer::Cut(Cut::Percent(0))),
        row(Unknown, "cut in the middle", Answer::Cut(Cut::Percent(50))),
        row(Success, "cut after the last byte", Answer::Cut(Cut::Percent(100))),
        row(Unknown, "no last chunk", Answer::Cut(Cut::LastChunk)),
        row(Unknown, "more bytes announced", Answer::Cut(Cut::Announced(7))),
        row(Unknown, "head, then reset", Answer::HeadThenReset),
        row(Unknown, "head, then silence", Answer::HeadThenSilence),
        row(Success, "whole, then reset", Answer::WholeThenReset),
    ];
    rows.extend([200, 400, 403, 404, 429, 500, 502, 503, 504].map(|status| Row {
        name: format!("HTML {status}"),
        means: Unknown,
        answer: Answer::Html(status),
    }));
    rows
}

/// Error codes, each under a status that says something else where it can: the status decides nothing.
fn codes() -> Vec<Row> {
    use Means::{Business, NotApplied, Refusal, Unbounded, Unknown};
    let by_name = [
        (NotApplied, 503, "QUEUE_OVERFLOW"),
        (NotApplied, 504, "QUEUE_TIMEOUT"),
        (NotApplied, 429, "RATE_LIMITED"),
        (NotApplied, 503, "QUERY_LIMIT_EXCEEDED"),
        (NotApplied, 200, "TIMEOUT_QUARANTINE"),
        (NotApplied, 503, "LARGE_BODY_BACKEND_BUSY"),
        (Unknown, 429, "OPERATION_TIME_LIMIT"),
        (Unknown, 500, "INTERNAL_SERVER_ERROR"),
        (Unknown, 500, "ERROR_UNEXPECTED_ANSWER"),
        (Unknown, 504, "BITRIX_TIMEOUT"),
        (Unknown, 502, "BITRIX_UNAVAILABLE"),
        (Unknown, 503, "POOL_EXHAUSTED"),
        (Unknown, 200, "DB_TRANSIENT"),
        (Unknown, 429, "SERVICE_UNAVAILABLE"),
        (Unknown, 400, "NEVER_HEARD_OF"),
        (Unbounded, 503, "BH_APP_STARTING"),
        (Unbounded, 504, "BH_APP_TIMEOUT"),
        (Refusal, 403, "ACCESS_DENIED"),
        (Refusal, 401, "expired_token"),
        (Refusal, 503, "OVERLOAD_LIMIT"),
        (Refusal, 502, "TOKEN_REFRESH_FAILED"),
        (Refusal, 429, "ERROR_LOOP_DETECTED"),
        (Business, 400, "ERROR_CORE"),
        (Business, 422, "BITRIX_ERROR"),
        (Business, 400, ""),
    ];
    let mut rows: Vec<Row> = by_name
        .into_iter()
        .map(|(means, status, code)| Row {
            name: format!("code {code:?}"),
            means,
            answer: Answer::Coded(Coded::new(status, code)),
        })
        .collect();
    let odd = |status, error: Value| Answer::Coded(Coded::new(status, error).retry_after(RetryAfter::Seconds(0)));
    rows.extend([
        row(Business, "code as a number", odd(400, json!(100))),
        row(NotApplied, "code in an object", odd(504, json!({"code": "QUEUE_TIMEOUT", "message": "m"}))),
        row(Unknown, "an object without a code", odd(400, json!({"message": "m"}))),
        row(Unknown, "a code that is a list", odd(400, json!(["QUERY_LIMIT_EXCEEDED"]))),
    ]);
    rows
}

/// Redirects: only the new address of a renamed portal says anything.
fn redirects(method: &str, elsewhere: &str, secret: &str) -> Vec<Row> {
    let path = format!("/rest/1/{secret}/{method}");
    let targets = [
        (Means::Refusal, "to https of the same path", format!("https://{elsewhere}{path}")),
        (Means::Unknown, "to http of the same path", format!("http://{elsewhere}{path}")),
        (Means::Unknown, "to another host", format!("http://{elsewhere}/login")),
        (Means::Unknown, "to https of another path", format!("https://{elsewhere}/login")),
        (Means::Unknown, "to the same host", format!("/rest/1/{secret}/profile")),
        (Means::Unknown, "to itself", path),
        (Means::Unknown, "to nowhere", "http://[".to_owned()),
    ];
    let mut rows = Vec::new();
    for status in [301, 302, 303, 307, 308] {
        for (means, target, location) in &targets {
            let answer = Answer::Redirect { status, location: location.clone() };
            rows.push(row(*means, &format!("{status} {target}"), answer));
        }
    }
    rows
}

/// Bytes of our own.
fn raw(kind: OperationKind) -> Vec<Row> {
    use Means::{Success, Unknown};
    let result = match kind {
        OperationKind::Read => "[]",
        OperationKind::Write => "1",
    };
    let whole = format!(r#"{{"result":{result}}}"#);
    let of = |status, body: &str| Answer::Raw(Raw::new(status).body(body));
    let framed = |framing| Answer::Raw(Raw::new(200).body(&whole).framing(framing));
    vec![
        row(Success, "no length, connection closed", framed(Framing::UntilClose)),
        row(Success, "a byte order mark and text/html", {
            Answer::Raw(Raw::new(200).header("Content-Type", "text/html").body(format!("\u{feff}{whole}")))
        }),
        row(Success, "an unknown status and unknown fields", of(218, &format!(r#"{{"n":[1],"result":{result}}}"#))),
        row(Unknown, "complete JSON, more announced", framed(Framing::Announced(60))),
        row(Unknown, "complete JSON, no last chunk", framed(Framing::LastChunkMissing)),
        row(Unknown, "an empty body", of(200, "")),
        row(Unknown, "no content", Answer::Raw(Raw::new(204))),
        row(Unknown, "not modified", Answer::Raw(Raw::new(304))),
        row(Unknown, "a list", of(200, "[]")),
        row(Unknown, "an object that says nothing", of(200, "{}")),
        row(Unknown, "an error beside the result", of(200, &format!(r#"{{"result":{result},"error":null}}"#))),
        row(Unknown, "not UTF-8", Answer::Raw(Raw::new(200).body(b"{\"result\":\"\xff\xfe\"}"))),
        row(Unknown, "not HTTP", Answer::Raw(Raw::verbatim("SSH-2.0-OpenSSH_9.6\r\n"))),
        row(Unknown, "half a status line", Answer::Raw(Raw::verbatim("HTTP/1.1 2"))),
    ]
}
