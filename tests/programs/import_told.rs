//! What `import_deals` says of rows that gave no record, and of options that don't go together.

use retry_portal::{Answer, Coded, Fault, Outcome, Raw};
use serde_json::json;

use crate::run::{HEADER, Run, SECRET, command, file, import_into, portal};

#[tokio::test(flavor = "multi_thread")]
async fn p2_what_is_in_doubt_is_told_in_full_and_is_exit_code_1() {
    let portal = portal().await;
    portal.script("crm.deal.add", [Fault::before(Answer::Close)]);
    let another =
        Raw::json(200, &json!({"result": [{"ID": "9", "ORIGINATOR_ID": "web-shop", "ORIGIN_ID": "another"}]}));
    portal.script("crm.deal.list", [Fault::none(), Fault::never(Answer::Raw(another))]);
    let run = import_into(&portal, &[&file("doubt.csv", format!("{HEADER}A-1,Ann,1,EUR,\n"))]);
    run.says("line 2: crm.deal.add is in doubt: the read-back proves nothing");
    run.says("did it happen: unknown");
    run.says("key: A-1");
    // Loopback is no cloud: the hint names the option.
    run.says("--settle SECONDS");
    assert_eq!((run.code, run.number("in doubt"), run.number("created")), (1, 1, 0), "{run:?}");
    assert_eq!(portal.requests().iter().filter(|request| request.effect == Outcome::Before).count(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn p2_what_is_refused_is_told_by_its_reason_and_lines() {
    let portal = portal().await;
    let refused = Fault::never(Answer::Coded(Coded::new(403, "insufficient_scope").description("more rights")));
    portal.script("crm.deal.add", vec![refused; 2]);
    let run = import_into(&portal, &[&file("refused.csv", format!("{HEADER}A-1,Ann,1,EUR,\nA-2,Bob,1,EUR,\n"))]);
    run.says("refused\n  code insufficient_scope: more rights\n  lines 2, 3\n");
    assert_eq!((run.code, run.number("refused"), run.line("orders on the portal")), (1, 2, "0 of 2"), "{run:?}");
}

#[test]
fn options_that_do_not_go_together_are_usage_errors() {
    let cloud = format!("https://acme.bitrix24.com/rest/1/{SECRET}/");
    for (webhook, arguments, problem) in [
        ("", &["--faults", "1.5"][..], "it must be from 0 to 1"),
        ("", &["--settle", "60"], "set BITRIX24_WEBHOOK"),
        ("", &["--blind", "--dry-run"], "cannot be used with"),
        (&cloud, &["--seed", "1"], "unset BITRIX24_WEBHOOK"),
        (&cloud, &["--blind"], "a portal on this machine only"),
        ("", &["--api", "vibe", "--rate", "9"], "set VIBE_KEY"),
        ("", &["--journal", "x", "--blind"], "cannot be used with"),
        (&cloud, &["--time-scale", "0.5", "--settle", "9"], "cannot be used with"),
        (&cloud, &["--time-scale", "0.5"], "acme.bitrix24.com is elsewhere"),
        ("", &["--api", "rest3", "--blind"], "--blind is for rest2 and vibe"),
        (&cloud.replace("https", "http"), &[], "BITRIX24_WEBHOOK: the webhook URL must begin with https://"),
    ] {
        let run = Run::of(command().args(arguments).env("BITRIX24_WEBHOOK", webhook));
        run.says(problem);
        assert_eq!(run.code, 2, "{run:?}");
    }
}
