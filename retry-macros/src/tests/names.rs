//! Which names there are, and which kinds they can have.

use super::{READ, WRITE, accepted, message, refused, sentence};

fn read(name: &str) -> String {
    format!("name = {name:?}, kind = read")
}

#[test]
fn an_unknown_name_is_refused_with_the_nearest_ones() {
    let unknown = |name: &str| format!("Bitrix24 has no method `{name}`: it is not in the catalogue");
    for (name, near) in [
        ("crm.deal.lst", "did you mean `crm.deal.list`?"),
        ("crm.deals.list", "did you mean `crm.deal.list`?"),
        ("task.task.list", "did you mean `tasks.task.list`?"),
        ("crm.stage.list", "did you mean `crm.status.list`?"),
    ] {
        refused(&read(name), READ, &[(&format!("{name:?}"), &unknown(name))]);
        assert!(message(&read(name), READ).contains(&format!("\nhelp: {near}\n")), "{}", message(&read(name), READ));
    }
    let several = message(&read("disk.file.upload"), READ);
    let meant = "did you mean `disk.folder.uploadFile`, `disk.storage.uploadFile` or `disk.file.uploadVersion`?";
    assert!(several.contains(meant), "{several}");
    let far = message(&read("crm.rocket.launch"), READ);
    assert!(!far.contains("did you mean"), "{far}");
    for text in [several, far] {
        assert!(
            text.ends_with("\nhelp: if a self-hosted portal has it as a method of its own, add `unlisted`"),
            "{text}"
        );
    }
}

#[test]
fn an_unknown_name_is_one_error_and_what_else_is_wrong_is_another() {
    // How a method that there is not is read back, nobody can say.
    let unknown = "Bitrix24 has no method `crm.deal.ad`: it is not in the catalogue";
    refused("name = \"crm.deal.ad\", kind = write", WRITE, &[("\"crm.deal.ad\"", unknown)]);
    refused("name = \"crm.deal.ad\", kind = read, read_form = \"x\"", READ, &[("\"crm.deal.ad\"", unknown)]);
    refused(
        "name = \"crm.deal.ad\", kind = raed, version = 4",
        READ,
        &[
            ("\"crm.deal.ad\"", unknown),
            ("raed", "there is no kind `raed`"),
            ("4", "Bitrix24 has REST versions 2 and 3"),
        ],
    );
}

#[test]
fn names_are_compared_without_regard_to_case() {
    for name in ["CRM.Deal.List", "disk.folder.getchildren", "Profile", "USER.GET"] {
        accepted(&read(name), READ);
    }
    refused(&read("CRM.DEAL.ADD"), READ, &[("read", "`crm.deal.add` makes something on the portal, so it is no read")]);
    assert!(message("name = \"Batch\", kind = write", WRITE).contains("`client.batched()`"));
}

#[test]
fn an_unlisted_name_is_believed_and_a_listed_one_is_not_unlisted() {
    accepted("name = \"own.warehouse.list\", kind = read, unlisted", READ);
    accepted("name = \"own.warehouse.add\", kind = write, unlisted, verify = find", WRITE);
    accepted("name = \"own.warehouse.list\", kind = write, unlisted, unverifiable = \"no key\", version = 2", WRITE);
    accepted("name = \"own.warehouse.get\", kind = read, unlisted, version = 3", READ);
    let listed = "`crm.deal.list` is in the catalogue, and `unlisted` is for what is not";
    refused("name = \"CRM.deal.list\", kind = read, unlisted", READ, &[("unlisted", listed)]);
    assert!(message("name = \"crm.deal.list\", kind = read, unlisted", READ).ends_with("\nhelp: delete `unlisted`"));
    // A listed name is judged as one all the same.
    refused(
        "name = \"crm.deal.list\", kind = write, unlisted",
        WRITE,
        &[("unlisted", listed), ("write", "`crm.deal.list` changes nothing on the portal, so it is no write")],
    );
}

#[test]
fn an_unlisted_read_named_like_a_write_is_refused_at_the_kind() {
    for (name, word) in [
        ("own.deal.add", "add"),
        ("own.deal.addMany", "add"),
        ("own.deal.set_value", "set"),
        ("own.Deal.Send", "send"),
        ("own.file.markDeleted", "mark"),
    ] {
        let what = format!("`{name}` is no read: to {word} is to change something on the portal");
        refused(&format!("{}, unlisted", read(name)), READ, &[("read", &what)]);
    }
    for name in ["own.deal.settings", "own.deal.addresses", "own.deal.posts", "own.add.list"] {
        accepted(&format!("{}, unlisted", read(name)), READ);
    }
}

#[test]
fn an_unlisted_write_is_told_what_to_write() {
    let text = sentence("name = \"own.deal.add\", kind = write, unlisted", WRITE);
    assert!(text.starts_with("`own.deal.add` is a write, and its stub does not say"), "{text}");
    assert!(text.contains("help: name a verifier, `verify = verify_add_deal`, that looks on the portal"), "{text}");
    assert!(text.contains("help: if nothing there tells this call from another, say `unverifiable"), "{text}");
    assert!(!text.contains("REST 3.0"), "{text}");
    let text = sentence("name = \"own.deal.add\", kind = write, unlisted, version = 3", WRITE);
    assert!(text.contains("help: write `idempotency_key = key`, with a parameter `key: &IdempotencyKey`:"), "{text}");
}

#[test]
fn a_kind_that_the_method_does_not_have_is_refused_at_the_kind() {
    for (name, does) in [
        ("crm.deal.add", "makes something on the portal"),
        ("crm.deal.update", "changes something on the portal"),
        ("crm.deal.delete", "removes something from the portal"),
        ("tasks.task.start", "moves something on the portal into another state"),
        ("mail.message.send", "sends mail"),
        ("event.offline.get", "deletes what it returns"),
        ("crm.deal.productrows.set", "replaces the whole set of rows"),
    ] {
        let version = if name.starts_with("mail") { ", version = 3" } else { "" };
        let what = format!("`{name}` {does}, so it is no read");
        refused(&format!("{}{version}", read(name)), READ, &[("read", &what)]);
    }
    let text = sentence(&read("crm.deal.add"), READ);
    for part in [
        "help: a read is sent again after each lost answer, and a second `crm.deal.add` makes a second deal",
        "help: write `kind = write` and `verify = path`: read it back with `crm.deal.list` filtered by ORIGINATOR_ID",
    ] {
        assert!(text.contains(part), "{text}");
    }
    let text = sentence(&read("im.message.add"), READ);
    assert!(text.contains("write `kind = write` and `unverifiable = \"the reason\"`: a message carries"), "{text}");
    let text = sentence(&format!("{}, version = 3", read("mail.message.send")), READ);
    assert!(
        text.ends_with(
            "write `kind = write` and `idempotency_key = parameter`, by which REST 3.0 knows a repeated call"
        )
    );
    // The kind is what is wrong: nothing more is said of the keys that come with it.
    let verified = "name = \"crm.deal.add\", kind = read, verify = find";
    refused(verified, READ, &[("read", "`crm.deal.add` makes something on the portal, so it is no read")]);
    assert!(message(verified, READ).ends_with("\nhelp: write `kind = write`"));
}

#[test]
fn a_method_that_only_reads_is_no_write() {
    let only = "`crm.deal.list` changes nothing on the portal, so it is no write";
    refused("name = \"crm.deal.list\", kind = write", WRITE, &[("write", only)]);
    let attribute = "name = \"crm.deal.list\", kind = write, verify = find, key = x, ensure";
    refused(attribute, WRITE, &[("write", only)]);
    let text = message(attribute, WRITE);
    assert!(
        text.ends_with(
            "\nhelp: write `kind = read`, and remove `verify`, `key` and `ensure`: there is no effect to find"
        )
    );
    let text = sentence("name = \"timeman.settings\", kind = write", WRITE);
    assert!(
        text.contains("help: `timeman.settings` only reads, whatever its name begins with help: write `kind = read`")
    );
}

#[test]
fn a_name_looks_like_a_method() {
    for (name, why) in [
        ("", "it is empty"),
        ("deal", "it has only one segment"),
        ("crm..list", "a dot needs something on both sides"),
        (".crm.deal.list", "a dot needs something on both sides"),
        ("crm.deal.list.", "a dot needs something on both sides"),
        ("crm.deal list", "' ' is no letter, digit, underscore or dot"),
        ("crm/deal/list", "'/' is no letter, digit, underscore or dot"),
        ("crm-deal.list", "'-' is no letter, digit, underscore or dot"),
        ("crm.deal.list?start=0", "'?' is no letter, digit, underscore or dot"),
        ("https://acme.bitrix24.com/rest/crm.deal.list", "':' is no letter, digit, underscore or dot"),
        ("crm.сделка.list", "'с' is no letter, digit, underscore or dot"),
        ("crm.2.list", "`2` does not begin with a letter"),
        ("crm.deal.list.json", "`.json` belongs to the address, not to the name"),
    ] {
        let what = format!("{name:?} is not the name of a method: {why}");
        for unlisted in ["", ", unlisted"] {
            refused(&format!("{}{unlisted}", read(name)), READ, &[(&format!("{name:?}"), &what)]);
        }
    }
    assert!(message(&read("crm/deal/list"), READ).ends_with("\nhelp: did you mean `crm.deal.list`?"));
    assert!(message(&read("deal"), READ).contains("\nhelp: write it as the documentation does, with dots"));
    for name in ["crm.deal.list", "imbot.v2.Chat.Message.get", "sonet_group.get", "landing.landing.getList", "scope"] {
        accepted(&read(name), READ);
    }
}

/// Reports, keys and routes know a method by one name, so that two stubs in other spellings are the same method.
#[test]
fn a_name_in_another_case_is_sent_as_the_documentation_spells_it() {
    for name in ["crm.deal.add", "CRM.Deal.Add", "CRM.DEAL.ADD"] {
        let text = super::expand(&format!("name = {name:?}, kind = write, verify = v"), WRITE).to_string();
        assert!(text.contains("(\"crm.deal.add\" ,"), "{text}");
    }
    // What the catalogue does not have is sent as it is written.
    let own = super::expand("name = \"My.Own\", kind = read, unlisted", READ).to_string();
    assert!(own.contains("(\"My.Own\" ,"), "{own}");
}
