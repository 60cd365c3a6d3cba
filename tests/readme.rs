//! The test that the README shows, with the stubs of its first lines.

use std::time::Duration;

use retry_portal::{Answer, Fault, Portal};
use retry_runtime::{
    BuildError, CallError, Client, Id, Key, KeyRow, Page, Pages, Policy, RateLimit, ReadBack, Reader, Settle,
    bitrix_method,
};
use serde::{Deserialize, Serialize};
use tokio::task::JoinSet;

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
struct NewDeal {
    title: String,
    originator_id: String,
    origin_id: String,
}

impl NewDeal {
    fn chair(order: &str) -> Self {
        Self { title: "Chair".into(), originator_id: "shop".into(), origin_id: order.into() }
    }
}

#[bitrix_method(name = "crm.deal.list", kind = read)]
async fn list_deals(reader: &Reader, #[param(flatten)] key: &Key<'_>) -> Result<Page<KeyRow>, CallError>;

#[bitrix_method(name = "crm.deal.add", kind = write, verify = find_deal)]
async fn add_deal(client: &Client, fields: &NewDeal) -> Result<Id, CallError>;

async fn find_deal(reader: &Reader, fields: &NewDeal) -> Result<ReadBack<Id>, CallError> {
    let key = Key::origin(&fields.originator_id, &fields.origin_id);
    Ok(key.find_in(list_deals(reader, &key).await?))
}

#[tokio::test]
async fn a_lost_answer_makes_one_deal_whether_it_was_applied_or_not() {
    let deal = NewDeal::chair("1017");
    for fault in [Fault::before(Answer::Reset), Fault::never(Answer::Reset)] {
        let portal = Portal::builder().time_scale(0.05).script("crm.deal.add", [fault]).start().await.unwrap();
        let none = Duration::ZERO;
        let settle = Settle::self_hosted(portal.max_lateness()).tcp(none).list_lag(none).margin(none);
        let client = Client::builder()
            .webhook(&portal.webhook_url())
            .settle(settle)
            .connect_timeout(Duration::from_millis(500))
            .build()
            .unwrap();

        add_deal(&client, &deal).await.unwrap();
        assert_eq!(portal.records("deal").len(), 1);
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
struct Deal {
    id: Id,
    title: String,
}

#[bitrix_method(name = "crm.deal.list", kind = read, pages = "ID")]
fn all_deals(reader: &Reader, select: &[&str]) -> Pages<Deal>;

#[tokio::test]
async fn batches_lists_and_the_rate_are_used_as_the_readme_says() {
    // One batch is made and its answer lost, one does not arrive.
    let faults = [Fault::before(Answer::Reset), Fault::never(Answer::Reset)];
    let portal = Portal::builder().time_scale(0.05).script("batch", faults).start().await.unwrap();
    let none = Duration::ZERO;
    let settle = Settle::self_hosted(portal.max_lateness()).tcp(none).list_lag(none).margin(none);
    let client = Client::builder()
        .webhook(&portal.webhook_url())
        .settle(settle)
        .connect_timeout(Duration::from_millis(500))
        .rate_limit(RateLimit::new(50, Duration::from_millis(50)))
        .build()
        .unwrap();
    let batched = client.with_policy(Policy::new().deadline(Duration::from_secs(3_600))).batched();
    let mut calls = JoinSet::new();
    for order in 0..200 {
        let batched = batched.clone();
        calls.spawn(async move { add_deal(&batched, &NewDeal::chair(&order.to_string())).await });
    }
    while let Some(result) = calls.join_next().await {
        result.unwrap().unwrap();
    }
    assert_eq!(portal.records("deal").len(), 200);

    let mut deals = all_deals(&client, &["ID", "TITLE"]);
    let mut last = Id(0);
    while let Some(deal) = deals.next().await {
        let deal = deal.unwrap();
        assert!(deal.id.0 > last.0 && deal.title == "Chair", "{deal:?}");
        last = deal.id;
    }
    assert_eq!(deals.read(), 200);
}

#[test]
fn settings_of_the_gateway_need_its_key_and_have_no_order() {
    let base = "http://127.0.0.1:1/v1";
    let client = Client::builder().vibe_base(base).vibe("vibe_api_x").build().unwrap();
    assert!(format!("{client:?}").contains("127.0.0.1"), "{client:?}");
    let keyless = Client::builder().vibe_base(base).webhook("http://127.0.0.1:1/rest/1/secret/").build();
    assert!(matches!(keyless, Err(BuildError::NoVibeKey)));
}

/// A row type that does not fit what the portal sends.
#[derive(Debug, Deserialize)]
struct LowerCase {
    id: Id,
}

#[bitrix_method(name = "crm.deal.list", kind = read)]
async fn list_misspelt(reader: &Reader, #[param(flatten)] key: &Key<'_>) -> Result<Page<LowerCase>, CallError>;

#[bitrix_method(name = "crm.deal.add", kind = write, verify = find_misspelt)]
async fn add_misspelt(client: &Client, fields: &NewDeal) -> Result<Id, CallError>;

async fn find_misspelt(reader: &Reader, fields: &NewDeal) -> Result<ReadBack<Id>, CallError> {
    let page = list_misspelt(reader, &Key::origin(&fields.originator_id, &fields.origin_id)).await?;
    Ok(ReadBack::by_key(page, |row| Some(row.id)))
}

#[tokio::test]
async fn a_verifier_that_can_not_read_its_rows_ends_the_call_at_once_and_says_so() {
    let portal = Portal::builder().script("crm.deal.add", [Fault::before(Answer::Reset)]).start().await.unwrap();
    let client = Client::webhook(&portal.webhook_url()).unwrap();
    let error = add_misspelt(&client, &NewDeal::chair("1")).await.unwrap_err();
    assert!(matches!(error, CallError::InDoubt(_)), "{error}");
    assert!(error.failure().why().contains("the verifier can't use crm.deal.list"), "{error}");
    assert_eq!(error.report().checks().len(), 1);
}

/// What the compiler says of that stub without its verifier. The place is that of the README's own program.
#[test]
fn the_error_that_the_readme_shows_is_that_of_the_compiler() {
    let of = |text: &str| -> Vec<String> {
        let from = text.lines().skip_while(|line| !line.starts_with("error: `crm.deal.add` is a write"));
        from.take_while(|line| !line.trim_start().starts_with("-->")).map(str::to_owned).collect()
    };
    let said = of(include_str!("ui/write_without_verifier.stderr"));
    assert!(said.len() > 10, "{said:?}");
    assert_eq!(of(include_str!("../README.md")), said);
}

mod on_record {
    use super::*;
    use retry_journal::SqliteJournal;

    #[bitrix_method(name = "crm.deal.add", kind = write, verify = find_deal, key = fields.origin_id, journal)]
    async fn add_deal(client: &Client, fields: &NewDeal) -> Result<Id, CallError>;

    #[tokio::test]
    async fn the_journal_of_the_readme_gives_the_result_on_record() {
        let portal = Portal::builder().script("crm.deal.add", [Fault::before(Answer::Reset)]).start().await.unwrap();
        let folder = tempfile::tempdir().unwrap();
        let mut made = Vec::new();
        for _ in 0..2 {
            let client = Client::builder()
                .webhook(&portal.webhook_url())
                .journal(SqliteJournal::open(folder.path().join("deals.journal")).unwrap())
                .build()
                .unwrap();
            client.recover([add_deal::RECOVERY]).await.unwrap();
            made.push(add_deal(&client, &NewDeal::chair("1017")).await.unwrap());
            assert_eq!(client.shutdown(Duration::from_secs(60)).await, 0);
        }
        assert_eq!((made[0], portal.records("deal").len()), (made[1], 1));
        let sends = portal.requests().iter().filter(|request| request.method == "crm.deal.add").count();
        assert_eq!(sends, 1, "the second run has the result on record");
    }
}
