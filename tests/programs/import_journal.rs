//! `import_deals --journal`: what the next run has of the one before, and what it says where a person is needed.

use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

use retry_portal::{Answer, Fault, Portal, Raw};
use serde_json::json;

use crate::run::{HEADER, Run, command, file, import, import_into, portal, some_orders};

/// A journal that is not there yet.
fn journal(name: &str) -> String {
    let path = file(name, "");
    for end in ["", "-wal", "-shm", ".head", ".lock"] {
        drop(fs::remove_file(format!("{path}{end}")));
    }
    path
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_on_record_is_not_sent_through_any_api() {
    for (api, entity) in [("rest2", "deal"), ("rest3", "task"), ("vibe", "deal")] {
        let portal = portal().await;
        let orders = some_orders(&format!("record_{api}.csv"), 30);
        let journal = journal(&format!("record_{api}.journal"));
        for on_record in [0, 30] {
            portal.clear_requests();
            let run = import_into(&portal, &["--api", api, "--journal", &journal, &orders]);
            let ended = (run.code, run.number("created"), run.number("on record, nothing was sent"));
            assert_eq!(ended, (0, 30 - on_record, on_record), "{run:?}");
        }
        let writes = portal.count("crm.deal.add") + portal.count("tasks.task.add");
        assert_eq!((portal.records(entity).len(), writes), (30, 0), "{api}");
    }
}

/// Starts an import of one order, of which no answer comes, and ends it as soon as its request is there.
async fn interrupted(portal: &Portal, journal: &str, orders: &str, signal: &str) -> Run {
    portal.script("crm.deal.add", [Fault::before(Answer::Silence)]);
    let mut command = command();
    command.args(["--time-scale", "0.02", "--journal", journal, orders]);
    command.env("BITRIX24_WEBHOOK", portal.webhook_url()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    while portal.count("crm.deal.add") == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
    let ended = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run { code: ended.status.code().unwrap_or(-1), out: text(ended.stdout), err: text(ended.stderr) }
}

#[tokio::test(flavor = "multi_thread")]
async fn ctrl_c_ends_what_is_under_way_and_the_next_run_goes_on() {
    let portal = portal().await;
    let (journal, orders) = (journal("stopped.journal"), some_orders("stopped.csv", 1));
    let run = interrupted(&portal, &journal, &orders, "-INT").await;
    run.says("stopped, 0 writes are open. Run it again with the same journal: it goes on");
    assert_eq!(run.code, 130, "{run:?}");
    let run = import_into(&portal, &["--time-scale", "0.02", "--journal", &journal, &orders]);
    assert_eq!((run.code, run.number("on record, nothing was sent")), (0, 1), "{run:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn p1_what_a_killed_run_has_sent_is_found_by_the_next_one() {
    let portal = portal().await;
    let (journal, orders) = (journal("killed.journal"), some_orders("killed.csv", 1));
    let run = interrupted(&portal, &journal, &orders, "-KILL").await;
    assert_eq!(run.code, -1, "{run:?}");
    let run = import_into(&portal, &["--time-scale", "0.02", "--journal", &journal, &orders]);
    run.says("1 writes were under way when the run before ended");
    run.says("1 had been applied");
    assert_eq!((run.code, run.number("on record, nothing was sent")), (0, 1), "{run:?}");
    assert_eq!((portal.records("deal").len(), portal.count("crm.deal.add")), (1, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn p2_what_needs_a_person_names_the_tool_and_is_not_sent_again() {
    let portal = portal().await;
    portal.script("crm.deal.add", [Fault::before(Answer::Close)]);
    let another =
        Raw::json(200, &json!({"result": [{"ID": "9", "ORIGINATOR_ID": "web-shop", "ORIGIN_ID": "another"}]}));
    portal.script("crm.deal.list", [Fault::none(), Fault::never(Answer::Raw(another))]);
    let journal = journal("person.journal");
    let arguments = ["--journal", &journal, &file("person.csv", format!("{HEADER}A-1,Ann,1,EUR,\n"))];
    let runs = [import_into(&portal, &arguments), import_into(&portal, &arguments)];
    for run in &runs {
        run.says(&format!("bitrix-journal --journal {journal} list"));
        assert_eq!((run.code, run.number("in doubt")), (1, 1), "{run:?}");
    }
    runs[1].says("a person has to look at intent 1 of the journal first");
    assert_eq!(portal.count("crm.deal.add"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_journal_that_can_not_be_used_is_told_before_anything_is_sent() {
    let portal = portal().await;
    let text = file("text.journal", "no journal, but a text that is long enough to be one");
    import_into(&portal, &["--journal", &text]).says("file is not a database. Nothing is sent by it");
    let run = import_into(&portal, &["--journal", "no/such/directory/leads.journal"]);
    run.says("its directory could not be found");
    assert_eq!((run.code, portal.request_count()), (2, 0), "{run:?}");
    let run = import(&["--journal", &journal("local.journal")]);
    run.says("--journal is for a portal that outlives the run");
    assert_eq!(run.code, 2, "{run:?}");
}
