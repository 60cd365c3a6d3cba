//! What is known of the code of an answer.

use std::time::Duration;

use retry_runtime::{Code, Decision, Horizon, OperationKind, Route, Settle, decide, horizon};

use crate::lines::labelled;

/// The default connect timeout: until then the first byte of a request may leave.
const CONNECT: Duration = Duration::from_secs(5);
/// How long the gateway may hold a call in its queue (documented).
const QUEUE: Duration = Duration::from_secs(30);

/// Explains a code: what it means, what follows for a read and a write, and until when the request may still be applied.
///
/// Codes that are the same but for their case are found; any text that nobody documents is decided as `Code::Other`.
///
/// ```
/// let text = retry_explain::code("BITRIX_TIMEOUT");
/// assert!(text.contains("up to 120 s after it was sent"), "{text}");
/// ```
pub fn code(text: &str) -> String {
    let direct = spelt(text, Code::of);
    let gateway = spelt(text, Code::of_gateway);
    let mut out = format!("{direct}\n");
    if about(&direct) == about(&gateway) {
        labelled(&mut out, "means", about(&direct));
    } else {
        labelled(&mut out, "directly", about(&direct));
        labelled(&mut out, "gateway", about(&gateway));
    }
    for (label, kind) in [("a read", OperationKind::Read), ("a write", OperationKind::Write)] {
        both(&mut out, label, follows(&direct, kind), follows(&gateway, kind));
    }
    both(&mut out, "applied", &applied(&direct, Route::Direct), &applied(&gateway, Route::Gateway));
    both(&mut out, "says", says(&direct, Route::Direct), says(&gateway, Route::Gateway));
    out
}

/// The code of this text as it is, or in capitals, or in small letters, whichever is known.
fn spelt(text: &str, of: impl Fn(&str) -> Code) -> Code {
    let spellings = [text.to_owned(), text.to_uppercase(), text.to_lowercase()];
    let known = spellings.iter().map(|text| of(text)).find(|code| !matches!(code, Code::Other(_)));
    known.unwrap_or_else(|| Code::Other(text.into()))
}

/// One line if it is the same on both ways, else one for each.
fn both(out: &mut String, label: &str, direct: &str, gateway: &str) {
    if direct == gateway {
        labelled(out, label, direct);
    } else {
        labelled(out, label, &format!("{direct} (straight from Bitrix24)"));
        labelled(out, "", &format!("{gateway} (through the Vibecode gateway)"));
    }
}

fn follows(code: &Code, kind: OperationKind) -> &'static str {
    match (decide(code, kind), code, kind) {
        (Decision::Fix, Code::ExpiredToken, _) => {
            "an OAuth client renews its token once and sends again; else it ends as Refused"
        }
        (Decision::Retry, ..) => "is sent again after a pause",
        (Decision::ReadBack, ..) => {
            "is read back first, and sent again only after its absence is proved; without a verifier it ends as InDoubt"
        }
        (Decision::Fix, Code::Business(_) | Code::BitrixError, OperationKind::Write) => {
            "is never sent again; the verifier is asked once: found is done, else Refused with effect Unknown"
        }
        (Decision::Fix, ..) => "ends as Refused: fix the cause",
    }
}

fn applied(code: &Code, route: Route) -> String {
    let found = horizon(code, route);
    let settle = match route {
        Route::Direct => Settle::cloud(),
        Route::Gateway => Settle::cloud().gateway_queue(QUEUE),
    };
    match (found, settle.lasts(found)) {
        (Horizon::Never, _) => "it was not applied, and will not be".to_owned(),
        (Horizon::Ended, Some(rest)) => {
            format!("the answer ended it: what it did may stay unseen for {} s after the answer", rest.as_secs())
        }
        (_, Some(rest)) => format!("it may be applied up to {} s after it was sent", (rest + CONNECT).as_secs()),
        (_, None) => "it may be applied at any later time, unless Settle::hosted_app names a bound".to_owned(),
    }
}

fn says(code: &Code, route: Route) -> &'static str {
    match horizon(code, route) {
        Horizon::Never => "that nothing happened",
        Horizon::Ended | Horizon::SettleTime | Horizon::Unbounded => "not whether it happened",
    }
}

fn about(code: &Code) -> &'static str {
    match code {
        Code::QueueOverflow => "the gateway's queue was full, and the call was not taken",
        Code::QueueTimeout => "the call waited too long in the gateway's queue, and left it unsent",
        Code::RateLimited => "refused by the rate limit of the gateway or the portal",
        Code::QueryLimitExceeded => "the portal refused the request by its rate limit",
        Code::TimeoutQuarantine => {
            "the gateway pauses this method after an earlier timeout; of that earlier call it says nothing"
        }
        Code::LargeBodyBackendBusy => "the gateway had no room for a large body, and did not take it",
        Code::OperationTimeLimit => {
            "the method has used up its execution time; an earlier part of this call may have run"
        }
        Code::InternalServerError => "the portal failed inside while it worked on the call",
        Code::ErrorUnexpectedAnswer => "the portal could not make sense of its own answer",
        Code::BitrixTimeout => "the gateway waited for Bitrix24 in vain, and the portal may still be at work",
        Code::BitrixUnavailable => "the gateway got a server error or nothing from Bitrix24",
        Code::PoolExhausted => "a pool inside the gateway was empty, before or after the call",
        Code::DbTransient => "the gateway's database rolled back, which undoes nothing at Bitrix24",
        Code::ServiceUnavailable => "the gateway was not available",
        Code::BhAppStarting => "the hosted app is starting; its code may have seen the request all the same",
        Code::BhAppTimeout => "the hosted app did not answer in time, and may call Bitrix24 later",
        Code::BitrixError => "Bitrix24 refused for a business reason",
        Code::TokenRefreshFailed => "the gateway could not renew its token, so that the call was not made",
        Code::ErrorLoopDetected => "the gateway's circuit breaker is open for this method",
        Code::ExpiredToken => "the OAuth token has expired, and the call did not run",
        Code::Refusal(_) => "documented as a refusal before the call ran (rights, scope, address, schema, plan)",
        Code::Business(_) => {
            "documented by single methods as an error of theirs; it does not prove that nothing happened"
        }
        Code::Other(_) => "a code that is not documented: any such text is Code::Other, and its outcome is unknown",
        // The enum is open, and this crate is of the same version.
        _ => "a code that is not described here",
    }
}
