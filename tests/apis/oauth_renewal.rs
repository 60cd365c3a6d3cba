//! OAuth: one renewal for all calls that wait for it.

use std::time::Duration;

use retry_portal::{Answer, Coded, Fault, Portal, Shape};
use retry_runtime::oauth::{Application, MemoryStore, Tokens};
use retry_runtime::report::{Ending, Outcome};
use retry_runtime::{CallError, Client, Effect, Id, IdempotencyKey};
use serde_json::Value;
use tokio::task::JoinSet;

use crate::setting::{portal, scaled};
use crate::stubs::{NewTask, PlainDeal, add_plain_deal, add_task, profile};

const TOKEN: &str = "oauth.token";

pub(crate) fn application(portal: &Portal) -> Application {
    let (id, secret) = portal.oauth_application();
    Application::new(id, secret).server(&portal.token_url()).unwrap()
}

pub(crate) fn tokens(portal: &Portal) -> Tokens {
    let (access, refresh) = portal.oauth_tokens();
    Tokens::new(access, refresh, &portal.oauth_endpoint()).unwrap()
}

fn client_with(portal: &Portal, tokens: Tokens) -> Client {
    let store = MemoryStore::new(tokens.clone());
    scaled(Client::builder().oauth(application(portal), store, tokens)).build().unwrap()
}

/// A client whose access token has expired.
pub(crate) fn expired(portal: &Portal) -> Client {
    let client = client_with(portal, tokens(portal));
    portal.expire_tokens();
    client
}

fn deal(number: usize) -> PlainDeal {
    PlainDeal { title: number.to_string() }
}

/// A hundred calls at once, half of them writes.
fn hundred(client: &Client) -> JoinSet<Result<Value, CallError>> {
    let mut running = JoinSet::new();
    for number in 0..100 {
        let client = client.clone();
        running.spawn(async move {
            if number % 2 == 0 {
                return profile(&client).await;
            }
            add_plain_deal(&client, &deal(number)).await.map(|id| id.0.into())
        });
    }
    running
}

#[track_caller]
fn all_succeeded(portal: &Portal, results: Vec<Result<Value, CallError>>) {
    assert_eq!(results.len(), 100);
    for result in results {
        result.unwrap();
    }
    assert_eq!((portal.records("deal").len(), portal.duplicates_by("deal", "TITLE").len()), (50, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hundred_calls_on_an_expired_token_renew_it_once() {
    let portal = portal().start().await.unwrap();
    all_succeeded(&portal, hundred(&expired(&portal)).join_all().await);
    assert_eq!(portal.count(TOKEN), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_renewal_is_waited_for_by_all() {
    // Portal time: half a second.
    let slow = Fault::before(Answer::Slow(Duration::from_secs(50)));
    let portal = portal().time_scale(0.01).script(TOKEN, [slow]).start().await.unwrap();
    all_succeeded(&portal, hundred(&expired(&portal)).join_all().await);
    assert_eq!(portal.count(TOKEN), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_renewal_is_made_again_once_for_all() {
    let answers = [
        Answer::Close,
        Answer::Reset,
        Answer::Cut(retry_portal::Cut::Percent(50)),
        Answer::Html(502),
        Answer::Coded(Coded::new(503, "SOMETHING_NEW")),
    ];
    for answer in answers {
        for fault in [Fault::before(answer.clone()), Fault::never(answer.clone())] {
            let portal = portal().script(TOKEN, [fault.clone()]).start().await.unwrap();
            all_succeeded(&portal, hundred(&expired(&portal)).join_all().await);
            assert_eq!(portal.count(TOKEN), 2, "{fault:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_renewal_outlives_the_caller_that_began_it() {
    let slow = Fault::before(Answer::Slow(Duration::from_secs(50)));
    let portal = portal().time_scale(0.01).script(TOKEN, [slow]).start().await.unwrap();
    let client = expired(&portal);
    let first = tokio::spawn({
        let client = client.clone();
        async move { profile(&client).await }
    });
    while portal.count(TOKEN) == 0 {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    let others = hundred(&client);
    tokio::time::sleep(Duration::from_millis(50)).await;
    first.abort();
    assert!(first.await.unwrap_err().is_cancelled());
    all_succeeded(&portal, others.join_all().await);
    assert_eq!(portal.count(TOKEN), 1, "neither lost nor begun again");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_invalid_grant_is_told_to_all_and_asked_for_once() {
    let portal = portal().start().await.unwrap();
    let (access, _) = portal.oauth_tokens();
    let bad = Tokens::new(access, "no-such-refresh-token", &portal.oauth_endpoint()).unwrap();
    let client = client_with(&portal, bad);
    portal.expire_tokens();
    for result in hundred(&client).join_all().await {
        let error = result.unwrap_err();
        assert_eq!((error.report().ending(), error.effect()), (Ending::Refused, Effect::Absent), "{error}");
        assert!(error.to_string().contains("invalid_grant"), "{error}");
    }
    profile(&client).await.unwrap_err();
    assert_eq!((portal.count(TOKEN), portal.records("deal").len()), (1, 0));
}

#[tokio::test]
async fn a_401_that_is_no_expired_token_renews_nothing() {
    let portal = portal().start().await.unwrap();
    let client = client_with(&portal, tokens(&portal));
    for code in ["INVALID_CREDENTIALS", "NO_AUTH_FOUND", "insufficient_scope", "WRONG_AUTH_TYPE", "NEVER_HEARD_OF"] {
        portal.script("crm.deal.add", [Fault::never(Answer::Coded(Coded::new(401, code)))]);
        let error = add_plain_deal(&client, &deal(1)).await.unwrap_err();
        assert_eq!(error.code().map(retry_runtime::Code::as_str), Some(code));
    }
    portal.script("crm.deal.add", [Fault::never(Answer::Html(401))]);
    add_plain_deal(&client, &deal(1)).await.unwrap_err();
    assert_eq!(portal.count(TOKEN), 0);
}

#[tokio::test]
async fn an_expired_token_is_known_whatever_its_status_and_shape() {
    let portal = portal().start().await.unwrap();
    let client = client_with(&portal, tokens(&portal));
    for (renewals, (status, shape)) in [200, 400, 401, 403, 500]
        .into_iter()
        .flat_map(|status| [Shape::Flat, Shape::Nested].map(|shape| (status, shape)))
        .enumerate()
    {
        let coded = Coded::new(status, "expired_token").shape(shape);
        portal.script("crm.deal.add", [Fault::never(Answer::Coded(coded))]);
        add_plain_deal(&client, &deal(renewals)).await.unwrap();
        assert_eq!(portal.count(TOKEN), renewals + 1, "{status}, {shape:?}");
    }
}

#[tokio::test]
async fn case_b62_a_token_that_stays_expired_is_renewed_once_for_a_call() {
    let portal = portal().start().await.unwrap();
    let client = client_with(&portal, tokens(&portal));
    portal.script("crm.deal.add", vec![Fault::never(Answer::Coded(Coded::new(401, "expired_token"))); 9]);
    let error = add_plain_deal(&client, &deal(1)).await.unwrap_err();
    assert_eq!((error.report().ending(), error.effect()), (Ending::Refused, Effect::Absent), "{error}");
    assert_eq!((portal.count("crm.deal.add"), portal.count(TOKEN)), (2, 1));
}

#[tokio::test]
async fn tokens_of_another_user_are_not_used() {
    let portal = portal().start().await.unwrap();
    let client = client_with(&portal, tokens(&portal).with_user_id(Id(1)));
    portal.expire_tokens();
    portal.token_user(2);
    let error = add_plain_deal(&client, &deal(1)).await.unwrap_err();
    assert_eq!((error.report().ending(), error.effect()), (Ending::Refused, Effect::Absent), "{error}");
    assert!(portal.records("deal").is_empty());
}

#[tokio::test]
async fn rest_3_renews_its_token_too_in_both_shapes() {
    for shape in [Shape::Nested, Shape::Flat] {
        let portal = portal().rest3_system_errors(shape).start().await.unwrap();
        let client = expired(&portal);
        add_task(&client, &NewTask::of("7"), &IdempotencyKey::random()).await.unwrap();
        assert_eq!((portal.count(TOKEN), portal.records("task").len()), (1, 1), "{shape:?}");
    }
}

#[tokio::test]
async fn a_replay_with_the_same_token_has_the_same_bytes() {
    let lost = [Fault::before(Answer::Close), Fault::none()];
    let portal = portal().idempotency_compares_auth(true).script("tasks.task.add", lost).start().await.unwrap();
    let client = client_with(&portal, tokens(&portal));
    add_task(&client, &NewTask::of("7"), &IdempotencyKey::random()).await.unwrap();
    assert_eq!((portal.count("tasks.task.add"), portal.records("task").len()), (2, 1));
}

#[tokio::test]
async fn a_replay_is_not_sent_with_another_token() {
    let lost = [Fault::before(Answer::Close), Fault::none()];
    let portal = portal().script("tasks.task.add", lost).start().await.unwrap();
    let client = client_with(&portal, tokens(&portal));
    let call = tokio::spawn({
        let client = client.clone();
        async move { add_task(&client, &NewTask::of("7"), &IdempotencyKey::random()).await }
    });
    while portal.count("tasks.task.add") == 0 {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    // Within the settle time another call renews the token.
    portal.expire_tokens();
    profile(&client).await.unwrap();
    let error = call.await.unwrap().unwrap_err();
    assert_eq!((error.report().ending(), error.effect()), (Ending::InDoubt, Effect::Unknown), "{error}");
    assert!(matches!(error.report().attempts()[1].outcome, Outcome::Unsendable { .. }), "{error}");
    assert_eq!((portal.count("tasks.task.add"), portal.records("task").len()), (1, 1));
}
