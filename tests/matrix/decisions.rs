//! Code and kind to decision, and until when the request may still be applied.

use retry_runtime::OperationKind::{Read, Write};
use retry_runtime::{Code, Decision, Horizon, Route, decide, horizon};

use crate::rows::{Class, REFUSALS, all};

/// The cells of a class: read, write, and until when it may be applied directly and through the gateway.
const fn cells(class: Class) -> (Decision, Decision, Horizon, Horizon) {
    match class {
        Class::NotApplied => (Decision::Retry, Decision::Retry, Horizon::Never, Horizon::Never),
        Class::Ended => (Decision::Retry, Decision::ReadBack, Horizon::Ended, Horizon::SettleTime),
        Class::Unclear => (Decision::Retry, Decision::ReadBack, Horizon::SettleTime, Horizon::SettleTime),
        Class::Hosted => (Decision::Retry, Decision::ReadBack, Horizon::Unbounded, Horizon::Unbounded),
        Class::Refused => (Decision::Fix, Decision::Fix, Horizon::Never, Horizon::Never),
        // It has run its course, with an effect that lists may not show yet, or without one.
        Class::Business => (Decision::Fix, Decision::Fix, Horizon::Ended, Horizon::Ended),
    }
}

#[test]
fn each_code_is_decided_as_its_page_says() {
    for (text, class) in all() {
        let code = Code::of(text);
        assert_eq!(code.as_str(), text);
        let (read, write, direct, gateway) = cells(class);
        assert_eq!(decide(&code, Read), read, "{code} on a read");
        assert_eq!(decide(&code, Write), write, "{code} on a write");
        assert_eq!(horizon(&code, Route::Direct), direct, "{code} directly");
        assert_eq!(horizon(&code, Route::Gateway), gateway, "{code} through the gateway");
    }
}

#[test]
fn a_row_is_there_for_each_refusal_of_the_runtime() {
    let listed: Vec<&str> = include_str!("../../retry-runtime/src/code/rest_refusals.txt").lines().collect();
    let rows: Vec<&str> = REFUSALS.iter().map(|(code, _)| *code).collect();
    assert_eq!(listed, rows);
}

#[test]
fn each_documented_code_of_a_method_is_a_business_error() {
    let listed: Vec<&str> = include_str!("../../retry-runtime/src/code/rest_business.txt").lines().collect();
    assert!(listed.len() > 600);
    for text in listed {
        let code = Code::of(text);
        assert_eq!(code, Code::Business(text));
        assert_eq!((decide(&code, Read), decide(&code, Write)), (Decision::Fix, Decision::Fix), "{text}");
    }
}

#[test]
fn no_code_is_safe_to_send_again_that_is_not_in_the_table() {
    let safe: Vec<&str> = all().filter(|(_, class)| *class == Class::NotApplied).map(|(code, _)| code).collect();
    let refusals = include_str!("../../retry-runtime/src/code/rest_refusals.txt").lines();
    let business = include_str!("../../retry-runtime/src/code/rest_business.txt").lines();
    for text in refusals.chain(business).filter(|text| !safe.contains(text)) {
        assert_ne!(decide(&Code::of(text), Write), Decision::Retry, "{text}");
    }
    assert_eq!(safe.len(), 6);
}
