//! The version of the REST interface has to have the method.

use super::{READ, WRITE, accepted, message, refused, sentence};

const SEND: &str = "name = \"mail.message.send\", kind = write, unverifiable = \"no key\"";

#[test]
fn a_method_of_both_versions_is_called_by_either() {
    for version in ["", ", version = 2", ", version = 3"] {
        accepted(&format!("name = \"tasks.task.add\", kind = write, verify = find{version}"), WRITE);
        accepted(&format!("name = \"tasks.task.get\", kind = read{version}"), READ);
    }
}

#[test]
fn a_method_of_rest_3_alone_says_so() {
    accepted(&format!("{SEND}, version = 3"), WRITE);
    let only = "REST 2 has no method `mail.message.send`: it is one of REST 3.0";
    refused(SEND, WRITE, &[("\"mail.message.send\"", only)]);
    assert!(message(SEND, WRITE).contains("\nhelp: add `version = 3`"));
    let two = format!("{SEND}, version = 2");
    refused(&two, WRITE, &[("2", only)]);
    assert!(message(&two, WRITE).contains("\nhelp: write `version = 3`"));
    // It is judged by the version that it has: the key is in its place, and only the version is not.
    let keyed = "async fn send(client: &Client, key: &IdempotencyKey) -> Result<Sent, CallError>;";
    let attribute = "name = \"mail.message.send\", kind = write, idempotency_key = key";
    refused(attribute, keyed, &[("\"mail.message.send\"", only)]);
    // A misspelt key may have been the version.
    refused(&format!("{SEND}, versoin = 3"), WRITE, &[("versoin", "there is no key `versoin`")]);
}

#[test]
fn a_method_of_rest_2_alone_is_not_called_by_rest_3() {
    accepted("name = \"crm.deal.get\", kind = read, version = 2", READ);
    let three = "name = \"crm.deal.get\", kind = read, version = 3";
    refused(three, READ, &[("3", "REST 3.0 has no method `crm.deal.get`: it is one of REST 2")]);
    assert!(message(three, READ).contains("\nhelp: remove `version`"));
}

#[test]
fn an_idempotency_key_on_a_method_that_rest_3_does_not_have_is_refused() {
    let stub = "async fn add(client: &Client, once: &IdempotencyKey) -> Result<Id, CallError>;";
    let attribute = "name = \"crm.deal.add\", kind = write, idempotency_key = once";
    let what = "`crm.deal.add` takes no idempotency key: REST 3.0 does not have this method, and REST 2 ignores the key \
                without a word";
    refused(attribute, stub, &[("idempotency_key", what)]);
    let text = sentence(attribute, stub);
    assert!(text.contains("help: remove `idempotency_key`"), "{text}");
    assert!(text.contains("`verify = path`: read it back with `crm.deal.list` filtered by ORIGINATOR_ID"), "{text}");
    let version = "REST 3.0 has no method `crm.deal.add`: it is one of REST 2";
    refused(&format!("{attribute}, version = 3"), stub, &[("3", version), ("idempotency_key", what)]);
    let verified = format!("{attribute}, verify = find");
    assert!(message(&verified, stub).ends_with("\nhelp: the verifier settles an unknown outcome without the key"));
    let unreadable = sentence("name = \"im.message.add\", kind = write, idempotency_key = once", stub);
    assert!(unreadable.contains("or say `unverifiable = \"the reason\"`"), "{unreadable}");
}
