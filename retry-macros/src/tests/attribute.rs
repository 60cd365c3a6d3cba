//! Every refusal of the attribute's own words: where it sits, and what it says.

use super::{READ, WRITE, accepted, message, refused};

const ADD: &str = "name = \"crm.deal.add\", kind = write, ";

#[test]
fn a_write_without_a_way_out_is_told_what_to_write() {
    insta::assert_snapshot!(message("name = \"crm.deal.add\", kind = write", WRITE));
}

#[test]
fn the_verifier_is_spelled_with_the_parameters_of_this_stub() {
    let stub = "pub async fn add<'a, T: Serialize + Clone>(&self, #[param(name = \"FIELDS\")] fields: &'a NewDeal<'_>, \
                ids: &[u64], r#type: T) -> ApiResult<Vec<(DealId, Option<&'static str>)>> where T: Send;";
    insta::assert_snapshot!(message("name = \"crm.deal.add\", kind = write", stub));
    let unusual = "async fn add(client: &Client) -> Answer;";
    assert!(
        message("name = \"crm.deal.add\", kind = write", unusual)
            .contains("async fn verify_add(reader: &Reader) -> Result<ReadBack<T>, CallError> {\n")
    );
}

#[test]
fn name_and_kind_are_required() {
    refused(
        "",
        WRITE,
        &[
            ("", "the attribute does not name the method"),
            ("", "the attribute does not say whether the method reads or writes"),
        ],
    );
    refused("name = \"crm.deal.get\"", READ, &[("", "the attribute does not say whether the method reads or writes")]);
    refused("kind = read", READ, &[("", "the attribute does not name the method")]);
}

#[test]
fn an_unknown_key_is_one_error_and_names_the_near_key() {
    let unknown = |key| format!("there is no key `{key}`");
    refused("nmae = \"crm.deal.get\", kind = read", READ, &[("nmae", &unknown("nmae"))]);
    refused("method = \"crm.deal.get\", kind = read", READ, &[("method", &unknown("method"))]);
    refused("name = \"crm.deal.add\", kidn = write", WRITE, &[("kidn", &unknown("kidn"))]);
    refused(&format!("{ADD}verifier = find"), WRITE, &[("verifier", &unknown("verifier"))]);
    refused(&format!("{ADD}unverifable = \"none\""), WRITE, &[("unverifable", &unknown("unverifable"))]);
    // What the misspelt key was to allow is not held against the stub a second time.
    refused("name = \"own.deal.get\", kind = read, unlistd", READ, &[("unlistd", &unknown("unlistd"))]);
    refused("name = \"entity.rights\", kind = read, read_from = \"x\"", READ, &[("read_from", &unknown("read_from"))]);
    let text = message("name = \"crm.deal.add\", kind = write, verfy = find", WRITE);
    assert!(text.contains("\nhelp: did you mean `verify`? It is written `verify = find_deal_by_origin`\n"), "{text}");
    assert!(text.contains(
        "\nhelp: the keys are `name`, `kind`, `verify`, `unverifiable`, `key`, `ensure`, `journal`, `resend`,"
    ));
    assert!(!message("name = \"crm.deal.get\", kind = read, colour = 1", READ).contains("did you mean"));
}

#[test]
fn a_malformed_value_is_one_error_at_the_value() {
    let value = |key, value| format!("`{key}` takes {value}");
    let literal = "a string literal";
    refused("name = crm.deal.get, kind = read", READ, &[("crm.deal.get", &value("name", literal))]);
    refused("name = concat!(\"crm\"), kind = read", READ, &[("concat!(\"crm\")", &value("name", literal))]);
    refused("name, kind = read", READ, &[("name", &value("name", literal))]);
    refused("name =, kind = read", READ, &[("name", &value("name", literal))]);
    refused("name(\"crm.deal.get\"), kind = read", READ, &[("(\"crm.deal.get\")", &value("name", literal))]);
    refused("name == \"crm.deal.get\", kind = read", READ, &[("== \"crm.deal.get\"", &value("name", literal))]);
    let word = value("kind", "one word without quotes");
    refused("name = \"crm.deal.get\", kind = \"read\"", READ, &[("\"read\"", &word)]);
    refused("name = \"crm.deal.get\", kind = read write", READ, &[("read write", &word)]);
    let path = value("verify", "the path of an async function, without quotes and not called");
    for wrong in ["\"find\"", "find()", "|reader| find(reader)", "find<T>"] {
        refused(&format!("{ADD}verify = {wrong}"), WRITE, &[(wrong, &path)]);
    }
    refused(
        &format!("{ADD}unverifiable = 5"),
        WRITE,
        &[("5", &value("unverifiable", "a string literal that gives the reason"))],
    );
    refused(&format!("{ADD}verify = find, key = ="), WRITE, &[("=", &value("key", "an expression"))]);
    refused(
        "name = \"crm.deal.get\", kind = read, crate = \"::other\"",
        READ,
        &[("\"::other\"", &value("crate", "the path of the runtime, without quotes"))],
    );
    refused(&format!("{ADD}verify = find, ensure = true"), WRITE, &[("= true", "`ensure` takes no value")]);
    refused("name = \"own.get\", kind = read, unlisted = true", READ, &[("= true", "`unlisted` takes no value")]);
    refused(
        "name = \"entity.rights\", kind = read, read_form",
        READ,
        &[("read_form", &value("read_form", "a string literal that says why this call only reads"))],
    );
}

#[test]
fn what_is_no_key_is_refused_and_the_rest_still_counts() {
    refused("\"crm.deal.get\", kind = read", READ, &[("\"crm.deal.get\"", "expected a key of the attribute")]);
    assert!(message("\"crm.deal.get\", kind = read", READ).contains("write `name = \"crm.deal.get\"`"));
    refused("name = \"crm.deal.get\", 5 + 5, kind = read", READ, &[("5 + 5", "expected a key of the attribute")]);
    refused("name = \"crm.deal.get\",, kind = read", READ, &[(",", "there is no key in front of this comma")]);
    refused("name = \"crm.deal.get\" kind = read", READ, &[("kind", "this key follows another without a comma")]);
    accepted("name = \"crm.deal.get\", kind = read,", READ);
}

#[test]
fn a_key_given_twice_is_refused_at_the_second() {
    refused(
        "name = \"crm.deal.get\", kind = read, kind = write, name = \"crm.deal.add\"",
        READ,
        &[("kind", "`kind` is given twice"), ("name", "`name` is given twice")],
    );
    refused(&format!("{ADD}verify = find, ensure, ensure"), WRITE, &[("ensure", "`ensure` is given twice")]);
}

#[test]
fn a_kind_is_read_or_write_and_a_misspelt_one_gets_a_suggestion() {
    for (word, meant) in
        [("wriet", "write"), ("Write", "write"), ("raed", "read"), ("get", "read"), ("update", "write")]
    {
        let attribute = format!("name = \"crm.deal.list\", kind = {word}");
        refused(&attribute, READ, &[(word, &format!("there is no kind `{word}`"))]);
        let text = message(&attribute, READ);
        assert!(text.contains(&format!("\nhelp: did you mean `{meant}`?\n")), "{text}");
    }
    assert!(!message("name = \"crm.deal.list\", kind = fn", READ).contains("did you mean"));
}

#[test]
fn a_write_can_be_read_back_or_not_but_not_both() {
    accepted(&format!("{ADD}verify = find"), WRITE);
    accepted(&format!("{ADD}unverifiable = \"no key\""), WRITE);
    refused(
        &format!("{ADD}verify = find, unverifiable = \"no key\""),
        WRITE,
        &[("unverifiable", "`unverifiable` contradicts `verify`: a write can be read back, or it can't")],
    );
}

#[test]
fn unverifiable_gives_a_reason() {
    for blank in ["\"\"", "\" \\n\""] {
        refused(
            &format!("{ADD}unverifiable = {blank}"),
            WRITE,
            &[(blank, "`unverifiable` gives the reason, and this gives none")],
        );
    }
}

#[test]
fn ensure_needs_a_verifier_to_ask() {
    accepted(&format!("{ADD}verify = find, ensure"), WRITE);
    refused(
        &format!("{ADD}unverifiable = \"no key\", ensure"),
        WRITE,
        &[("ensure", "`ensure` asks the verifier before the first send, and an unverifiable write has none")],
    );
    // One error, not two: what is missing is the way out.
    assert!(message(&format!("{ADD}ensure"), WRITE).starts_with("`crm.deal.add` is a write, "));
}

#[test]
fn a_read_takes_none_of_the_keys_of_a_write() {
    refused(
        "name = \"crm.deal.get\", kind = read, verify = find, unverifiable = \"x\", key = id, ensure, idempotency_key = id",
        READ,
        &[
            ("verify", "a read takes no `verify`: it leaves no effect that could be read back"),
            ("unverifiable", "a read takes no `unverifiable`: it leaves no effect to verify"),
            ("idempotency_key", "a read takes no `idempotency_key`: it may be sent twice as it is"),
            ("key", "a read takes no `key`: there is no operation to name"),
            ("ensure", "a read takes no `ensure`: there is nothing that must not happen twice"),
        ],
    );
}

#[test]
fn batch_names_the_client_that_batches() {
    let attribute = "name = \"batch\", kind = write";
    refused(
        attribute,
        WRITE,
        &[("\"batch\"", "`batch` is no call of its own here: each call in it has its own kind and its own verifier")],
    );
    assert!(message(attribute, WRITE).contains("`client.batched()`"));
}
