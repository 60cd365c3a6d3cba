//! A crash at every step, whatever the portal, the pause, the clocks and the store do.

use retry_runtime::journal::{MemoryJournal, State};
use retry_runtime::{Client, Effect, Proof, Settle};

use crate::crash::{Line, Mortal, Process, Step as Dies, Store};
use crate::orders::{ADD, Order, RESEND, add_order, journal, resend_order};
use crate::support::{Fake, Step, secs};

/// What the portal does with the first send.
const FATES: [fn() -> Step; 7] = [
    Step::honest,
    Step::lost,
    || Step::lost().applied(),
    // Sent at 0 it can be applied until 90 s.
    || Step::lost().applied_late(secs(89)),
    || Step::code("QUEUE_OVERFLOW"),
    || Step::code("ACCESS_DENIED"),
    || Step::code("SOMETHING_NEW").applied(),
];

#[derive(Debug, Clone, Copy)]
enum Clocks {
    Right,
    SetForward,
    SetBack,
    Suspended,
}

#[derive(Debug, Clone, Copy)]
struct Case {
    dies: Dies,
    fate: usize,
    /// How long after its death the next process begins, in seconds.
    pause: u64,
    clocks: Clocks,
    store: Store,
    resend: bool,
}

/// What a case ended with.
#[derive(Debug, Default)]
struct Seen {
    cases: u32,
    applied: u32,
    manual: u32,
    resent: u32,
    found: u32,
    taken_over: u32,
    unsent: u32,
}

#[tokio::test(start_paused = true)]
async fn p1_p2_p3_a_crash_at_any_step_makes_no_duplicate_and_loses_nothing() {
    let mut seen = Seen::default();
    for dies in Dies::ALL {
        for fate in 0..FATES.len() {
            for pause in [0, 40, 200] {
                for clocks in [Clocks::Right, Clocks::SetForward, Clocks::SetBack, Clocks::Suspended] {
                    for store in Store::ALL {
                        for resend in [false, true] {
                            run(Case { dies, fate, pause, clocks, store, resend }, &mut seen).await;
                        }
                    }
                }
            }
        }
    }
    println!("{seen:?}");
    assert_eq!(seen.cases, 7 * 7 * 3 * 4 * 4 * 2);
    let each = [seen.applied, seen.manual, seen.resent, seen.found, seen.taken_over, seen.unsent];
    assert!(each.into_iter().all(|times| times > 0), "an ending that was never seen is not tested: {seen:?}");
}

async fn run(case: Case, seen: &mut Seen) {
    let portal = Fake::new().on("crm.deal.add", [FATES[case.fate]()]);
    let before = journal(&portal);
    dies(case, &portal, &before).await;
    tokio::time::sleep(secs(case.pause)).await;
    let hour = secs(3_600);
    match case.clocks {
        Clocks::Right => {}
        Clocks::SetForward => portal.clock().set_forward(hour),
        Clocks::SetBack => portal.clock().set_back(hour),
        Clocks::Suspended => portal.suspend(hour),
    }
    let sends = portal.sends("crm.deal.add");
    let after = if case.store == Store::Forgets { journal(&portal) } else { before.restarted() };
    let forgets = case.store == Store::Forgets && !before.intents().is_empty();
    let client = next_process(&portal, &after, forgets);
    let recovered = client.recover([ADD, RESEND]).await.unwrap();
    seen.taken_over += u32::from(!recovered.intents.is_empty());
    let order = Order::of("A-1");
    let result = if case.resend { resend_order(&client, &order).await } else { add_order(&client, &order).await };
    // Whatever was on its way has landed by now.
    tokio::time::sleep(secs(1_000)).await;
    let effects = portal.effects("crm.deal.add");
    let intents = after.intents();
    assert!(effects <= 1, "P1: {case:?}: {effects} effects, {intents:?}");
    let state = intents.first().map(|intent| intent.state.clone());
    match &result {
        Ok(_) => assert_eq!(effects, 1, "{case:?}"),
        Err(error) => {
            let told = match state {
                Some(State::Manual { .. }) => error.effect() == Effect::Unknown,
                Some(State::Rejected { .. }) => error.effect() == Effect::Absent && effects == 0,
                _ => false,
            };
            assert!(told, "P2: {case:?}: {error} {state:?}");
        }
    }
    assert!(!intents.iter().any(|intent| intent.state.is_open()), "P2: {case:?}: {intents:?}");
    seen.cases += 1;
    seen.applied += u32::from(result.is_ok());
    seen.manual += u32::from(matches!(state, Some(State::Manual { .. })));
    seen.resent += u32::from(sends == 1 && portal.sends("crm.deal.add") > 1);
    seen.found += u32::from(sends == 1 && portal.sends("crm.deal.add") == 1 && result.is_ok());
    seen.unsent += u32::from(sends == 0);
}

/// The process that makes the call and dies; or is over before its step, which is as good.
async fn dies(case: Case, portal: &Fake, journal: &MemoryJournal) {
    let process = Process::that_dies(case.dies);
    let mortal = Mortal { journal: journal.clone(), process: process.clone(), store: case.store };
    let line = Line { portal: portal.clone(), process: process.clone() };
    let client = portal.builder().transport(line).journal(mortal).build().unwrap();
    let order = Order::of("A-1");
    let call =
        async { if case.resend { resend_order(&client, &order).await } else { add_order(&client, &order).await } };
    tokio::select! {
        () = process.death() => {}
        _ = call => {}
    }
}

fn next_process(portal: &Fake, journal: &MemoryJournal, forgets: bool) -> Client {
    let builder = portal.builder().settle(Settle::cloud()).proof(Proof::Off);
    if forgets {
        builder.journal(crate::forgotten::Suspicious(journal.clone())).build().unwrap()
    } else {
        builder.journal(journal.clone()).build().unwrap()
    }
}
