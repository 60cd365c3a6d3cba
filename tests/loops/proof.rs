//! A verifier is put to the proof: it has to find what its own write has just made.

use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use retry_runtime::report::{Ending, Finding};
use retry_runtime::{CallError, Client, Effect, Id, Proof, ReadBack, Reader, bitrix_method};
use serde::Serialize;
use serde_json::json;

use crate::support::{
    Fake, NewDeal, OriginKey, Seen, Step, Told, about, add_deal, add_keyed_deal, ending, ensure_deal, list_deals, secs,
};

/// A deal whose key the portal drops: the name is that of another API.
#[derive(Debug, Serialize)]
struct Misspelt {
    #[serde(rename = "TITLE")]
    title: &'static str,
    #[serde(rename = "originatorId")]
    originator: &'static str,
    #[serde(rename = "originId")]
    origin: &'static str,
}

const fn misspelt(order: &'static str) -> Misspelt {
    Misspelt { title: "Chair", originator: "shop", origin: order }
}

/// Creates a deal with a key that is lost.
#[bitrix_method(name = "crm.deal.add", kind = write, verify = find_misspelt)]
async fn add_misspelt(client: &Client, fields: &Misspelt) -> Result<Id, CallError>;

/// The same, looked for before the first send.
#[bitrix_method(name = "crm.deal.add", kind = write, verify = find_misspelt, ensure)]
async fn ensure_misspelt(client: &Client, fields: &Misspelt) -> Result<Id, CallError>;

async fn find_misspelt(reader: &Reader, fields: &Misspelt) -> Result<ReadBack<Id>, CallError> {
    let page = list_deals(reader, &OriginKey::of(fields.origin)).await?;
    Ok(ReadBack::by_key(page, |row| (row.origin.as_deref() == Some(fields.origin)).then_some(row.id)))
}

fn client(portal: &Fake, proof: Proof) -> (Client, Seen) {
    let seen = Seen::default();
    (portal.builder().proof(proof).observer(seen.clone()).build().unwrap(), seen)
}

#[tokio::test(start_paused = true)]
async fn p1_a_misspelt_key_is_distrusted_and_makes_no_second_record() {
    // The second deal is applied and its answer is lost. A verifier that is believed "proves" its absence, and the deal is there twice.
    for (proof, effects) in [(Proof::Off, 3), (Proof::AfterFirst, 2), (Proof::Demanded, 2)] {
        let portal = Fake::new().on("crm.deal.add", [Step::honest(), Step::lost().applied()]);
        let (client, seen) = client(&portal, proof);
        assert_eq!(add_misspelt(&client, &misspelt("A-1")).await.unwrap(), Id(1), "the proof changes no result");
        let second = add_misspelt(&client, &misspelt("A-2")).await;
        assert_eq!(portal.effects("crm.deal.add"), effects, "{proof:?}");
        if proof == Proof::Off {
            continue;
        }
        assert_eq!(ending(&second), Ending::InDoubt);
        let error = second.unwrap_err();
        assert_eq!((error.effect(), portal.sends("crm.deal.add")), (Effect::Unknown, 2));
        assert!(error.to_string().contains("did not find what crm.deal.add made at 2026-11-30T00:53:20"), "{error}");
        assert!(
            portal.elapsed() < secs(20),
            "an absence that counts for nothing is not waited for: {:?}",
            portal.elapsed()
        );
        assert_eq!(seen.told(), [Told::Finished, Told::Distrusted, Told::Finished]);
    }
}

/// A log that is kept.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test(start_paused = true)]
async fn distrust_is_a_warning_that_names_the_stub() {
    let log = Log::default();
    let writer = log.clone();
    let lines = tracing_subscriber::fmt().with_ansi(false).with_max_level(tracing::Level::WARN);
    // With one subscriber alone, an event that another thread meets first counts as unheard in all threads.
    let _another = tracing::Dispatch::new(tracing_subscriber::registry());
    let guard = tracing::subscriber::set_default(lines.with_writer(move || writer.clone()).finish());
    let (client, _) = client(&Fake::new(), Proof::AfterFirst);
    add_misspelt(&client, &misspelt("A-1")).await.unwrap();
    drop(guard);
    let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    for part in ["WARN", "from now on its absence proves nothing", "method=\"crm.deal.add\"", "::proof::add_misspelt\""]
    {
        assert!(text.contains(part), "no {part} in {text}");
    }
}

#[tokio::test(start_paused = true)]
async fn p1_ensure_sends_nothing_with_a_verifier_that_is_distrusted() {
    let portal = Fake::new();
    let (client, _) = client(&portal, Proof::AfterFirst);
    ensure_misspelt(&client, &misspelt("A-1")).await.unwrap();
    for order in ["A-1", "A-2"] {
        let result = ensure_misspelt(&client, &misspelt(order)).await;
        assert_eq!(ending(&result), Ending::Invalid);
        assert_eq!((result.unwrap_err().effect(), portal.effects("crm.deal.add")), (Effect::Absent, 1));
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_distrusted_verifier_finds_is_believed() {
    let portal = Fake::new().on("crm.deal.add", [Step::honest(), Step::lost()]);
    let (client, _) = client(&portal, Proof::AfterFirst);
    add_misspelt(&client, &misspelt("A-1")).await.unwrap();
    let there = portal.insert_deal("A-2");
    assert_eq!(add_misspelt(&client, &misspelt("A-2")).await.unwrap(), Id(there));
}

#[tokio::test(start_paused = true)]
async fn a_row_that_is_hidden_is_looked_for_until_the_list_must_show_it() {
    let portal = Fake::new().shows("crm.deal.list", |_, _| json!([]));
    let (client, seen) = client(&portal, Proof::AfterFirst);
    add_deal(&client, &NewDeal::of("A-1")).await.unwrap();
    let looks = portal.times("crm.deal.list");
    assert_eq!(looks.len(), 3);
    assert!(looks[0] < secs(1) && about(looks[1], 5) && about(looks[2], 15), "{looks:?}");
    let report = seen.only(Told::Distrusted);
    assert_eq!((report.ending(), report.attempts().len(), report.checks().len()), (Ending::Done, 1, 3));
    for check in report.checks() {
        assert_eq!((&check.finding, check.proves, check.reads.len()), (&Finding::Absent, false, 1));
    }
    assert!(seen.only(Told::Finished).checks().is_empty(), "the call was told as soon as it was over");
}

#[tokio::test(start_paused = true)]
async fn a_list_that_lags_for_three_seconds_is_waited_for() {
    let portal = Fake::new().on("crm.deal.add", [Step::honest().applied_late(secs(3)), Step::lost()]);
    let (client, seen) = client(&portal, Proof::Demanded);
    add_deal(&client, &NewDeal::of("A-1")).await.unwrap();
    assert!(about(portal.elapsed(), 5), "{:?}", portal.elapsed());
    add_deal(&client, &NewDeal::of("A-2")).await.unwrap();
    assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (3, 2), "its absence is proof now");
    assert_eq!(seen.told(), [Told::Finished; 2]);
}

#[tokio::test(start_paused = true)]
async fn the_proof_is_one_read_for_each_stub_and_client() {
    let portal = Fake::new();
    let (client, _) = client(&portal, Proof::AfterFirst);
    let calls = (0..20).map(|order| {
        let client = client.with_policy(retry_runtime::Policy::new());
        tokio::spawn(async move { add_deal(&client, &NewDeal::of(&order.to_string())).await.map(drop) })
    });
    for call in calls.collect::<Vec<_>>() {
        call.await.unwrap().unwrap();
    }
    add_deal(&client, &NewDeal::of("A-1")).await.unwrap();
    assert_eq!((portal.sends("crm.deal.add"), portal.sends("crm.deal.list")), (21, 1));
    add_keyed_deal(&client, &NewDeal::of("A-2")).await.unwrap();
    assert_eq!(portal.sends("crm.deal.list"), 2, "another stub of the same method and verifier");
    add_deal(&portal.builder().proof(Proof::AfterFirst).build().unwrap(), &NewDeal::of("A-3")).await.unwrap();
    assert_eq!(portal.sends("crm.deal.list"), 3, "another client, which may be another user");
}

#[tokio::test(start_paused = true)]
async fn p3_no_absence_counts_before_a_proof_that_is_demanded() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost()]);
    let (client, _) = client(&portal, Proof::Demanded);
    let result = add_deal(&client, &NewDeal::of("A-1")).await;
    assert_eq!(ending(&result), Ending::InDoubt);
    let error = result.unwrap_err();
    assert_eq!((error.effect(), portal.sends("crm.deal.add")), (Effect::Unknown, 1));
    assert!(error.to_string().contains("Proof::Demanded"), "{error}");
    assert!(about(portal.elapsed(), 90), "until then it could still be found");
    assert!(error.report().checks().iter().all(|check| !check.proves));
}

#[tokio::test(start_paused = true)]
async fn a_demanded_proof_is_given_by_a_success_or_by_what_a_read_back_finds() {
    for first in [Step::honest(), Step::lost().applied(), Step::lost().applied_late(secs(80))] {
        let portal = Fake::new().on("crm.deal.add", [first, Step::lost()]);
        let (client, _) = client(&portal, Proof::Demanded);
        for order in ["A-1", "A-2"] {
            add_deal(&client, &NewDeal::of(order)).await.unwrap();
        }
        assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (3, 2));
    }
}

#[tokio::test(start_paused = true)]
async fn what_was_there_before_is_no_proof() {
    let portal = Fake::new().on("crm.deal.add", [Step::code("ERROR_CORE"), Step::lost()]);
    let (client, _) = client(&portal, Proof::Demanded);
    for order in ["A-1", "A-2"] {
        portal.insert_deal(order);
    }
    ensure_deal(&client, &NewDeal::of("A-1")).await.unwrap();
    add_deal(&client, &NewDeal::of("A-2")).await.unwrap();
    assert_eq!(ending(&add_deal(&client, &NewDeal::of("A-3")).await), Ending::InDoubt);
    // The look before the first send may find nothing, or nothing could ever be proved.
    ensure_deal(&client, &NewDeal::of("A-4")).await.unwrap();
    assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (3, 3));
}

#[tokio::test(start_paused = true)]
async fn p2_a_caller_that_goes_away_during_the_proof_leaves_a_write_that_is_done() {
    let portal = Fake::new().on("crm.deal.add", [Step::honest().applied_late(secs(3))]);
    let (client, seen) = client(&portal, Proof::AfterFirst);
    let deal = NewDeal::of("A-1");
    let dropped = tokio::time::timeout(secs(2), add_keyed_deal(&client, &deal)).await;
    assert!(dropped.is_err() && portal.sends("crm.deal.list") == 1);
    assert_eq!(seen.told(), [Told::Finished], "nothing was dropped: the call was over");
    assert_eq!(seen.only(Told::Finished).ending(), Ending::Done);
    // The key is free at once, and the next success is put to the proof.
    let before = portal.elapsed();
    add_keyed_deal(&client, &NewDeal::of("A-1")).await.unwrap();
    assert!(portal.elapsed() < before + Duration::from_secs(1));
    assert_eq!(portal.sends("crm.deal.list"), 2);
}
