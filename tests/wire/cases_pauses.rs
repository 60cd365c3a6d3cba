//! The cases about the pause that a server asks for.

use std::time::{Duration, SystemTime};

use retry_portal::{Answer, Coded, Fault, RetryAfter};
use retry_runtime::{CallError, Effect, Report};
use serde_json::json;

use crate::support::{NewDeal, OriginKey, Seen, Told, add_deal, client, list_deals, millis, policy, scripted, secs};

/// A read that is refused once by this, and then answered: its report, and the time between its two requests.
async fn refused_once(coded: Coded) -> (Report, Duration) {
    let portal = scripted("crm.deal.list", [Fault::never(Answer::Coded(coded))]).await;
    let seen = Seen::default();
    let client = client(&portal.webhook_url()).observer(seen.clone()).build().unwrap();
    list_deals(&client, &OriginKey::of("x")).await.unwrap();
    let sent: Vec<_> = portal.requests().iter().map(|request| request.since_start).collect();
    assert_eq!(sent.len(), 2);
    (seen.only(Told::Finished), sent[1].checked_sub(sent[0]).unwrap())
}

fn busy() -> Coded {
    Coded::new(503, "SERVICE_UNAVAILABLE")
}

#[tokio::test]
async fn case_b71_the_pause_that_the_server_asks_for_is_kept() {
    let ahead = RetryAfter::Date(secs(1));
    let rows = [
        (busy().retry_after(RetryAfter::Seconds(1)), secs(1)),
        (busy().retry_after_in_body(1), secs(1)),
        (busy().retry_after(RetryAfter::Seconds(1)).retry_after_in_body(2), secs(2)),
        (busy().retry_after(RetryAfter::Seconds(2)).retry_after_in_body(1), secs(2)),
        // HTTP dates have whole seconds: the answer's own Date may be up to one ahead of its moment.
        (busy().retry_after(ahead), secs(1)),
    ];
    let all = rows.map(|(coded, least)| tokio::spawn(async move { (refused_once(coded).await, least) }));
    for row in all {
        let ((report, waited), least) = row.await.unwrap();
        assert!(waited >= least, "{waited:?} of {least:?}\n{report}");
        assert!(report.attempts()[0].hint >= Some(least), "{report}");
    }
}

/// It says when, not whether: an unknown outcome of a write is read back first.
#[tokio::test]
async fn case_b71_a_pause_does_not_permit_to_send_a_write_again() {
    let fault = Fault::before(Answer::Coded(busy().retry_after(RetryAfter::Seconds(1))));
    let portal = scripted("crm.deal.add", [fault]).await;
    let client = client(&portal.webhook_url()).build().unwrap();
    add_deal(&client, &NewDeal::of("x")).await.unwrap();
    assert_eq!((portal.count("crm.deal.add"), portal.records("deal").len()), (1, 1));
}

#[tokio::test]
async fn case_b73_a_date_counts_from_the_date_of_the_answer() {
    // The server's clock is an hour behind: its own date is what the pause counts from.
    #[expect(clippy::disallowed_methods, reason = "a server that is wrong about the time of the machine")]
    let wrong = SystemTime::now() - secs(3_600);
    let date = httpdate::fmt_http_date;
    let of = |ahead: i64| {
        let until = if ahead < 0 { wrong - secs(ahead.unsigned_abs()) } else { wrong + secs(ahead.unsigned_abs()) };
        busy().header("Date", date(wrong)).retry_after(RetryAfter::Text(date(until)))
    };
    let (report, waited) = refused_once(of(2)).await;
    assert_eq!(report.attempts()[0].hint, Some(secs(2)), "{report}");
    assert!(waited >= secs(2), "{waited:?}");
    for nothing in [
        of(-600),
        busy().retry_after(RetryAfter::Text("-5".into())),
        busy().retry_after(RetryAfter::Text("soon".into())),
    ] {
        let (report, _) = refused_once(nothing).await;
        assert!(report.attempts()[0].pause <= Some(millis(50)), "backoff only: {report}");
    }
}

#[tokio::test]
async fn case_b74_a_pause_beyond_the_deadline_ends_the_call_at_once() {
    for pause in [json!(86_400), json!("86400000000000000000000")] {
        let coded = Coded::new(504, json!({"code": "QUEUE_TIMEOUT", "retryAfter": pause}));
        let portal = scripted("crm.deal.add", [Fault::never(Answer::Coded(coded))]).await;
        let client = client(&portal.webhook_url()).policy(policy().deadline(secs(120))).build().unwrap();
        let error = add_deal(&client, &NewDeal::of("x")).await.unwrap_err();
        assert!(matches!(error, CallError::Exhausted(_)), "{error}");
        assert!(error.retry_after().unwrap() >= secs(86_000), "{error}");
        assert_eq!((error.effect(), portal.requests().len()), (Effect::Absent, 1));
        assert!(error.report().elapsed() < secs(60), "{error}");
    }
}
