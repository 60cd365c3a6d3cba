//! What a write without a way out is told, for every method of the catalogue.

use retry_catalogue::{Action, Kind, Method, Strength, all};

use super::{WRITE, expand, reported};

/// The refusal of a write of this method that says nothing of its outcome, on one line.
fn told(row: &Method, version: u8) -> String {
    let both = row.versions.has_rest2() && row.versions.has_rest3();
    let version = if both { format!(", version = {version}") } else { String::new() };
    let found = reported(expand(&format!("name = {:?}, kind = write{version}", row.name), WRITE));
    let refusal = found.iter().find(|found| found.text.contains("does not say how to find out whether it happened"));
    on_one_line(&refusal.unwrap_or_else(|| panic!("{}", row.name)).text)
}

fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn writes() -> impl Iterator<Item = Method> {
    // `batch` is refused by its name.
    all().filter(|row| row.kind == Kind::Write && row.name != "batch")
}

#[test]
fn p8_only_a_create_that_is_asked_for_by_its_key_is_told_to_carry_it() {
    let mut creates = 0;
    for row in writes().filter(|row| row.versions.has_rest2()) {
        let text = told(&row, 2);
        if text.contains("the write has to carry") && !text.contains("has to carry a marker") {
            assert!(row.action == Action::Create && row.is_asked_by_key(), "{}: {text}", row.name);
            creates += 1;
        }
    }
    assert!(creates > 10, "{creates}");
}

#[test]
fn p8_what_nothing_shows_is_told_why_and_what_else_would_do() {
    let mut two_forms = 0;
    for row in writes().filter(|row| row.versions.has_rest2()) {
        let text = told(&row, 2);
        if text.contains("read it back with ") {
            continue;
        }
        let why = match row.strength {
            Some(Strength::Server) => "no documented read shows it, and the portal itself guards it: ",
            _ if row.two_forms => "no other method shows it: ",
            _ if row.hint.contains("`unverifiable`") => "there is no reliable key: ",
            _ => "there is no reliable key, so `unverifiable` is the honest answer: ",
        };
        two_forms += usize::from(why.starts_with("no other"));
        assert!(text.contains(&format!("help: {why}{}", on_one_line(row.hint))), "{}: {text}", row.name);
        assert!(text.contains("help: if you know a read that shows this very call, name a verifier"), "{text}");
    }
    assert!(two_forms > 0);
}

#[test]
fn p8_through_rest_3_the_hint_of_what_nothing_shows_is_told_once() {
    for row in writes().filter(|row| row.versions.has_rest3() && row.read_with.is_none() && !row.hint.is_empty()) {
        let text = told(&row, 3);
        assert_eq!(text.matches(&on_one_line(row.hint)).count(), 1, "{}: {text}", row.name);
    }
}

#[test]
fn p8_what_appends_does_not_leave_the_same_state() {
    let mut appends = 0;
    for row in writes().filter(|row| row.versions.has_rest2() && row.again.contains("appends")) {
        assert!(!told(&row, 2).contains("the state is the same then"), "{}", row.name);
        appends += 1;
    }
    assert!(appends > 0);
}

#[test]
fn p8_a_read_of_a_write_that_names_its_way_out_is_told_the_kind_alone() {
    for way_out in ["verify = find_deal", "unverifiable = \"no key\"", "idempotency_key = once"] {
        let found = reported(expand(&format!("name = \"crm.deal.add\", kind = read, {way_out}"), WRITE));
        let texts: Vec<_> = found.iter().map(|found| on_one_line(&found.text)).collect();
        let so_it_is_no_read = texts.iter().find(|text| text.contains("so it is no read")).unwrap();
        assert!(so_it_is_no_read.ends_with("help: write `kind = write`"), "{way_out}: {texts:?}");
    }
}
