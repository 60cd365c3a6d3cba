//! Who may use the page.

use std::sync::Arc;

use crate::fixtures::journal;
use crate::http::{form, get, post, send};
use crate::memory::MemoryDesk;
use crate::serving::serve;

const TOKEN: &str = "a-token-of-the-tests";

fn served() -> (Arc<MemoryDesk>, String) {
    let desk = Arc::new(journal());
    let address = serve(&desk, &["--token", TOKEN]);
    (desk, address)
}

#[test]
fn with_a_token_nobody_sees_anything_without_it() {
    let (desk, address) = served();
    for path in ["/", "/intents/2", "/nothing", "/metrics"] {
        let answer = get(&address, path);
        let expected = if path == "/metrics" { 401 } else { 303 };
        assert_eq!((answer.status, answer.body.contains("ORDER")), (expected, false), "{path}");
    }
    for token in ["", "a-token-of-the-test", "a-token-of-the-tests1", "A-TOKEN-OF-THE-TESTS"] {
        let bearer = format!("Bearer {token}");
        let answer = send(&address, "GET /metrics", &[("Host", &address), ("Authorization", &bearer)], "");
        assert_eq!(answer.status, 401, "{token}");
        let login = get(&address, "/login").field("form");
        let answer = post(&address, "/login", &[("form", &login), ("token", token)]);
        assert_eq!((answer.status, answer.header("set-cookie")), (401, None), "{token}");
    }
    let stolen = [("form", "x"), ("epoch", "102"), ("name", "Eve"), ("note", "n"), ("record", "1")];
    assert_eq!(post(&address, "/intents/2/adopt", &stolen).status, 303);
    assert_eq!(desk.get(2).intent.epoch.0, 102);
}

#[test]
fn the_token_as_bearer_opens_the_page_and_the_metrics() {
    let (_, address) = served();
    let bearer = format!("Bearer {TOKEN}");
    for path in ["/", "/metrics"] {
        let answer = send(&address, &format!("GET {path}"), &[("Host", &address), ("Authorization", &bearer)], "");
        assert_eq!(answer.status, 200, "{path}");
    }
}

#[test]
fn logging_in_sets_a_cookie_that_is_not_the_token_and_that_no_other_site_can_use() {
    let (_, address) = served();
    let login = get(&address, "/login").field("form");
    let wrong = post(&address, "/login", &[("form", "guess"), ("token", TOKEN)]);
    assert_eq!((wrong.status, wrong.header("set-cookie")), (403, None));
    let answer = post(&address, "/login", &[("form", &login), ("token", TOKEN)]);
    assert_eq!(answer.status, 303);
    let cookie = answer.header("set-cookie").unwrap().to_owned();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict") && !cookie.contains(TOKEN), "{cookie}");
    let pair = cookie.split(';').next().unwrap();
    let both = format!("other=1; {pair}");
    let inside = send(&address, "GET /", &[("Host", &address), ("Cookie", &both)], "");
    assert!(inside.status == 200 && inside.body.contains("ORDER-1002"));
    let guessed = send(&address, "GET /", &[("Host", &address), ("Cookie", "bitrix-journal=")], "");
    assert_eq!(guessed.status, 303);
    let out = form(&[("form", &inside.field("form"))]);
    let out = send(&address, "POST /logout", &[("Host", &address), ("Cookie", pair)], &out);
    assert!(out.status == 303 && out.header("set-cookie").unwrap().contains("Max-Age=0"), "{}", out.head);
}
