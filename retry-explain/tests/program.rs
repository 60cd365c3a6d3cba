//! The program, as it is used in a terminal.
#![cfg(test)]

use std::process::{Command, Output};

fn run(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_retry-explain")).args(words).output().expect("it runs")
}

fn shown(words: &[&str]) -> String {
    let output = run(words);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8(output.stdout).expect("it is text")
}

/// The text with its line breaks taken for spaces.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_method_shows_its_row_and_its_stub() {
    let text = flat(&shown(&["crm.deal.add"]));
    for part in [
        "write (makes something), REST 2",
        "a second crm.deal.add makes a second deal",
        "ORIGINATOR_ID, ORIGIN_ID",
        "the documentation names crm.item.add (entityTypeId = 2) instead",
        "verify = verify_add_deal",
    ] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn case_does_not_matter() {
    assert_eq!(shown(&["CRM.Deal.ADD"]), shown(&["crm.deal.add"]));
    assert_eq!(shown(&["bitrix_timeout"]), shown(&["BITRIX_TIMEOUT"]));
    assert_eq!(shown(&["EXPIRED_TOKEN"]), shown(&["expired_token"]));
}

#[test]
fn an_unknown_method_names_the_nearest_and_fails() {
    let output = run(&["crm.deals.create", "crm.deal.list"]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("crm.deals.create") && said.contains("the nearest: crm.deal.add"), "{said}");
    // What is known is shown all the same.
    assert!(String::from_utf8_lossy(&output.stdout).contains("kind = read"));
}

#[test]
fn a_code_says_what_follows_and_until_when_it_may_be_applied() {
    for (code, parts) in [
        (
            "BITRIX_TIMEOUT",
            &[
                "a read is sent again after a pause",
                "a write is read back first",
                "up to 90 s after it was sent (straight from Bitrix24)",
                "up to 120 s after it was sent (through the Vibecode gateway)",
                "says not whether it happened",
            ][..],
        ),
        (
            "INTERNAL_SERVER_ERROR",
            &["unseen for 15 s after the answer (straight", "up to 120 s after it was sent (through"],
        ),
        ("QUEUE_OVERFLOW", &["a write is sent again after a pause", "says that nothing happened"]),
        ("BH_APP_TIMEOUT", &["at any later time", "not whether it happened"]),
        ("insufficient_scope", &["a write ends as Refused: fix the cause", "says that nothing happened (straight"]),
        (
            "ACCESS_DENIED",
            &["directly documented as a refusal", "gateway documented by single methods", "verifier is asked once"],
        ),
        ("", &["\"\" ", "it does not prove that nothing happened"]),
        ("NEVER_HEARD_OF", &["any such text is Code::Other", "a write is read back first", "up to 90 s"]),
    ] {
        let text = flat(&shown(&[code]));
        for part in parts {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}

#[test]
fn help_says_what_it_explains_and_no_word_is_a_mistake() {
    let help = shown(&["--help"]);
    for part in ["crm.deal.add", "BITRIX_TIMEOUT", "Exit code", "the stub to paste"] {
        assert!(help.contains(part), "{help}");
    }
    let output = run(&[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("Usage: retry-explain"), "{output:?}");
}
