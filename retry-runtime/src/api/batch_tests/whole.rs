//! What an answer to the batch as a whole says of each call.

use std::time::Duration;

use super::read;
use crate::api::batch::{BatchForm, Part};
use crate::api::tests::request;
use crate::api::{Allowance, Answer, Heard};
use crate::clock::{Clock, SystemClock};
use crate::code::Code;
use crate::transport::Version;

/// What a write and a read hear of a code of the whole batch; `None` is an unknown outcome without a code.
fn of_the_whole(form: BatchForm, code: &Code) -> [Option<Code>; 2] {
    let calls = [request("a", Version::Two), read("b", Version::Two)];
    let answer = Answer::new(Heard::Code { code: code.clone(), text: "said".into() }, SystemClock.now());
    let parts = form.split(&answer.opened(), &[&calls[0], &calls[1]]);
    [&parts[0], &parts[1]].map(|part| {
        if let Heard::Code { code, .. } = &part.answer.heard {
            return Some(code.clone());
        }
        let Heard::NoEnvelope { what } = &part.answer.heard else { panic!("{part:?}") };
        assert!(what.contains(code.as_str()) && what.contains("said"), "{what}");
        None
    })
}

#[test]
fn p3_the_code_of_a_whole_batch_closes_a_write_only_where_none_had_run() {
    for (text, direct, gateway) in [
        ("QUEUE_OVERFLOW", true, true),
        ("QUEUE_TIMEOUT", true, true),
        ("LARGE_BODY_BACKEND_BUSY", true, true),
        ("TIMEOUT_QUARANTINE", true, true),
        ("TOKEN_REFRESH_FAILED", true, true),
        ("expired_token", true, true),
        ("QUERY_LIMIT_EXCEEDED", true, false),
        ("RATE_LIMITED", false, false),
        ("OPERATION_TIME_LIMIT", false, true),
        ("INTERNAL_SERVER_ERROR", false, true),
        ("BITRIX_ERROR", false, false),
        ("ERROR_LOOP_DETECTED", false, false),
        ("ERROR_BATCH_LENGTH_EXCEEDED", false, true),
        ("ERROR_BATCH_METHOD_NOT_ALLOWED", false, true),
        // These leave the outcome open by themselves.
        ("BITRIX_TIMEOUT", true, true),
        ("BITRIX_UNAVAILABLE", true, true),
        ("POOL_EXHAUSTED", true, true),
        ("DB_TRANSIENT", true, true),
        ("SERVICE_UNAVAILABLE", true, true),
        ("BH_APP_TIMEOUT", true, true),
        ("NEWS", true, true),
    ] {
        let (rest, vibe) = (Code::of(text), Code::of_gateway(text));
        assert_eq!(of_the_whole(BatchForm::Rest2, &rest), [direct.then(|| rest.clone()), Some(rest)], "{text}");
        assert_eq!(of_the_whole(BatchForm::Vibe, &vibe), [gateway.then(|| vibe.clone()), Some(vibe)], "{text}");
    }
    for refusal in ["insufficient_scope", "ACCESS_DENIED", "NO_AUTH_FOUND"].map(Code::of) {
        assert_eq!(of_the_whole(BatchForm::Rest2, &refusal), [Some(refusal.clone()), Some(refusal)]);
    }
    let denied = Code::of_gateway("ACCESS_DENIED");
    assert_eq!(of_the_whole(BatchForm::Vibe, &denied), [None, Some(denied)], "Bitrix24 may say it of one call");
}

#[test]
fn other_answers_to_the_whole_are_the_answer_for_each() {
    let calls = [request("a", Version::Two), read("b", Version::Two)];
    for heard in [
        Heard::Moved { host: "new.example".into() },
        Heard::TokenRenewed,
        Heard::NoToken { why: "x".into(), passing: true },
        Heard::NoEnvelope { what: "a page".into() },
    ] {
        let hint = Some(std::time::Duration::from_secs(9));
        let answer = Answer { hint, status: Some(503), ..Answer::new(heard.clone(), SystemClock.now()) };
        for part in BatchForm::Rest2.split(&answer, &[&calls[0], &calls[1]]) {
            assert_eq!(format!("{:?}", part.answer.heard), format!("{heard:?}"));
            assert_eq!((part.answer.hint, part.answer.status), (hint, Some(503)));
        }
    }
}

#[test]
fn what_is_said_of_the_envelope_alone_is_said_of_no_call() {
    let calls = [request("a", Version::Two), read("b", Version::Two)];
    let heard = Heard::Code { code: Code::of("QUERY_LIMIT_EXCEEDED"), text: "said".into() };
    let allowance = Allowance { remaining: 3, resets_in: Duration::from_secs(9) };
    let whole = Answer { allowance: Some(allowance), replayed: true, ..Answer::new(heard, SystemClock.now()) };
    for Part { answer, .. } in BatchForm::Rest2.split(&whole, &[&calls[0], &calls[1]]) {
        assert!(answer.allowance.is_none() && !answer.replayed);
    }
}
