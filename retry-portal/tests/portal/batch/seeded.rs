//! Seeded faults around batches and inside them.

use std::collections::BTreeMap;

use retry_portal::{Answer, Command, Effect, Fault, Faults, Outcome, Portal, Received};
use serde_json::{Value, json};

use super::{lost, start};

async fn run(faults: Faults, rounds: usize) -> Portal {
    let portal = start(Portal::builder().no_rate_limit().time_scale(0.001).faults(faults)).await;
    for round in 0..rounds {
        let cmd: Value =
            (0..10).map(|number| Value::from(format!("crm.deal.add?fields[ORIGIN_ID]={round}-{number}"))).collect();
        drop(lost(&portal, cmd).await);
    }
    portal.settled().await;
    portal
}

fn decisions(portal: &Portal) -> Vec<String> {
    let shown = |request: &Received| {
        let inside: Vec<_> = request.commands.iter().map(|command| command.fault.clone()).collect();
        format!("{:?} {inside:?}", request.fault)
    };
    portal.requests().iter().map(shown).collect()
}

#[tokio::test]
async fn the_same_seed_makes_the_same_faults() {
    let faults = || Faults::seeded(3).share(0.3);
    let (first, second) = (run(faults(), 12).await, run(faults(), 12).await);
    assert_eq!(decisions(&first), decisions(&second));
    assert_ne!(decisions(&first), decisions(&run(Faults::seeded(4).share(0.3), 12).await));
}

#[tokio::test]
async fn there_are_faults_of_every_kind_around_and_inside() {
    let resets =
        Faults::seeded(1).share(0.4).writes([(1, Fault::before(Answer::Reset)), (1, Fault::never(Answer::Close))]);
    let portal = run(resets, 60).await;
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    let mut applied = 0;
    for request in portal.requests() {
        let kind = match request.fault.as_ref().map(|fault| fault.effect) {
            None => "none",
            Some(Effect::Before) => "before",
            Some(Effect::Never) => "never",
            Some(Effect::AfterCommands(k)) => {
                let ran = request.commands.iter().filter(|command| command.effect == Outcome::Before).count();
                assert_eq!(ran, k);
                "cut"
            }
            other => panic!("{other:?}"),
        };
        *kinds.entry(kind).or_default() += 1;
        let faults = request.commands.iter().filter(|command| command.fault.is_some()).count();
        if request.fault.is_some() {
            assert_eq!(faults, 0, "around or inside, not both");
        } else {
            *kinds.entry("inside").or_default() += faults;
        }
        let done = |command: &&Command| command.effect == Outcome::Before;
        applied += request.commands.iter().filter(done).count();
    }
    for kind in ["none", "before", "never", "cut", "inside"] {
        assert!(kinds.get(kind).is_some_and(|count| *count >= 3), "{kind}: {kinds:?}");
    }
    assert_eq!(portal.records("deal").len(), applied, "the journal tells what was done");
}

#[tokio::test]
async fn the_longest_lateness_holds_for_the_commands_of_batches() {
    let portal = run(Faults::seeded(5).share(0.4), 40).await;
    let bound = portal.max_lateness();
    let mut late = 0;
    for command in portal.requests().iter().flat_map(|request| request.commands.clone()) {
        if let Outcome::Late(after) = command.effect {
            late += 1;
            // What a busy machine would make later than the execution limit is dropped.
            assert!(after <= bound.max(portal.execution_limit()), "{after:?}");
        }
        assert_ne!(command.effect, Outcome::Pending);
    }
    assert!(late > 0);
}

#[tokio::test]
async fn no_call_meets_more_faults_in_a_row_than_it_may() {
    let portal = start(
        Portal::builder()
            .no_rate_limit()
            .faults(Faults::seeded(9).share(0.9).in_a_row(2).writes([(1, Fault::never(Answer::Reset))])),
    )
    .await;
    for _ in 0..3 {
        drop(lost(&portal, json!(["crm.deal.add?fields[ORIGIN_ID]=1", "crm.deal.add?fields[ORIGIN_ID]=2"])).await);
    }
    for at in 0..2 {
        let spared = |request: &Received| request.fault.is_none() && request.commands[at].fault.is_none();
        assert!(portal.requests().iter().any(spared), "command {at}");
    }
}

#[tokio::test]
async fn a_method_with_a_script_is_left_alone_around_too() {
    let faults = Faults::seeded(1).share(1.0).writes([(1, Fault::never(Answer::Reset))]);
    let portal = start(Portal::builder().faults(faults).script("crm.deal.add", [])).await;
    assert_eq!(super::batch(&portal, super::creates(3)).await["result"], json!([1, 2, 3]));
}
