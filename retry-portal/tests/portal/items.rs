//! `crm.item.*`.

use retry_portal::Portal;
use serde_json::{Value, json};

use crate::client::{envelope, refusal, result};

async fn portal() -> Portal {
    Portal::builder().no_rate_limit().start().await.expect("a portal")
}

#[tokio::test]
async fn an_item_is_the_record_of_the_old_methods() {
    let portal = portal().await;
    let fields = json!({"title": "Order 7", "opportunity": 99.5, "originatorId": "shop", "originId": "7", "ufCrmOrderKey": "k", "assignedById": 6});
    let added = result(&portal, "crm.item.add", &json!({"entityTypeId": 2, "fields": fields})).await;
    let item = &added["item"];
    for (name, value) in [
        ("id", json!(1)),
        ("title", json!("Order 7")),
        ("opportunity", json!(99.5)),
        ("originId", json!("7")),
        ("ufCrmOrderKey", json!("k")),
        ("assignedById", json!(6)),
        ("opened", json!("Y")),
        ("companyId", Value::Null),
        ("entityTypeId", json!(2)),
    ] {
        assert_eq!(item[name], value, "{name}");
    }
    let deal = result(&portal, "crm.deal.get", &json!({"id": 1})).await;
    assert_eq!(
        (&deal["ORIGIN_ID"], &deal["OPPORTUNITY"], &deal["UF_CRM_ORDER_KEY"]),
        (&json!("7"), &json!("99.50"), &json!("k"))
    );
    let got = result(&portal, "crm.item.get", &json!({"entityTypeId": "2", "id": "1"})).await;
    assert_eq!(&got["item"], item);
}

#[tokio::test]
async fn all_four_types_are_there_and_no_other() {
    let portal = portal().await;
    for (type_id, entity) in [(1, "lead"), (2, "deal"), (3, "contact"), (4, "company")] {
        result(&portal, "crm.item.add", &json!({"entityTypeId": type_id, "fields": {"originId": "A-1"}})).await;
        assert_eq!(portal.records(entity)[0].text("ORIGIN_ID"), Some("A-1"));
    }
    for type_id in [json!(0), json!(5), json!(31), json!("x")] {
        let (status, code, _) = refusal(&portal, "crm.item.add", &json!({"entityTypeId": type_id, "fields": {}})).await;
        assert_eq!((status, code), (400, json!("NOT_FOUND")), "{type_id}");
    }
    let (status, code, _) = refusal(&portal, "crm.item.list", &json!({})).await;
    assert_eq!((status, code), (400, json!(100)), "a number");
}

#[tokio::test]
async fn names_in_the_other_style_are_dropped_on_create() {
    let portal = portal().await;
    let fields = json!({"ORIGIN_ID": "A-1", "UF_CRM_KEY": "k", "title": "x", "id": 9, "createdBy": 9});
    let added = result(&portal, "crm.item.add", &json!({"entityTypeId": 2, "fields": fields})).await;
    assert_eq!((&added["item"]["originId"], &added["item"]["createdBy"]), (&Value::Null, &json!(1)));
    assert_eq!(portal.records("deal")[0].get("UF_CRM_KEY"), None);
}

#[tokio::test]
async fn custom_fields_can_keep_their_original_names() {
    let portal = portal().await;
    let original = |fields: Value| json!({"entityTypeId": 2, "useOriginalUfNames": "Y", "fields": fields});
    let added = result(&portal, "crm.item.add", &original(json!({"UF_CRM_163": "k"}))).await;
    assert_eq!(added["item"]["UF_CRM_163"], json!("k"));
    let list = json!({"entityTypeId": 2, "filter": {"=ufCrm_163": "k"}, "select": ["ufCrm_163"]});
    assert_eq!(result(&portal, "crm.item.list", &list).await, json!({"items": [{"id": 1, "ufCrm_163": "k"}]}));
}

#[tokio::test]
async fn list_refuses_an_unknown_field_in_filter_and_order() {
    let portal = portal().await;
    for (params, text) in [
        (json!({"filter": {"=ORIGIN_ID": "x"}}), "Invalid filter: field 'ORIGIN_ID' is not allowed in filter"),
        (json!({"filter": {"originid": "x"}}), "Invalid filter: field 'originid' is not allowed in filter"),
        (json!({"filter": {"0": {"nothing": 1}}}), "Invalid filter: field 'nothing' is not allowed in filter"),
        (json!({"filter": {">id": "x"}}), "Invalid filter: field 'id' has invalid value"),
        (json!({"order": {"nothing": "ASC"}}), "Invalid order: field 'nothing' is not allowed in order"),
        (
            json!({"order": {"id": "UP"}}),
            "Invalid order: allowed sort directions are ASC, DESC. But got 'UP' for field 'id'",
        ),
    ] {
        let mut params = params;
        params["entityTypeId"] = json!(2);
        let refused = refusal(&portal, "crm.item.list", &params).await;
        assert_eq!(refused, (400, json!("INVALID_ARG_VALUE"), text.to_owned()));
    }
}

#[tokio::test]
async fn list_filters_selects_sorts_and_pages() {
    let portal = portal().await;
    for number in 0..120 {
        let stage = if number % 2 == 0 { "NEW" } else { "WON" };
        portal.insert("deal", json!({"ORIGIN_ID": format!("{number:03}"), "STAGE_ID": stage})).expect("a deal");
    }
    let params = json!({
        "entityTypeId": 2, "filter": {"@stageId": ["NEW"], ">id": 1}, "order": {"originId": "DESC"}, "select": ["originId"], "start": 50,
    });
    let body = envelope(&portal, "crm.item.list", &params).await;
    assert_eq!((&body["total"], body.get("next")), (&json!(59), None));
    let items = body["result"]["items"].as_array().expect("items").clone();
    assert_eq!(items.len(), 9);
    assert_eq!(items[0], json!({"id": 19, "originId": "018"}));

    let first = envelope(&portal, "crm.item.list", &json!({"entityTypeId": 2})).await;
    assert_eq!((&first["total"], &first["next"]), (&json!(120), &json!(50)));
    assert_eq!(first["result"]["items"][0]["title"], json!("Deal #1"));
}

#[tokio::test]
async fn update_shows_the_item_and_delete_an_empty_list() {
    let portal = portal().await;
    let id = portal.insert("company", json!({"TITLE": "x"})).expect("a company");
    let update = json!({"entityTypeId": 4, "id": id, "fields": {"title": "y"}});
    assert_eq!(result(&portal, "crm.item.update", &update).await["item"]["title"], json!("y"));
    let one = json!({"entityTypeId": 4, "id": id});
    assert_eq!(result(&portal, "crm.item.delete", &one).await, json!([]));
    for method in ["crm.item.get", "crm.item.delete"] {
        assert_eq!(refusal(&portal, method, &one).await, (400, json!("NOT_FOUND"), "Element not found".to_owned()));
    }
    assert_eq!(refusal(&portal, "crm.item.update", &update).await.1, json!("NOT_FOUND"));
}

#[tokio::test]
async fn phones_are_in_fm() {
    let portal = portal().await;
    let phone = json!({"typeId": "PHONE", "valueType": "HOME", "value": "+7"});
    let added =
        result(&portal, "crm.item.add", &json!({"entityTypeId": 3, "fields": {"name": "Ann", "fm": [phone]}})).await;
    assert_eq!(added["item"]["fm"], json!([{"id": 1, "typeId": "PHONE", "valueType": "HOME", "value": "+7"}]));
    let contact = result(&portal, "crm.contact.get", &json!({"id": 1})).await;
    assert_eq!(contact["PHONE"][0]["VALUE"], json!("+7"));
    let bad = json!({"entityTypeId": 3, "fields": {"fm": [{"typeId": "EMAIL", "value": "nobody"}]}});
    assert_eq!(refusal(&portal, "crm.item.add", &bad).await.1, json!("ERROR_CORE"));
}

#[tokio::test]
async fn fields_names_both_styles() {
    let portal = portal().await;
    let fields = result(&portal, "crm.item.fields", &json!({"entityTypeId": 1})).await["fields"].clone();
    assert_eq!(fields["stageId"]["upperName"], json!("STATUS_ID"));
    assert_eq!(fields["createdTime"]["isReadOnly"], json!(true));
    assert_eq!(fields["opened"]["type"], json!("boolean"));
}
