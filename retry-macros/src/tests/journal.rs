//! `journal` and `resend`: which writes may be on record, and what those are told that may not.

use super::{READ, WRITE, accepted, message, refused, sentence};

const ADD: &str = "name = \"crm.deal.add\", kind = write, verify = find, ";
const SEND: &str = "name = \"im.message.add\", kind = write, unverifiable = \"no key\", ";
const TASK: &str = "name = \"tasks.task.add\", kind = write, version = 3, idempotency_key = once, ";

/// A stub with these parameters after the first.
fn with(params: &str) -> String {
    format!("async fn add(client: &Client, {params}) -> Result<Id, CallError>;")
}

#[test]
fn a_write_that_can_be_settled_may_be_on_record_and_sent_again_from_there() {
    let once = with("title: &str, once: &IdempotencyKey");
    for more in ["journal", "journal, resend", "resend, journal, ensure, key = title"] {
        accepted(&format!("{ADD}{more}"), WRITE);
        accepted(&format!("{ADD}{more}"), "async fn add(&self, title: String) -> Result<Id, CallError>;");
        accepted(&format!("{TASK}verify = find, {more}"), &once);
    }
    for more in ["journal", "journal, resend", "journal, key = title"] {
        accepted(&format!("{TASK}{more}"), &once);
    }
    accepted(&format!("{SEND}journal"), WRITE);
}

#[test]
fn both_keys_are_flags() {
    refused(&format!("{ADD}journal = true"), WRITE, &[("= true", "`journal` takes no value")]);
    refused(&format!("{ADD}journal, resend = 3"), WRITE, &[("= 3", "`resend` takes no value")]);
    refused(&format!("{ADD}journal, journal"), WRITE, &[("journal", "`journal` is given twice")]);
}

#[test]
fn a_misspelt_journal_is_one_error_that_names_it() {
    for word in ["journaled", "journalled", "durable", "record", "log", "jurnal"] {
        // What it was to allow is not held against the stub a second time.
        for more in ["", ", resend"] {
            let attribute = format!("{ADD}{word}{more}");
            refused(&attribute, WRITE, &[(word, &format!("there is no key `{word}`"))]);
            let text = message(&attribute, WRITE);
            assert!(text.contains("\nhelp: did you mean `journal`? It is written `journal`\n"), "{text}");
        }
    }
    let text = message(&format!("{ADD}journal, resent"), WRITE);
    assert!(text.contains("\nhelp: did you mean `resend`? It is written `resend`\n"), "{text}");
}

#[test]
fn a_read_is_not_on_record() {
    refused(
        "name = \"crm.deal.get\", kind = read, journal, resend",
        READ,
        &[
            ("journal", "a read takes no `journal`: it leaves nothing behind that a crash could make doubtful"),
            ("resend", "a read takes no `resend`: recovery finds none of it"),
        ],
    );
    refused(
        "name = \"crm.deal.list\", kind = read, pages = \"ID\", journal",
        "fn all(reader: &Reader) -> Pages<Deal>;",
        &[("journal", "a read takes no `journal`: it leaves nothing behind that a crash could make doubtful")],
    );
    let pages = "a write takes no `pages`: they are those of a list, which is read to its end";
    refused(&format!("{ADD}journal, pages = \"ID\""), "fn all(client: &Client) -> Pages<Deal>;", &[("pages", pages)]);
}

#[test]
fn resend_needs_a_record_and_a_way_to_settle_it() {
    let attribute = format!("{ADD}resend");
    let alone = "`resend` is for what recovery finds in the journal, and this write is not on record there";
    refused(&attribute, WRITE, &[("resend", alone)]);
    assert!(message(&attribute, WRITE).contains("\nhelp: write `journal, resend`\nhelp: or remove `resend`: "));
    let unproved = "`resend` contradicts `unverifiable`: recovery sends again what it has proved not applied, and nothing \
                    proves that of this write";
    for more in ["resend", "journal, resend"] {
        refused(&format!("{SEND}{more}"), WRITE, &[("resend", unproved)]);
    }
    // The way out is what is missing.
    let no_way_out = sentence("name = \"crm.deal.add\", kind = write, journal, resend", WRITE);
    assert!(no_way_out.starts_with("`crm.deal.add` is a write, "), "{no_way_out}");
}

#[test]
fn recovery_knows_no_types_that_a_caller_has_chosen() {
    let says = |what, name| {
        format!(
            "a stub with `journal` has no {what} parameters: recovery reads its arguments back in another process, and \
             can't know what `{name}` was"
        )
    };
    let stub =
        "async fn add<'a, T: Serialize, const N: usize>(client: &Client, x: &'a [T; N]) -> Result<Id, CallError>;";
    for attribute in [ADD, SEND] {
        refused(
            &format!("{attribute}journal"),
            stub,
            &[("T: Serialize", &says("type", "T")), ("const N: usize", &says("const", "N"))],
        );
    }
    let lifetimes =
        "async fn add<'a, 'b: 'a>(client: &'b Client, x: &'a Deal<'b>) -> Result<Id, CallError> where 'a: 'b;";
    accepted(&format!("{ADD}journal"), lifetimes);
    let this = "a parameter of a stub with `journal` has a type that is named: recovery reads it back in another \
                process, and can't know what stands for this `impl`";
    for ty in ["impl Serialize", "&impl Serialize", "Vec<impl Serialize>"] {
        refused(&format!("{ADD}journal"), &with(&format!("id: u64, x: {ty}")), &[(ty, this)]);
    }
    // What the call is made through is not read back.
    accepted(&format!("{ADD}journal"), "async fn add(client: &impl Deref<Target = Client>) -> Result<Id, CallError>;");
}

#[test]
fn what_is_read_back_owns_all_that_is_in_it() {
    let attribute = format!("{ADD}journal");
    let within =
        "what recovery reads back from the journal owns all that is in it: only the whole parameter can be a reference";
    for (ty, inner, better) in [
        ("Option<&str>", "&str", "String"),
        ("&[&str]", "&str", "String"),
        ("&'a (u8, &'a [&'a str])", "&'a [&'a str]", "Vec<String>"),
        ("&&NewDeal<'_>", "&NewDeal<'_>", "NewDeal<'_>"),
        ("HashMap<String, [&'static Id; 2]>", "&'static Id", "Id"),
        ("Vec<(&(str))>", "&(str)", "String"),
    ] {
        let stub = with(&format!("x: {ty}"));
        refused(&attribute, &stub, &[(inner, within)]);
        assert!(message(&attribute, &stub).ends_with(&format!("\nhelp: write `{better}`")), "{ty}");
        // Nothing reads it back where nothing is read back.
        accepted(&format!("{SEND}journal"), &stub);
        accepted(ADD.trim_end_matches(", "), &stub);
    }
    for fine in ["&str", "&'static str", "&[u8]", "(&NewDeal<'_>)", "Cow<'_, str>", "Option<fn(&str)>", "u64"] {
        accepted(&attribute, &with(&format!("x: {fine}")));
    }
}
