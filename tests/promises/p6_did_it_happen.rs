//! P6: every error answers the question "did it happen?", and the answer is true.

use retry_runtime::report::Ending::{self, Duplicated, Exhausted, InDoubt, Invalid, Refused, Undecodable};
use retry_runtime::{CallError, Effect, Id, Policy};
use serde_json::json;

use crate::support::{
    Fake, Judged, NewDeal, OriginKey, Says, Step, add_blind_deal, add_judged, ending, ensure_judged, list_deals, secs,
};

fn usual() -> Policy {
    Policy::new().deadline(secs(300))
}

/// The end of a write whose sends meet a step and whose verifier, if there is one, always says the same.
async fn write(step: &Step, says: Option<Says>, policy: Policy) -> Result<Id, CallError> {
    let portal = Fake::new().on("crm.deal.add", vec![step.clone(); 10]);
    let client = portal.client().with_policy(policy);
    match says {
        Some(says) => add_judged(&client, &Judged::new("A-1", vec![says; 100])).await,
        None => add_blind_deal(&client, &NewDeal::of("A-1")).await,
    }
}

/// Fails unless the call ended so, and says so.
#[track_caller]
fn ends(result: &Result<Id, CallError>, as_: Ending, effect: Effect) {
    assert_eq!(ending(result), as_);
    let error = result.as_ref().unwrap_err();
    assert_eq!(error.effect(), effect, "{error}");
    let words = match effect {
        Effect::Absent => "did it happen: no\n",
        Effect::Present => "did it happen: yes\n",
        Effect::Unknown => "did it happen: unknown",
    };
    assert!(error.to_string().contains(words), "{error}");
}

#[tokio::test(start_paused = true)]
async fn p6_what_was_refused_before_it_ran_is_absent() {
    for step in [Step::code("insufficient_scope"), Step::code("TOKEN_REFRESH_FAILED"), Step::moved()] {
        for says in [None, Some(Says::Absent)] {
            ends(&write(&step, says, usual()).await, Refused, Effect::Absent);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn p6_a_business_error_is_unknown_as_nobody_can_prove_that_nothing_happened() {
    for code in ["", "0", "ERROR_CORE", "BITRIX_ERROR", "NOT_FOUND"] {
        for says in [None, Some(Says::Absent), Some(Says::Unreliable("test"))] {
            ends(&write(&Step::code(code), says, usual()).await, Refused, Effect::Unknown);
        }
        assert_eq!(write(&Step::code(code), Some(Says::Found(5)), usual()).await.unwrap(), Id(5));
    }
}

#[tokio::test(start_paused = true)]
async fn p6_what_ran_out_of_safe_retries_is_absent() {
    for step in [Step::code("RATE_LIMITED"), Step::not_sent()] {
        ends(&write(&step, None, usual()).await, Exhausted, Effect::Absent);
    }
}

#[tokio::test(start_paused = true)]
async fn p6_what_was_proved_absent_is_absent_when_the_attempts_are_used_up() {
    let result = write(&Step::lost(), Some(Says::Absent), usual().attempts(1)).await;
    ends(&result, Exhausted, Effect::Absent);
}

#[tokio::test(start_paused = true)]
async fn p6_what_was_lost_and_not_settled_is_unknown() {
    ends(&write(&Step::lost(), None, usual()).await, InDoubt, Effect::Unknown);
    ends(&write(&Step::lost(), Some(Says::Unreliable("test")), usual()).await, InDoubt, Effect::Unknown);
    ends(&write(&Step::lost(), Some(Says::Absent), usual().deadline(secs(60))).await, InDoubt, Effect::Unknown);
}

#[tokio::test(start_paused = true)]
async fn p6_what_is_there_twice_is_present() {
    ends(&write(&Step::lost(), Some(Says::Multiple(vec![1, 2])), usual()).await, Duplicated, Effect::Present);
}

#[tokio::test(start_paused = true)]
async fn p6_a_success_that_does_not_fit_is_present_unless_it_says_nothing() {
    for (value, effect) in [
        (json!({"a": 1}), Effect::Present),
        (json!(true), Effect::Present),
        (json!("x"), Effect::Present),
        (json!(false), Effect::Unknown),
        (json!(null), Effect::Unknown),
        (json!(""), Effect::Unknown),
        (json!([]), Effect::Unknown),
        (json!({}), Effect::Unknown),
    ] {
        for says in [None, Some(Says::Absent)] {
            ends(&write(&Step::result(&value), says, usual()).await, Undecodable, effect);
        }
        assert_eq!(write(&Step::result(&value), Some(Says::Found(5)), usual()).await.unwrap(), Id(5));
    }
}

#[tokio::test(start_paused = true)]
async fn p6_the_effect_of_a_read_is_absent_however_it_ends() {
    for step in [Step::code("ERROR_CORE"), Step::code("insufficient_scope"), Step::lost(), Step::result(&json!(1))] {
        let portal = Fake::new().on("crm.deal.list", vec![step; 4]);
        let error = list_deals(&portal.client(), &OriginKey::of("A-1")).await.unwrap_err();
        assert_eq!(error.effect(), Effect::Absent, "{error}");
    }
}

#[tokio::test(start_paused = true)]
async fn p6_what_was_not_sent_because_it_could_not_be_looked_for_is_absent() {
    let portal = Fake::new();
    let deal = Judged::new("A-1", [Says::Unreliable("the filter was ignored")]);
    let result = ensure_judged(&portal.client(), &deal).await;
    ends(&result, Invalid, Effect::Absent);
    let portal = Fake::new().on("crm.deal.list", vec![Step::code("ACCESS_DENIED"); 100]);
    let result = ensure_judged(&portal.client(), &Judged::new("A-1", [])).await;
    ends(&result, Exhausted, Effect::Absent);
    assert_eq!(portal.sends("crm.deal.add"), 0);
}

#[test]
fn p6_a_call_outside_a_runtime_ends_and_is_absent() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    let (portal, client) = runtime.block_on(async {
        let portal = Fake::new();
        (portal.clone(), portal.client())
    });
    drop(runtime);
    let deal = NewDeal::of("A-1");
    let call = std::pin::pin!(add_blind_deal(&client, &deal));
    let std::task::Poll::Ready(result) = call.poll(&mut std::task::Context::from_waker(std::task::Waker::noop()))
    else {
        panic!("it waits for a runtime that is not there");
    };
    ends(&result, Invalid, Effect::Absent);
    assert_eq!(portal.received().len(), 0);
}

#[tokio::test(start_paused = true)]
async fn p6_no_error_says_absent_of_what_is_there() {
    // Each ending with an effect that is there or comes late: never Absent.
    for step in [Step::lost(), Step::html(), Step::code("ERROR_CORE"), Step::code("BH_APP_TIMEOUT"), Step::silence()] {
        for late in [0, 10, 60] {
            let step = step.clone().applied_late(secs(late));
            for deadline in [1, 20, 70, 300] {
                let policy = usual().deadline(secs(deadline));
                for says in [None, Some(Says::Absent), Some(Says::Unreliable("test"))] {
                    // A verifier that lies beyond the settle time could not be told from a proof.
                    let lies = matches!(says, Some(Says::Absent)) && deadline > 90;
                    if let (Err(error), false) = (write(&step, says, policy).await, lies) {
                        assert_ne!(error.effect(), Effect::Absent, "{error}");
                    }
                }
            }
        }
    }
}
