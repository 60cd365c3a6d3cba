//! `export_deals`: the file it writes, and how it ends.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use retry_portal::{Answer, Coded, Fault, Portal};

use crate::run::{SECRET, example};

/// How it ended, what it printed, and the ids in the file.
fn export(webhook: &str, file: &str) -> (Option<i32>, String, Vec<String>) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("export_deals");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join(file);
    let run = Command::new(example("export_deals")).arg(&file).env("BITRIX24_WEBHOOK", webhook).output().unwrap();
    let Output { status, stdout, stderr } = run;
    let printed = [stdout, stderr].map(|text| String::from_utf8(text).unwrap()).concat();
    assert!(!printed.contains(SECRET), "a secret is printed: {printed}");
    let mut rows = csv::Reader::from_path(&file).unwrap();
    assert_eq!(rows.headers().unwrap(), vec!["ID", "TITLE", "STAGE_ID", "OPPORTUNITY", "CURRENCY_ID"]);
    (status.code(), printed, rows.records().map(|row| row.unwrap()[0].to_owned()).collect())
}

fn to(last: u64) -> Vec<String> {
    (1..=last).map(|id| id.to_string()).collect()
}

async fn portal() -> Portal {
    Portal::builder().secret(SECRET).no_rate_limit().deals(3_000).start().await.unwrap()
}

#[test]
fn without_a_portal_it_shows_what_it_does() {
    let (code, printed, ids) = export("", "own.csv");
    assert_eq!((code, ids), (Some(0), to(12_345)), "{printed}");
    assert!(printed.contains("12345 deals are in") && printed.contains("it took 7 requests"), "{printed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn lost_answers_are_read_again_and_every_deal_is_one_line() {
    let portal = portal().await;
    portal.script("batch", [Fault::before(Answer::Reset), Fault::never(Answer::Html(502)), Fault::none()]);
    let (code, printed, ids) = export(&portal.webhook_url(), "lost.csv");
    assert_eq!((code, ids), (Some(0), to(3_000)), "{printed}");
    assert_eq!(portal.request_count(), 1 + 3 + 2, "two batches, one of them three times: {printed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_read_before_a_refusal_is_in_the_file_and_the_exit_code_is_1() {
    let portal = portal().await;
    let refused = || Fault::never(Answer::Coded(Coded::new(403, "insufficient_scope")));
    portal.script("batch", [Fault::none(), refused()]);
    // The count, the first page and those of the first batch are good, then the page alone is refused too.
    portal.script("crm.deal.list", (0..52).map(|_| Fault::none()).chain([refused()]));
    let (code, printed, ids) = export(&portal.webhook_url(), "refused.csv");
    assert_eq!((code, ids), (Some(1), to(2_550)), "{printed}");
    assert!(printed.contains("2550 deals are in") && printed.contains("crm.deal.list was refused"), "{printed}");
}
