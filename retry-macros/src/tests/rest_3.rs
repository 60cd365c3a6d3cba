//! What REST 3.0 allows and REST 2 does not: the version, and the idempotency key of a write.

use super::{READ, WRITE, accepted, message, refused};

const ADD: &str = "name = \"tasks.task.add\", kind = write, ";
const ADD_3: &str = "name = \"tasks.task.add\", kind = write, version = 3, ";

/// A stub with these parameters after the first.
fn with(params: &str) -> String {
    format!("async fn add(client: &Client, {params}) -> Result<TaskId, CallError>;")
}

#[test]
fn a_method_is_called_by_rest_2_or_rest_3() {
    for version in ["2", "3"] {
        accepted(&format!("{ADD}verify = find, version = {version}"), WRITE);
        accepted(&format!("{ADD}unverifiable = \"no key\", version = {version}"), WRITE);
        accepted(&format!("name = \"tasks.task.get\", kind = read, version = {version}"), READ);
    }
    refused(&format!("{ADD}verify = find, version = 4"), WRITE, &[("4", "Bitrix24 has REST versions 2 and 3")]);
    for wrong in ["3.0", "\"3\"", "three"] {
        refused(
            &format!("{ADD}verify = find, version = {wrong}"),
            WRITE,
            &[(wrong, "`version` takes the number 2 or 3")],
        );
    }
}

#[test]
fn an_idempotency_key_is_a_way_out_on_its_own_and_beside_a_verifier() {
    let stub = with("title: &str, once: &IdempotencyKey");
    for more in
        ["", ", verify = find", ", verify = find, ensure", ", key = title", ", verify = find, key = once, ensure"]
    {
        accepted(&format!("{ADD_3}idempotency_key = once{more}"), &stub);
    }
    for ty in ["&'a IdempotencyKey", "&retry_runtime::IdempotencyKey", "&Once", "(&IdempotencyKey)", "&Self::Key"] {
        accepted(&format!("{ADD_3}idempotency_key = once"), &with(&format!("once: {ty}")));
    }
    accepted(
        &format!("{ADD_3}idempotency_key = r#type"),
        "async fn add(&self, r#type: &IdempotencyKey) -> Result<TaskId, CallError>;",
    );
}

#[test]
fn an_idempotency_key_on_rest_2_is_refused_because_the_portal_ignores_it() {
    const NEEDS: &str =
        "`idempotency_key` needs REST 3.0, and this stub calls REST 2, which ignores the key without a word";
    let stub = with("once: &IdempotencyKey");
    for version in ["", ", version = 2"] {
        let attribute = format!("{ADD}idempotency_key = once{version}");
        refused(&attribute, &stub, &[("idempotency_key", NEEDS)]);
        let text = message(&attribute, &stub);
        assert!(text.contains("\nhelp: write `version = 3`: REST 3.0 has this method as well, "), "{text}");
        assert!(
            text.contains("\nhelp: on REST 2 name a verifier with `verify = path`, or say `unverifiable"),
            "{text}"
        );
    }
    let attribute = format!("{ADD}verify = find, idempotency_key = once");
    assert!(message(&attribute, &stub).ends_with("the verifier settles an unknown outcome without the key"));
    let unlisted = "name = \"own.task.add\", kind = write, unlisted, idempotency_key = once";
    let needs = "`idempotency_key` needs a REST 3.0 method: on REST 2 the portal ignores the key without a word";
    refused(unlisted, &stub, &[("idempotency_key", needs)]);
    assert!(message(unlisted, &stub).contains("\nhelp: write `version = 3` if REST 3.0 has this method\n"));
    // What the version is to be is not known: one error, not two.
    refused(
        &format!("{ADD}idempotency_key = once, version = 4"),
        &stub,
        &[("4", "Bitrix24 has REST versions 2 and 3")],
    );
    refused(&format!("{ADD}idempotency_key = once, versoin = 3"), &stub, &[("versoin", "there is no key `versoin`")]);
    // Both faults of one key in one run.
    refused(
        &format!("{ADD}idempotency_key = twice"),
        WRITE,
        &[("twice", "the stub has no parameter `twice`"), ("idempotency_key", NEEDS)],
    );
}

#[test]
fn an_idempotency_key_is_a_parameter_of_the_stub() {
    let named = |name| format!("{ADD_3}idempotency_key = {name}");
    let text = message(&named("onse"), &with("once: &Once, title: &str"));
    assert_eq!(
        text,
        "the stub has no parameter `onse`\nhelp: did you mean `once`?\nhelp: the parameters are `once`, `title`"
    );
    let text = message(&named("key"), &with("title: &str, uuid: &IdempotencyKey"));
    assert!(text.contains("\nhelp: did you mean `uuid`?\n"), "{text}");
    let text = message(&named("key"), &with("title: &str"));
    assert_eq!(
        text,
        "the stub has no parameter `key`\nhelp: add the parameter `key: &IdempotencyKey`\n\
         help: the parameters are `title`"
    );
    let alone = "async fn add(client: &Client) -> Result<TaskId, CallError>;";
    assert!(message(&named("key"), alone).ends_with("\nhelp: add the parameter `key: &IdempotencyKey`"));
    let first = "`client` is what the call is made through, and not its idempotency key";
    refused(&named("client"), &with("once: &IdempotencyKey"), &[("client", first)]);
    let form = "`idempotency_key` takes the name of one of the stub's parameters";
    for wrong in ["\"once\"", "fields.once", "&once", "self"] {
        refused(&named(wrong), &with("once: &IdempotencyKey"), &[(wrong, form)]);
    }
    // Its pattern is what is wrong, not that it is missing.
    refused(
        &named("once"),
        &with("mut once: &IdempotencyKey"),
        &[("mut once", "a parameter of a stub is a plain name")],
    );
}

#[test]
fn an_idempotency_key_is_shared_with_its_caller() {
    let attribute = format!("{ADD_3}idempotency_key = once");
    let shared = "the idempotency key is shared: it belongs to the operation, and outlives the call";
    for (ty, better) in [
        ("IdempotencyKey", "&IdempotencyKey"),
        ("retry_runtime::IdempotencyKey", "&retry_runtime::IdempotencyKey"),
        ("&mut IdempotencyKey", "&IdempotencyKey"),
        ("&'a mut IdempotencyKey", "&IdempotencyKey"),
        ("&&IdempotencyKey", "&IdempotencyKey"),
    ] {
        let stub = with(&format!("once: {ty}"));
        refused(&attribute, &stub, &[(ty, shared)]);
        let text = message(&attribute, &stub);
        assert!(text.ends_with(&format!("\nhelp: write `{better}`")), "{ty}: {text}");
    }
    let another = "this parameter is named as the idempotency key, and its type is another";
    for ty in ["&str", "String", "&String", "u64", "Option<&IdempotencyKey>", "impl AsRef<str>", "&dyn Key", "(u8, u8)"]
    {
        let stub = with(&format!("once: {ty}"));
        refused(&attribute, &stub, &[(ty, another)]);
        assert!(message(&attribute, &stub).contains("\nhelp: write `&IdempotencyKey`, and let the caller make one"));
    }
}

#[test]
fn an_idempotency_key_is_a_header_of_every_request() {
    let attribute = format!("{ADD_3}idempotency_key = once");
    for option in ["#[param(name = \"ID\")]", "#[param(flatten)]", "#[param]"] {
        refused(
            &attribute,
            &with(&format!("{option} once: &IdempotencyKey")),
            &[(option, "the idempotency key is sent as a header, and is no part of the request's body")],
        );
    }
    refused(
        &attribute,
        &with("#[cfg(unix)] once: &IdempotencyKey"),
        &[("#[cfg(unix)]", "a write has its idempotency key in every build")],
    );
    // As it is no key of the body, its name may be one.
    accepted(&attribute, &with("#[param(name = \"once\")] title: &str, once: &IdempotencyKey"));
}

#[test]
fn unverifiable_contradicts_an_idempotency_key() {
    let stub = with("once: &IdempotencyKey");
    refused(
        &format!("{ADD_3}idempotency_key = once, unverifiable = \"no key\""),
        &stub,
        &[("unverifiable", "`unverifiable` contradicts `idempotency_key`: the portal knows the write by its key")],
    );
    refused(
        &format!("{ADD_3}verify = find, idempotency_key = once, unverifiable = \"no key\""),
        &stub,
        &[(
            "unverifiable",
            "`unverifiable` contradicts `verify` and `idempotency_key`: each of them can settle an unknown outcome",
        )],
    );
}

#[test]
fn ensure_needs_a_verifier_beside_an_idempotency_key() {
    let attribute = format!("{ADD_3}idempotency_key = once, ensure");
    let stub = with("once: &IdempotencyKey");
    refused(
        &attribute,
        &stub,
        &[("ensure", "`ensure` asks the verifier before the first send, and this write has none")],
    );
    let text = message(&attribute, &stub);
    assert!(text.contains("\nhelp: remove `ensure`: for 24 hours the portal answers a second call"), "{text}");
    assert!(text.contains("\nhelp: if it may run again later than that, name a verifier as well"), "{text}");
}

#[test]
fn a_write_without_a_way_out_is_told_of_the_idempotency_key() {
    let attribute = ADD_3.trim_end_matches(", ");
    insta::assert_snapshot!(message(attribute, &with("title: &str, parent: Option<u64>")));
    // The parameter is there and was not named; a verifier does not get it.
    let text = message(attribute, &with("title: &str, once: &IdempotencyKey"));
    assert!(text.contains("\nhelp: write `idempotency_key = once`:\n      a lost answer"), "{text}");
    assert!(text.contains("async fn verify_add(reader: &Reader, title: &str) -> "), "{text}");
    // By REST 2 it is the alternative.
    let text = message(ADD.trim_end_matches(", "), &with("title: &str, once: &IdempotencyKey"));
    assert!(text.contains("\nhelp: or call it by REST 3.0, where its arguments and result are others: "), "{text}");
    assert!(text.contains("`idempotency_key = once`"), "{text}");
}

#[test]
fn a_read_by_rest_3_has_no_idempotency_key() {
    refused(
        "name = \"tasks.task.get\", kind = read, version = 3, idempotency_key = id",
        "async fn get(reader: &Reader, #[param(name = \"ID\")] id: u64) -> Result<Task, CallError>;",
        &[("idempotency_key", "a read takes no `idempotency_key`: it may be sent twice as it is")],
    );
}
