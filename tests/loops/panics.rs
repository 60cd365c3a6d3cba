//! Panics of those who work with us: a verifier, an observer, a transport.

use retry_runtime::report::{Ending, MayBeApplied};
use retry_runtime::{CallError, Effect, Id, Observer, Report};

use crate::support::{
    Fake, Judged, NewDeal, OriginKey, Says, Seen, Step, Told, about, add_deal, ending, ensure_judged, list_deals, secs,
};

/// An observer that panics each time.
struct Explodes;

impl Observer for Explodes {
    fn finished(&self, _: &Report) {
        panic!("the observer of the test panics");
    }

    fn distrusted(&self, _: &Report) {
        panic!("the observer of the test panics");
    }

    fn dropped(&self, _: &Report) {
        panic!("the observer of the test panics");
    }

    fn answered_late(&self, _: &Report) {
        panic!("the observer of the test panics");
    }
}

/// Makes a call in a task, so that its panic is caught; returns whether it panicked.
async fn panics(call: impl Future<Output = Result<Id, CallError>> + Send + 'static) -> bool {
    tokio::spawn(call).await.is_err_and(|error| error.is_panic())
}

#[tokio::test(start_paused = true)]
async fn a_verifier_that_panics_takes_its_call_along_and_nothing_else() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost().applied_late(secs(80))]);
    let seen = Seen::default();
    let client = portal.builder().observer(seen.clone()).build().unwrap();
    let deal = Judged::new("A-1", [Says::Absent, Says::Panic]);
    let call = {
        let (client, deal) = (client.clone(), deal.clone());
        async move { ensure_judged(&client, &deal).await }
    };
    assert!(panics(call).await);
    let report = seen.only(Told::Dropped);
    assert_eq!(report.attempts().len(), 1);
    assert!(matches!(report.may_be_applied(), MayBeApplied::Until(_)));
    // The key stays closed until the send is settled, so that the next one finds its effect.
    ensure_judged(&client, &deal).await.unwrap();
    assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn an_observer_that_panics_disturbs_no_call() {
    let portal = Fake::new()
        .on("crm.deal.add", [Step::lost().applied(), Step::code("ERROR_CORE"), Step::honest().takes(secs(9))]);
    let client = portal.builder().observer(Explodes).build().unwrap();
    add_deal(&client, &NewDeal::of("A-1")).await.unwrap();
    let error = add_deal(&client, &NewDeal::of("A-2")).await.unwrap_err();
    assert_eq!(error.effect(), Effect::Unknown);
    list_deals(&client, &OriginKey::of("A-1")).await.unwrap();
    assert!(tokio::time::timeout(secs(3), add_deal(&client, &NewDeal::of("A-3"))).await.is_err());
    tokio::time::sleep(secs(60)).await;
    add_deal(&client, &NewDeal::of("A-4")).await.unwrap();
    assert_eq!(portal.effects("crm.deal.add"), 3);
}

#[tokio::test(start_paused = true)]
async fn an_observer_that_panics_while_a_verifier_panics_does_not_abort_the_process() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost()]);
    let client = portal.builder().observer(Explodes).build().unwrap();
    let call = async move { ensure_judged(&client, &Judged::new("A-1", [Says::Absent, Says::Panic])).await };
    assert!(panics(call).await);
}

#[tokio::test(start_paused = true)]
async fn a_transport_that_panics_in_a_write_is_a_lost_answer() {
    let portal = Fake::new().on("crm.deal.add", [Step::panics()]);
    add_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap();
    assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (2, 1));
    assert!(portal.times("crm.deal.add")[1] >= secs(85));
}

#[tokio::test(start_paused = true)]
async fn a_transport_that_claims_twice_sends_nothing_and_is_not_asked_for_ever() {
    let portal = Fake::new().on("crm.deal.add", vec![Step::honest().claimed_twice(); 10]);
    let result = add_deal(&portal.client(), &NewDeal::of("A-1")).await;
    assert_eq!(ending(&result), Ending::Exhausted);
    assert_eq!((result.unwrap_err().effect(), portal.effects("crm.deal.add")), (Effect::Absent, 0));
}

#[tokio::test(start_paused = true)]
async fn a_transport_that_never_claims_is_believed_all_the_same() {
    let portal = Fake::new().on("crm.deal.add", [Step::honest().unclaimed()]);
    add_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap();
    let portal = Fake::new().on("crm.deal.add", [Step::lost().unclaimed().applied_late(secs(60))]);
    add_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap();
    assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (1, 1));
    let portal = Fake::new().on("crm.deal.add", [Step::lost().unclaimed()]);
    add_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap();
    assert!(about(portal.times("crm.deal.add")[1], 90));
}
