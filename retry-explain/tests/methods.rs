//! The table of `docs/methods.md` is that of the catalogue. `EXPLAIN_WRITE=1 cargo test -p retry-explain` writes it anew.
#![cfg(test)]

mod kept;

use std::fmt::Write as _;

use retry_runtime::catalogue::{Kind, Method, Strength, lookup};

/// The writes that people use most.
const WRITES: [&str; 33] = [
    "crm.item.add",
    "crm.deal.add",
    "crm.lead.add",
    "crm.contact.add",
    "crm.company.add",
    "crm.quote.add",
    "crm.deal.update",
    "crm.deal.delete",
    "crm.deal.contact.add",
    "crm.item.productrow.set",
    "crm.requisite.add",
    "crm.address.add",
    "crm.status.add",
    "crm.activity.add",
    "crm.activity.todo.add",
    "crm.timeline.comment.add",
    "tasks.task.add",
    "task.commentitem.add",
    "task.checklistitem.add",
    "im.message.add",
    "im.notify",
    "calendar.event.add",
    "lists.element.add",
    "catalog.product.add",
    "sale.order.add",
    "sale.payment.add",
    "user.add",
    "disk.folder.uploadFile",
    "documentgenerator.document.add",
    "telephony.externalCall.register",
    "telephony.externalCall.finish",
    "bizproc.workflow.start",
    "mail.message.send",
];

const INTRODUCTION: &str = "# How the most used writes are read back

When the answer of a write is lost, `retry-runtime` looks on the portal for its effect. This is what it can be found by, method by
method. The compiler says the same where a stub has no verifier, and `retry-explain` prints it for each of the 1,671 documented methods,
with the stub to paste:

```text
cargo run -p retry-explain -- crm.deal.add
```

* **server**: the portal itself refuses a second one with the same key, or answers it with the first one's result.
* **exact**: one read finds it by a key; for what is created, a field of your own that you fill: `Key`. An update is compared by `Change`, a
  delete is settled by `Existing` and `Gone`.
* **parent**: list all there is under a known parent, to the end, and look for your marker: `ReadBack::by_text`.
* **nothing**: say `unverifiable = \"…\"`; an unknown outcome is for a person to settle.

Methods with REST 3.0 take an `IdempotencyKey` instead (`version = 3, idempotency_key = key`), whatever the row says of REST 2.

| method | proof | keys | read with | how |
|---|---|---|---|---|
";

const ENDING: &str = "
A verifier runs as the same user as the write, reads its list to the end, and compares the key of each row. That it finds what its own write
has made is put to the proof with the first success. The table is made from the catalogue (`retry_runtime::catalogue`), and a test compares the two.
";

fn code(text: &str) -> String {
    if text.is_empty() { "–".to_owned() } else { format!("`{text}`") }
}

fn row(method: &Method) -> String {
    let keys: Vec<String> = method.key_fields().map(code).collect();
    let keys = if keys.is_empty() { code("") } else { keys.join(", ") };
    let rest3 = if method.takes_idempotency_key() { " (REST 3.0: idempotency key)" } else { "" };
    let proof = method.strength.map(Strength::as_str).unwrap_or_default();
    let read = code(method.read_with.unwrap_or_default());
    format!("| `{}` | {proof}{rest3} | {keys} | {read} | {} |\n", method.name, method.hint)
}

#[test]
fn the_table_of_the_most_used_writes_is_that_of_the_catalogue() {
    let mut page = INTRODUCTION.to_owned();
    for name in WRITES {
        let method = lookup(name).unwrap_or_else(|| panic!("{name} is not in the catalogue"));
        assert_eq!(method.kind, Kind::Write, "{name}");
        assert!(!method.hint.contains('|'), "{name}: the hint would end its cell");
        let _ = write!(page, "{}", row(&method));
    }
    kept::compare("docs/methods.md", &(page + ENDING));
}

/// What `facts` hold of these methods, so that a mistake in the catalogue does not only move into the page.
#[test]
fn rows_that_people_rely_on_say_what_they_must() {
    for (name, line) in [
        ("crm.contact.add", "| `crm.contact.add` | exact | `ORIGINATOR_ID`, `ORIGIN_ID` | `crm.contact.list` |"),
        ("lists.element.add", "| `lists.element.add` | server | `IBLOCK_ID`, `ELEMENT_CODE` | `lists.element.get` |"),
        ("im.message.add", "| `im.message.add` | nothing | – | – |"),
        ("tasks.task.add", "| `tasks.task.add` | parent (REST 3.0: idempotency key) | `xmlId` | `tasks.task.list` |"),
    ] {
        let text = lookup(name).map(|method| row(&method)).unwrap_or_default();
        assert!(text.starts_with(line), "{text}");
    }
}

#[test]
fn the_readme_leads_to_the_table_and_the_command() {
    let readme = include_str!("../../README.md");
    assert!(readme.contains("(docs/methods.md)"));
    assert!(readme.contains("cargo run -p retry-explain -- crm.deal.add"));
}
