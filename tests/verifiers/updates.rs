//! `Change`: an update is read back by the state before, the state that is wanted and the state that is there.

use retry_runtime::report::Ending;
use retry_runtime::{CallError, Change, Client, Effect, Id, Proof, ReadBack, Reader, bitrix_method};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::support::{Fake, Seen, Step, Told, about, ending};

const UPDATE: &str = "crm.deal.update";
const GET: &str = "crm.deal.get";

/// A state that reads `"7"` and `7` alike.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
struct State {
    stage_id: String,
    assigned_by_id: Id,
}

fn state(stage: &str) -> State {
    State { stage_id: stage.to_owned(), assigned_by_id: Id(7) }
}

/// The state as the portal shows it.
fn shown(stage: &str) -> Value {
    json!({"ID": "1", "STAGE_ID": stage, "ASSIGNED_BY_ID": "7", "TITLE": "Chair"})
}

/// One deal.
#[bitrix_method(name = "crm.deal.get", kind = read)]
async fn get_state(reader: &Reader, id: Id) -> Result<State, CallError>;

/// Changes a deal.
#[bitrix_method(name = "crm.deal.update", kind = write, verify = has_changed)]
async fn update_deal(client: &Client, id: Id, fields: &Change<State>) -> Result<bool, CallError>;

async fn has_changed(reader: &Reader, id: Id, fields: &Change<State>) -> Result<ReadBack<bool>, CallError> {
    Ok(fields.judge(&get_state(reader, id).await?).map(|()| true))
}

/// The end of an update from `NEW` to `WON` whose answer is lost, when these states are shown after it; and how often it was sent.
async fn lost(change: Change<State>, states: &[&str]) -> (Result<bool, CallError>, Fake) {
    let looks = states.iter().map(|stage| Step::result(&shown(stage)));
    let portal = Fake::new().on(UPDATE, [Step::lost(), Step::result(&json!(true))]).on(GET, looks);
    let result = update_deal(&portal.client(), Id(1), &change).await;
    (result, portal)
}

#[tokio::test(start_paused = true)]
async fn an_update_that_is_there_is_done_and_only_the_new_values_were_sent() {
    let (result, portal) = lost(Change::new(state("NEW"), state("WON")), &["NEW", "WON"]).await;
    assert!(result.unwrap());
    assert_eq!(portal.sends(UPDATE), 1);
    let fields = json!({"STAGE_ID": "WON", "ASSIGNED_BY_ID": 7});
    assert_eq!(portal.received()[0].arguments, json!({"id": 1, "fields": fields}));
}

#[tokio::test(start_paused = true)]
async fn an_update_that_is_not_there_is_sent_again_after_the_settle_time() {
    let (result, portal) = lost(Change::new(state("NEW"), state("WON")), &["NEW"; 20]).await;
    assert!(result.unwrap());
    assert_eq!(portal.sends(UPDATE), 2);
    assert!(about(portal.times(UPDATE)[1], 90));
}

#[tokio::test(start_paused = true)]
async fn p3_what_somebody_has_edited_in_between_is_not_overwritten() {
    for states in [["LOST", "LOST"], ["NEW", "LOST"]] {
        let (result, portal) = lost(Change::new(state("NEW"), state("WON")), &states).await;
        assert_eq!(ending(&result), Ending::InDoubt);
        let error = result.unwrap_err();
        assert_eq!((error.effect(), portal.sends(UPDATE)), (Effect::Unknown, 1));
        assert!(error.to_string().contains("it was edited since"), "{error}");
    }
}

#[tokio::test(start_paused = true)]
async fn p3_an_update_of_a_state_that_nobody_has_read_is_not_sent_again() {
    let (result, portal) = lost(Change::unseen(state("WON")), &["NEW"]).await;
    assert_eq!((ending(&result), portal.sends(UPDATE)), (Ending::InDoubt, 1));
    let (result, portal) = lost(Change::unseen(state("WON")), &["WON"]).await;
    assert!(result.unwrap());
    assert_eq!(portal.sends(UPDATE), 1);
}

#[tokio::test(start_paused = true)]
async fn p1_an_update_whose_field_the_portal_drops_is_distrusted() {
    let portal = Fake::new().on(UPDATE, vec![Step::result(&json!(true))]).on(GET, vec![Step::result(&shown("NEW")); 9]);
    let seen = Seen::default();
    let client = portal.builder().proof(Proof::AfterFirst).observer(seen.clone()).build().unwrap();
    let change = Change::new(state("NEW"), state("WON"));
    assert!(update_deal(&client, Id(1), &change).await.unwrap());
    assert_eq!(seen.only(Told::Distrusted).checks().len(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_robot_that_goes_on_from_the_new_state_costs_no_trust() {
    let portal = Fake::new()
        .on(UPDATE, [Step::result(&json!(true)), Step::lost(), Step::result(&json!(true))])
        .on(GET, [Step::result(&shown("INVOICED"))])
        .on(GET, vec![Step::result(&shown("NEW")); 20]);
    let client = portal.builder().proof(Proof::AfterFirst).build().unwrap();
    let change = Change::new(state("NEW"), state("WON"));
    for _ in 0..2 {
        assert!(update_deal(&client, Id(1), &change).await.unwrap());
    }
    assert_eq!(portal.sends(UPDATE), 3);
}
