//! `import_deals` into a portal that outlives it.

use std::fs;

use retry_portal::{Answer, Fault, Raw};
use retry_runtime::oauth::{FileStore, TokenStore, Tokens};
use serde_json::json;

use crate::run::{Run, command, file, import_into, portal, some_orders};

#[tokio::test(flavor = "multi_thread")]
async fn the_same_file_again_creates_nothing_new_through_the_other_apis() {
    for (api, method, entity) in [("vibe", "crm.deal.add", "deal"), ("rest3", "tasks.task.add", "task")] {
        let portal = portal().await;
        let orders = some_orders(&format!("again_{api}.csv"), 30);
        let runs = [0, 30].map(|there| (there, import_into(&portal, &["--api", api, &orders])));
        for (there, run) in runs {
            let ended = (run.code, run.number("already there"), run.number("created"));
            assert_eq!(ended, (0, there, 30 - there), "{run:?}");
        }
        let sent = if api == "vibe" { 30 } else { 60 };
        assert_eq!((portal.records(entity).len(), portal.count(method)), (30, sent), "{api}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn p1_a_deal_that_comes_back_without_its_key_ends_the_run_after_one_row() {
    let portal = portal().await;
    let echo = Raw::json(201, &json!({"success": true, "data": {"id": 1, "title": "Order N-1, Ann"}}));
    portal.script("crm.deal.add", [Fault::before(Answer::Raw(echo))]);
    let run = import_into(&portal, &["--api", "vibe", &some_orders("dropped.csv", 30)]);
    run.says("stopped: deal 1, made of line 2, came back without UF_CRM_IMPORT_ORDER");
    assert_eq!((run.code, portal.count("crm.deal.add")), (1, 1), "{run:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_oauth_application_imports_with_the_file_of_its_tokens() {
    for (api, entity) in [("rest2", "deal"), ("rest3", "task")] {
        let portal = portal().await;
        let (access, refresh) = portal.oauth_tokens();
        let (id, secret) = portal.oauth_application();
        let path = file(&format!("oauth_{api}.json"), "");
        fs::remove_file(&path).unwrap();
        let tokens = Tokens::new(access.as_str(), refresh.as_str(), &portal.oauth_endpoint()).unwrap();
        FileStore::new(&path).save(tokens).await.unwrap();
        portal.expire_tokens();
        let mut command = command();
        command.args(["--api", api, &some_orders(&format!("oauth_{api}.csv"), 30)]);
        command.env("BITRIX24_OAUTH_TOKENS", &path).env("BITRIX24_TOKEN_URL", portal.token_url());
        let run = Run::of(command.env("BITRIX24_CLIENT_ID", id).env("BITRIX24_CLIENT_SECRET", &secret));
        assert_eq!((run.code, portal.records(entity).len(), portal.count("oauth.token")), (0, 30, 1), "{run:?}");
        let printed = format!("{}{}", run.out, run.err);
        assert!([access, refresh, secret].iter().all(|secret| !printed.contains(secret)), "a secret is printed");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_file_again_creates_nothing_new() {
    let portal = portal().await;
    let lost = [Answer::Close, Answer::Reset, Answer::HeadThenReset, Answer::Html(502)].map(Fault::before);
    portal.script("crm.deal.add", lost.iter().cycle().take(40).cloned());

    let first = import_into(&portal, &[]);
    assert_eq!(first.code, 0, "{first:?}");
    assert_eq!((first.number("found by read-back"), first.number("already there")), (40, 1), "{first:?}");
    assert_eq!((portal.records("deal").len(), portal.duplicates_by("deal", "ORIGIN_ID")), (298, Vec::new()));
    // P4: what the reports count is what came over the wire. The list at the end is not part of the import.
    let of_the_import = |request: &&retry_portal::Received| !request.params.contains_key("order");
    assert_eq!(portal.requests().iter().filter(of_the_import).count(), first.number("requests sent"));

    portal.clear_requests();
    let second = import_into(&portal, &[]);
    assert_eq!((second.code, second.number("already there"), second.number("created")), (0, 299, 0), "{second:?}");
    assert_eq!(second.line("orders on the portal"), "298 of 298");
    assert_eq!((portal.records("deal").len(), portal.count("crm.deal.add")), (298, 0));
}
