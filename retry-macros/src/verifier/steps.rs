//! The steps of a verifier, by what the write does.

use retry_catalogue::{Action, Helper};
use syn::Signature;

use super::read::{Read, snake};
use super::{found, retyped, sent};
use crate::catalogue::{Row, and};

/// The body of the verifier.
pub(super) fn of(read: &Read, stub: &Signature, row: &Row) -> String {
    let steps = row.helper().and_then(|helper| with_helper(helper, read, stub, row));
    steps.unwrap_or_else(|| by_hand(read, stub, row))
}

/// The three lines of a verifier that a helper fits.
fn with_helper(helper: Helper, read: &Read, stub: &Signature, row: &Row) -> Option<String> {
    let Read { function, arguments, .. } = read;
    let call = format!("{function}(reader, {arguments})");
    let found = found(&stub.output);
    let map = |it: &str| if found == "Id" { String::new() } else { format!(".map(|{it}| {})", returned(&found)) };
    match (helper, retyped(stub, Some(helper))) {
        (Helper::Key(make), _) => {
            let key = key(make, stub, row);
            Some(format!("let key = {key};\nOk(key.find_in({call}.await?){})", map("id")))
        }
        (Helper::Text(text), _) => {
            let page = if read.is_paged() {
                format!(
                    "// to its end: a list that is cut is never an absence\nlet page = Page::whole_by_start(|start| {call}).await?;"
                )
            } else {
                format!(
                    "// all that is under the parent: a page that goes on proves nothing\nlet page = {call}.await?;"
                )
            };
            let (marker, text) = (sent::value(stub, "marker"), snake(text));
            Some(format!("{page}\nOk(ReadBack::by_text(page, {marker}, |row| (row.{text}, row.id)){})", map("id")))
        }
        (Helper::Change, Some((fields, _))) => {
            Some(format!("Ok({fields}.judge(&{call}.await?{}){})", read.inner, done(&found)))
        }
        (Helper::Gone(gone), Some((id, _))) => {
            let (gone, note) = match gone {
                Some(gone) => (format!("Gone::{gone}"), ""),
                None => (
                    "Gone::new(\"ITS_CODE\", &[\"its text\"])".to_owned(),
                    "// what the read answers to an id that does not exist: see it once\n",
                ),
            };
            Some(format!("{note}Ok({id}.judge({call}.await, {gone})?{})", done(&found)))
        }
        (Helper::Change | Helper::Gone(_), None) => None,
    }
}

/// How the key of a record is made: `Key::origin(&fields.originator_id, &fields.origin_id)`
fn key(make: &str, stub: &Signature, row: &Row) -> String {
    let values = row.key_fields().map(|field| (field.replace('*', "KEY"), sent::value(stub, field)));
    if !make.ends_with("field") {
        return format!("Key::{make}({})", values.map(|(_, value)| value).collect::<Vec<_>>().join(", "));
    }
    let mut text = "Key".to_owned();
    for (at, (field, value)) in values.enumerate() {
        // What narrows the list beside the key is the number of a record.
        let is_number = make == "item_field" && field != "xmlId";
        let value = if is_number { format!("{}.to_string()", value.trim_start_matches('&')) } else { value };
        let call = if at == 0 { format!("::{make}") } else { ".and".to_owned() };
        text.extend([call, format!("({field:?}, {value})")]);
    }
    text
}

/// What the write would have returned.
fn returned(found: &str) -> &'static str {
    match found {
        "bool" => "true",
        "()" => "()",
        _ => "what_the_call_returns",
    }
}

/// The same, made of a verdict that has no value.
fn done(found: &str) -> String {
    if found == "()" { String::new() } else { format!(".map(|()| {})", returned(found)) }
}

/// The steps where no helper fits.
fn by_hand(read: &Read, stub: &Signature, row: &Row) -> String {
    let Read { function, arguments, listed, .. } = read;
    let call = format!("{function}(reader, {arguments})");
    let found = returned(&found(&stub.output));
    match (row.action, *listed) {
        (Action::Delete, true) => format!(
            "let page = {call}.await?;\n\
             Ok(if page.rows.iter().any(is_the_one) {{\n    ReadBack::Absent // the delete was not applied\n\
             }} else if page.is_complete() {{\n    ReadBack::Found({found})\n\
             }} else {{\n    ReadBack::Unreliable(\"the list goes on\".into())\n}})"
        ),
        (Action::Delete, false) => format!(
            "match {call}.await {{\n    Ok(_) => Ok(ReadBack::Absent), // the delete was not applied\n    \
             Err(error) if says_that_it_is_gone(&error) => Ok(ReadBack::Found({found})),\n    \
             Err(error) => Err(error),\n}}"
        ),
        (Action::Update | Action::Act, _) => format!(
            "let now = {call}.await?;\n\
             // what was sent: found; anything else may as well be somebody's edit\n\
             Ok(if is_as_sent(&now) {{\n    ReadBack::Found({found})\n\
             }} else {{\n    ReadBack::Unreliable(\"it is not as it was sent\".into())\n}})"
        ),
        (_, true) if row.is_asked_by_key() => {
            let keys = and(&row.key_fields().collect::<Vec<_>>());
            let ask = if read.is_filtered() { "filter by" } else { "`query` has" };
            let select = if read.is_filtered() { ", and select them with the id" } else { "" };
            format!(
                "// {ask} {keys}{select}\n\
                 let page = {call}.await?;\n\
                 // `is_ours` compares them in each row: a misspelt filter may be ignored\n\
                 Ok(ReadBack::by_key(page, |row| is_ours(&row).then_some(row.id)))"
            )
        }
        (_, true) => format!(
            "// all that is under the same parent: a page that goes on proves nothing\n\
             let page = {call}.await?;\n\
             Ok(ReadBack::by_marker(page, |row| is_ours(&row).then_some(row.id)))"
        ),
        (_, false) => format!(
            "match {call}.await {{\n    Ok(row) if is_ours(&row) => Ok(ReadBack::Found(row.id)),\n    \
             Ok(_) => Ok(ReadBack::Unreliable(\"it is there, and not ours\".into())),\n    \
             Err(error) if says_that_there_is_none(&error) => Ok(ReadBack::Absent),\n    \
             Err(error) => Err(error),\n}}"
        ),
    }
}
