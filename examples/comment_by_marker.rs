//! A comment in a timeline has no field for a key. A marker in its text, and all comments of the deal, tell whether it is there.
//!
//! `cargo run --example comment_by_marker`

use std::error::Error;

use retry_portal::{Answer, Fault, Portal};
use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};
use serde::{Deserialize, Serialize};

/// All comments of one record.
#[bitrix_method(name = "crm.timeline.comment.list", kind = read)]
async fn list_comments(
    reader: &Reader,
    filter: &Owner,
    select: &[&str],
    start: u64,
) -> Result<Page<Comment>, CallError>;

/// Writes a comment.
#[bitrix_method(name = "crm.timeline.comment.add", kind = write, verify = find_comment, key = fields.marker)]
async fn add_comment(client: &Client, fields: &NewComment) -> Result<Id, CallError>;

async fn find_comment(reader: &Reader, fields: &NewComment) -> Result<ReadBack<Id>, CallError> {
    let page = Page::whole_by_start(|start| list_comments(reader, &fields.owner, &["ID", "COMMENT"], start)).await?;
    // Comments of others are to be expected here, so a page without ours is an absence. Behind an exact filter it would be `by_key`.
    Ok(ReadBack::by_text(page, &fields.marker, |row| (row.comment, row.id)))
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
struct Owner {
    entity_id: Id,
    entity_type: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
struct NewComment {
    #[serde(flatten)]
    owner: Owner,
    comment: String,
    #[serde(skip)]
    marker: String,
}

impl NewComment {
    /// The marker is closed on both sides, so that `delivery 7` is not found in `delivery 71`.
    fn new(owner: Owner, text: &str, event: &str) -> Self {
        let marker = format!("[{event}]");
        Self { owner, comment: format!("{text} {marker}"), marker }
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
struct Comment {
    id: Id,
    comment: String,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let portal = Portal::builder().start().await?;
    let deal = Id(portal.insert("deal", serde_json::json!({"TITLE": "Order 1017"}))?);
    let client = Client::webhook(&portal.webhook_url())?;
    let owner = Owner { entity_id: deal, entity_type: "deal" };

    add_comment(&client, &NewComment::new(owner.clone(), "Packed", "delivery 71")).await?;

    // The comment is written, and its answer ends in the middle.
    portal.script("crm.timeline.comment.add", [Fault::before(Answer::HeadThenReset)]);
    let id = add_comment(&client, &NewComment::new(owner.clone(), "Handed over", "delivery 7")).await?;
    println!("comment {id} was found by its marker, after {} sends in all", portal.count("crm.timeline.comment.add"));

    for comment in list_comments(&client, &owner, &["ID", "COMMENT"], 0).await?.rows {
        println!("  {}: {}", comment.id, comment.comment);
    }
    Ok(())
}
