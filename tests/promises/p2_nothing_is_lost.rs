//! P2: each call ends as done, as certainly not applied, or as in doubt with all that a person needs to settle it.

use retry_runtime::report::MayBeApplied;
use retry_runtime::{CallError, Effect, Policy, Settle};
use serde_json::json;

use crate::support::{
    Fake, Judged, NewDeal, OriginKey, Says, Step, add_blind_deal, add_deal, add_judged, add_keyed_deal, list_deals,
    secs,
};

/// Fails unless each of these is in the text.
#[track_caller]
fn says(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "`{part}` is not in:\n{text}");
    }
}

#[tokio::test(start_paused = true)]
async fn p2_a_write_that_nobody_can_verify_stops_in_doubt_at_once() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost().applied()]);
    let error = add_blind_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap_err();
    assert!(matches!(error, CallError::InDoubt(_)), "{error}");
    assert_eq!(error.effect(), Effect::Unknown);
    assert_eq!(portal.sends("crm.deal.add"), 1);
    assert!(portal.elapsed() < secs(1));
    says(&error.to_string(), &["can't be read back", "the test says so"]);
}

#[tokio::test(start_paused = true)]
async fn p2_a_doubt_tells_a_person_what_where_when_and_until_when() {
    let portal = Fake::new()
        .on("crm.deal.add", [Step::code("BITRIX_TIMEOUT").status(504).says("no answer in time")])
        .on("crm.deal.list", vec![Step::html(); 40]);
    let client = portal.client().with_policy(Policy::new().deadline(secs(60)));
    let error = add_keyed_deal(&client, &NewDeal::of("A-1")).await.unwrap_err();
    assert!(matches!(error, CallError::InDoubt(_)), "{error}");
    let text = error.to_string();
    // The portal's clock starts at 00:53:20; the send window of 5 s and 85 s of settle time follow.
    let until = "may still be applied until 2026-11-30T00:54:50.000Z";
    says(
        &text,
        &["crm.deal.add is in doubt", "did it happen: unknown", until, "what to do: look for it on the portal"],
    );
    says(&text, &["crm.deal.add (write), in doubt", "key: A-1", "began: 2026-11-30T00:53:20.000Z, took "]);
    says(&text, &["send 1, 2026-11-30T00:53:20.000Z, after 100ms: code BITRIX_TIMEOUT: no answer in time", "HTTP 504"]);
    says(&text, &["X-Request-Id req-1", "decided: read back"]);
    says(&text, &["read-back, 2026-11-30T00:53:20.100Z", "failed: crm.deal.list: ", "X-Request-Id req-2"]);
    assert_eq!(error.code().map(retry_runtime::Code::as_str), Some("BITRIX_TIMEOUT"));
    assert!(matches!(error.report().may_be_applied(), MayBeApplied::Until(_)));
}

#[tokio::test(start_paused = true)]
async fn p2_a_doubt_without_a_bound_says_so_and_how_to_state_one() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost()]);
    let client = portal.builder().settle(Settle::unbounded()).build().unwrap();
    let error = add_deal(&client, &NewDeal::of("A-1")).await.unwrap_err();
    assert!(matches!(error, CallError::InDoubt(_)), "{error}");
    says(&error.to_string(), &["may still be applied without a known end", "ClientBuilder::settle"]);
    assert_eq!(error.report().may_be_applied(), MayBeApplied::Unbounded);
}

#[tokio::test(start_paused = true)]
async fn p2_an_unreliable_read_back_says_why_it_proves_nothing() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost().applied()]);
    let deal = Judged::new("A-1", [Says::Unreliable("the row may be hidden")]);
    let error = add_judged(&portal.client(), &deal).await.unwrap_err();
    assert!(matches!(error, CallError::InDoubt(_)), "{error}");
    says(&error.to_string(), &["proves nothing: the row may be hidden", "unreliable: the row may be hidden"]);
}

#[tokio::test(start_paused = true)]
async fn p2_duplicates_are_named() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost().applied()]);
    portal.insert_deal("A-1");
    let error = add_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap_err();
    assert!(matches!(error, CallError::Duplicated(_)), "{error}");
    says(&error.to_string(), &["2 records match: Id(1), Id(2)", "did it happen: yes", "keep one"]);
}

#[tokio::test(start_paused = true)]
async fn p2_a_refusal_carries_the_words_of_the_server() {
    let portal = Fake::new().on("crm.deal.add", [Step::code("insufficient_scope").status(403).says("more rights")]);
    let error = add_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap_err();
    assert!(matches!(error, CallError::Refused(_)), "{error}");
    says(
        &error.to_string(),
        &["was refused: code insufficient_scope: more rights", "did it happen: no", "fix the cause"],
    );
}

#[tokio::test(start_paused = true)]
async fn p2_a_moved_portal_is_named_by_its_new_host() {
    let portal = Fake::new().on("crm.deal.add", [Step::moved()]);
    let error = add_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap_err();
    says(&error.to_string(), &["the portal has moved to new.example.test", "did it happen: no"]);
}

#[tokio::test(start_paused = true)]
async fn p2_a_read_that_is_given_up_has_the_time_and_id_of_each_attempt() {
    let portal = Fake::new().on("crm.deal.list", vec![Step::code("BITRIX_UNAVAILABLE").status(502); 4]);
    let error = list_deals(&portal.client(), &OriginKey::of("A-1")).await.unwrap_err();
    assert!(matches!(error, CallError::Exhausted(_)), "{error}");
    let attempts = error.report().attempts();
    assert_eq!(attempts.len(), 4);
    for (attempt, number) in attempts.iter().zip(1..) {
        assert_eq!(attempt.number, number);
        assert_eq!(attempt.request_id.as_deref(), Some(format!("req-{number}").as_str()));
        assert!(attempt.sent_at.is_some());
        assert_eq!(attempt.status, Some(502));
    }
    assert!(attempts.iter().rev().skip(1).all(|attempt| attempt.pause.is_some()), "each pause is told");
    says(&error.to_string(), &["crm.deal.list was given up", "all its 4 attempts", "support", "X-Request-Id req-4"]);
}

#[tokio::test(start_paused = true)]
async fn p2_a_result_that_does_not_fit_has_the_time_and_id_of_its_send() {
    let portal = Fake::new().on("crm.deal.add", [Step::result(&json!({"strange": true}))]);
    let error = add_blind_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap_err();
    assert!(matches!(error, CallError::Undecodable(_)), "{error}");
    says(&error.to_string(), &["did it happen: yes", "do not send it again", "send 1, 2026-11-30T00:53:20.000Z"]);
    says(&error.to_string(), &["X-Request-Id req-1"]);
}

#[tokio::test(start_paused = true)]
async fn p2_a_read_whose_result_does_not_fit_has_the_id_of_its_send() {
    let portal = Fake::new().on("crm.deal.list", [Step::result(&json!(5))]);
    let error = list_deals(&portal.client(), &OriginKey::of("A-1")).await.unwrap_err();
    assert!(matches!(error, CallError::Undecodable(_)), "{error}");
    assert_eq!(error.effect(), Effect::Absent);
    says(&error.to_string(), &["X-Request-Id req-1", "correct the type that the stub returns"]);
}

#[tokio::test(start_paused = true)]
async fn p2_an_answer_to_a_send_without_a_claim_does_not_count_as_never_sent() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost().applied().unclaimed()]);
    let error = add_blind_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap_err();
    assert!(matches!(error, CallError::InDoubt(_)), "{error}");
    assert!(!error.to_string().contains("never left"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn p2_the_request_is_there_for_a_person_and_printed_nowhere() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost()]);
    let error = add_blind_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap_err();
    assert_eq!(error.report().request(), portal.received()[0].bytes);
    for text in [error.to_string(), format!("{error:?}"), format!("{:?}", error.report())] {
        assert!(!text.contains("Order A-1"), "personal data:\n{text}");
    }
}

#[tokio::test]
async fn p2_a_call_with_impossible_arguments_ends_as_invalid() {
    #[derive(Debug, Clone, serde::Serialize)]
    struct Broken(std::collections::HashMap<(u8, u8), u8>);

    /// Creates nothing.
    #[retry_runtime::bitrix_method(name = "crm.deal.add", kind = write, unverifiable = "it is never sent")]
    async fn add_broken(client: &retry_runtime::Client, fields: &Broken) -> Result<retry_runtime::Id, CallError>;

    let portal = Fake::new();
    let error = add_broken(&portal.client(), &Broken([((1, 2), 3)].into())).await.unwrap_err();
    assert!(matches!(error, CallError::Invalid(_)), "{error}");
    assert_eq!((error.effect(), portal.received().len()), (Effect::Absent, 0));
    says(&error.to_string(), &["was not sent", "`fields` can't be written as JSON", "fix the call"]);
}
