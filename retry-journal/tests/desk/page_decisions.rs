//! The buttons of the page, by HTTP.

use std::sync::Arc;

use retry_runtime::journal::{Epoch, State};

use crate::fixtures::{EVIL, journal};
use crate::http::{Answer, get, post};
use crate::memory::MemoryDesk;
use crate::serving::serve;

/// Fills in the form of the page as it was loaded.
fn fill(address: &str, page: &Answer, path: &str, record: &str) -> Answer {
    let (form, epoch) = (page.field("form"), page.field("epoch"));
    let fields =
        [("form", &*form), ("epoch", &epoch), ("name", "Ada"), ("note", "looked at the portal"), ("record", record)];
    post(address, path, &fields)
}

fn served() -> (Arc<MemoryDesk>, String) {
    let desk = Arc::new(journal());
    let address = serve(&desk, &[]);
    (desk, address)
}

#[test]
fn each_button_decides_and_the_name_and_the_note_are_on_record() {
    for (choice, state) in
        [("adopt", "applied"), ("reject", "rejected"), ("allow-once", "not applied"), ("verify", "unknown")]
    {
        let (desk, address) = served();
        let answer = fill(&address, &get(&address, "/intents/2"), &format!("/intents/2/{choice}"), "4711");
        assert_eq!(answer.status, 303, "{choice}: {}", answer.body);
        let next = answer.header("location").unwrap();
        assert_eq!(next, format!("/intents/2?done={choice}"));
        let row = desk.get(2);
        assert_eq!(row.intent.state.as_str(), state);
        let told = &row.story.last().unwrap().text;
        assert!(told.contains("Ada") && told.contains("looked at the portal"), "{told}");
        let page = get(&address, next);
        assert!(page.body.contains("role=\"status\"") && page.body.contains("looked at the portal"), "{}", page.body);
    }
}

#[test]
fn a_link_can_not_claim_that_something_was_decided() {
    let (_, address) = served();
    assert!(!get(&address, "/intents/2?done=adopt").body.contains("role=\"status\""));
}

#[test]
fn a_page_that_is_out_of_date_decides_nothing_and_says_what_changed() {
    let (desk, address) = served();
    let page = get(&address, "/intents/2");
    desk.raise_epoch(2);
    let answer = fill(&address, &page, "/intents/2/adopt", "4711");
    assert_eq!(answer.status, 409);
    for told in ["Nothing was decided", "epoch 102", "epoch 103", "manual now"] {
        assert!(answer.body.contains(told), "{told}: {}", answer.body);
    }
    assert!(matches!(desk.get(2).intent.state, State::Manual { .. }));
    // The page that comes back has the new epoch: deciding again goes.
    assert_eq!(fill(&address, &answer, "/intents/2/adopt", "4711").status, 303);
}

#[test]
fn what_does_not_fit_the_state_is_told() {
    let (desk, address) = served();
    let form = get(&address, "/intents/2").field("form");
    let fields = [("form", &*form), ("epoch", "101"), ("name", "Ada"), ("note", "n"), ("record", "1")];
    let answer = post(&address, "/intents/1/adopt", &fields);
    assert_eq!((answer.status, desk.get(1).intent.epoch), (409, Epoch(101)));
    assert!(answer.body.contains("does not fit"), "{}", answer.body);
    let nobody = post(&address, "/intents/99/adopt", &fields);
    assert_eq!(nobody.status, 404);
    assert_eq!(post(&address, "/intents/2/destroy", &fields).status, 404);
}

#[test]
fn a_form_that_is_not_of_this_page_decides_nothing() {
    let (desk, address) = served();
    let epoch = get(&address, "/intents/2").field("epoch");
    let (_, other) = served();
    let foreign = get(&other, "/intents/2").field("form");
    let login = get(&address, "/login").field("form");
    for form in ["", "guess", &foreign, &login] {
        let fields = [("form", form), ("epoch", &epoch), ("name", "Ada"), ("note", "n"), ("record", "1")];
        for path in
            ["/intents/2/adopt", "/intents/2/reject", "/intents/2/allow-once", "/intents/2/verify", "/trust", "/logout"]
        {
            assert_eq!(post(&address, path, &fields).status, 403, "{path}");
        }
    }
    let without = [("epoch", &*epoch), ("name", "Ada"), ("note", "n"), ("record", "1")];
    assert_eq!(post(&address, "/intents/2/adopt", &without).status, 403);
    assert_eq!(desk.get(2).intent.epoch, Epoch(102));
}

#[test]
fn a_decision_without_a_name_a_note_or_a_record_is_none() {
    let (desk, address) = served();
    let page = get(&address, "/intents/2");
    let (form, epoch) = (page.field("form"), page.field("epoch"));
    let long = "x".repeat(501);
    for (name, note, record) in [
        (" ", "n", "1"),
        ("Ada", "", "1"),
        (&long, "n", "1"),
        ("Ada", &long, "1"),
        ("Ada", "n", " "),
        ("Ada", "n", &long),
    ] {
        let fields = [("form", &*form), ("epoch", &epoch), ("name", name), ("note", note), ("record", record)];
        let answer = post(&address, "/intents/2/adopt", &fields);
        assert_eq!(answer.status, 422, "{name} {note} {record}");
        assert!(answer.body.contains("Nothing was done"));
    }
    let huge = "x".repeat(20_000);
    let fields = [("form", &*form), ("epoch", &epoch), ("name", "Ada"), ("note", &huge), ("record", "1")];
    assert_eq!(post(&address, "/intents/2/adopt", &fields).status, 403);
    assert_eq!(desk.get(2).intent.epoch, Epoch(102));
}

#[test]
fn what_a_person_writes_is_no_markup_either() {
    let (_, address) = served();
    let page = get(&address, "/intents/2");
    let (form, epoch) = (page.field("form"), page.field("epoch"));
    let fields = [("form", &*form), ("epoch", &epoch), ("name", EVIL), ("note", EVIL), ("record", EVIL)];
    assert_eq!(post(&address, "/intents/2/adopt", &fields).status, 303);
    let body = get(&address, "/intents/2?done=%3Cscript%3E").body;
    assert!(
        !body.contains("<script") && !body.contains('\u{1b}') && body.matches("&lt;script&gt;").count() >= 2,
        "{body}"
    );
}

#[test]
fn the_suspicion_is_shown_until_a_person_ends_it() {
    let (desk, address) = served();
    assert!(!get(&address, "/").body.contains("suspicion"));
    desk.suspect("an older copy of the file came back");
    let page = get(&address, "/");
    assert!(page.body.contains("an older copy of the file came back"));
    let form = page.field("form");
    assert_eq!(post(&address, "/trust", &[("form", &form), ("name", "Ada"), ("note", "")]).status, 422);
    assert_eq!(post(&address, "/trust", &[("form", &form), ("name", "Ada"), ("note", "compared")]).status, 303);
    assert!(!get(&address, "/").body.contains("suspicion"));
}
