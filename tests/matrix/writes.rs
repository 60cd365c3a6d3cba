//! Each row through the write loop, with and without a verifier, with its effect applied and not.

use retry_runtime::report::Ending::{self, Done, Exhausted, InDoubt, Refused};
use retry_runtime::{Code, Effect, Id, report};

use crate::rows::{Class, all};
use crate::support::{Fake, NewDeal, Step, about, add_blind_deal, add_deal, ending};

/// Sends, ending, and the answer to "did it happen?" of an error.
type End = (usize, Ending, Option<Effect>);

const DONE_AT_ONCE: End = (1, Done, None);
const DONE_AFTER_A_SECOND_SEND: End = (2, Done, None);

/// The code comes once, the verifier looks, and nothing was applied.
const fn verified_and_absent(class: Class) -> End {
    match class {
        Class::NotApplied | Class::Ended | Class::Unclear => DONE_AFTER_A_SECOND_SEND,
        Class::Hosted => (1, InDoubt, Some(Effect::Unknown)),
        Class::Refused => (1, Refused, Some(Effect::Absent)),
        Class::Business => (1, Refused, Some(Effect::Unknown)),
    }
}

/// The code comes once, the verifier looks, and it was applied. A code that says "not applied" is believed.
const fn verified_and_present(class: Class) -> Option<End> {
    match class {
        Class::NotApplied | Class::Refused => None,
        Class::Ended | Class::Unclear | Class::Hosted | Class::Business => Some(DONE_AT_ONCE),
    }
}

/// The code comes once, and nobody can look.
const fn unverified(class: Class) -> End {
    match class {
        Class::NotApplied => DONE_AFTER_A_SECOND_SEND,
        Class::Ended | Class::Unclear | Class::Hosted => (1, InDoubt, Some(Effect::Unknown)),
        Class::Refused => (1, Refused, Some(Effect::Absent)),
        Class::Business => (1, Refused, Some(Effect::Unknown)),
    }
}

/// The code comes each time, the verifier looks, and nothing is ever applied.
fn for_ever(code: &str, class: Class) -> End {
    match class {
        // Pauses of seconds, or 15 s a proof: the attempts are used up first.
        Class::NotApplied | Class::Ended => (4, Exhausted, Some(Effect::Absent)),
        // The same unrecognised code twice is a refusal that nobody has documented.
        Class::Unclear if Code::of(code) == Code::Other(code.into()) => (2, Refused, Some(Effect::Absent)),
        // 90 s a proof: after the third the deadline of 300 s leaves no room for another settle time.
        Class::Unclear => (3, Exhausted, Some(Effect::Absent)),
        Class::Hosted | Class::Refused | Class::Business => verified_and_absent(class),
    }
}

fn end(portal: &Fake, result: &Result<Id, retry_runtime::CallError>) -> End {
    let effect = result.as_ref().err().map(retry_runtime::CallError::effect);
    (portal.sends("crm.deal.add"), ending(result), effect)
}

#[tokio::test(start_paused = true)]
async fn a_verified_write_that_was_not_applied_ends_as_its_row_says() {
    for (code, class) in all() {
        let portal = Fake::new().on("crm.deal.add", [Step::code(code)]);
        let result = add_deal(&portal.client(), &NewDeal::of("A-1")).await;
        assert_eq!(end(&portal, &result), verified_and_absent(class), "{code}");
        assert_eq!(portal.effects("crm.deal.add"), usize::from(result.is_ok()), "{code}");
        let looks = portal.sends("crm.deal.list");
        match class {
            Class::NotApplied | Class::Refused => assert_eq!(looks, 0, "{code}: nothing to look for"),
            Class::Business => assert_eq!(looks, 1, "{code}: asked once"),
            Class::Ended | Class::Unclear | Class::Hosted => assert!(looks > 1, "{code}: at once and later"),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_verified_write_is_sent_again_when_its_row_says() {
    for (code, class) in all() {
        let after = match class {
            Class::NotApplied => 0,
            Class::Ended => 15,
            Class::Unclear => 90,
            Class::Hosted | Class::Refused | Class::Business => continue,
        };
        let portal = Fake::new().on("crm.deal.add", [Step::code(code)]);
        add_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap();
        let second = portal.times("crm.deal.add")[1];
        assert!(about(second, after), "{code}: {second:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_verified_write_that_was_applied_ends_as_its_row_says() {
    for (code, class) in all() {
        let Some(expected) = verified_and_present(class) else { continue };
        let portal = Fake::new().on("crm.deal.add", [Step::code(code).applied()]);
        let result = add_deal(&portal.client(), &NewDeal::of("A-1")).await;
        assert_eq!(end(&portal, &result), expected, "{code}");
        assert_eq!((portal.effects("crm.deal.add"), result.unwrap()), (1, Id(1)), "{code}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_unverified_write_ends_as_its_row_says_whether_it_was_applied_or_not() {
    for (code, class) in all() {
        for applied in [false, true] {
            if applied && verified_and_present(class).is_none() {
                continue;
            }
            let step = Step::code(code);
            let portal = Fake::new().on("crm.deal.add", [if applied { step.applied() } else { step }]);
            let result = add_blind_deal(&portal.client(), &NewDeal::of("A-1")).await;
            assert_eq!(end(&portal, &result), unverified(class), "{code}, applied: {applied}");
            assert_eq!(portal.sends("crm.deal.list"), 0, "{code}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_verified_write_that_meets_a_code_for_ever_ends_as_its_row_says() {
    for (code, class) in all() {
        let portal = Fake::new().on("crm.deal.add", vec![Step::code(code); 10]);
        let result = add_deal(&portal.client(), &NewDeal::of("A-1")).await;
        assert_eq!(end(&portal, &result), for_ever(code, class), "{code}");
        let error = result.unwrap_err();
        assert_eq!(error.code().map(Code::as_str), Some(code));
        assert_eq!(error.report().attempts().len(), for_ever(code, class).0, "{error}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_error_says_until_when_as_its_row_says() {
    for (code, class) in all().filter(|(_, class)| *class != Class::NotApplied) {
        let portal = Fake::new().on("crm.deal.add", [Step::code(code)]);
        let error = add_blind_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap_err();
        let report = error.report();
        let until = |seconds, millis| {
            let time = std::time::Duration::from_secs(seconds) + std::time::Duration::from_millis(millis);
            report::MayBeApplied::Until(report.started() + time)
        };
        let expected = match class {
            Class::NotApplied | Class::Refused => report::MayBeApplied::No,
            Class::Ended | Class::Business => until(15, 100),
            Class::Unclear => until(90, 0),
            Class::Hosted => report::MayBeApplied::Unbounded,
        };
        assert_eq!(report.may_be_applied(), expected, "{code}");
    }
}
