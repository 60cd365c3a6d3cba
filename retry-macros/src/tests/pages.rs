//! `pages`: which stubs may have it, and what they look like then.

use super::{accepted, message, refused};

const BY_ID: &str = "name = \"crm.deal.list\", kind = read, pages = \"ID\"";
const LIST: &str = "fn all(reader: &Reader) -> Pages<Deal>;";

#[test]
fn a_list_may_be_walked_by_ids_and_by_offsets() {
    accepted(BY_ID, LIST);
    accepted("name = \"crm.item.list\", kind = read, pages = start", "pub fn all(&self) -> Pages<Deal>;");
    accepted("name = \"tasks.task.list\", kind = read, version = 3, pages = \"id\"", LIST);
}

#[test]
fn the_value_is_a_field_or_the_word_start() {
    let takes = "`pages` takes the id's field as a string literal, or the word `start`";
    for wrong in ["offset", "ID", "50", "start()"] {
        refused(&format!("name = \"crm.deal.list\", kind = read, pages = {wrong}"), LIST, &[(wrong, takes)]);
    }
    refused("name = \"crm.deal.list\", kind = read, pages", LIST, &[("pages", takes)]);
    for odd in ["\"\"", "\">ID\"", "\"deal id\""] {
        let attribute = format!("name = \"crm.deal.list\", kind = read, pages = {odd}");
        refused(&attribute, LIST, &[(odd, "this is no name of a field")]);
    }
}

#[test]
fn a_stub_with_pages_is_a_plain_function() {
    let stub = "async fn all(reader: &Reader) -> Pages<Deal>;";
    let what = "a stub with `pages` is not `async`: it gives a stream, whose rows are waited for";
    refused(BY_ID, stub, &[("async", what)]);
    assert!(message(BY_ID, stub).contains("write `fn all`"));
    assert!(message(BY_ID, "fn all(reader: &Reader);").contains("write `-> Pages<Row>`"));
}

#[test]
fn a_write_has_no_pages() {
    let what = "a write takes no `pages`: they are those of a list, which is read to its end";
    let attribute = "name = \"crm.deal.add\", kind = write, unverifiable = \"a test\", pages = \"ID\"";
    refused(attribute, LIST, &[("pages", what)]);
}
