//! The rows without a code: no envelope, lost, not sent, moved.

use retry_runtime::report::Ending::{self, Done, Exhausted, InDoubt, Refused};
use retry_runtime::{CallError, Decision, Effect};

use crate::support::{Fake, NewDeal, OriginKey, Step, about, add_blind_deal, add_deal, ending, list_deals};

type End = (usize, Ending, Option<Effect>);

/// What is expected of one of these rows.
struct Row {
    step: Step,
    /// A read that meets it once, and for ever.
    read: (End, End),
    /// A verified write that meets it once: not applied, and applied.
    verified: (End, Option<End>),
    /// A write that nobody can look for.
    unverified: End,
    /// The decision for a write, and when it is sent again.
    decision: Decision,
    again_after: Option<u64>,
}

const DONE: End = (1, Done, None);
const DONE_AGAIN: End = (2, Done, None);
const GIVEN_UP: End = (4, Exhausted, Some(Effect::Absent));
const REFUSED: End = (1, Refused, Some(Effect::Absent));
const DOUBT: End = (1, InDoubt, Some(Effect::Unknown));

fn rows() -> Vec<Row> {
    let lost = |step: Step| Row {
        step,
        read: (DONE_AGAIN, GIVEN_UP),
        verified: (DONE_AGAIN, Some(DONE)),
        unverified: DOUBT,
        decision: Decision::ReadBack,
        again_after: Some(90),
    };
    vec![
        lost(Step::html()),
        // The status takes no part.
        lost(Step::html().status(429)),
        lost(Step::html().status(504)),
        lost(Step::lost()),
        Row {
            step: Step::not_sent(),
            read: (DONE_AGAIN, GIVEN_UP),
            verified: (DONE_AGAIN, None),
            unverified: DONE_AGAIN,
            decision: Decision::Retry,
            again_after: Some(0),
        },
        Row {
            step: Step::moved(),
            read: (REFUSED, REFUSED),
            verified: (REFUSED, None),
            unverified: REFUSED,
            decision: Decision::Fix,
            again_after: None,
        },
    ]
}

/// Sends counts the attempts: one that was not sent never comes to the portal.
fn end<T>(portal: &Fake, method: &str, unsent: usize, result: &Result<T, CallError>) -> End {
    (portal.sends(method) + unsent, ending(result), result.as_ref().err().map(CallError::effect))
}

fn unsent(step: &Step, times: usize) -> usize {
    if format!("{step:?}").contains("NotSent") { times } else { 0 }
}

#[tokio::test(start_paused = true)]
async fn a_read_ends_as_its_row_says() {
    for Row { step, read: (once, for_ever), .. } in rows() {
        let portal = Fake::new().on("crm.deal.list", [step.clone()]);
        let result = list_deals(&portal.client(), &OriginKey::of("A-1")).await;
        assert_eq!(end(&portal, "crm.deal.list", unsent(&step, 1), &result), once, "{step:?}");
        let portal = Fake::new().on("crm.deal.list", vec![step.clone(); 10]);
        let result = list_deals(&portal.client(), &OriginKey::of("A-1")).await;
        assert_eq!(end(&portal, "crm.deal.list", unsent(&step, 4), &result), for_ever, "{step:?}");
        assert_eq!(result.unwrap_err().code(), None);
    }
}

#[tokio::test(start_paused = true)]
async fn a_write_ends_as_its_row_says() {
    for Row { step, verified: (absent, present), unverified, .. } in rows() {
        let deal = NewDeal::of("A-1");
        let portal = Fake::new().on("crm.deal.add", [step.clone()]);
        let result = add_deal(&portal.client(), &deal).await;
        assert_eq!(end(&portal, "crm.deal.add", unsent(&step, 1), &result), absent, "{step:?}");
        assert_eq!(portal.effects("crm.deal.add"), usize::from(result.is_ok()), "{step:?}");
        if let Some(present) = present {
            let portal = Fake::new().on("crm.deal.add", [step.clone().applied()]);
            let result = add_deal(&portal.client(), &deal).await;
            assert_eq!(end(&portal, "crm.deal.add", 0, &result), present, "{step:?}");
            assert_eq!(portal.effects("crm.deal.add"), 1, "{step:?}");
        }
        let portal = Fake::new().on("crm.deal.add", [step.clone()]);
        let result = add_blind_deal(&portal.client(), &deal).await;
        assert_eq!(end(&portal, "crm.deal.add", unsent(&step, 1), &result), unverified, "{step:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_write_is_decided_and_sent_again_as_its_row_says() {
    for Row { step, decision, again_after, .. } in rows() {
        let portal = Fake::new().on("crm.deal.add", [step.clone()]);
        let seen = crate::support::Seen::default();
        let client = portal.builder().observer(seen.clone()).build().unwrap();
        let _ = add_deal(&client, &NewDeal::of("A-1")).await;
        let report = seen.only(crate::support::Told::Finished);
        assert_eq!(report.attempts()[0].decision, Some(decision), "{step:?}");
        let last = portal.times("crm.deal.add").last().copied();
        match again_after {
            Some(after) => assert!(about(last.unwrap(), after), "{step:?}: {last:?}"),
            None => assert_eq!(report.attempts().len(), 1, "{step:?}"),
        }
    }
}
