//! A proof that decides nothing: the result stands, and the next success is the next try.

use retry_runtime::report::Ending;
use retry_runtime::{Client, Policy, Proof};

use crate::support::{Fake, Judged, NewDeal, Says, Seen, Step, Told, about, add_deal, add_judged, ending, secs};

fn client(portal: &Fake, proof: Proof) -> (Client, Seen) {
    let seen = Seen::default();
    (portal.builder().proof(proof).observer(seen.clone()).build().unwrap(), seen)
}

#[tokio::test(start_paused = true)]
async fn a_read_that_fails_decides_nothing() {
    let portal = Fake::new().on("crm.deal.list", [Step::code("ACCESS_DENIED"), Step::code("ACCESS_DENIED")]);
    let (client, seen) = client(&portal, Proof::AfterFirst);
    for (order, looks) in [("A-1", 1), ("A-2", 2), ("A-3", 3), ("A-4", 3)] {
        add_deal(&client, &NewDeal::of(order)).await.unwrap();
        assert_eq!(portal.sends("crm.deal.list"), looks, "{order}");
    }
    assert_eq!(seen.told(), [Told::Finished; 4]);
}

#[tokio::test(start_paused = true)]
async fn a_verifier_that_can_not_tell_is_asked_three_times_unless_its_proof_is_demanded() {
    let others = [Says::Unreliable("edited since"), Says::Multiple(vec![1, 2]), Says::Found(99)];
    for (proof, asked) in [(Proof::Off, 0), (Proof::AfterFirst, 3), (Proof::Demanded, 5)] {
        let (portal, says) = (Fake::new(), others.iter().cycle().take(9).cloned());
        let (client, seen) = client(&portal, proof);
        let deal = Judged::new("A-1", says);
        for _ in 0..5 {
            add_judged(&client, &deal).await.unwrap();
        }
        assert_eq!(deal.asked(), asked, "{proof:?}");
        assert_eq!(seen.told(), [Told::Finished; 5], "it never said that nothing is there");
        assert!(portal.elapsed() < secs(1));
    }
}

#[tokio::test(start_paused = true)]
async fn p3_a_verifier_that_finds_something_else_has_proved_nothing() {
    let portal = Fake::new().on("crm.deal.add", [Step::honest(), Step::lost()]);
    let (client, _) = client(&portal, Proof::Demanded);
    add_judged(&client, &Judged::new("A-1", [Says::Found(99)])).await.unwrap();
    assert_eq!(ending(&add_judged(&client, &Judged::new("A-2", [])).await), Ending::InDoubt);
    assert_eq!(portal.sends("crm.deal.add"), 2);
}

#[tokio::test(start_paused = true)]
async fn a_verifier_that_panics_does_not_take_the_result_away() {
    let portal = Fake::new();
    let (client, seen) = client(&portal, Proof::AfterFirst);
    let deal = Judged::new("A-1", [Says::Panic]);
    assert_eq!(add_judged(&client, &deal).await.unwrap().0, 1);
    add_judged(&client, &Judged::new("A-2", [])).await.unwrap();
    assert_eq!((seen.told().len(), portal.sends("crm.deal.list")), (2, 1), "the next success was the next try");
}

#[tokio::test(start_paused = true)]
async fn p5_a_proof_takes_25_seconds_at_the_most_and_no_longer_than_the_deadline() {
    for (deadline, end) in [(300, 25), (7, 7)] {
        let portal = Fake::new();
        let client = client(&portal, Proof::AfterFirst).0.with_policy(Policy::new().deadline(secs(deadline)));
        add_judged(&client, &Judged::new("A-1", [Says::Hangs])).await.unwrap();
        assert!(about(portal.elapsed(), end), "{:?}", portal.elapsed());
    }
    // Reads have the time of the proof, not of the call.
    let portal = Fake::new().on("crm.deal.list", vec![Step::silence(); 4]);
    let (client, _) = client(&portal, Proof::AfterFirst);
    add_deal(&client, &NewDeal::of("A-1")).await.unwrap();
    assert!(about(portal.elapsed(), 25), "{:?}", portal.elapsed());
}

#[tokio::test(start_paused = true)]
async fn p5_a_deadline_too_near_for_the_last_look_decides_nothing() {
    let portal = Fake::new();
    let (client, seen) = client(&portal, Proof::AfterFirst);
    let hurried = client.with_policy(Policy::new().deadline(secs(12)));
    let deal = Judged::new("A-1", [Says::Absent, Says::Absent, Says::Absent]);
    add_judged(&hurried, &deal).await.unwrap();
    assert_eq!((deal.asked(), seen.told()), (2, vec![Told::Finished]));
    assert!(about(portal.elapsed(), 5), "nothing is waited for in vain: {:?}", portal.elapsed());
}
