//! A read may be sent again: it changes nothing. Four losses in a row end it, with all that a support ticket needs.
//!
//! `cargo run --example read_with_retries`

use std::error::Error;

use retry_portal::{Answer, Coded, Fault, Portal, RetryAfter};
use retry_runtime::{CallError, Client, Id, Page, Reader, bitrix_method};
use serde::{Deserialize, Serialize};

/// Deals in a stage.
#[bitrix_method(name = "crm.deal.list", kind = read)]
async fn list_deals(reader: &Reader, filter: &InStage<'_>, select: &[&str]) -> Result<Page<Deal>, CallError>;

#[derive(Debug, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
struct InStage<'a> {
    stage_id: &'a str,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
struct Deal {
    id: Id,
    title: String,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let portal = Portal::builder().start().await?;
    portal.insert("deal", serde_json::json!({"TITLE": "Order 1017", "STAGE_ID": "NEW"}))?;
    let client = Client::webhook(&portal.webhook_url())?;
    let (new, fields) = (InStage { stage_id: "NEW" }, ["ID", "TITLE"]);

    // Three losses: a reset, a page of HTML, and a refusal that asks to wait a second.
    let limit = Coded::new(503, "QUERY_LIMIT_EXCEEDED").retry_after(RetryAfter::Seconds(1));
    let answers = [Answer::Reset, Answer::Html(502), Answer::Coded(limit)];
    portal.script("crm.deal.list", answers.map(Fault::never));

    let page = list_deals(&client, &new, &fields).await?;
    for deal in &page.rows {
        println!("deal {}: {}", deal.id, deal.title);
    }
    println!("it took {} requests\n", portal.count("crm.deal.list"));

    // Four are as many as a call makes by default.
    let broken = Coded::new(500, "INTERNAL_SERVER_ERROR").header("X-Request-Id", "5f1c9a");
    let answers = [Answer::Close, Answer::Html(504), Answer::Reset, Answer::Coded(broken)];
    portal.script("crm.deal.list", answers.map(Fault::never));
    match list_deals(&client, &new, &fields).await {
        Ok(page) => println!("{} deals", page.rows.len()),
        Err(error) => println!("{error}"),
    }
    Ok(())
}
