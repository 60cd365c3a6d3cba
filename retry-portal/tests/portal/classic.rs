//! `crm.deal.*`, `crm.lead.*`, `crm.contact.*`, `crm.company.*`.

use retry_portal::Portal;
use serde_json::{Value, json};

use crate::client::{envelope, refusal, result};

async fn portal() -> Portal {
    Portal::builder().no_rate_limit().start().await.expect("a portal")
}

#[tokio::test]
async fn add_gives_a_number_and_get_shows_texts() {
    let portal = portal().await;
    let fields =
        json!({"TITLE": "Order 7", "OPPORTUNITY": 100, "ORIGINATOR_ID": "shop", "ORIGIN_ID": "7", "UF_CRM_KEY": 5});
    assert_eq!(result(&portal, "crm.deal.add", &json!({"fields": fields})).await, json!(1));
    let deal = result(&portal, "crm.deal.get", &json!({"id": 1})).await;
    for (field, value) in [
        ("ID", json!("1")),
        ("TITLE", json!("Order 7")),
        ("OPPORTUNITY", json!("100.00")),
        ("ORIGIN_ID", json!("7")),
        ("UF_CRM_KEY", json!("5")),
        ("STAGE_ID", json!("NEW")),
        ("CATEGORY_ID", json!("0")),
        ("ASSIGNED_BY_ID", json!("1")),
        ("OPENED", json!("Y")),
        ("LEAD_ID", Value::Null),
        ("UTM_SOURCE", Value::Null),
    ] {
        assert_eq!(deal[field], value, "{field}");
    }
    assert!(deal["DATE_CREATE"].as_str().expect("a date").ends_with("+03:00"));
}

#[tokio::test]
async fn each_entity_counts_for_itself_and_names_what_has_no_title() {
    let portal = portal().await;
    for (entity, title) in [
        ("lead", json!("Lead #1")),
        ("deal", json!("Deal #1")),
        ("company", json!("Company #1")),
        ("contact", Value::Null),
    ] {
        let id = result(&portal, &format!("crm.{entity}.add"), &json!({"fields": {}})).await;
        assert_eq!(id, json!(1), "{entity}");
        let record = result(&portal, &format!("crm.{entity}.get"), &json!({"ID": "1"})).await;
        assert_eq!(record["TITLE"], title, "{entity}");
        assert_eq!(portal.records(entity).len(), 1);
    }
}

#[tokio::test]
async fn unknown_fields_are_dropped_without_a_word() {
    let portal = portal().await;
    let fields = json!({"TITLE": "x", "originId": "A-1", "ORIGINID": "A-1", "ID": 99, "DATE_CREATE": "2020-01-01", "UF_CRM_": "x"});
    let id = result(&portal, "crm.deal.add", &json!({"fields": fields})).await;
    assert_eq!(id, json!(1), "the id is the server's");
    let deal = &portal.records("deal")[0];
    for dropped in ["originId", "ORIGINID", "UF_CRM_"] {
        assert_eq!(deal.get(dropped), None, "{dropped}");
    }
    assert_ne!(deal.text("DATE_CREATE").and_then(|date| date.get(..4)), Some("2020"));
    assert_eq!(deal.get("ORIGIN_ID"), Some(&Value::Null));
}

#[tokio::test]
async fn update_sets_fields_and_answers_true() {
    let portal = portal().await;
    let id = portal.insert("deal", json!({"TITLE": "x", "COMMENTS": "stays"})).expect("a deal");
    let params = json!({"id": id, "fields": {"TITLE": "y", "UNKNOWN": 1}});
    assert_eq!(result(&portal, "crm.deal.update", &params).await, json!(true));
    let deal = &portal.records("deal")[0];
    assert_eq!((deal.text("TITLE"), deal.text("COMMENTS")), (Some("y"), Some("stays")));
    assert_eq!(result(&portal, "crm.deal.update", &json!({"id": id, "fields": []})).await, json!(true));
}

#[tokio::test]
async fn what_is_deleted_is_not_found() {
    let portal = portal().await;
    for (entity, code, text) in [
        ("lead", "", "Not found"),
        ("deal", "", "Not found"),
        ("contact", "ERROR_CORE", "Element not found"),
        ("company", "", "Company is not found"),
    ] {
        let id = portal.insert(entity, json!({})).expect("a record");
        let call = |action: &str| format!("crm.{entity}.{action}");
        assert_eq!(result(&portal, &call("delete"), &json!({"id": id})).await, json!(true));
        assert_eq!(refusal(&portal, &call("get"), &json!({"id": id})).await, (400, json!(""), "Not found".to_owned()));
        let update = json!({"id": id, "fields": {}});
        assert_eq!(refusal(&portal, &call("update"), &update).await, (400, json!(""), "Not found".to_owned()));
        let again = refusal(&portal, &call("delete"), &json!({"id": id})).await;
        assert_eq!(again, (400, json!(code), text.to_owned()), "{entity}");
    }
}

#[tokio::test]
async fn ids_are_not_used_twice() {
    let portal = portal().await;
    let id = portal.insert("deal", json!({})).expect("a deal");
    result(&portal, "crm.deal.delete", &json!({"id": id})).await;
    assert_eq!(result(&portal, "crm.deal.add", &json!({"fields": {}})).await, json!(id + 1));
}

#[tokio::test]
async fn missing_parameters_are_refused_with_an_empty_code() {
    let portal = portal().await;
    for params in [json!({}), json!({"fields": "x"}), json!({"fields": ["x"]}), json!({"fields": null})] {
        let refused = refusal(&portal, "crm.deal.add", &params).await;
        assert_eq!(refused, (400, json!(""), "Parameter 'fields' must be array.".to_owned()), "{params}");
    }
    for params in [json!({}), json!({"id": 0}), json!({"id": "x"}), json!({"id": -1}), json!({"id": [1]})] {
        for action in ["get", "update", "delete"] {
            let refused = refusal(&portal, &format!("crm.deal.{action}"), &params).await;
            assert_eq!(refused, (400, json!(""), "ID is not defined or invalid.".to_owned()), "{action} {params}");
        }
    }
    assert_eq!(portal.records("deal"), []);
}

#[tokio::test]
async fn phones_and_addresses_are_lists_that_grow() {
    let portal = portal().await;
    let fields = json!({"NAME": "Ann", "PHONE": [{"VALUE": "+7", "VALUE_TYPE": "WORK"}], "EMAIL": [{"VALUE": "a@example.test"}]});
    result(&portal, "crm.contact.add", &json!({"fields": fields})).await;
    let contact = result(&portal, "crm.contact.get", &json!({"id": 1})).await;
    assert_eq!(contact["PHONE"], json!([{"ID": "2", "VALUE_TYPE": "WORK", "VALUE": "+7", "TYPE_ID": "PHONE"}]));
    assert_eq!(contact.get("WEB"), None, "an empty list is not shown");

    // Without the server's id the same phone is one more.
    let again = json!({"id": 1, "fields": {"PHONE": [{"VALUE": "+7", "VALUE_TYPE": "WORK"}]}});
    result(&portal, "crm.contact.update", &again).await;
    let contact = result(&portal, "crm.contact.get", &json!({"id": 1})).await;
    assert_eq!(contact["PHONE"].as_array().map(Vec::len), Some(2));
    let changed = json!({"id": 1, "fields": {"PHONE": [{"ID": 2, "VALUE": "+8"}, {"ID": 3, "DELETE": "Y"}]}});
    result(&portal, "crm.contact.update", &changed).await;
    let contact = result(&portal, "crm.contact.get", &json!({"id": 1})).await;
    assert_eq!(contact["PHONE"], json!([{"ID": "2", "VALUE_TYPE": "WORK", "VALUE": "+8", "TYPE_ID": "PHONE"}]));
}

#[tokio::test]
async fn an_address_without_an_at_is_refused() {
    let portal = portal().await;
    for method in ["crm.contact.add", "crm.lead.add", "crm.company.add"] {
        let (status, code, _) = refusal(&portal, method, &json!({"fields": {"EMAIL": [{"VALUE": "nobody"}]}})).await;
        assert_eq!((status, code), (400, json!("ERROR_CORE")));
    }
}

#[tokio::test]
async fn a_required_field_is_asked_for() {
    let portal = Portal::builder().require("deal", "ORIGIN_ID").start().await.expect("a portal");
    for fields in [json!({}), json!({"ORIGIN_ID": ""}), json!({"ORIGIN_ID": null})] {
        let refused = refusal(&portal, "crm.deal.add", &json!({"fields": fields})).await;
        assert_eq!(refused, (400, json!("ERROR_CORE"), "Field ORIGIN_ID is required".to_owned()));
    }
    result(&portal, "crm.deal.add", &json!({"fields": {"ORIGIN_ID": "A-1"}})).await;
    result(&portal, "crm.lead.add", &json!({"fields": {}})).await;
}

#[tokio::test]
async fn fields_describes_each_field() {
    let portal = portal().await;
    let fields = result(&portal, "crm.deal.fields", &json!({})).await;
    assert_eq!(fields["ID"]["isReadOnly"], json!(true));
    assert_eq!((&fields["ORIGIN_ID"]["type"], &fields["ORIGIN_ID"]["isReadOnly"]), (&json!("string"), &json!(false)));
    let fields = result(&portal, "crm.lead.fields", &json!({})).await;
    assert_eq!(fields["PHONE"]["isMultiple"], json!(true));
}

#[tokio::test]
async fn the_time_block_tells_when_and_how_long() {
    let portal = portal().await;
    let time = envelope(&portal, "profile", &json!({})).await["time"].clone();
    for number in ["start", "finish", "duration", "processing", "operating", "operating_reset_at"] {
        assert!(time[number].is_number(), "{number}: {time}");
    }
    assert!(time["date_start"].as_str().expect("a date").contains('T'));
    assert!(time["finish"].as_f64() >= time["start"].as_f64());
    assert!(time["operating_reset_at"].as_f64() > time["finish"].as_f64());
}

#[tokio::test]
async fn profile_and_server_time_answer() {
    let portal = Portal::builder().user(7).start().await.expect("a portal");
    assert_eq!(result(&portal, "profile", &json!({})).await["ID"], json!("7"));
    assert!(result(&portal, "server.time", &json!({})).await.as_str().expect("a date").ends_with("+03:00"));
    result(&portal, "crm.deal.add", &json!({"fields": {}})).await;
    assert_eq!(portal.records("deal")[0].text("CREATED_BY_ID"), Some("7"));
}
