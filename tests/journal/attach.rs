//! One key is one intent: a second call gets the result of the first, in this process or the next.

use retry_runtime::Effect;
use retry_runtime::journal::State;
use retry_runtime::report::Ending;

use crate::crash::dead;
use crate::orders::{ADD, Order, add_order, client, journal, only};
use crate::support::{Fake, Seen, Step, Told, secs};

#[tokio::test(start_paused = true)]
async fn p1_a_finished_intent_gives_its_result_without_a_request() {
    let portal = Fake::new();
    let journal = journal(&portal);
    let first = add_order(&client(&portal, &journal), &Order::of("A-1")).await.unwrap();
    let journal = journal.restarted();
    let seen = Seen::default();
    let client = portal.builder().journal(journal.clone()).observer(seen.clone()).build().unwrap();
    assert_eq!(add_order(&client, &Order::of("A-1")).await.unwrap(), first);
    assert_eq!(portal.received().len(), 1);
    assert_eq!(seen.only(Told::Finished).ending(), Ending::Recalled);
}

#[tokio::test(start_paused = true)]
async fn p1_a_running_intent_is_waited_for() {
    let portal = Fake::new().on("crm.deal.add", [Step::honest().takes(secs(30))]);
    let journal = journal(&portal);
    let client = client(&portal, &journal);
    let (one, two, order) = (client.clone(), client, Order::of("A-1"));
    let (one, two) = tokio::join!(add_order(&one, &order), add_order(&two, &order));
    assert_eq!(one.unwrap(), two.unwrap());
    assert_eq!((portal.sends("crm.deal.add"), only(&journal).attempt), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn p1_two_clients_with_one_journal_send_once() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost().applied_late(secs(60)), Step::honest()]);
    let journal = journal(&portal);
    let (one, two, order) = (client(&portal, &journal), client(&portal, &journal), Order::of("A-1"));
    let (one, two) = tokio::join!(add_order(&one, &order), add_order(&two, &order));
    assert_eq!(one.unwrap(), two.unwrap());
    assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn the_same_key_with_other_arguments_is_an_error_that_sends_nothing() {
    let portal = Fake::new();
    let journal = journal(&portal);
    let client = client(&portal, &journal);
    add_order(&client, &Order::of("A-1")).await.unwrap();
    let changed = Order { title: "Another".into(), ..Order::of("A-1") };
    let error = add_order(&client, &changed).await.unwrap_err();
    assert_eq!((error.effect(), portal.sends("crm.deal.add")), (Effect::Absent, 1));
    assert!(error.to_string().contains("other arguments"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_call_takes_over_what_a_dead_process_left_open() {
    let portal = Fake::new().on("crm.deal.add", [Step::silence().applied_late(secs(20))]);
    let journal = journal(&portal);
    dead(&portal, &journal, ADD, "A-1").await;
    tokio::time::sleep(secs(1)).await;
    let journal = journal.restarted();
    assert_eq!(only(&journal).state, State::Sending);
    add_order(&client(&portal, &journal), &Order::of("A-1")).await.unwrap();
    assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn p3_a_call_that_takes_over_waits_the_whole_settle_time_before_it_sends() {
    let portal = Fake::new().on("crm.deal.add", [Step::silence()]);
    let journal = journal(&portal);
    dead(&portal, &journal, ADD, "A-1").await;
    tokio::time::sleep(secs(40)).await;
    let journal = journal.restarted();
    add_order(&client(&portal, &journal), &Order::of("A-1")).await.unwrap();
    let times = portal.times("crm.deal.add");
    assert!(times.len() == 2 && times[1] >= secs(40 + 90), "{times:?}");
    assert_eq!(portal.effects("crm.deal.add"), 1);
}
