//! The codes of the Vibecode gateway: to decision, and until when the request may still be applied behind it.

use retry_runtime::OperationKind::{Read, Write};
use retry_runtime::{Code, Decision, Horizon, Route, decide, horizon};

use crate::gateway_rows::{METHODS, REFUSALS, all};
use crate::rows::Class;

/// The cells of a class: read, write, and until when it may be applied.
const fn cells(class: Class) -> (Decision, Decision, Horizon) {
    match class {
        Class::NotApplied => (Decision::Retry, Decision::Retry, Horizon::Never),
        // The gateway speaks for Bitrix24, which may still be at work.
        Class::Ended | Class::Unclear => (Decision::Retry, Decision::ReadBack, Horizon::SettleTime),
        Class::Hosted => (Decision::Retry, Decision::ReadBack, Horizon::Unbounded),
        Class::Refused => (Decision::Fix, Decision::Fix, Horizon::Never),
        Class::Business => (Decision::Fix, Decision::Fix, Horizon::Ended),
    }
}

fn lines(list: &'static str) -> Vec<&'static str> {
    list.lines().collect()
}

fn names(rows: &[(&'static str, Class)]) -> Vec<&'static str> {
    rows.iter().map(|(code, _)| *code).collect()
}

#[test]
fn each_code_of_the_gateway_is_decided_as_its_page_says() {
    for (text, class) in all() {
        let code = Code::of_gateway(text);
        assert_eq!(code.as_str(), text);
        let told = (decide(&code, Read), decide(&code, Write), horizon(&code, Route::Gateway));
        assert_eq!(told, cells(class), "{code}");
    }
}

#[test]
fn a_row_is_there_for_each_code_that_the_runtime_lists_for_the_gateway() {
    assert_eq!(lines(include_str!("../../retry-runtime/src/code/vibe_refusals.txt")), names(&REFUSALS));
    assert_eq!(lines(include_str!("../../retry-runtime/src/code/vibe_business.txt")), names(&METHODS));
}

#[test]
fn what_each_list_says_is_what_the_code_is() {
    for text in names(&REFUSALS) {
        assert_eq!(Code::of_gateway(text), Code::Refusal(text));
    }
    for text in names(&METHODS) {
        assert_eq!(Code::of_gateway(text), Code::Business(text));
    }
}

#[test]
fn no_code_of_the_gateway_is_safe_to_send_again_that_is_not_in_the_specification() {
    let again: Vec<&str> =
        all().map(|(text, _)| text).filter(|text| decide(&Code::of_gateway(text), Write) == Decision::Retry).collect();
    let safe = ["QUEUE_OVERFLOW", "QUEUE_TIMEOUT", "RATE_LIMITED", "TIMEOUT_QUARANTINE", "LARGE_BODY_BACKEND_BUSY"];
    assert_eq!(again, safe);
}

#[test]
fn a_text_that_both_services_know_means_what_the_one_that_said_it_means() {
    // Bitrix24 gives it before the call runs; the gateway passes it on from wherever it came.
    assert_eq!(Code::of("ACCESS_DENIED"), Code::Refusal("ACCESS_DENIED"));
    assert_eq!(Code::of_gateway("ACCESS_DENIED"), Code::Business("ACCESS_DENIED"));
    // The gateway gives it before the call runs; two methods of Bitrix24 give it at any time.
    assert_eq!(Code::of("INVALID_FILTER"), Code::Business("INVALID_FILTER"));
    assert_eq!(Code::of_gateway("INVALID_FILTER"), Code::Refusal("INVALID_FILTER"));
    // Methods of Bitrix24 document it; to the gateway it is a fault of its own, at any moment.
    assert_eq!(Code::of("INTERNAL_ERROR"), Code::Business("INTERNAL_ERROR"));
    assert_eq!(Code::of_gateway("INTERNAL_ERROR"), Code::Other("INTERNAL_ERROR".into()));
}
