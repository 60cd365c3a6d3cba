//! `im.message.add` and `im.dialog.messages.get`, so that a message can be read back.

use serde_json::{Map, Value, json};

use super::classic;
use crate::crm::{Act, Context, Entity, One, Record, Show, text, visible};
use crate::params::Params;
use crate::refusal::{Answered, Refusal};

/// Shown without a `LIMIT`.
const DEFAULT_LIMIT: usize = 20;
const MOST: usize = 50;

pub(crate) fn add(context: &Context<'_>, params: &Params) -> Result<One, Refusal> {
    if given(params, "DIALOG_ID").is_none() {
        return Err(Refusal::bad("USER_ID_EMPTY", "Recipient ID can't be empty"));
    }
    if given(params, "MESSAGE").is_none() {
        return Err(Refusal::bad("MESSAGE_EMPTY", "Message can't be empty"));
    }
    let upper: Map<String, Value> =
        params.values().iter().map(|(name, value)| (name.to_ascii_uppercase(), value.clone())).collect();
    Ok(One {
        entity: Entity::Message,
        act: Act::Add { id: None },
        edits: classic::edits(Entity::Message, &upper),
        user: context.user,
        show: Show::id(),
        gone: Refusal::bad("PARAMS_ERROR", "Something went wrong"),
    })
}

/// The newest first. `LAST_ID`: older than that one; `FIRST_ID`: newer than that one, the oldest of them.
pub(crate) fn messages(context: &Context<'_>, params: &Params) -> Result<Answered, Refusal> {
    let dialog =
        given(params, "DIALOG_ID").ok_or_else(|| Refusal::bad("DIALOG_ID_EMPTY", "Dialog ID can't be empty"))?;
    let number = |name: &str| given(params, name).and_then(|text| text.trim().parse::<u64>().ok());
    let limit = number("LIMIT").and_then(|limit| usize::try_from(limit).ok()).filter(|limit| *limit > 0);
    let limit = limit.unwrap_or(DEFAULT_LIMIT).min(MOST);
    let mut rows = visible(context, Entity::Message);
    rows.retain(|row| row.text("DIALOG_ID") == Some(dialog.as_str()));
    let mut shown: Vec<&Record> = match (number("FIRST_ID"), number("LAST_ID")) {
        (Some(first), _) => rows.into_iter().filter(|row| row.id > first).take(limit).collect(),
        (None, last) => {
            let older = rows.into_iter().rev().filter(|row| last.is_none_or(|last| row.id < last));
            older.take(limit).collect()
        }
    };
    shown.sort_by_key(|row| std::cmp::Reverse(row.id));
    let chat = chat_of(&dialog);
    let messages: Vec<Value> = shown.iter().map(|row| message(row, chat)).collect();
    let user = json!({"id": context.user, "name": "Portal Administrator", "active": true});
    Ok(Answered::plain(json!({"chat_id": chat, "messages": messages, "users": [user], "files": []})))
}

fn message(row: &Record, chat: u64) -> Value {
    json!({
        "id": row.id,
        "chat_id": chat,
        "author_id": row.text("AUTHOR_ID").and_then(|id| id.parse::<u64>().ok()),
        "date": row.get("DATE"),
        "text": row.get("MESSAGE"),
        "params": null,
    })
}

/// A chat's number is in the id of its dialog; that of a private dialog is made up and stays clear of those.
fn chat_of(dialog: &str) -> u64 {
    let private = || dialog.parse::<u64>().unwrap_or(0).saturating_add(1_000_000);
    dialog.strip_prefix("chat").and_then(|number| number.parse().ok()).unwrap_or_else(private)
}

/// The methods of the messenger take parameter names in any case.
fn given(params: &Params, name: &str) -> Option<String> {
    let found = params.values().iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
    found.and_then(|(_, value)| text(value)).filter(|text| !text.is_empty())
}
