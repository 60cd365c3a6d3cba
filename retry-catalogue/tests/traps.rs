//! Names that lie: for each the kind is the true one, and where it surprises there is a reason to print.
// Clippy takes what tests share for test code only below this.
#![cfg(test)]

use retry_catalogue::{Kind, Method, Replay, Strength, lookup};

fn known(name: &str) -> Method {
    let method = lookup(name).unwrap_or_else(|| panic!("{name} is not in the table"));
    assert_eq!(method.name, name, "spelt otherwise");
    method
}

fn all_are(kind: Kind, names: &[&str]) {
    for name in names {
        let method = known(name);
        assert_eq!(method.kind, kind, "{name}");
        assert!(method.reason.is_some(), "{name} surprises, and nothing says why");
    }
}

#[test]
fn reads_by_name_that_write_are_writes() {
    all_are(
        Kind::Write,
        &[
            "crm.automation.trigger",
            "disk.file.getExternalLink",
            "disk.folder.getExternalLink",
            "disk.storage.getForApp",
            "event.offline.get",
            "event.test",
            "im.dialog.read",
            "im.dialog.read.all",
            "im.notify.read",
            "im.notify.read.all",
            "im.notify.read.list",
            "im.v2.Event.get",
            "imbot.v2.Chat.Message.read",
            "imbot.v2.Chat.TextField.enabled",
            "imbot.v2.Event.get",
            "imconnector.delete.messages",
            "imconnector.send.messages",
            "imconnector.send.status.delivery",
            "imconnector.send.status.reading",
            "imconnector.update.messages",
            "imopenlines.bot.session.operator",
            "imopenlines.session.mode.silent",
            "sale.cashbox.check.apply",
            "salescenter.payment.getPublicUrl",
        ],
    );
    assert_eq!(known("event.offline.get").replay, Some(Replay::Loss));
    assert_eq!(known("event.offline.get").reason, Some("deletes what it returns"));
}

#[test]
fn writes_by_name_that_read_are_reads() {
    all_are(
        Kind::Read,
        &[
            "access.name",
            "catalog.product.download",
            "catalog.product.offer.download",
            "catalog.product.service.download",
            "catalog.product.sku.download",
            "crm.documentgenerator.document.getfields",
            "crm.enum.activitydirection",
            "crm.enum.activitynotifytype",
            "crm.enum.activitypriority",
            "crm.enum.activitystatus",
            "crm.enum.activitytype",
            "crm.enum.addresstype",
            "crm.requisite.preset.field.availabletoadd",
            "documentgenerator.document.getfields",
            "im.v2.File.download",
            "imbot.v2.File.download",
            "imopenlines.session.open",
            "landing.landing.resolveIdByPublicUrl",
            "landing.repo.checkContent",
            "landing.site.fullExport",
            "log.blogpost.getusers.important",
            "mail.mailbox.senders",
            "rest.documentation.openapi",
            "sonet_group.feature.access",
            "timeman.settings",
            "user.access",
            "user.admin",
            "vote.AttachedVote.download",
            "voximplant.user.get",
        ],
    );
}

#[test]
fn names_that_read_or_write_by_their_arguments_are_writes_with_two_forms() {
    let two = [
        "batch",
        "disk.folder.uploadFile",
        "disk.storage.uploadFile",
        "entity.rights",
        "im.v2.Event.get",
        "imbot.v2.Event.get",
        "telephony.externalCall.attachRecord",
    ];
    all_are(Kind::Write, &two);
    let flagged: Vec<_> = retry_catalogue::all().filter(|method| method.two_forms).map(|method| method.name).collect();
    assert_eq!(flagged, two);
    // `clear=0` reserves what it returns, so no form of it is a read.
    assert!(!known("event.offline.get").two_forms);
    assert!(!known("im.message.update").two_forms);
}

#[test]
fn a_second_send_of_a_toggle_undoes_the_first() {
    for name in ["im.message.like", "imbot.message.like", "tasks.flow.Flow.activate", "tasks.flow.Flow.pin"] {
        assert_eq!(known(name).replay, Some(Replay::Toggle), "{name}");
        assert!(known(name).reason.is_some(), "{name}");
    }
    assert!(known("im.message.like").hint.contains("plus or minus"));
}

#[test]
fn a_second_send_of_a_step_goes_one_further() {
    let steps = [
        "crm.automation.trigger",
        "crm.automation.trigger.execute",
        "imopenlines.operator.skip",
        "landing.landing.downblock",
        "landing.landing.upblock",
    ];
    for name in steps {
        assert_eq!(known(name).replay, Some(Replay::Relative), "{name}");
    }
}

#[test]
fn what_overwrites_a_whole_object_says_so() {
    all_are(
        Kind::Write,
        &[
            "catalog.price.modify",
            "crm.company.contact.items.set",
            "crm.deal.contact.items.set",
            "crm.deal.productrows.set",
            "crm.item.productrow.set",
            "crm.lead.productrows.set",
            "crm.quote.productrows.set",
            "documentgenerator.role.fillaccesses",
            "im.message.update",
            "landing.role.setRights",
            "lists.element.update",
            "sale.propertyvalue.modify",
        ],
    );
}

#[test]
fn what_sends_registers_or_deletes_for_good_says_so() {
    all_are(
        Kind::Write,
        &[
            "bizproc.workflow.kill",
            "catalog.productPropertySection.set",
            "crm.activity.add",
            "crm.entity.mergeBatch",
            "disk.file.delete",
            "disk.folder.deleteTree",
            "im.message.add",
            "im.notify.personal.add",
            "im.notify.system.add",
            "imbot.message.add",
            "imconnector.register",
            "imopenlines.crm.message.add",
            "landing.repo.register",
            "log.blogpost.add",
            "note.collection.delete",
            "note.document.delete",
            "pull.application.event.add",
            "pull.application.push.add",
            "tasks.api.scrum.task.update",
            "user.add",
        ],
    );
}

#[test]
fn the_same_name_is_another_method_in_rest_3() {
    for name in [
        "batch",
        "tasks.task.add",
        "tasks.task.delete",
        "tasks.task.get",
        "tasks.task.list",
        "tasks.task.result.list",
        "tasks.task.update",
    ] {
        let versions = known(name).versions;
        assert!(versions.has_rest2() && versions.has_rest3(), "{name}");
    }
    assert!(!known("tasks.task.files.attach").versions.has_rest3());
    assert!(!known("tasks.task.file.attach").versions.has_rest2());
}

#[test]
fn where_the_only_right_answer_is_to_stop_nothing_else_is_said() {
    for name in [
        "bizproc.workflow.start",
        "crm.automation.trigger",
        "crm.deal.recurring.expose",
        "crm.invoice.recurring.expose",
        "im.message.add",
        "imopenlines.operator.finish",
        "imopenlines.operator.transfer",
        "sign.b2e.document.send",
        "task.commentitem.add",
        "telephony.call.attachTranscription",
        "voximplant.callback.start",
        "voximplant.infocall.startwithsound",
        "voximplant.infocall.startwithtext",
    ] {
        assert_eq!(known(name).strength, Some(Strength::Nothing), "{name}");
    }
    // The obvious verifier always says absent.
    assert!(known("task.commentitem.add").hint.contains("always says absent"));
    assert!(known("task.commentitem.getlist").reason.unwrap().contains("not for a verifier"));
    assert!(known("bizproc.workflow.start").hint.contains("running workflows only"));
}

#[test]
fn a_failure_within_a_success_is_pointed_out() {
    assert!(known("crm.item.batchImport").hint.contains("items[].error"));
    assert!(known("crm.entity.mergeBatch").hint.contains("STATUS"));
    assert!(known("crm.deal.contact.add").hint.contains("`false`"));
    assert!(known("placement.bind").hint.contains("HTTP 200"));
}

#[test]
fn the_default_window_of_the_calendar_is_pointed_out() {
    assert_eq!(known("calendar.event.add").read_with, Some("calendar.event.get"));
    assert!(known("calendar.event.add").hint.contains("always `from` and `to`"));
}
