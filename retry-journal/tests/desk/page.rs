//! The page, by HTTP: what it shows, and to whom.

use std::sync::Arc;

use retry_runtime::journal::JournalError;

use crate::fixtures::{EVIL, journal};
use crate::http::{get, send};
use crate::serving::serve;

#[test]
fn the_queue_has_what_waits_for_a_person_and_what_is_open_and_nothing_else() {
    let address = serve(&Arc::new(journal()), &[]);
    let queue = get(&address, "/");
    assert_eq!(queue.status, 200);
    for shown in ["ORDER-1002", "ORDER-1004", "task-9", "two deals carry this key", "4 h ago"] {
        assert!(queue.body.contains(shown), "{shown}: {}", queue.body);
    }
    for closed in ["ORDER-1001", "ORDER-1003", "c-77"] {
        assert!(!queue.body.contains(closed), "{closed}");
    }
}

#[test]
fn filters_find_the_rest() {
    let address = serve(&Arc::new(journal()), &[]);
    let found = |path: &str| {
        let body = get(&address, path).body;
        (1..=7).filter(|number| body.contains(&format!("href=\"/intents/{number}\""))).collect::<Vec<_>>()
    };
    assert_eq!(found("/?state=not+applied"), [4]);
    assert_eq!(found("/?state=open"), [6, 7]);
    assert_eq!(found("/?state=all"), [1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(found("/?state=all&text=order-100"), [1, 2, 4, 7]);
    assert_eq!(found("/?text=C-77"), [3]);
    assert_eq!(found("/?state=all&before=3"), [1, 2]);
    assert_eq!(found("/?state=manual&text=nothing+like+it"), [0; 0]);
}

#[test]
fn one_intent_is_shown_with_its_story_candidates_and_only_the_decisions_that_fit() {
    let address = serve(&Arc::new(journal()), &[]);
    let doubtful = get(&address, "/intents/2").body;
    for shown in
        ["attempt 1 was sent", "5f1c2a90-11ee", "https://acme.bitrix24.com/crm/deal/details/4711/", "details/4712/"]
    {
        assert!(doubtful.contains(shown), "{shown}: {doubtful}");
    }
    let choices = |number: u64| {
        let body = get(&address, &format!("/intents/{number}")).body;
        ["adopt", "reject", "allow-once", "verify"]
            .map(|choice| body.contains(&format!("action=\"/intents/{number}/{choice}\"")))
    };
    assert_eq!(choices(1), [false; 4]);
    assert_eq!(choices(2), [true; 4]);
    assert_eq!(choices(3), [false, false, true, false]);
    assert_eq!(choices(4), [false, true, false, false]);
    assert_eq!(choices(6), [true, true, false, false]);
    assert!(get(&address, "/intents/1").body.contains("https://acme.bitrix24.com/crm/deal/details/4690/"));
    assert!(!get(&address, "/intents/1").body.contains("Private title"));
}

#[test]
fn text_of_others_is_never_markup_and_never_steers() {
    let desk = Arc::new(journal());
    desk.suspect(EVIL);
    let address = serve(&desk, &[]);
    let query = "/?state=all&text=%3Cscript%3Ealert(1)%3C/script%3E%22%1B";
    for path in ["/", "/intents/5", query] {
        let body = get(&address, path).body;
        assert!(body.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), "{path}: {body}");
        assert!(!body.contains("<script"), "{path}");
        let raw = ['\u{1b}', '\u{9b}', '\u{202e}', '\t'];
        assert!(!body.contains(raw), "{path}: {body}");
    }
    // Every field that a record has is in the page: number of times the marks are there, written out.
    assert!(get(&address, "/intents/5").body.matches("&lt;script&gt;").count() >= 10);
}

#[test]
fn no_script_runs_and_nobody_frames_or_keeps_the_page() {
    let address = serve(&Arc::new(journal()), &[]);
    for path in ["/", "/intents/2", "/intents/99", "/style.css", "/nothing"] {
        let answer = get(&address, path);
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{policy}");
        assert!(!policy.contains("unsafe") && !policy.contains("script-src"), "{policy}");
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert!(
            !answer.body.contains("<script") && !answer.body.contains("style=\"") && !answer.body.contains(" onclick")
        );
    }
}

#[test]
fn a_foreign_name_that_resolves_to_us_gets_nothing() {
    let address = serve(&Arc::new(journal()), &["--host", "journal.example"]);
    let with = |headers: &[(&str, &str)]| send(&address, "GET /", headers, "");
    for headers in [&[("Host", "evil.example")][..], &[], &[("Host", &address), ("Host", "evil.example")]] {
        let answer = with(headers);
        assert!([400, 421].contains(&answer.status), "{headers:?} {}", answer.status);
        assert!(!answer.body.contains("ORDER"), "{headers:?}");
    }
    assert_eq!(with(&[("Host", "journal.example")]).status, 200);
    let port = address.rsplit_once(':').unwrap().1;
    assert_eq!(with(&[("Host", &format!("localhost:{port}"))]).status, 200);
    let absolute = send(&address, "GET http://evil.example/", &[("Host", &address)], "");
    assert_eq!(absolute.status, 421);
}

#[test]
fn what_is_not_there_is_told_as_a_page() {
    let address = serve(&Arc::new(journal()), &[]);
    for (path, status, text) in [
        ("/intents/99", 404, "There is no such intent"),
        ("/intents/x", 404, "There is no such intent"),
        ("/nothing", 404, "There is no such page"),
        ("/?before=x", 404, "There is no such page"),
        ("/intents/2/adopt", 404, "There is no such page"),
    ] {
        let answer = get(&address, path);
        assert_eq!((answer.status, answer.body.contains(text)), (status, true), "{path}: {}", answer.body);
    }
}

#[test]
fn a_journal_that_does_not_answer_is_told_as_a_page_and_text_of_it_is_no_markup() {
    let desk = Arc::new(journal());
    let address = serve(&desk, &[]);
    desk.break_with(JournalError::Unavailable(EVIL.into()));
    for path in ["/", "/intents/2", "/metrics"] {
        let answer = get(&address, path);
        assert!(answer.status == 503 && answer.body.contains("The journal does not answer"), "{path}: {}", answer.body);
        assert!(!answer.body.contains("<script") && !answer.body.contains('\u{1b}'), "{path}: {}", answer.body);
    }
}
