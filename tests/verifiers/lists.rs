//! Lists that are read to their end, and markers in them.

use retry_portal::{Answer, Fault};
use retry_runtime::{CallError, Client, Id, Page, Proof, ReadBack, Reader, bitrix_method};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::setting::{portal, scaled};

/// The comments of a record, a page at a time.
#[bitrix_method(name = "crm.timeline.comment.list", kind = read)]
async fn list_comments(reader: &Reader, filter: Owner, select: &[&str], start: u64)
-> Result<Page<Comment>, CallError>;

/// Writes a comment.
#[bitrix_method(name = "crm.timeline.comment.add", kind = write, verify = find_comment)]
async fn add_comment(client: &Client, fields: &NewComment) -> Result<Id, CallError>;

async fn find_comment(reader: &Reader, fields: &NewComment) -> Result<ReadBack<Id>, CallError> {
    let all = Page::whole_by_start(|start| list_comments(reader, fields.owner, &["ID", "COMMENT"], start)).await?;
    Ok(ReadBack::by_text(all, &fields.marker, |row| (row.comment, row.id)))
}

#[derive(Debug, Clone, Copy, Serialize)]
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
    fn new(owner: Owner, number: u32) -> Self {
        let marker = format!("delivery-{number}");
        Self { owner, comment: format!("Handed over ({marker})"), marker }
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
struct Comment {
    id: Id,
    comment: Option<String>,
}

/// Deals from an id on.
#[bitrix_method(name = "crm.deal.list", kind = read)]
async fn list_deals(reader: &Reader, filter: After, order: ById, start: i32) -> Result<Page<Row>, CallError>;

#[derive(Debug, Serialize)]
struct After {
    #[serde(rename = ">ID")]
    id: Id,
}

#[derive(Debug, Serialize)]
struct ById {
    #[serde(rename = "ID")]
    id: &'static str,
}

#[derive(Debug, Deserialize)]
struct Row {
    #[serde(rename = "ID")]
    id: Id,
}

#[tokio::test]
async fn p1_a_comment_is_found_behind_a_page_of_others() {
    // 60 others, one of which has a marker that ours is a part of.
    let portal = portal().start().await.unwrap();
    let client = scaled(Client::builder().webhook(&portal.webhook_url())).proof(Proof::Demanded).build().unwrap();
    let deal = Id(portal.insert("deal", json!({"TITLE": "Chair"})).unwrap());
    let owner = Owner { entity_id: deal, entity_type: "deal" };
    for number in 70..130 {
        add_comment(&client, &NewComment::new(owner, number)).await.unwrap();
    }
    portal.script("crm.timeline.comment.add", [Fault::before(Answer::Reset)]);
    let id = add_comment(&client, &NewComment::new(owner, 7)).await.unwrap();
    assert_eq!((id, portal.count("crm.timeline.comment.add")), (Id(61), 61));
    // Not written, and lost: all comments are read before it is written again.
    portal.script("crm.timeline.comment.add", [Fault::never(Answer::Reset)]);
    add_comment(&client, &NewComment::new(owner, 8)).await.unwrap();
    assert_eq!((portal.count("crm.timeline.comment.add"), portal.records("comment").len()), (63, 62));
}

#[tokio::test]
async fn a_list_of_a_portal_is_read_to_its_end_by_id() {
    let portal = portal().start().await.unwrap();
    let client = scaled(Client::builder().webhook(&portal.webhook_url())).build().unwrap();
    for count in [0, 50, 120_usize] {
        while portal.records("deal").len() < count {
            portal.insert("deal", json!({"TITLE": "Chair"})).unwrap();
        }
        let page =
            Page::whole_by_id(|row: &Row| row.id, |id| list_deals(&client, After { id }, ById { id: "ASC" }, -1));
        let page = page.await.unwrap();
        assert_eq!((page.rows.len(), page.is_complete()), (count, true));
    }
    let page = Page::whole_by_id(|row: &Row| row.id, |id| list_deals(&client, After { id }, ById { id: "DESC" }, -1));
    assert!(!page.await.unwrap().is_complete(), "the newest first: what is below them was not read");
}
