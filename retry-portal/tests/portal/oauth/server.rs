//! The token server.

use std::time::Duration;

use retry_portal::{Answer, Coded, Fault, Outcome, Portal, TokenAnswer};
use serde_json::{Value, json};

use super::{ask, portal, query, refresh, refused, rest2, text};
use crate::client::{Ended, call};

async fn start(builder: retry_portal::PortalBuilder) -> Portal {
    builder.start().await.expect("a portal")
}

#[tokio::test]
async fn a_code_becomes_a_pair_of_tokens_once() {
    let portal = portal().await;
    let code = portal.authorization_code();
    let query = query(&portal, "authorization_code", "code", &code);
    let seen = ask(&portal, &query).await;
    let body = seen.json();
    assert_eq!((seen.status(), &body["expires_in"], &body["user_id"]), (200, &json!(3600), &json!(1)));
    assert_eq!(body["client_endpoint"], json!(portal.oauth_endpoint()));
    for name in ["expires", "scope", "domain", "server_endpoint", "member_id", "status"] {
        assert!(body.get(name).is_some(), "{name}");
    }
    assert_eq!(rest2(&portal, "profile", &text(&body["access_token"]), json!({})).await.status(), 200);
    assert_eq!(refused(&ask(&portal, &query).await), (400, json!("invalid_grant")), "a code is good for once");
}

#[tokio::test]
async fn a_user_lets_the_application_in_by_a_page() {
    let portal = portal().await;
    let (id, _) = portal.oauth_application();
    let open = async |query: &str| call(&portal, "GET", &format!("/oauth/authorize/?{query}"), &[], "").await;
    let shown = open(&format!("client_id={id}")).await;
    let code = shown.text().lines().last().expect("a line").to_owned();
    assert_eq!(ask(&portal, &query(&portal, "authorization_code", "code", &code)).await.status(), 200);
    let sent_on = open(&format!("client_id={id}&state=s%201&redirect_uri=http%3A%2F%2Fmine%2Fcallback")).await;
    let location = sent_on.header("Location").expect("an address");
    assert_eq!(sent_on.status(), 302);
    assert!(location.starts_with("http://mine/callback?code=") && location.contains("&state=s+1&domain=127.0.0.1"));
    assert_eq!(refused(&open("client_id=other").await), (400, json!("invalid_client")));
}

#[tokio::test]
async fn a_code_lives_thirty_seconds() {
    let portal = start(Portal::builder().time_scale(0.001)).await;
    let code = portal.authorization_code();
    tokio::time::sleep(Duration::from_millis(40)).await;
    let query = query(&portal, "authorization_code", "code", &code);
    assert_eq!(refused(&ask(&portal, &query).await), (400, json!("invalid_grant")));
}

#[tokio::test]
async fn a_refresh_gives_a_new_pair() {
    let portal = portal().await;
    let (access, token) = portal.oauth_tokens();
    let body = refresh(&portal, &token).await.json();
    let (new_access, new_token) = (text(&body["access_token"]), text(&body["refresh_token"]));
    assert!(new_access != access && new_token != token);
    assert_eq!(rest2(&portal, "profile", &new_access, json!({})).await.status(), 200);
    assert_eq!(refresh(&portal, &new_token).await.status(), 200);
    assert_eq!(refresh(&portal, &token).await.status(), 200, "the old one lives on, unless it is told to die");
    assert_eq!(portal.count("oauth.token"), 3);
    assert!(
        portal.requests().iter().filter(|one| one.method == "oauth.token").all(|one| one.effect == Outcome::Before)
    );
}

#[tokio::test]
async fn a_refresh_token_can_die_with_its_use() {
    let portal = start(Portal::builder().old_refresh_token_dies(true)).await;
    let (_, token) = portal.oauth_tokens();
    assert_eq!(refresh(&portal, &token).await.status(), 200);
    assert_eq!(refused(&refresh(&portal, &token).await), (400, json!("invalid_grant")));
}

#[tokio::test]
async fn what_is_wrong_has_a_code() {
    let portal = portal().await;
    let (id, secret) = portal.oauth_application();
    let (_, token) = portal.oauth_tokens();
    for (query, status, code) in [
        (String::new(), 400, "invalid_request"),
        (format!("grant_type=refresh_token&client_id={id}&client_secret={secret}"), 400, "invalid_request"),
        (format!("grant_type=password&client_id={id}&client_secret={secret}"), 400, "invalid_request"),
        (
            format!("grant_type=refresh_token&client_id={id}&client_secret=x&refresh_token={token}"),
            401,
            "invalid_client",
        ),
        (
            format!("grant_type=refresh_token&client_id=x&client_secret={secret}&refresh_token={token}"),
            401,
            "invalid_client",
        ),
        (
            format!("grant_type=refresh_token&client_id={id}&client_secret={secret}&refresh_token=x"),
            400,
            "invalid_grant",
        ),
        (format!("grant_type=authorization_code&client_id={id}&client_secret={secret}&code=x"), 400, "invalid_grant"),
    ] {
        assert_eq!(refused(&ask(&portal, &query).await), (status, json!(code)), "{query}");
    }
}

#[tokio::test]
async fn the_answer_has_every_form_that_was_seen() {
    let portal = portal().await;
    let (_, token) = portal.oauth_tokens();
    let shown = async |answer| {
        portal.token_answer(answer);
        refresh(&portal, &token).await.json()
    };
    let names = |body: &Value| body.as_object().expect("an object").keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&shown(TokenAnswer::Bare).await), ["access_token", "expires_in", "refresh_token"]);
    let texts = shown(TokenAnswer::Texts).await;
    assert_eq!((&texts["expires_in"], &texts["user_id"]), (&json!("3600"), &json!("1")));
    assert!(texts["expires"].is_string());
    let no_expiry = names(&shown(TokenAnswer::NoExpiry).await);
    assert!(!no_expiry.iter().any(|name| name.starts_with("expires")), "{no_expiry:?}");
    assert!(!names(&shown(TokenAnswer::NoRefreshToken).await).contains(&"refresh_token".to_owned()));
    assert_eq!(refresh(&portal, &token).await.status(), 200, "the old one goes on");
    portal.token_user(7);
    assert_eq!(shown(TokenAnswer::Documented).await["user_id"], json!(7));
}

#[tokio::test]
async fn an_answer_can_be_lost_after_the_tokens_have_changed() {
    let portal = start(Portal::builder().old_refresh_token_dies(true)).await;
    let (_, token) = portal.oauth_tokens();
    portal.script("oauth.token", [Fault::never(Answer::Reset), Fault::before(Answer::Close)]);
    assert_eq!(refresh(&portal, &token).await.ended, Ended::Reset);
    assert_eq!(refresh(&portal, &token).await.bytes.len(), 0);
    assert_eq!(
        refused(&refresh(&portal, &token).await),
        (400, json!("invalid_grant")),
        "the second one has used it up"
    );
    let effects: Vec<Outcome> = portal.requests().iter().map(|one| one.effect).collect();
    assert_eq!(effects, [Outcome::Never, Outcome::Before, Outcome::None]);
}

#[tokio::test]
async fn the_server_can_be_slow_unavailable_or_a_page_of_html() {
    let portal = start(Portal::builder().time_scale(0.01)).await;
    let (_, token) = portal.oauth_tokens();
    let unavailable = Answer::Coded(Coded::new(503, "temporarily_unavailable"));
    let slow = Fault::before(Answer::Slow(Duration::from_secs(20)));
    portal.script("oauth.token", [slow, Fault::never(unavailable), Fault::never(Answer::Html(502))]);
    assert_eq!(refresh(&portal, &token).await.status(), 200);
    assert_eq!(refused(&refresh(&portal, &token).await), (503, json!("temporarily_unavailable")));
    let page = refresh(&portal, &token).await;
    assert_eq!((page.status(), page.text().contains("<html>")), (502, true));
}

#[tokio::test]
async fn no_secret_is_in_the_path_the_query_or_the_parameters() {
    let portal = portal().await;
    let (id, secret) = portal.oauth_application();
    let (access, token) = portal.oauth_tokens();
    refresh(&portal, &token).await;
    ask(&portal, &query(&portal, "authorization_code", "%63ode", "c0de")).await;
    rest2(&portal, "profile", &access, json!({})).await;
    call(&portal, "GET", &format!("/rest/profile?auth={access}&x=1"), &[], "").await;
    for one in portal.requests() {
        let shown = format!("{} {} {:?}", one.path, one.query, one.params);
        for secret in [&secret, &token, &access, &"c0de".to_owned()] {
            assert!(!shown.contains(secret.as_str()), "{shown}");
        }
    }
    assert!(portal.requests()[0].query.contains(&format!("client_id={id}&client_secret=***&refresh_token=***")));
    assert_eq!(portal.requests()[3].query, "auth=***&x=1");
    assert_eq!(portal.requests()[0].params["grant_type"], json!("refresh_token"));
}
