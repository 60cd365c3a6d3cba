//! An unrecognised code that comes again after a proof of absence is a refusal that nobody has documented.

use retry_runtime::Effect;
use retry_runtime::report::Ending;

use crate::support::{Fake, NewDeal, Step, about, add_deal, ending};

/// Sends and ending of a verified write that meets these steps, none of which applies it.
async fn end(steps: impl IntoIterator<Item = Step>) -> (usize, Ending) {
    let portal = Fake::new().on("crm.deal.add", steps);
    let client = portal.client().with_policy(retry_runtime::Policy::new().deadline(crate::support::secs(3_600)));
    let result = add_deal(&client, &NewDeal::of("A-1")).await;
    (portal.sends("crm.deal.add"), ending(&result))
}

fn strange() -> Step {
    Step::code("NEVER_HEARD_OF")
}

#[tokio::test(start_paused = true)]
async fn the_same_unrecognised_code_twice_ends_as_refused_after_its_own_proof() {
    let portal = Fake::new().on("crm.deal.add", vec![strange(); 10]);
    let result = add_deal(&portal.client(), &NewDeal::of("A-1")).await;
    assert_eq!((portal.sends("crm.deal.add"), ending(&result)), (2, Ending::Refused));
    let error = result.unwrap_err();
    assert_eq!(error.effect(), Effect::Absent);
    assert!(error.report().checks().last().unwrap().proves);
    assert!(about(portal.elapsed(), 180), "{:?}", portal.elapsed());
}

#[tokio::test(start_paused = true)]
async fn the_second_one_may_have_been_applied_and_is_found() {
    let portal = Fake::new().on("crm.deal.add", [strange(), strange().applied()]);
    add_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap();
    assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (2, 1));
}

#[tokio::test(start_paused = true)]
async fn two_different_ones_are_two_doubts() {
    assert_eq!(end([strange(), Step::code("NEVER_HEARD_OF_EITHER")]).await, (3, Ending::Done));
}

#[tokio::test(start_paused = true)]
async fn known_codes_and_lost_answers_may_come_again() {
    for step in [Step::lost(), Step::html(), Step::code("BITRIX_TIMEOUT"), Step::code("OPERATION_TIME_LIMIT")] {
        assert_eq!(end([step.clone(), step.clone()]).await, (3, Ending::Done), "{step:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_was_not_applied_in_between_does_not_hide_that_it_comes_again() {
    for between in [Step::code("RATE_LIMITED"), Step::not_sent()] {
        let portal = Fake::new().on("crm.deal.add", [strange(), between.clone(), strange()]);
        let client = portal.client().with_policy(retry_runtime::Policy::new().deadline(crate::support::secs(3_600)));
        let result = add_deal(&client, &NewDeal::of("A-1")).await;
        assert_eq!(ending(&result), Ending::Refused, "{between:?}");
    }
}
