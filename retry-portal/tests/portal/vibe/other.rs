//! Smart processes, tasks, comments, product rows and the rest.

use serde_json::{Value, json};

use super::{data, portal, refusal, vibe};

#[tokio::test]
async fn a_smart_process_keeps_its_type_and_its_xml_id() {
    let portal = portal().await;
    let item = data(&portal, "POST", "items/1030", json!({"title": "Car", "xmlId": "x-1"})).await;
    assert_eq!((&item["entityTypeId"], &item["xmlId"]), (&json!(1030), &json!("x-1")));
    data(&portal, "POST", "items/1040", json!({"title": "Bus", "xmlId": "x-1"})).await;
    let found = data(&portal, "POST", "items/1030/search", json!({"filter": {"xmlId": "x-1"}})).await;
    assert_eq!(found.as_array().map(Vec::len), Some(1));
    assert_eq!(refusal(&portal, "GET", "items/1040/1", Value::Null).await, (404, "ENTITY_NOT_FOUND".to_owned()));
    assert_eq!(data(&portal, "GET", "items/1030/1", Value::Null).await["title"], json!("Car"));
    assert_eq!(portal.records("item")[0].text("ENTITY_TYPE_ID"), Some("1030"));
    assert_eq!(portal.requests()[0].params["entityTypeId"], json!(1030));
    assert_eq!(portal.requests()[0].method, "crm.item.add");
}

#[tokio::test]
async fn types_with_an_entity_of_their_own_are_refused() {
    let portal = portal().await;
    for type_id in [1, 2, 3, 4, 7, 31] {
        let refused = refusal(&portal, "POST", &format!("items/{type_id}"), json!({"title": "x"})).await;
        assert_eq!(refused, (400, "RESERVED_ENTITY_TYPE".to_owned()));
    }
}

#[tokio::test]
async fn tasks_are_asked_in_camel_case_and_answered_in_capitals() {
    let portal = portal().await;
    let body = json!({"title": "Call back", "responsibleId": 1, "description": "soon"});
    let seen = vibe(&portal, "POST", "tasks", &body).await;
    assert_eq!(seen.status(), 201);
    let task = seen.json()["data"].clone();
    assert_eq!((&task["ID"], &task["TITLE"], &task["STATUS"]), (&json!(1), &json!("Call back"), &json!(2)));
    assert_eq!(
        refusal(&portal, "POST", "tasks", json!({"description": "x"})).await,
        (400, "VALIDATION_ERROR".to_owned())
    );
    let found =
        data(&portal, "POST", "tasks/search", json!({"filter": {"responsibleId": 1}, "select": ["id", "title"]})).await;
    assert_eq!(found, json!([{"ID": 1, "TITLE": "Call back"}]));
    data(&portal, "PATCH", "tasks/1", json!({"title": "Called"})).await;
    assert_eq!(portal.records("task")[0].text("TITLE"), Some("Called"));
    assert_eq!(portal.requests()[0].method, "tasks.task.add");
}

#[tokio::test]
async fn a_comment_needs_its_owner_and_can_be_found_by_it() {
    let portal = portal().await;
    let comment = |owner: u64| json!({"entityId": owner, "entityType": "deal", "comment": "paid [k-1]"});
    assert_eq!(refusal(&portal, "POST", "timelines", comment(1)).await, (422, "BITRIX_ERROR".to_owned()));
    data(&portal, "POST", "deals", json!({"title": "x"})).await;
    data(&portal, "POST", "timelines", comment(1)).await;
    let owner = json!({"filter": {"entityId": 1, "entityType": "deal"}});
    let found = data(&portal, "POST", "timelines/search", owner).await;
    assert_eq!(found[0]["comment"], json!("paid [k-1]"));
    assert_eq!(portal.records("comment").len(), 1);
    assert_eq!(portal.count("crm.timeline.comment.add"), 2);
}

#[tokio::test]
async fn setting_the_product_rows_replaces_all_of_them() {
    let portal = portal().await;
    data(&portal, "POST", "deals", json!({"title": "x"})).await;
    let two = json!({"items": [{"productId": 1, "price": 10, "quantity": 2}, {"productId": 5, "price": 5}]});
    let set = data(&portal, "PUT", "deals/1/products", two.clone()).await;
    assert_eq!((&set[0]["productId"], &set[0]["price"], &set[1]["quantity"]), (&json!(1), &json!(10.0), &json!(1.0)));
    data(&portal, "PUT", "deals/1/products", two).await;
    assert_eq!(data(&portal, "GET", "deals/1/products", Value::Null).await.as_array().map(Vec::len), Some(2));
    data(&portal, "PUT", "deals/1/products", json!([{"PRODUCT_ID": 9, "PRICE": "1.50"}])).await;
    let rows = data(&portal, "GET", "deals/1/products", Value::Null).await;
    assert_eq!((rows.as_array().map(Vec::len), &rows[0]["price"]), (Some(1), &json!(1.5)));
    assert_eq!(portal.records("productrow")[0].text("OWNER_ID"), Some("1"));
    assert_eq!(portal.count("crm.deal.productrows.set"), 3);
    vibe(&portal, "DELETE", "deals/1", &Value::Null).await;
    assert!(portal.records("productrow").is_empty(), "they go with their deal");
    let none = refusal(&portal, "GET", "deals/2/products", Value::Null).await;
    assert_eq!(none, (404, "ENTITY_NOT_FOUND".to_owned()));
    let bad = refusal(&portal, "PUT", "deals/1/products", json!({"items": 7})).await;
    assert_eq!(bad, (400, "INVALID_PARAMS".to_owned()), "before the deal is looked for");
}

#[tokio::test]
async fn duplicates_are_found_by_phone_and_by_address() {
    let portal = portal().await;
    portal.insert("contact", json!({"NAME": "Ann", "PHONE": [{"VALUE": "+7 (900) 123"}]})).expect("a contact");
    portal.insert("lead", json!({"EMAIL": [{"VALUE": "Ann@example.com"}]})).expect("a lead");
    let find = |kind: &str, value: &str| json!({"type": kind, "values": [value]});
    assert_eq!(data(&portal, "POST", "duplicates/find", find("PHONE", "+7900123")).await, json!({"CONTACT": [1]}));
    assert_eq!(data(&portal, "POST", "duplicates/find", find("EMAIL", "ann@EXAMPLE.com")).await, json!({"LEAD": [1]}));
    assert_eq!(data(&portal, "POST", "duplicates/find", find("PHONE", "1")).await, json!([]));
    let only = json!({"type": "PHONE", "values": ["+7900123"], "entityType": "COMPANY"});
    assert_eq!(data(&portal, "POST", "duplicates/find", only).await, json!([]));
    assert_eq!(refusal(&portal, "POST", "duplicates/find", json!({"type": "NAME"})).await.1, "INVALID_PARAMS");
    assert_eq!(portal.count("crm.duplicate.findbycomm"), 5);
}

#[tokio::test]
async fn the_other_entities_are_stores_of_records() {
    let portal = portal().await;
    for (route, entity, fields, field) in [
        ("quotes", "quote", json!({"title": "Q", "amount": 5}), "TITLE"),
        ("activities", "activity", json!({"subject": "Call", "ownerId": 1, "ownerTypeId": 2}), "SUBJECT"),
        ("products", "product", json!({"name": "Tea", "price": 3, "xmlId": "t"}), "NAME"),
        ("requisites", "requisite", json!({"name": "R", "xmlId": "r", "entityTypeId": 4}), "XML_ID"),
        ("statuses", "status", json!({"name": "New", "statusId": "N", "entityId": "SOURCE"}), "STATUS_ID"),
        ("leads", "lead", json!({"title": "L", "stageId": "NEW"}), "STATUS_ID"),
    ] {
        assert_eq!(vibe(&portal, "POST", route, &fields).await.status(), 201, "{route}");
        assert!(portal.records(entity)[0].text(field).is_some(), "{route}");
        assert!(data(&portal, "GET", &format!("{route}/1"), Value::Null).await.is_object());
        assert_eq!(data(&portal, "GET", route, Value::Null).await.as_array().map(Vec::len), Some(1));
        data(&portal, "PATCH", &format!("{route}/1"), json!({"sort": 7, "title": "T"})).await;
        assert!(data(&portal, "GET", &format!("{route}/fields"), Value::Null).await["fields"].is_object());
        assert_eq!(vibe(&portal, "DELETE", &format!("{route}/1"), &Value::Null).await.status(), 204);
        assert!(portal.records(entity).is_empty(), "{route}");
    }
}

#[tokio::test]
async fn what_is_no_route_is_404() {
    let portal = portal().await;
    for (verb, path) in
        [("POST", "deal"), ("GET", "rest"), ("PUT", "deals/1"), ("GET", "deals/1/nothing"), ("POST", "call")]
    {
        assert_eq!(refusal(&portal, verb, path, Value::Null).await, (404, "ROUTE_NOT_FOUND".to_owned()), "{path}");
    }
    assert_eq!(refusal(&portal, "GET", "deals/x", Value::Null).await, (400, "INVALID_PARAMS".to_owned()));
    assert_eq!(portal.requests()[0].method, "");
}

#[tokio::test]
async fn a_body_that_is_no_json_is_refused() {
    let portal = portal().await;
    let key = format!("X-Api-Key: {}", portal.vibe_key());
    let seen = crate::client::call(&portal, "POST", "/v1/deals", &[&key], "{\"title\":").await;
    assert_eq!((seen.status(), &seen.json()["error"]["code"]), (400, &json!("INVALID_REQUEST")));
    for body in [json!([{"title": "x"}]), json!({"fields": "x"})] {
        assert_eq!(refusal(&portal, "POST", "deals", body).await, (400, "VALIDATION_ERROR".to_owned()));
    }
    assert!(portal.records("deal").is_empty());
}

#[tokio::test]
async fn nothing_that_comes_over_the_network_ends_the_portal() {
    let portal = retry_portal::Portal::builder().no_rate_limit().time_scale(1e18).start().await.expect("a portal");
    let most = u64::MAX;
    let deep = format!("{}{}", "[".repeat(5000), "]".repeat(5000));
    for (verb, path, body) in [
        ("GET", format!("deals?limit=1&offset={most}"), String::new()),
        ("GET", format!("deals?limit={most}0&offset=-1&page=x"), String::new()),
        ("GET", format!("deals/{most}"), String::new()),
        ("GET", format!("deals/{most}0"), String::new()),
        ("GET", "deals?filter[a][b][c]=1&filter[]=2&sort[]=&order[]=x&select[]=".to_owned(), String::new()),
        (
            "POST",
            "deals/search".to_owned(),
            "{\"filter\":{\"createdAt\":{\"$gt\":\"9999-99-99\"},\"\":1,\"%\":null}}".to_owned(),
        ),
        ("POST", "deals/search".to_owned(), format!("{{\"filter\":{deep}}}")),
        (
            "POST",
            "deals".to_owned(),
            "{\"amount\":1e999,\"title\":{},\"fm\":[7,{\"typeId\":[]}],\"UF_CRM_\":1}".to_owned(),
        ),
        ("POST", "deals".to_owned(), "{\"amount\":1e30,\"closedAt\":\"0000-00-00\",\"id\":7}".to_owned()),
        ("PUT", format!("deals/{most}/products"), "[[],7]".to_owned()),
        ("POST", "duplicates/find".to_owned(), "{\"type\":\"PHONE\",\"values\":{\"a\":[]}}".to_owned()),
        ("POST", format!("items/{most}"), "null".to_owned()),
        ("PATCH", "%00/%ff".to_owned(), "\u{0}".to_owned()),
    ] {
        let key = format!("X-Api-Key: {}", portal.vibe_key());
        let seen = crate::client::call(&portal, verb, &format!("/v1/{path}"), &[&key], &body).await;
        assert!((200..500).contains(&seen.status()), "{path} {}", seen.text());
    }
    portal.oauth_tokens();
    portal.authorization_code();
    data(&portal, "GET", "me", Value::Null).await;
}
