//! What a method's name may be, and which names can't be reads.

use super::{READ, WRITE, accepted, message, refused};

fn read(name: &str) -> String {
    format!("name = {name:?}, kind = read")
}

#[test]
fn a_read_named_like_a_write_is_refused_at_the_kind() {
    for (name, word) in [
        ("crm.deal.add", "add"),
        ("crm.deal.update", "update"),
        ("crm.deal.delete", "delete"),
        ("crm.deal.productrows.set", "set"),
        ("mail.message.send", "send"),
        ("crm.item.import", "import"),
        ("imbot.register", "register"),
        ("event.bind", "bind"),
        ("disk.folder.uploadFile", "upload"),
        ("disk.folder.addSubFolder", "add"),
        ("disk.folder.addsubfolder.move", "move"),
        ("disk.file.markDeleted", "mark"),
        ("disk.file.copyTo", "copy"),
        ("tasks.task.start", "start"),
        ("tasks.task.complete", "complete"),
        ("imbot.v2.Chat.Message.Send", "send"),
        ("telephony.externalCall.hide", "hide"),
        ("catalog.document.conductList", "conduct"),
        ("user.option.set_value", "set"),
    ] {
        let what = format!("`{name}` is no read: to {word} is to change something on the portal");
        refused(&read(name), READ, &[("read", &what)]);
    }
    assert!(message(&read("crm.deal.add"), READ).contains("\nhelp: write `kind = write`, and `verify = path`"));
    // The kind is what is wrong: nothing more is said of the keys that come with it.
    refused(
        "name = \"crm.deal.add\", kind = read, verify = find",
        READ,
        &[("read", "`crm.deal.add` is no read: to add is to change something on the portal")],
    );
}

#[test]
fn a_read_whose_name_only_begins_like_a_write_is_a_read() {
    for name in [
        "timeman.settings",
        "crm.enum.addresstype",
        "crm.enum.activitytype",
        "crm.requisite.preset.field.availabletoadd",
        "log.blogpost.getusers.important",
        "mail.mailbox.senders",
        "rest.documentation.openapi",
        "imopenlines.session.open",
        "landing.site.fullExport",
        "landing.repo.checkContent",
        "landing.landing.resolveIdByPublicUrl",
        "catalog.product.download",
        "user.access",
        "user.admin",
        "access.name",
        "server.time",
        "crm.item.batchImport.status",
        "profile",
        "scope",
        "methods",
        "events",
    ] {
        accepted(&read(name), READ);
    }
}

#[test]
fn a_name_that_says_nothing_of_its_kind_can_be_either() {
    accepted(&read("entity.rights"), READ);
    accepted("name = \"entity.rights\", kind = write, verify = find", WRITE);
    accepted("name = \"crm.deal.list\", kind = write, verify = find", WRITE);
}

#[test]
fn a_name_looks_like_a_method() {
    for (name, why) in [
        ("", "it is empty"),
        ("deal", "it has only one segment"),
        ("Profile", "it has only one segment"),
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
        refused(&read(name), READ, &[(&format!("{name:?}"), &what)]);
    }
    for name in ["crm.deal.list", "imbot.v2.Chat.Message.get", "sonet_group.get", "landing.landing.getList"] {
        accepted(&read(name), READ);
    }
}
