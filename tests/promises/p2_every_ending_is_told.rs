//! P2: the observer hears of each call once, and of what a dropped call leaves behind.

use std::time::Duration;

use retry_runtime::Client;
use retry_runtime::report::{Ending, MayBeApplied, Outcome};
use serde_json::json;
use tokio::time::timeout;

use crate::support::{
    Fake, Judged, NewDeal, OriginKey, Says, Seen, Step, Told, add_deal, add_judged, add_keyed_deal, ensure_deal,
    list_deals, millis, secs,
};

fn watched(portal: &Fake) -> (Client, Seen) {
    let seen = Seen::default();
    (portal.builder().observer(seen.clone()).build().unwrap(), seen)
}

/// Makes a call and drops it after so long.
async fn drop_after<T>(time: Duration, call: impl Future<Output = T>) {
    assert!(timeout(time, call).await.is_err(), "the call ended before it could be dropped");
}

#[tokio::test(start_paused = true)]
async fn p2_each_ending_is_told_once() {
    let endings = [
        (Step::honest(), Ending::Done),
        (Step::lost().applied(), Ending::Found),
        (Step::code("ACCESS_DENIED"), Ending::Refused),
        (Step::result(&json!(true)), Ending::Undecodable),
    ];
    for (step, ending) in endings {
        let portal = Fake::new().on("crm.deal.add", [step]);
        let (client, seen) = watched(&portal);
        let deal = Judged::new("A-1", if ending == Ending::Found { vec![] } else { vec![Says::Absent] });
        let _ = add_judged(&client, &deal).await;
        assert_eq!(seen.told(), [Told::Finished], "{ending:?}");
        assert_eq!(seen.only(Told::Finished).ending(), ending);
    }
    let endings = [
        (Step::code("ERROR_CORE"), Says::Unreliable("test"), Ending::Refused),
        (Step::lost(), Says::Unreliable("test"), Ending::InDoubt),
        (Step::lost(), Says::Multiple(vec![1, 2]), Ending::Duplicated),
    ];
    for (step, says, ending) in endings {
        let portal = Fake::new().on("crm.deal.add", [step]);
        let (client, seen) = watched(&portal);
        add_judged(&client, &Judged::new("A-1", [says])).await.unwrap_err();
        assert_eq!(seen.told(), [Told::Finished]);
        assert_eq!(seen.only(Told::Finished).ending(), ending);
    }
}

#[tokio::test(start_paused = true)]
async fn p2_a_success_is_told_with_its_send() {
    let portal = Fake::new();
    let (client, seen) = watched(&portal);
    add_deal(&client, &NewDeal::of("A-1")).await.unwrap();
    let report = seen.only(Told::Finished);
    assert_eq!(report.attempts().len(), 1);
    assert_eq!(report.attempts()[0].outcome, Outcome::Success);
    assert_eq!(report.may_be_applied(), MayBeApplied::No);
}

#[tokio::test(start_paused = true)]
async fn p2_read_backs_are_part_of_their_write_and_no_calls_of_their_own() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost()]).on("crm.deal.list", [Step::html()]);
    let (client, seen) = watched(&portal);
    add_deal(&client, &NewDeal::of("A-1")).await.unwrap();
    let report = seen.only(Told::Finished);
    let reads: usize = report.checks().iter().map(|check| check.reads.len()).sum();
    assert_eq!(reads, portal.sends("crm.deal.list"), "each read on the wire is in the report");
    assert!(portal.received().iter().filter(|request| request.method == "crm.deal.list").all(|read| read.read_back));
}

#[tokio::test(start_paused = true)]
async fn p2_dropped_while_it_waited_for_its_turn_a_call_was_never_sent() {
    let portal = Fake::new().on("crm.deal.add", [Step::honest().waits(secs(10))]);
    let (client, seen) = watched(&portal);
    drop_after(secs(3), add_deal(&client, &NewDeal::of("A-1"))).await;
    tokio::time::sleep(secs(60)).await;
    let report = seen.only(Told::Dropped);
    assert_eq!(report.may_be_applied(), MayBeApplied::No);
    assert!(matches!(&report.attempts()[0].outcome, Outcome::NotSent { why } if why.contains("dropped the call")));
    assert_eq!(report.attempts()[0].sent_at, None);
    assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (0, 0));
    assert_eq!(seen.told(), [Told::Dropped], "there is no late answer to a call that was never sent");
}

#[tokio::test(start_paused = true)]
async fn p2_dropped_while_it_waited_for_its_key_a_call_was_never_sent() {
    let portal = Fake::new().on("crm.deal.add", [Step::honest().takes(secs(50))]);
    let (client, seen) = watched(&portal);
    let deal = NewDeal::of("A-1");
    let first = tokio::spawn({
        let (client, deal) = (client.clone(), deal.clone());
        async move { add_keyed_deal(&client, &deal).await }
    });
    tokio::task::yield_now().await;
    drop_after(secs(3), add_keyed_deal(&client, &deal)).await;
    let report = seen.only(Told::Dropped);
    assert!(report.attempts().is_empty());
    assert_eq!(report.may_be_applied(), MayBeApplied::No);
    first.await.unwrap().unwrap();
    assert_eq!(portal.sends("crm.deal.add"), 1);
}

#[tokio::test(start_paused = true)]
async fn p2_dropped_in_flight_a_write_goes_on_and_its_answer_is_told() {
    let portal = Fake::new().on("crm.deal.add", [Step::honest().takes(secs(8))]);
    let (client, seen) = watched(&portal);
    drop_after(secs(3), add_keyed_deal(&client, &NewDeal::of("A-1"))).await;
    let report = seen.only(Told::Dropped);
    assert_eq!((report.ending(), report.key()), (Ending::Dropped, Some("A-1")));
    assert!(matches!(report.may_be_applied(), MayBeApplied::Until(_)), "what was known then");
    assert_eq!(report.attempts()[0].sent_at, Some(report.started()), "when it left was known, and the answer was not");
    assert!(report.to_string().contains("the answer is still to come"), "{report}");
    tokio::time::sleep(secs(10)).await;
    assert_eq!(seen.told(), [Told::Dropped, Told::AnsweredLate]);
    let late = seen.only(Told::AnsweredLate);
    assert_eq!(late.attempts().len(), 1);
    assert_eq!(late.attempts()[0].outcome, Outcome::Success);
    assert_eq!(late.attempts()[0].took, secs(8));
    assert_eq!(late.may_be_applied(), MayBeApplied::No);
    assert_eq!(portal.effects("crm.deal.add"), 1);
}

#[tokio::test(start_paused = true)]
async fn p2_dropped_in_flight_a_write_whose_answer_is_lost_says_until_when() {
    let portal = Fake::new().on("crm.deal.add", [Step::silence().applied_late(secs(20))]);
    let (client, seen) = watched(&portal);
    drop_after(secs(3), add_keyed_deal(&client, &NewDeal::of("A-1"))).await;
    tokio::time::sleep(secs(70)).await;
    let late = seen.only(Told::AnsweredLate);
    assert!(matches!(late.attempts()[0].outcome, Outcome::Lost { .. }));
    let until = late.started() + secs(90);
    assert_eq!(late.may_be_applied(), MayBeApplied::Until(until));
}

#[tokio::test(start_paused = true)]
async fn p2_dropped_in_flight_after_a_long_wait_for_its_turn_a_write_still_counts() {
    // It leaves after 200 s, and is dropped 10 s later: it may be applied for as long as any other that was just sent.
    let portal = Fake::new().on("crm.deal.add", [Step::silence().waits(secs(200)).applied_late(secs(20))]);
    let (client, seen) = watched(&portal);
    drop_after(secs(210), add_keyed_deal(&client, &NewDeal::of("A-1"))).await;
    let report = seen.only(Told::Dropped);
    assert_eq!(report.may_be_applied(), MayBeApplied::Until(report.started() + secs(200 + 65 + 85)));
    add_keyed_deal(&client, &NewDeal::of("A-1")).await.unwrap();
    assert!(portal.times("crm.deal.add")[1] >= secs(290), "its key stayed closed");
}

#[tokio::test(start_paused = true)]
async fn p2_dropped_in_a_settle_wait_a_write_says_what_was_sent_and_until_when_it_counts() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost().applied_late(secs(60))]);
    let (client, seen) = watched(&portal);
    drop_after(secs(30), add_deal(&client, &NewDeal::of("A-1"))).await;
    let report = seen.only(Told::Dropped);
    assert_eq!(report.attempts().len(), 1);
    assert!(!report.checks().is_empty());
    assert_eq!(report.may_be_applied(), MayBeApplied::Until(report.started() + secs(90)));
    tokio::time::sleep(secs(600)).await;
    assert_eq!(seen.told(), [Told::Dropped], "nobody goes on for it");
    assert_eq!(portal.sends("crm.deal.add"), 1);
}

#[tokio::test(start_paused = true)]
async fn p2_dropped_in_a_read_back_a_write_says_what_was_sent() {
    let portal =
        Fake::new().on("crm.deal.add", [Step::lost().applied()]).on("crm.deal.list", [Step::honest().takes(secs(50))]);
    let (client, seen) = watched(&portal);
    drop_after(secs(10), add_deal(&client, &NewDeal::of("A-1"))).await;
    let report = seen.only(Told::Dropped);
    assert_eq!((report.method(), report.attempts().len()), ("crm.deal.add", 1));
    assert!(matches!(report.may_be_applied(), MayBeApplied::Until(_)));
}

#[tokio::test(start_paused = true)]
async fn p2_dropped_in_the_pause_after_a_refusal_by_rate_a_write_was_not_applied() {
    let portal = Fake::new().on("crm.deal.add", [Step::code("RATE_LIMITED").asks_to_wait(secs(20))]);
    let (client, seen) = watched(&portal);
    drop_after(secs(5), add_deal(&client, &NewDeal::of("A-1"))).await;
    let report = seen.only(Told::Dropped);
    assert_eq!(report.may_be_applied(), MayBeApplied::No);
    tokio::time::sleep(secs(600)).await;
    assert_eq!(portal.effects("crm.deal.add"), 0);
}

#[tokio::test(start_paused = true)]
async fn p2_dropped_before_its_first_send_an_ensured_write_was_not_sent() {
    let portal = Fake::new().on("crm.deal.list", [Step::honest().takes(secs(50))]);
    let (client, seen) = watched(&portal);
    drop_after(secs(10), ensure_deal(&client, &NewDeal::of("A-1"))).await;
    let report = seen.only(Told::Dropped);
    assert!(report.attempts().is_empty());
    assert_eq!(report.may_be_applied(), MayBeApplied::No);
    tokio::time::sleep(secs(600)).await;
    assert_eq!(portal.sends("crm.deal.add"), 0);
}

#[tokio::test(start_paused = true)]
async fn p2_a_dropped_read_is_told_as_well() {
    let portal = Fake::new().on("crm.deal.list", [Step::honest().takes(secs(50))]);
    let (client, seen) = watched(&portal);
    drop_after(secs(10), list_deals(&client, &OriginKey::of("A-1"))).await;
    assert_eq!(seen.only(Told::Dropped).may_be_applied(), MayBeApplied::No);
}

#[tokio::test(start_paused = true)]
async fn p2_a_drop_at_any_moment_is_told_once_and_truly() {
    for after in (0..1_300).map(|tick| millis(tick * 97 + 1)) {
        let portal = Fake::new().on(
            "crm.deal.add",
            [Step::code("RATE_LIMITED"), Step::lost().takes(secs(2)), Step::honest().takes(secs(8))],
        );
        let (client, seen) = watched(&portal);
        let ended = timeout(after, add_deal(&client, &NewDeal::of("A-1"))).await;
        tokio::time::sleep(secs(600)).await;
        let ends = seen.told().iter().filter(|told| **told != Told::AnsweredLate).count();
        assert_eq!(ends, 1, "dropped after {after:?}: {:?}", seen.told());
        if let Ok(result) = ended {
            assert_eq!(result.map_err(|error| error.effect()), Ok(retry_runtime::Id(1)));
        } else {
            let (_, last) = seen.all().pop().unwrap();
            let answered = last.attempts().iter().any(|attempt| attempt.outcome == Outcome::Success);
            assert_eq!(answered, portal.effects("crm.deal.add") == 1, "dropped after {after:?}: {last:?}");
        }
    }
}
