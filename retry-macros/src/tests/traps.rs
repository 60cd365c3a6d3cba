//! Names that lie: declared as what they look like, they do not compile.

use super::{READ, WRITE, accepted, expand, message, refused, reported, sentence};

#[track_caller]
fn refused_as(kind: &str, name: &str) {
    let stub = if kind == "read" { READ } else { WRITE };
    let found = reported(expand(&format!("name = {name:?}, kind = {kind}"), stub));
    let texts: Vec<&str> = found.iter().map(|found| found.text.as_str()).collect();
    assert_eq!(texts.len(), 1, "{name}: {texts:?}");
    assert_eq!(found[0].at, kind, "{name}");
    let wrong = format!(", so it is no {kind}\n");
    assert!(texts[0].starts_with(&format!("`{name}` ")) && texts[0].contains(&wrong), "{}", texts[0]);
}

#[test]
fn p8_a_write_with_the_name_of_a_read_does_not_compile_as_a_read() {
    for name in [
        "event.offline.get",
        "im.notify.read.list",
        "disk.storage.getForApp",
        "salescenter.payment.getPublicUrl",
        "disk.file.getExternalLink",
        "disk.folder.getExternalLink",
        "im.dialog.read",
        "im.dialog.read.all",
        "im.notify.read",
        "im.notify.read.all",
        "imbot.v2.Chat.Message.read",
        "imconnector.send.status.reading",
        "imbot.v2.Chat.TextField.enabled",
        "imconnector.send.status.delivery",
        "imconnector.send.messages",
        "imconnector.update.messages",
        "imconnector.delete.messages",
        "crm.automation.trigger",
        "event.test",
        "imopenlines.session.mode.silent",
        "imopenlines.bot.session.operator",
        "sale.cashbox.check.apply",
    ] {
        refused_as("read", name);
    }
}

#[test]
fn p8_a_read_with_the_name_of_a_write_does_not_compile_as_a_write() {
    for name in [
        "timeman.settings",
        "crm.enum.addresstype",
        "crm.enum.activitytype",
        "crm.enum.activitystatus",
        "crm.enum.activitypriority",
        "crm.enum.activitydirection",
        "crm.enum.activitynotifytype",
        "crm.requisite.preset.field.availabletoadd",
        "log.blogpost.getusers.important",
        "mail.mailbox.senders",
        "imopenlines.session.open",
        "landing.site.fullExport",
        "landing.repo.checkContent",
        "landing.landing.resolveIdByPublicUrl",
        "catalog.product.download",
        "im.v2.File.download",
        "imbot.v2.File.download",
        "vote.AttachedVote.download",
        "user.access",
        "user.admin",
        "sonet_group.feature.access",
        "access.name",
        "voximplant.user.get",
        "documentgenerator.document.getfields",
        "crm.documentgenerator.document.getfields",
    ] {
        let found = reported(expand(&format!("name = {name:?}, kind = write"), WRITE));
        let first = &found[0];
        assert_eq!(first.at, "write", "{name}");
        assert!(
            first
                .text
                .starts_with(&format!("`{name}` changes nothing on the portal, so it is no write\nhelp: `{name}` ")),
            "{}",
            first.text
        );
        // Those of REST 3.0 alone are told of their version as well.
        assert!(found.len() == 1 || found[1].text.starts_with("REST 2 has no method"), "{name}");
    }
    refused_as("write", "crm.deal.get");
}

#[test]
fn p8_a_verb_that_does_something_else_is_a_write_all_the_same() {
    for name in [
        "tasks.flow.Flow.activate",
        "tasks.flow.Flow.pin",
        "im.message.like",
        "imbot.message.like",
        "landing.landing.upblock",
        "landing.landing.downblock",
        "imopenlines.operator.skip",
        "crm.item.productrow.set",
        "lists.element.update",
        "catalog.price.modify",
        "sale.propertyvalue.modify",
        "tasks.api.scrum.task.update",
        "landing.repo.register",
        "imconnector.register",
        "catalog.productPropertySection.set",
        "im.message.add",
        "im.message.update",
        "im.notify.personal.add",
        "imopenlines.bot.session.message.send",
        "user.add",
        "crm.activity.add",
        "log.blogpost.add",
        "disk.file.delete",
        "disk.folder.deleteTree",
        "crm.entity.mergeBatch",
        "bizproc.workflow.kill",
    ] {
        refused_as("read", name);
    }
    // What a blind second send would do is said in their words.
    for (name, again) in [
        ("im.message.like", "a second `im.message.like` takes the like back, unless ACTION is plus or minus"),
        ("landing.landing.upblock", "a second `landing.landing.upblock` moves the block one place further"),
    ] {
        let text = sentence(&format!("name = {name:?}, kind = read"), READ);
        assert!(text.contains(&format!("a read is sent again after each lost answer, and {again}")), "{text}");
    }
}

#[test]
fn p8_a_method_of_two_forms_does_not_compile_as_a_read_without_its_read_form() {
    for (name, when) in [
        ("entity.rights", "replaces all rights when ACCESS is given, else reads them"),
        ("im.v2.Event.get", "removes earlier events when `offset` is given, for every application of that user"),
        ("imbot.v2.Event.get", "removes the bot's earlier events when `offset` is given"),
        ("disk.folder.uploadFile", "writes when it is given fileContent, else only returns an upload address"),
        ("disk.storage.uploadFile", "writes when it is given fileContent, else only returns an upload address"),
        (
            "telephony.externalCall.attachRecord",
            "writes when it is given the file, else only returns an upload address",
        ),
    ] {
        let attribute = format!("name = {name:?}, kind = read");
        let what = format!("`{name}` reads or writes by its arguments: it {when}");
        refused(&attribute, READ, &[("read", &what)]);
        let text = sentence(&attribute, READ);
        assert!(
            text.contains("help: if this stub can only read, say which arguments see to that: `read_form = "),
            "{text}"
        );
        assert!(text.contains("help: else write `kind = write` and `"), "{text}");
        accepted(&format!("{attribute}, read_form = \"the stub has no such parameter\""), READ);
        accepted(&format!("name = {name:?}, kind = write, verify = find"), WRITE);
    }
    // The read form of this one reserves events, so no arguments make it a read.
    let text = message("name = \"event.offline.get\", kind = read, read_form = \"clear is 0\"", READ);
    assert!(text.starts_with("`event.offline.get` deletes what it returns, so it is no read\n"), "{text}");
    assert!(text.ends_with("\nhelp: remove `read_form`: there are no arguments that make it a read"), "{text}");
}

#[test]
fn a_read_form_is_a_reason_for_a_read_that_could_write() {
    for blank in ["\"\"", "\" \\n\""] {
        refused(
            &format!("name = \"entity.rights\", kind = read, read_form = {blank}"),
            READ,
            &[(blank, "`read_form` says why this call only reads, and this says nothing")],
        );
    }
    let given = "read_form = \"without ACCESS\"";
    refused(
        &format!("name = \"entity.rights\", kind = write, verify = find, {given}"),
        WRITE,
        &[("read_form", "a write takes no `read_form`: that says why a call only reads")],
    );
    let only = "`read_form` is for methods that read or write by their arguments, and";
    for (name, kind, always) in [
        ("crm.deal.list", "read", "`crm.deal.list` reads with any arguments"),
        ("crm.deal.add", "write, verify = find", "`crm.deal.add` is a write here"),
        ("own.deal.list", "read, unlisted", "what the catalogue does not have reads with any arguments"),
    ] {
        let attribute = format!("name = {name:?}, kind = {kind}, {given}");
        refused(&attribute, READ, &[("read_form", &format!("{only} {always}"))]);
    }
}
