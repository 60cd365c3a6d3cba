//! What a read-back leads to, by what it says and when it began.

use retry_runtime::Effect;
use retry_runtime::report::{Ending, Finding};
use serde_json::json;

use crate::support::{
    Fake, Judged, NewDeal, Says, Seen, Step, Told, about, add_deal, add_judged, ending, millis, secs,
};

#[tokio::test(start_paused = true)]
async fn what_a_check_finds_becomes_the_result() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost()]);
    let seen = Seen::default();
    let client = portal.builder().observer(seen.clone()).build().unwrap();
    let id = add_judged(&client, &Judged::new("A-1", [Says::Found(77)])).await.unwrap();
    assert_eq!((id.0, portal.sends("crm.deal.add")), (77, 1));
    let report = seen.only(Told::Finished);
    assert_eq!((report.ending(), report.checks().len()), (Ending::Found, 1));
    assert_eq!(report.checks()[0].finding, Finding::Found);
}

#[tokio::test(start_paused = true)]
async fn multiple_ends_as_duplicated_with_each_id() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost()]);
    let result = add_judged(&portal.client(), &Judged::new("A-1", [Says::Multiple(vec![7, 9, 11])])).await;
    assert_eq!(ending(&result), Ending::Duplicated);
    let error = result.unwrap_err();
    assert_eq!(error.effect(), Effect::Present);
    let ids = ["Id(7)".into(), "Id(9)".into(), "Id(11)".into()];
    assert_eq!(error.report().checks()[0].finding, Finding::Multiple(ids.into()));
    assert!(error.to_string().contains("3 records match: Id(7), Id(9), Id(11)"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn unreliable_ends_at_once_whenever_it_comes() {
    for says in [vec![], vec![Says::Absent], vec![Says::Absent; 3]] {
        let portal = Fake::new().on("crm.deal.add", [Step::lost().applied_late(secs(85))]);
        let mut script = says.clone();
        script.push(Says::Unreliable("test"));
        let deal = Judged::new("A-1", script);
        let result = add_judged(&portal.client(), &deal).await;
        assert_eq!(ending(&result), Ending::InDoubt);
        assert_eq!((deal.asked(), result.unwrap_err().effect()), (says.len() + 1, Effect::Unknown));
        assert!(portal.elapsed() < secs(60));
    }
}

#[tokio::test(start_paused = true)]
async fn a_failed_check_that_began_before_the_settle_time_is_made_again() {
    // Four refusals of the read each time: the checks at once and in between fail, the later ones do not.
    let portal = Fake::new().on("crm.deal.add", [Step::lost()]).on("crm.deal.list", vec![Step::html(); 8]);
    let seen = Seen::default();
    let client = portal.builder().observer(seen.clone()).build().unwrap();
    add_deal(&client, &NewDeal::of("A-1")).await.unwrap();
    assert_eq!(portal.sends("crm.deal.add"), 2);
    let report = seen.only(Told::Finished);
    let failed = report.checks().iter().filter(|check| matches!(check.finding, Finding::Failed(_))).count();
    assert_eq!(failed, 2);
    assert!(report.checks().last().unwrap().proves);
}

#[tokio::test(start_paused = true)]
async fn a_failed_check_that_began_after_the_settle_time_ends_in_doubt() {
    let portal =
        Fake::new().on("crm.deal.add", [Step::lost()]).on("crm.deal.list", vec![Step::code("ACCESS_DENIED"); 90]);
    let result = add_deal(&portal.client(), &NewDeal::of("A-1")).await;
    assert_eq!(ending(&result), Ending::InDoubt);
    let error = result.unwrap_err();
    assert_eq!((error.effect(), portal.sends("crm.deal.add")), (Effect::Unknown, 1));
    assert!(about(portal.elapsed(), 90), "it waits for the last check and for no other: {:?}", portal.elapsed());
    assert!(error.to_string().contains("the read-back failed: crm.deal.list: code ACCESS_DENIED"), "{error}");
    // The request can't be applied any more, and still nobody knows whether it was.
    assert_eq!(error.report().may_be_applied(), retry_runtime::report::MayBeApplied::No);
}

#[tokio::test(start_paused = true)]
async fn checks_become_rarer_and_the_last_one_is_at_the_settle_time() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost()]);
    add_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap();
    let checks = portal.times("crm.deal.list");
    assert!((4..10).contains(&checks.len()), "{checks:?}");
    let gaps: Vec<_> = checks.windows(2).map(|pair| pair[1].saturating_sub(pair[0])).collect();
    assert!(gaps.windows(2).rev().skip(1).all(|pair| pair[0] < pair[1]), "{gaps:?}");
    assert!(about(*checks.last().unwrap(), 90));
}

#[tokio::test(start_paused = true)]
async fn a_business_error_is_asked_about_once() {
    for (says, expected) in [
        (Says::Absent, Some(Effect::Unknown)),
        (Says::Unreliable("test"), Some(Effect::Unknown)),
        (Says::Found(5), None),
    ] {
        let portal = Fake::new().on("crm.deal.add", [Step::code("ERROR_CORE")]);
        let deal = Judged::new("A-1", vec![says; 10]);
        let result = add_judged(&portal.client(), &deal).await;
        assert_eq!(result.map_err(|error| error.effect()).err(), expected);
        assert_eq!((deal.asked(), portal.sends("crm.deal.add")), (1, 1));
        assert!(portal.elapsed() < secs(1));
    }
    // A check that fails is not made again either.
    let portal = Fake::new()
        .on("crm.deal.add", [Step::code("ERROR_CORE").applied()])
        .on("crm.deal.list", [Step::code("ACCESS_DENIED")]);
    let result = add_deal(&portal.client(), &NewDeal::of("A-1")).await;
    assert_eq!(ending(&result), Ending::Refused);
    let error = result.unwrap_err();
    assert_eq!((error.effect(), portal.sends("crm.deal.list")), (Effect::Unknown, 1));
    assert_eq!(error.code().map(retry_runtime::Code::as_str), Some("ERROR_CORE"), "the write's code, not the read's");
}

#[tokio::test(start_paused = true)]
async fn a_business_error_beside_two_records_is_duplicated() {
    let portal = Fake::new().on("crm.deal.add", [Step::code("ERROR_CORE")]);
    let result = add_judged(&portal.client(), &Judged::new("A-1", [Says::Multiple(vec![1, 2])])).await;
    assert_eq!(ending(&result), Ending::Duplicated);
}

#[tokio::test(start_paused = true)]
async fn a_success_that_does_not_fit_is_asked_about_once() {
    for (value, effect) in [(json!({"id": 1}), Effect::Present), (json!(false), Effect::Unknown)] {
        for says in [Says::Absent, Says::Unreliable("test"), Says::AbsentAfter(millis(10))] {
            let portal = Fake::new().on("crm.deal.add", [Step::result(&value)]);
            let deal = Judged::new("A-1", vec![says; 10]);
            let result = add_judged(&portal.client(), &deal).await;
            assert_eq!(ending(&result), Ending::Undecodable);
            assert_eq!((result.unwrap_err().effect(), deal.asked()), (effect, 1));
            assert_eq!(portal.sends("crm.deal.add"), 1);
        }
    }
    let portal = Fake::new().on("crm.deal.add", [Step::result(&json!({"id": 1}))]);
    assert_eq!(add_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap().0, 1, "found is done");
}

#[tokio::test(start_paused = true)]
async fn a_filter_that_was_ignored_and_a_page_that_goes_on_are_no_absence() {
    let others = json!([{"ID": "5", "ORIGIN_ID": "B-1"}, {"ID": "6", "ORIGIN_ID": null}]);
    for page in
        [Step::page(&others, None, None), Step::page(&json!([]), Some(50), None), Step::page(&json!([]), None, Some(9))]
    {
        let portal = Fake::new().on("crm.deal.add", [Step::lost()]).on("crm.deal.list", [page]);
        let result = add_deal(&portal.client(), &NewDeal::of("A-1")).await;
        assert_eq!(ending(&result), Ending::InDoubt);
        assert_eq!((result.unwrap_err().effect(), portal.sends("crm.deal.add")), (Effect::Unknown, 1));
    }
}

#[tokio::test(start_paused = true)]
async fn a_read_back_is_retried_within_itself() {
    let portal = Fake::new()
        .on("crm.deal.add", [Step::lost().applied()])
        .on("crm.deal.list", [Step::lost(), Step::code("QUERY_LIMIT_EXCEEDED"), Step::html()]);
    let seen = Seen::default();
    let client = portal.builder().observer(seen.clone()).build().unwrap();
    add_deal(&client, &NewDeal::of("A-1")).await.unwrap();
    let report = seen.only(Told::Finished);
    assert_eq!(report.checks().len(), 1);
    let reads = &report.checks()[0].reads;
    assert_eq!(reads.len(), 4);
    assert!(reads.iter().zip(1..).all(|(read, number)| read.number == number));
}

#[tokio::test(start_paused = true)]
async fn the_code_of_an_error_is_that_of_the_last_answer() {
    let portal = Fake::new().on("crm.deal.add", [Step::code("BITRIX_TIMEOUT"), Step::lost()]);
    let mut says = vec![Says::Absent; 7];
    says.push(Says::Unreliable("test"));
    let error = add_judged(&portal.client(), &Judged::new("A-1", says)).await.unwrap_err();
    assert_eq!((error.report().attempts().len(), error.code()), (2, None), "{error}");
}
