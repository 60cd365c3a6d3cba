//! How REST 2 reads a batch, in which order it runs, and how it answers.

use retry_portal::{Outcome, Portal};
use serde_json::{Value, json};

use super::{batch, creates, effects, lost, made, start};
use crate::client::{LONG, envelope, request, result, send};

#[tokio::test]
async fn commands_run_in_the_order_in_which_they_are_written() {
    let portal = start(Portal::builder()).await;
    let body = r#"{"cmd": {"z": "crm.deal.add?fields[ORIGIN_ID]=first", "a": "crm.deal.add?fields[ORIGIN_ID]=second",
                   "m": "crm.deal.list?select[]=ORIGIN_ID&order[ID]=ASC"}}"#;
    let seen = send(&portal, request(&portal, "POST", "batch", "application/json", body), LONG).await;
    let shown = seen.json();
    let result = &shown["result"];
    assert_eq!(result["result"]["z"], json!(1));
    assert_eq!(result["result"]["a"], json!(2));
    let listed = json!([{"ID": "1", "ORIGIN_ID": "first"}, {"ID": "2", "ORIGIN_ID": "second"}]);
    assert_eq!(result["result"]["m"], listed);
    assert_eq!(result["result_error"], json!([]));
    assert_eq!(result["result_total"], json!({"m": 2}));
    assert_eq!(result["result_next"], json!([]));
    for key in ["z", "a", "m"] {
        assert!(result["result_time"][key]["operating"].is_number(), "{key}");
    }
    assert!(shown["time"]["start"].is_number());
}

#[tokio::test]
async fn numbered_commands_come_back_as_lists_only_where_no_number_is_missing() {
    let portal = start(Portal::builder()).await;
    let all = batch(&portal, json!(["profile", "crm.deal.add?fields[TITLE]=x"])).await;
    assert_eq!((&all["result"][1], &all["result_error"]), (&json!(1), &json!([])));
    let some = batch(&portal, json!(["no.such.method", "crm.deal.add?fields[TITLE]=x"])).await;
    assert_eq!(some["result"], json!({"1": 2}));
    assert_eq!(some["result_error"][0]["error"], json!("ERROR_METHOD_NOT_FOUND"));
    assert!(some["result_error"].is_array());
    let none = batch(&portal, json!([])).await;
    let empty = json!({"result": [], "result_error": [], "result_total": [], "result_next": [], "result_time": []});
    assert_eq!(none, empty);
}

#[tokio::test]
async fn a_form_carries_its_commands_encoded_twice() {
    let portal = start(Portal::builder()).await;
    let body = "halt=0&cmd%5Bx%5D=crm.deal.add%3Ffields%255BTITLE%255D%3D%25D1%258F%2526%253D%252B%2525%26fields\
                %5BUF_CRM_LIST%5D%5B%5D%3Da%2520b%26fields%5BUF_CRM_LIST%5D%5B%5D%3Dc%2Bd";
    let form = "application/x-www-form-urlencoded";
    let seen = send(&portal, request(&portal, "POST", "batch", form, body), LONG).await;
    assert_eq!(seen.json()["result"]["result"], json!({"x": 1}));
    let deal = &portal.records("deal")[0];
    assert_eq!(deal.text("TITLE"), Some("я&=+%"));
    assert_eq!(deal.get("UF_CRM_LIST"), Some(&json!(["a b", "c d"])));
    let query = "batch?cmd[0]=crm.deal.add%3Ffields[TITLE]%3Dby%2Bquery";
    let seen = send(&portal, request(&portal, "GET", query, "", ""), LONG).await;
    assert_eq!(seen.json()["result"]["result"], json!([2]));
    assert_eq!(portal.records("deal")[1].text("TITLE"), Some("by query"));
}

#[tokio::test]
async fn results_of_earlier_commands_are_put_in() {
    let portal = start(Portal::builder()).await;
    for number in 0..120 {
        portal.insert("deal", json!({"ORIGIN_ID": number.to_string()})).expect("a deal");
    }
    let page = |after: &str| format!("crm.deal.list?start=-1&select[]=ID&order[ID]=ASC&filter[>ID]={after}");
    let cmd =
        json!({"p0": page("0"), "p1": page("$result[p0][49][ID]"), "p2": page("%24result%5Bp1%5D%5B49%5D%5BID%5D")});
    let seen = batch(&portal, cmd).await;
    let lengths = ["p0", "p1", "p2"].map(|key| seen["result"][key].as_array().map_or(0, Vec::len));
    assert_eq!(lengths, [50, 50, 20]);
    assert_eq!(seen["result"]["p2"][19]["ID"], json!("120"));
    assert_eq!((&seen["result_total"]["p1"], &seen["result_next"]), (&json!(0), &json!([])));
    let items = |after: &str| format!("crm.item.list?entityTypeId=2&start=-1&order[id]=ASC&filter[>id]={after}");
    let seen = batch(&portal, json!({"p0": items("0"), "p1": items("$result[p0][items][49][id]")})).await;
    assert_eq!(seen["result"]["p1"]["items"][0]["id"], json!(51));
    // One that leads nowhere is written into the record as it stands.
    let cmd = json!({"bad": "crm.deal.get?id=9999", "add": "crm.deal.add?fields[TITLE]=of $result[bad][ID]"});
    assert_eq!(batch(&portal, cmd).await["result"]["add"], json!(121));
    assert_eq!(portal.records("deal")[120].text("TITLE"), Some("of $result[bad][ID]"));
}

#[tokio::test]
async fn more_than_fifty_run_only_in_part() {
    let portal = start(Portal::builder()).await;
    let seen = batch(&portal, creates(53)).await;
    assert_eq!(made(&portal).len(), 50);
    assert_eq!(seen["result"].as_array().map(Vec::len), Some(50));
    let refused = seen["result_error"].as_object().expect("the last three").clone();
    let codes: Vec<(&str, &Value)> = refused.iter().map(|(key, error)| (key.as_str(), &error["error"])).collect();
    let exceeded = json!("ERROR_BATCH_LENGTH_EXCEEDED");
    assert_eq!(codes, [("50", &exceeded), ("51", &exceeded), ("52", &exceeded)]);
    assert_eq!(effects(&portal)[49..52], [Outcome::Before, Outcome::NotRun, Outcome::NotRun]);
}

#[tokio::test]
async fn halt_stops_at_the_first_error() {
    let portal = start(Portal::builder()).await;
    let cmd = json!(["crm.deal.add?fields[ORIGIN_ID]=1", "batch?cmd[]=profile", "crm.deal.add?fields[ORIGIN_ID]=2"]);
    let halted = envelope(&portal, "batch", &json!({"halt": 1, "cmd": cmd})).await["result"].clone();
    assert_eq!(halted["result"], json!([1]));
    assert_eq!(halted["result_error"]["1"]["error"], json!("ERROR_BATCH_METHOD_NOT_ALLOWED"));
    assert_eq!(made(&portal), ["1"]);
    assert_eq!(effects(&portal), [Outcome::Before, Outcome::NotRun, Outcome::NotRun]);
    let all = batch(&portal, cmd).await;
    assert_eq!(all["result"], json!({"0": 2, "2": 3}));
}

#[tokio::test]
async fn the_journal_shows_each_command_and_counts_it() {
    let portal = start(Portal::builder()).await;
    batch(&portal, json!({"a": "crm.deal.add?fields[TITLE]=x", "g": "crm.deal.get?id=7", "p": "profile"})).await;
    result(&portal, "crm.deal.add", &json!({"fields": {}})).await;
    let counts = ["batch", "crm.deal.add", "crm.deal.get", "profile"].map(|method| portal.count(method));
    assert_eq!((counts, portal.request_count(), portal.command_count()), ([1, 2, 1, 1], 2, 3));
    let request = &portal.requests()[0];
    assert_eq!((request.method.as_str(), request.effect, request.status), ("batch", Outcome::None, Some(200)));
    let commands: Vec<_> = request
        .commands
        .iter()
        .map(|command| (command.key.as_str(), command.method.as_str(), command.effect, command.code.as_deref()))
        .collect();
    assert_eq!(
        commands,
        [
            ("a", "crm.deal.add", Outcome::Before, None),
            ("g", "crm.deal.get", Outcome::None, Some("")),
            ("p", "profile", Outcome::None, None),
        ]
    );
    assert_eq!(request.commands[0].params["fields"], json!({"TITLE": "x"}));
    assert!(request.commands.iter().all(|command| command.answered));
}

#[tokio::test]
async fn an_envelope_counts_once_for_the_rate() {
    let portal = start(Portal::builder().rate(2, 0.0)).await;
    batch(&portal, creates(50)).await;
    batch(&portal, creates(50)).await;
    let refused = lost(&portal, creates(1)).await;
    assert_eq!((refused.status(), &refused.json()["error"]), (503, &json!("QUERY_LIMIT_EXCEEDED")));
    assert_eq!((made(&portal).len(), portal.refused().get("QUERY_LIMIT_EXCEEDED")), (100, Some(&1)));
}

#[tokio::test]
async fn an_application_calls_by_its_token() {
    let portal = start(Portal::builder()).await;
    let (access, _) = portal.oauth_tokens();
    let body = json!({"auth": access, "cmd": ["crm.deal.add?fields[TITLE]=x&auth=nonsense"]}).to_string();
    let json = ["Content-Type: application/json"];
    let seen = crate::client::call(&portal, "POST", "/rest/batch", &json, &body).await;
    assert_eq!(seen.json()["result"]["result"], json!([1]));
    let path = format!("/rest/api/batch?auth={access}");
    let body = json!([{"method": "tasks.task.list", "query": {}}]).to_string();
    let seen = crate::client::call(&portal, "POST", &path, &json, &body).await;
    assert_eq!(seen.json()["result"], json!([{"items": []}]));
    let told =
        format!("{:?}", portal.requests().iter().map(|request| (&request.query, &request.params)).collect::<Vec<_>>());
    assert!(!told.contains(&access), "{told}");
    let refused = crate::client::call(&portal, "POST", "/rest/api/batch", &json, &body).await;
    assert_eq!(refused.json()["error"]["code"], json!("NO_AUTH_FOUND"));
}
