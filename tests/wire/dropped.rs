//! A caller that goes away stops waiting, not sending: the write arrives once, and the observer hears of its end.

use std::time::Duration;

use retry_portal::{Answer, Fault, Portal};
use retry_runtime::Client;
use retry_runtime::report::{Ending, Finding, MayBeApplied, Outcome};

use crate::support::{NewDeal, Seen, Told, add_blind_deal, add_deal, millis, observed, portal, scripted, secs};

/// How often the deal of this order was asked for.
fn arrived(portal: &Portal, order: &str) -> usize {
    let adds = portal.requests().into_iter().filter(|request| request.method == "crm.deal.add");
    adds.filter(|request| request.params["fields"]["ORIGIN_ID"] == order).count()
}

/// Waits until the observer has heard the end of this many calls, a late answer included.
async fn ends(seen: &Seen, calls: usize) {
    let over = |told: &(Told, retry_runtime::Report)| match told {
        (Told::Finished | Told::AnsweredLate, _) => true,
        (Told::Dropped, report) => report.may_be_applied() == MayBeApplied::No,
        (Told::Distrusted, _) => false,
    };
    for _ in 0..2_000 {
        if seen.all().iter().filter(|told| over(told)).count() >= calls {
            return;
        }
        tokio::time::sleep(millis(5)).await;
    }
    panic!("no end was heard of: {:?}", seen.all());
}

/// One call is dropped after this time, while the portal works for 200 ms.
async fn dropped_after(wait: Duration) {
    let portal = scripted("crm.deal.add", [Fault::before(Answer::Slow(secs(20)))]).await;
    let (client, seen) = observed(&portal.webhook_url());
    let outcome = tokio::time::timeout(wait, add_blind_deal(&client, &NewDeal::of("x"))).await;
    ends(&seen, 1).await;
    let story = format!("{wait:?}: {:?}", seen.all());
    let arrived = arrived(&portal, "x");
    match (outcome, seen.told().as_slice()) {
        (Ok(answered), [Told::Finished]) => {
            answered.unwrap();
            assert_eq!(arrived, 1, "{story}");
        }
        (Err(_), [Told::Dropped]) => {
            // It was withdrawn in time, or its answer had come and lay there unheard.
            let report = seen.only(Told::Dropped);
            let outcome = &report.attempts()[0].outcome;
            let withdrawn = matches!(outcome, Outcome::NotSent { .. });
            assert!(withdrawn || *outcome == Outcome::Success, "{story}");
            assert_eq!(arrived, usize::from(!withdrawn), "{story}");
        }
        (Err(_), [Told::Dropped, Told::AnsweredLate]) => {
            let then = seen.only(Told::Dropped);
            assert_eq!((then.ending(), then.attempts().len()), (Ending::Dropped, 1), "{story}");
            assert!(matches!(then.attempts()[0].outcome, Outcome::Lost { .. }), "still on its way: {story}");
            assert!(matches!(then.may_be_applied(), MayBeApplied::Until(_)), "{story}");
            let late = seen.only(Told::AnsweredLate);
            assert_eq!((late.attempts().len(), &late.attempts()[0].outcome), (1, &Outcome::Success), "{story}");
            assert_eq!((late.may_be_applied(), arrived), (MayBeApplied::No, 1), "{story}");
        }
        (_, told) => panic!("{told:?}: {story}"),
    }
    assert_eq!(portal.records("deal").len(), arrived, "{story}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn p2_a_write_whose_caller_goes_away_at_any_moment_arrives_at_most_once_and_is_heard_of() {
    let moments = (0..60).map(|step| Duration::from_micros(step * step * 100));
    let calls: Vec<_> = moments.map(|moment| tokio::spawn(dropped_after(moment))).collect();
    for call in calls {
        call.await.unwrap();
    }
}

/// The sender and the caller who goes away race for the wire: whoever wins, both know.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn p3_the_race_between_sending_and_going_away_has_one_winner() {
    let portal = portal().start().await.unwrap();
    let (client, seen) = observed(&portal.webhook_url());
    let call = |client: Client, order: String| async move { add_blind_deal(&client, &NewDeal::of(&order)).await };
    for round in 0..300 {
        let calling = tokio::spawn(call(client.clone(), format!("r-{round}")));
        for _ in 0..round % 30 {
            tokio::task::yield_now().await;
        }
        calling.abort();
        let _ = calling.await;
    }
    // A call that was dropped before its first poll was none.
    tokio::time::sleep(millis(300)).await;
    for (told, report) in seen.all() {
        let order: serde_json::Value = serde_json::from_slice(report.request()).unwrap();
        let arrived = arrived(&portal, order["fields"]["ORIGIN_ID"].as_str().unwrap());
        let withdrawn = report.attempts().iter().any(|attempt| matches!(attempt.outcome, Outcome::NotSent { .. }));
        let unsent = report.attempts().is_empty() && report.may_be_applied() == MayBeApplied::No;
        let expected = usize::from(!(told == Told::Dropped && (withdrawn || unsent)));
        assert_eq!(arrived, expected, "{told:?} {report}");
    }
    assert!(portal.duplicates_by("deal", "ORIGIN_ID").is_empty());
}

#[tokio::test]
async fn p2_a_caller_who_goes_away_while_the_write_is_in_doubt_leaves_what_was_known() {
    let portal = scripted("crm.deal.add", [Fault::never(Answer::Reset)]).await;
    let (client, seen) = observed(&portal.webhook_url());
    let deal = NewDeal::of("x");
    {
        let call = add_deal(&client, &deal);
        tokio::pin!(call);
        while portal.count("crm.deal.list") == 0 {
            assert!(tokio::time::timeout(millis(5), &mut call).await.is_err(), "it is in doubt for 1.7 s");
        }
        assert!(tokio::time::timeout(millis(100), &mut call).await.is_err());
    }
    let report = seen.only(Told::Dropped);
    assert!(matches!(report.attempts()[0].outcome, Outcome::Lost { .. }), "{report}");
    assert_eq!(report.checks()[0].finding, Finding::Absent, "{report}");
    assert!(matches!(report.may_be_applied(), MayBeApplied::Until(_)), "{report}");
    tokio::time::sleep(secs(2)).await;
    assert_eq!((seen.all().len(), portal.count("crm.deal.add")), (1, 1), "nobody sends for a caller who is gone");
}
