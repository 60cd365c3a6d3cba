//! What the commands write, on a journal in memory.

use std::sync::Arc;

use clap::Parser as _;
use retry_journal::tool::{Ended, Options, Output, execute};
use retry_runtime::journal::JournalError;

use crate::fixtures::journal;
use crate::memory::MemoryDesk;

/// What it wrote, and how it ended: its exit code is told by `Ended`.
async fn run(desk: &Arc<MemoryDesk>, line: &[&str], is_terminal: bool) -> (String, Result<(), Ended>) {
    let options = Options::try_parse_from(["bitrix-journal"].iter().chain(line)).unwrap();
    let mut out = Vec::new();
    let mut output = Output { out: &mut out, is_terminal, has_colours: is_terminal };
    let desk: Arc<MemoryDesk> = Arc::clone(desk);
    let ended = execute(desk, &options.command, &mut output).await;
    (String::from_utf8(out).unwrap(), ended)
}

async fn piped(line: &[&str]) -> String {
    let (text, ended) = run(&Arc::new(journal()), line, false).await;
    ended.unwrap();
    text
}

const SIGNED: [&str; 4] = ["--name", "Ada", "--note", "looked at the portal"];

#[tokio::test]
async fn list_has_one_line_an_intent_and_those_for_a_person_first() {
    let text = piped(&["list"]).await;
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split('\t').collect()).collect();
    assert!(lines.iter().all(|columns| columns.len() == 9), "{text}");
    let numbers: Vec<&str> = lines.iter().map(|columns| columns[0]).collect();
    assert_eq!(numbers, ["5", "2", "7", "6", "4", "3", "1"]);
    assert_eq!(
        lines[1],
        [
            "2",
            "manual",
            "2026-11-30T08:00:00Z",
            "2026-11-30T08:00:00Z",
            "1",
            "acme.bitrix24.com:443",
            "crm.deal.add",
            "ORDER-1002",
            "two deals carry this key: 4711, 4712",
        ]
    );
}

#[tokio::test]
async fn list_is_narrowed_by_state_text_and_limit() {
    let numbers = async |line: &[&str]| -> Vec<u64> {
        piped(line).await.lines().map(|line| line.split('\t').next().unwrap().parse().unwrap()).collect()
    };
    assert_eq!(numbers(&["list", "--state", "manual"]).await, [5, 2]);
    assert_eq!(numbers(&["list", "--state", "not-applied", "--state", "sending"]).await, [7, 4]);
    assert_eq!(numbers(&["list", "--text", "order-100"]).await, [2, 7, 4, 1]);
    assert_eq!(numbers(&["list", "--limit", "3"]).await, [5, 2, 7]);
    assert_eq!(numbers(&["list", "--limit", "2", "--text", "nothing like it"]).await, [0; 0]);
}

#[tokio::test]
async fn on_a_terminal_list_is_a_table_that_says_how_it_is_ordered_and_whether_there_is_more() {
    let (text, ended) = run(&Arc::new(journal()), &["list", "--limit", "2"], true).await;
    ended.unwrap();
    assert!(text.contains("STATE") && text.contains("4 h ago") && text.contains('\u{1b}'), "{text}");
    assert!(
        text.contains("2 of 7: those for a person first, then the open ones, then the rest; --limit shows more."),
        "{text}"
    );
    let (text, _) = run(&Arc::new(journal()), &["list"], true).await;
    assert!(text.contains("7 of 7") && !text.contains("--limit"), "{text}");
    let (text, _) = run(&Arc::new(MemoryDesk::default()), &["list"], true).await;
    assert_eq!(text, "The journal is empty.\n");
}

#[tokio::test]
async fn show_tells_all_that_a_person_needs() {
    let text = piped(&["show", "2"]).await;
    for told in [
        "Intent 2: manual: crm.deal.add ORDER-1002 on acme.bitrix24.com:443",
        "two deals carry this key",
        "4711  https://acme.bitrix24.com/crm/deal/details/4711/",
        "shop::add_deal",
        "2026-11-30 08:00:00 UTC (4 h ago)",
        "epoch           102",
        "2026-11-30 08:01:31.000 UTC  check    read back by ORIGIN_ID",
        "request id: 5f1c2a90-11ee",
    ] {
        assert!(text.contains(told), "{told}: {text}");
    }
    assert!(!text.contains("Private title") && !text.contains('\u{1b}'), "{text}");
    let (text, _) = run(&Arc::new(journal()), &["show", "2"], true).await;
    assert!(text.contains("adopt 2 RECORD --epoch 102") && text.contains("allow-once 2 --epoch 102"), "{text}");
    let (text, _) = run(&Arc::new(journal()), &["show", "1"], true).await;
    assert!(text.contains("Nothing is to be decided about it."), "{text}");
}

#[tokio::test]
async fn nothing_of_others_steers_the_terminal() {
    for line in [&["list"][..], &["show", "5"], &["export", "--json"], &["export", "--json", "--with-arguments"]] {
        let text = piped(line).await;
        assert!(text.contains("<script>"), "{line:?}");
        assert!(!text.contains(['\u{1b}', '\u{9b}', '\u{202e}']), "{line:?}: {text}");
    }
    let (text, _) = run(&Arc::new(journal()), &["reject", "5", "--name", "\u{1b}c", "--note", "\u{1b}c"], false).await;
    assert!(text.contains("Decided by \\u{1b}c") && !text.contains('\u{1b}'), "{text}");
}

#[tokio::test]
async fn each_decision_is_made_and_shown() {
    for (line, state) in [
        (&["adopt", "2", "4711"][..], "applied"),
        (&["reject", "2"], "rejected"),
        (&["allow-once", "2"], "not applied"),
        (&["verify", "2", "--epoch", "102"], "unknown"),
    ] {
        let desk = Arc::new(journal());
        let (text, ended) = run(&desk, &[line, &SIGNED].concat(), false).await;
        ended.unwrap();
        assert!(text.starts_with("Intent 2: manual: crm.deal.add ORDER-1002"), "{text}");
        assert!(text.contains("Decided by Ada") && text.contains(&format!("Intent 2: {state}:")), "{text}");
        let told = desk.get(2);
        assert_eq!(told.intent.state.as_str(), state);
        assert!(told.story.last().unwrap().text.contains("Ada") && told.story.last().unwrap().text.contains("looked"));
    }
}

#[tokio::test]
async fn what_can_not_be_decided_is_told_with_what_to_do() {
    let desk = Arc::new(journal());
    for (line, told) in [
        (
            &["adopt", "2", "4711", "--epoch", "101"][..],
            "has changed since epoch 101. It is manual now, in epoch 102. Look at it again: bitrix-journal show 2",
        ),
        (&["verify", "3"], "intent 3 is rejected, which `verify` does not fit; possible: allow-once"),
        (&["reject", "1"], "intent 1 is applied, which `reject` does not fit; nothing is to be decided"),
        (&["reject", "99"], "there is no intent 99 in this journal"),
    ] {
        let (_, ended) = run(&desk, &[line, &SIGNED].concat(), false).await;
        let Err(Ended::NotDone(text)) = ended else { panic!("{line:?}: {ended:?}") };
        assert!(text.contains(told), "{text}");
    }
    let (_, ended) = run(&desk, &["reject", "2", "--name", "Ada", "--note", " "], false).await;
    assert!(matches!(ended, Err(Ended::Usage(text)) if text.contains("needs a note")));
    assert_eq!(desk.get(2).intent.epoch.0, 102);
}

#[tokio::test]
async fn stats_counts_every_state_and_check_asks_for_a_person() {
    let text = piped(&["stats"]).await;
    assert_eq!(
        text,
        "manual\t2\nsending\t1\nunknown\t1\nnot applied\t1\nrejected\t1\napplied\t1\noldest open seconds\t240\noldest manual seconds\t14400\nsuspicion\t\n"
    );
    let desk = Arc::new(journal());
    let (_, ended) = run(&desk, &["stats", "--check"], false).await;
    assert!(matches!(ended, Err(Ended::PersonNeeded(text)) if text.contains("2 of the intents")));
    desk.rows().retain(|row| row.intent.state.as_str() != "manual");
    run(&desk, &["stats", "--check"], false).await.1.unwrap();
    desk.suspect("an older copy came back");
    assert!(matches!(run(&desk, &["stats", "--check"], false).await.1, Err(Ended::PersonNeeded(_))));
}

#[tokio::test]
async fn export_is_one_object_a_line_and_arguments_only_if_asked_for() {
    let text = piped(&["export", "--json"]).await;
    let lines: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 7);
    let doubtful = &lines[5];
    assert_eq!(doubtful["intent"]["number"], 2);
    assert_eq!(doubtful["intent"]["state"], "manual");
    assert_eq!(doubtful["intent"]["began"], "2026-11-30T08:00:00.000Z");
    assert_eq!(doubtful["story"][2]["detail"]["candidates"], serde_json::json!([4711, 4712]));
    assert_eq!(lines[6]["intent"]["result"], 4690);
    assert!(!text.contains("Private title"));
    let text = piped(&["export", "--json", "--with-arguments"]).await;
    let line: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!(line["intent"]["arguments"]["fields"]["TITLE"], "Private title");
}

#[tokio::test]
async fn trust_ends_the_suspicion_and_says_what_it_was() {
    let desk = Arc::new(journal());
    let line = [&["trust"][..], &SIGNED].concat();
    assert_eq!(run(&desk, &line, false).await.0, "The journal is under no suspicion.\n");
    desk.suspect("an older copy\u{1b} came back");
    let (text, _) = run(&desk, &line, false).await;
    assert!(text.contains("an older copy\\u{1b} came back") && text.contains("Ended by Ada"), "{text}");
    assert_eq!(run(&desk, &line, false).await.0, "The journal is under no suspicion.\n");
}

#[tokio::test]
async fn the_page_is_not_served_to_other_machines_without_a_token() {
    for (line, told) in [
        (&["serve", "--listen", "0.0.0.0:0"][..], "can be reached from other machines"),
        (&["serve", "--listen", "[::]:0"], "can be reached from other machines"),
        (&["serve", "--token", "fifteen-letters"], "fewer than 16 letters"),
    ] {
        let (text, ended) = run(&Arc::new(journal()), line, false).await;
        let Err(Ended::Usage(why)) = ended else { panic!("{line:?}: {ended:?}") };
        assert!(why.contains(told) && text.is_empty(), "{why}");
    }
}

#[tokio::test]
async fn a_journal_that_does_not_answer_is_told_and_its_text_does_not_steer_the_terminal() {
    let desk = Arc::new(journal());
    desk.break_with(JournalError::Stopped("disk full\u{1b}[2J".into()));
    for line in [&["list"][..], &["stats", "--check"], &["show", "2"], &[&["reject", "2"][..], &SIGNED].concat()] {
        let (_, ended) = run(&desk, line, false).await;
        let Err(Ended::NotDone(why)) = ended else { panic!("{line:?}: {ended:?}") };
        assert!(why.contains("it could not write: disk full\\u{1b}[2J") && !why.contains('\u{1b}'), "{why}");
    }
}
