//! Each row through the read loop.

use retry_runtime::report::Ending;
use retry_runtime::{Decision, Effect};

use crate::rows::{Class, all};
use crate::support::{Fake, OriginKey, Step, ending, list_deals, secs};

/// How many sends a read makes that meets the code each time, and how it ends.
const fn forever(class: Class) -> (usize, Ending) {
    match class {
        Class::NotApplied | Class::Ended | Class::Unclear | Class::Hosted => (4, Ending::Exhausted),
        Class::Refused | Class::Business => (1, Ending::Refused),
    }
}

#[tokio::test(start_paused = true)]
async fn a_read_that_meets_a_code_once_ends_as_its_row_says() {
    for (code, class) in all() {
        let portal = Fake::new().on("crm.deal.list", [Step::code(code)]);
        let result = list_deals(&portal.client(), &OriginKey::of("A-1")).await;
        let expected = match class {
            Class::NotApplied | Class::Ended | Class::Unclear | Class::Hosted => (2, Ending::Done),
            Class::Refused | Class::Business => (1, Ending::Refused),
        };
        assert_eq!((portal.sends("crm.deal.list"), ending(&result)), expected, "{code}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_read_that_meets_a_code_for_ever_ends_as_its_row_says() {
    for (code, class) in all() {
        let portal = Fake::new().on("crm.deal.list", vec![Step::code(code); 10]);
        let result = list_deals(&portal.client(), &OriginKey::of("A-1")).await;
        assert_eq!((portal.sends("crm.deal.list"), ending(&result)), forever(class), "{code}");
        let error = result.unwrap_err();
        assert_eq!((error.effect(), error.code().map(retry_runtime::Code::as_str)), (Effect::Absent, Some(code)));
        let decided = if forever(class).0 == 1 { Decision::Fix } else { Decision::Retry };
        assert!(error.report().attempts().iter().all(|attempt| attempt.decision == Some(decided)), "{error}");
        assert!(portal.elapsed() < secs(120), "bounded pauses");
    }
}
