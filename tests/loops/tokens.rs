//! An access token that has expired, as the transport tells it.

use retry_runtime::report::{Ending, Outcome};
use retry_runtime::{Decision, Effect, Id, Policy};

use crate::support::{
    Fake, NewDeal, OriginKey, Seen, Step, add_blind_deal, add_deal, ending, list_deals, millis, secs,
};

const ADD: &str = "crm.deal.add";
const LIST: &str = "crm.deal.list";

#[tokio::test(start_paused = true)]
async fn with_a_new_token_the_call_is_sent_again_at_once() {
    let portal = Fake::new().on(ADD, [Step::token_renewed()]).on(LIST, [Step::token_renewed()]);
    let seen = Seen::default();
    // Without a retry in store: it is none.
    let client = portal.builder().observer(seen.clone()).retry_budget(0).build().unwrap();
    assert_eq!(add_blind_deal(&client, &NewDeal::of("A-1")).await.unwrap(), Id(1));
    list_deals(&client, &OriginKey::of("A-1")).await.unwrap();
    for method in [ADD, LIST] {
        let times = portal.times(method);
        // The refusal itself takes 0.1 s.
        assert!(times.len() == 2 && times[1] < times[0] + millis(110), "{times:?}");
    }
    for (_, report) in seen.all() {
        let attempts = report.attempts();
        assert_eq!((attempts.len(), &attempts[0].outcome), (2, &Outcome::TokenRenewed), "counted as a send");
        assert_eq!((attempts[0].decision, attempts[0].pause), (Some(Decision::Retry), None));
    }
    let bytes: Vec<_> =
        portal.received().into_iter().filter(|sent| sent.method == ADD).map(|sent| sent.bytes).collect();
    assert_eq!(bytes[0], bytes[1], "the same parameters");
}

#[tokio::test(start_paused = true)]
async fn the_transport_is_told_once_and_for_all_that_the_token_was_renewed() {
    let portal = Fake::new().on(ADD, [Step::token_renewed(), Step::code("RATE_LIMITED"), Step::lost()]);
    add_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap();
    let sent: Vec<_> = portal.received().into_iter().filter(|sent| sent.method == ADD).collect();
    let told: Vec<bool> = sent.iter().map(|sent| sent.token_renewed).collect();
    assert_eq!(told, [false, true, true, true]);
}

#[tokio::test(start_paused = true)]
async fn attempts_bound_a_token_that_is_renewed_for_ever() {
    for attempts in [1, 4] {
        let policy = Policy::new().attempts(attempts);
        let portal = Fake::new().on(ADD, vec![Step::token_renewed(); 9]).on(LIST, vec![Step::token_renewed(); 9]);
        let client = portal.builder().policy(policy).build().unwrap();
        let write = add_deal(&client, &NewDeal::of("A-1")).await;
        let read = list_deals(&client, &OriginKey::of("A-1")).await;
        assert_eq!((ending(&write), ending(&read)), (Ending::Exhausted, Ending::Exhausted));
        assert_eq!((write.unwrap_err().effect(), read.unwrap_err().effect()), (Effect::Absent, Effect::Absent));
        assert_eq!((portal.sends(ADD), portal.sends(LIST)), (attempts as usize, attempts as usize));
    }
}

#[tokio::test(start_paused = true)]
async fn a_token_that_can_not_be_renewed_for_now_is_tried_again_within_the_limits() {
    let portal = Fake::new().on(ADD, [Step::no_token(true)]).on(LIST, [Step::no_token(true)]);
    let client = portal.client();
    add_blind_deal(&client, &NewDeal::of("A-1")).await.unwrap();
    list_deals(&client, &OriginKey::of("A-1")).await.unwrap();

    let portal = Fake::new().on(ADD, vec![Step::no_token(true); 9]).on(LIST, vec![Step::no_token(true); 9]);
    let client = portal.client();
    let write = add_blind_deal(&client, &NewDeal::of("A-1")).await;
    let read = list_deals(&client, &OriginKey::of("A-1")).await;
    assert_eq!((ending(&write), ending(&read)), (Ending::Exhausted, Ending::Exhausted));
    assert_eq!((write.unwrap_err().effect(), read.unwrap_err().effect()), (Effect::Absent, Effect::Absent));
    assert_eq!((portal.sends(ADD), portal.sends(LIST)), (4, 4));
    assert!(portal.elapsed() < secs(30));
}

#[tokio::test(start_paused = true)]
async fn a_token_that_can_not_be_renewed_at_all_refuses_the_call() {
    let portal = Fake::new().on(ADD, [Step::no_token(false)]).on(LIST, [Step::no_token(false)]);
    let client = portal.client();
    let write = add_deal(&client, &NewDeal::of("A-1")).await;
    let read = list_deals(&client, &OriginKey::of("A-1")).await;
    assert_eq!((ending(&write), ending(&read)), (Ending::Refused, Ending::Refused));
    let error = write.unwrap_err();
    assert_eq!((error.effect(), read.unwrap_err().effect()), (Effect::Absent, Effect::Absent));
    assert_eq!((portal.sends(ADD), portal.sends(LIST)), (1, 1), "nothing to look for");
    assert!(error.to_string().contains("the token server does not answer"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_read_back_renews_its_token_too() {
    let portal = Fake::new().on(ADD, [Step::lost().applied()]).on(LIST, [Step::token_renewed()]);
    assert_eq!(add_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap(), Id(1));
    assert_eq!((portal.sends(ADD), portal.sends(LIST)), (1, 2));
    assert!(portal.elapsed() < secs(1));
}

#[tokio::test(start_paused = true)]
async fn a_read_back_without_a_token_proves_nothing() {
    let portal = Fake::new().on(ADD, [Step::lost()]).on(LIST, vec![Step::no_token(false); 50]);
    let result = add_deal(&portal.client(), &NewDeal::of("A-1")).await;
    assert_eq!(ending(&result), Ending::InDoubt);
    assert_eq!((result.unwrap_err().effect(), portal.sends(ADD)), (Effect::Unknown, 1));
}
