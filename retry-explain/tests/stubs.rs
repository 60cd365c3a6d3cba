//! The stubs that are printed compile: those of the most used methods stand in `tests/ui/pass/explained.rs`, which `tests/ui.rs` of
//! the workspace compiles, and are compared here with what would be printed today.
//!
//! `EXPLAIN_WRITE=1 cargo test -p retry-explain` writes the file anew.
#![cfg(test)]

mod kept;

use std::fmt::Write as _;

use retry_explain::stub;
use retry_runtime::catalogue::{Kind, Method, all, lookup};

/// The most used methods: writes that are settled in each way, and reads.
const METHODS: [&str; 58] = [
    "booking.v1.booking.add",
    "calendar.event.add",
    "catalog.price.add",
    "catalog.product.add",
    "catalog.product.delete",
    "crm.activity.add",
    "crm.activity.todo.add",
    "crm.address.add",
    "crm.company.add",
    "crm.contact.add",
    "crm.contact.update",
    "crm.deal.add",
    "crm.deal.contact.add",
    "crm.deal.delete",
    "crm.deal.productrows.set",
    "crm.deal.update",
    "crm.item.add",
    "crm.item.delete",
    "crm.item.payment.pay",
    "crm.item.productrow.add",
    "crm.item.productrow.set",
    "crm.item.update",
    "crm.lead.add",
    "crm.quote.add",
    "crm.requisite.add",
    "crm.status.add",
    "crm.timeline.comment.add",
    "department.add",
    "disk.folder.addSubFolder",
    "documentgenerator.document.add",
    "entity.item.add",
    "event.bind",
    "im.chat.add",
    "im.message.add",
    "im.notify",
    "lists.element.add",
    "lists.element.update",
    "mail.message.send",
    "placement.bind",
    "sale.basketitem.add",
    "sale.order.add",
    "sale.payment.add",
    "task.checklistitem.add",
    "task.commentitem.add",
    "task.elapseditem.add",
    "tasks.task.add",
    "tasks.task.update",
    "telephony.externalCall.finish",
    "user.add",
    "crm.company.get",
    "crm.contact.list",
    "crm.deal.fields",
    "crm.deal.list",
    "crm.item.get",
    "crm.item.list",
    "crm.status.list",
    "tasks.task.list",
    "user.current",
];

const HEAD: &str = "\
//! What `retry-explain` prints as stubs, compiled. Written by `EXPLAIN_WRITE=1 cargo test -p retry-explain`.
#![allow(dead_code, missing_docs, unreachable_pub, clippy::pedantic, reason = \"text to paste, which a program has made\")]

fn main() {}
";

fn found(name: &str) -> Method {
    lookup(name).unwrap_or_else(|| panic!("{name} is not in the catalogue"))
}

#[test]
fn the_stubs_that_are_compiled_are_those_that_are_printed() {
    let mut file = HEAD.to_owned();
    for name in METHODS {
        let _ = write!(file, "\n/// `{name}`\npub mod {} {{\n", name.replace('.', "_").to_lowercase());
        for line in stub(&found(name)).lines() {
            file.extend([if line.is_empty() { "" } else { "    " }, line, "\n"]);
        }
        file += "}\n";
    }
    kept::compare("tests/ui/pass/explained.rs", &file);
}

#[test]
fn every_method_has_a_stub_that_names_it_and_its_kind() {
    for method in all() {
        let text = stub(&method);
        let named = format!("name = \"{}\"", method.name);
        assert!(text.contains(&named) && text.contains(&format!("kind = {}", method.kind)), "{text}");
        let settled = ["verify = ", "idempotency_key = ", "unverifiable = "].iter().any(|way| text.contains(way));
        assert_eq!(settled, method.kind == Kind::Write, "{text}");
        assert_eq!(text.contains("read_form"), method.two_forms, "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 120 || line.contains('"')), "{text}");
    }
}

#[test]
fn a_stub_settles_its_write_in_the_way_of_the_catalogue() {
    for (name, part) in [
        ("crm.contact.add", "let key = Key::origin(&fields.originator_id, &fields.origin_id);"),
        ("crm.contact.add", "Ok(key.find_in(list_contacts(reader, &key).await?))"),
        ("crm.item.add", "Key::item_origin(&fields.originator_id, &fields.origin_id)"),
        ("crm.quote.add", "Key::field(\"UF_CRM_YOUR_KEY\", &fields.uf_crm_your_key)"),
        (
            "crm.timeline.comment.add",
            "Page::whole_by_start(|start| list_comments(reader, &key, &[\"ID\", \"COMMENT\"], start))",
        ),
        ("crm.timeline.comment.add", "ReadBack::by_text(page, &fields.marker, |row| (row.comment, row.id))"),
        ("crm.deal.update", "fields: &Change<DealFields>"),
        ("crm.deal.contact.add", "ReadBack::by_marker(page,"),
        ("lists.element.add", "#[bitrix_method(name = \"lists.element.get\", kind = read)]"),
        ("crm.deal.delete", "Ok(id.judge(got, Gone::CRM)?.map(|()| true))"),
        ("crm.item.delete", "#[param(name = \"entityTypeId\")] entity_type_id: Id,\n    id: Existing,"),
        // The empty code alone would take any error for "gone".
        ("crm.requisite.delete", "Gone::new(\"\", &[\"its text\"])"),
        ("catalog.product.delete", "Gone::new(\"0\", &[\"does not exist\"])"),
        ("crm.item.delete", "Ok(id.judge(got, Gone::ITEM)?.map(|()| true))"),
        ("tasks.task.add", "version = 3, idempotency_key = key"),
        ("im.message.add", "unverifiable = \"a message carries no key of yours\""),
        ("disk.folder.uploadFile", "kind = read, read_form = \"it writes when it is given fileContent"),
    ] {
        let text = stub(&found(name));
        assert!(text.contains(part), "{text}");
    }
}
