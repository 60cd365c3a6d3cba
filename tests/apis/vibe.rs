//! The Vibecode gateway: what its calls do.

use retry_portal::{Answer, Coded, Cut, Fault};
use retry_runtime::report::{Ending, Finding};
use retry_runtime::{CallError, Effect, Id};

use crate::setting::{ending, portal, scaled, vibe};
use crate::stubs::{
    NewDeal, add_blind_deal, add_deal, deal_fields, delete_deal, get_deal, list_deals, say, update_deal,
};

#[tokio::test]
async fn a_deal_lives_from_add_to_delete() {
    let portal = portal().start().await.unwrap();
    let client = vibe(&portal);
    let deal = NewDeal::of("7");
    let id = add_deal(&client, &deal).await.unwrap();
    assert_eq!(get_deal(&client, id).await.unwrap().title, "Order 7");
    let found = list_deals(&client, &deal.key()).await.unwrap();
    assert!(found.is_complete() && found.rows.len() == 1 && found.rows[0].id == id, "{found:?}");
    let changed = NewDeal { title: "Changed".to_owned(), ..NewDeal::of("7") };
    assert!(update_deal(&client, id, &changed).await.unwrap());
    assert_eq!(get_deal(&client, id).await.unwrap().title, "Changed");
    assert!(deal_fields(&client).await.unwrap().is_object());
    // 204 without a body.
    assert!(delete_deal(&client, id).await.unwrap());
    assert!(portal.records("deal").is_empty());
    let gone = get_deal(&client, id).await.unwrap_err();
    assert_eq!((gone.effect(), gone.report().ending()), (Effect::Absent, Ending::Refused));
    let empty = list_deals(&client, &deal.key()).await.unwrap();
    assert!(empty.is_complete() && empty.rows.is_empty());
}

#[tokio::test]
async fn each_way_to_lose_the_answer_of_a_create_ends_with_one_deal() {
    let answers = [
        Answer::Reset,
        Answer::Close,
        Answer::Cut(Cut::Percent(50)),
        Answer::HeadThenReset,
        Answer::Html(502),
        Answer::Html(200),
    ];
    let portal = portal().start().await.unwrap();
    let client = vibe(&portal);
    let calls = answers.into_iter().flat_map(|answer| [Fault::before(answer.clone()), Fault::never(answer)]);
    for (number, fault) in calls.enumerate() {
        portal.script("crm.deal.add", [fault.clone()]);
        add_deal(&client, &NewDeal::of(&number.to_string())).await.unwrap();
        assert_eq!(portal.records("deal").len(), number + 1, "{fault:?}");
    }
    assert!(portal.duplicates_by("deal", "UF_CRM_ORDER").is_empty());
}

#[tokio::test]
async fn a_list_with_windows_that_failed_is_never_absence() {
    let portal = portal().script("crm.deal.add", [Fault::never(Answer::Close)]).start().await.unwrap();
    portal.vibe_window_errors(1);
    let client = vibe(&portal);
    let deal = NewDeal::of("7");
    let page = list_deals(&client, &deal.key()).await.unwrap();
    assert!(page.rows.is_empty() && page.partial && !page.is_complete());
    let error = add_deal(&client, &deal).await.unwrap_err();
    assert_eq!((error.effect(), error.report().ending()), (Effect::Unknown, Ending::InDoubt));
    assert!(error.report().checks().iter().all(|check| matches!(check.finding, Finding::Unreliable(_))), "{error}");
    assert_eq!(portal.count("crm.deal.add"), 1);
    // With the windows back the list is proof again.
    portal.vibe_window_errors(0);
    portal.script("crm.deal.add", [Fault::never(Answer::Close)]);
    add_deal(&client, &deal).await.unwrap();
    assert_eq!((portal.count("crm.deal.add"), portal.records("deal").len()), (3, 1));
}

#[tokio::test]
async fn a_method_without_a_route_is_invalid_and_nothing_is_sent() {
    let portal = portal().start().await.unwrap();
    let client = vibe(&portal);
    let result = say(&client, "hello").await;
    assert_eq!(ending(&result), Ending::Invalid);
    let error: CallError = result.unwrap_err();
    assert_eq!(error.effect(), Effect::Absent);
    let text = error.to_string();
    assert!(text.contains("no route for `im.message.add`") && text.contains("crm.deal"), "{text}");
    assert!(portal.requests().is_empty());
}

#[tokio::test]
async fn a_rest_3_method_is_invalid_there_and_nothing_is_sent() {
    let portal = portal().start().await.unwrap();
    let key = retry_runtime::IdempotencyKey::random();
    let result = crate::stubs::add_task(&vibe(&portal), &crate::stubs::NewTask::of("7"), &key).await;
    assert_eq!(ending(&result), Ending::Invalid);
    assert!(portal.requests().is_empty());
}

#[tokio::test]
async fn a_readonly_key_is_refused_before_it_could_have_an_effect() {
    let portal = portal().start().await.unwrap();
    let key = portal.vibe_readonly_key();
    let builder = retry_runtime::Client::builder().vibe(&key).vibe_base(&portal.vibe_url());
    let client = scaled(builder).build().unwrap();
    let error = add_blind_deal(&client, &NewDeal::of("7")).await.unwrap_err();
    assert_eq!((error.effect(), error.report().ending()), (Effect::Absent, Ending::Refused));
    assert_eq!(error.code().map(retry_runtime::Code::as_str), Some("WRITE_BLOCKED_READONLY_KEY"));
    assert!(list_deals(&client, &NewDeal::of("7").key()).await.unwrap().rows.is_empty());
}

#[tokio::test]
async fn an_application_key_with_its_session_may_write() {
    let portal = portal().start().await.unwrap();
    let (key, session) = portal.vibe_application();
    let builder = retry_runtime::Client::builder().vibe(&key).vibe_base(&portal.vibe_url());
    let with = scaled(builder.vibe_session(&session)).build().unwrap();
    assert_eq!(add_deal(&with, &NewDeal::of("7")).await.unwrap(), Id(1));
    let without = scaled(retry_runtime::Client::builder().vibe(&key).vibe_base(&portal.vibe_url()));
    let error = add_deal(&without.build().unwrap(), &NewDeal::of("8")).await.unwrap_err();
    assert_eq!((error.effect(), error.report().ending()), (Effect::Absent, Ending::Refused));
    assert_eq!(portal.records("deal").len(), 1);
}

#[tokio::test]
async fn the_request_id_of_the_gateway_is_in_the_report() {
    let coded = Answer::Coded(Coded::of("BITRIX_TIMEOUT"));
    let portal = portal().script("crm.deal.add", [Fault::never(coded)]).start().await.unwrap();
    let error = add_blind_deal(&vibe(&portal), &NewDeal::of("7")).await.unwrap_err();
    let sent = portal.requests().remove(0).request_id;
    assert!(sent.is_some());
    assert_eq!(error.report().attempts()[0].request_id.as_deref(), sent.as_deref());
}
