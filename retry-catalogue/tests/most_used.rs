//! The writes that people use most: each names the read and the fields that settle an unknown outcome.

use retry_catalogue::Strength::{self, Exact, Nothing, Parent, Server};
use retry_catalogue::lookup;

const MOST_USED: [(&str, Strength, Option<&str>, &str); 40] = [
    ("calendar.event.add", Parent, Some("calendar.event.get"), "description"),
    ("catalog.product.add", Exact, Some("catalog.product.list"), "iblockId, xmlId"),
    ("crm.activity.add", Exact, Some("crm.activity.list"), "ORIGINATOR_ID, ORIGIN_ID"),
    ("crm.activity.todo.add", Parent, Some("crm.activity.list"), "title, description"),
    ("crm.company.add", Exact, Some("crm.company.list"), "ORIGINATOR_ID, ORIGIN_ID"),
    ("crm.contact.add", Exact, Some("crm.contact.list"), "ORIGINATOR_ID, ORIGIN_ID"),
    ("crm.contact.update", Exact, Some("crm.contact.get"), "id"),
    ("crm.deal.add", Exact, Some("crm.deal.list"), "ORIGINATOR_ID, ORIGIN_ID"),
    ("crm.deal.contact.add", Server, Some("crm.deal.contact.items.get"), "id, CONTACT_ID"),
    ("crm.deal.delete", Exact, Some("crm.deal.get"), "id"),
    ("crm.deal.productrows.set", Exact, Some("crm.deal.productrows.get"), "id"),
    ("crm.deal.update", Exact, Some("crm.deal.get"), "id"),
    ("crm.item.add", Exact, Some("crm.item.list"), "originatorId, originId"),
    ("crm.item.batchImport", Exact, Some("crm.item.list"), "originatorId, originId"),
    ("crm.item.delete", Exact, Some("crm.item.get"), "entityTypeId, id"),
    ("crm.item.productrow.add", Parent, Some("crm.item.productrow.list"), ""),
    ("crm.item.productrow.set", Exact, Some("crm.item.productrow.list"), "ownerType, ownerId"),
    ("crm.item.update", Exact, Some("crm.item.get"), "entityTypeId, id"),
    ("crm.lead.add", Exact, Some("crm.lead.list"), "ORIGINATOR_ID, ORIGIN_ID"),
    ("crm.quote.add", Exact, Some("crm.quote.list"), "UF_CRM_*"),
    ("crm.requisite.add", Exact, Some("crm.requisite.list"), "XML_ID"),
    ("crm.status.add", Server, Some("crm.status.list"), "ENTITY_ID, STATUS_ID"),
    ("crm.timeline.comment.add", Parent, Some("crm.timeline.comment.list"), "COMMENT"),
    ("department.add", Parent, Some("department.get"), "NAME, PARENT"),
    ("disk.folder.uploadFile", Exact, Some("disk.folder.getChildren"), "NAME"),
    ("documentgenerator.document.add", Exact, Some("documentgenerator.document.list"), "value"),
    ("entity.item.add", Exact, Some("entity.item.get"), "PROPERTY_VALUES"),
    ("im.chat.add", Exact, Some("im.chat.get"), "ENTITY_TYPE, ENTITY_ID"),
    ("im.message.add", Nothing, None, ""),
    ("lists.element.add", Server, Some("lists.element.get"), "IBLOCK_ID, ELEMENT_CODE"),
    ("lists.element.update", Exact, Some("lists.element.get"), "IBLOCK_ID, ELEMENT_ID"),
    ("sale.basketitem.add", Exact, Some("sale.basketitem.list"), "orderId, xmlId"),
    ("sale.order.add", Exact, Some("sale.order.list"), "xmlId"),
    ("sale.payment.add", Exact, Some("sale.payment.list"), "orderId, xmlId"),
    ("task.checklistitem.add", Parent, Some("task.checklistitem.getlist"), "TITLE"),
    ("task.elapseditem.add", Parent, Some("task.elapseditem.getlist"), "COMMENT_TEXT"),
    ("tasks.task.add", Parent, Some("tasks.task.list"), "xmlId"),
    ("tasks.task.update", Exact, Some("tasks.task.get"), "taskId"),
    ("telephony.externalCall.finish", Exact, Some("voximplant.statistic.get"), "CALL_ID"),
    ("user.add", Server, Some("user.get"), "EMAIL"),
];

#[test]
fn each_names_the_read_and_the_keys_that_settle_it() {
    for (name, strength, read_with, keys) in MOST_USED {
        let method = lookup(name).unwrap_or_else(|| panic!("{name} is not in the table"));
        assert_eq!(method.strength, Some(strength), "{name}");
        assert_eq!(method.read_with, read_with, "{name}");
        assert_eq!(method.keys, keys, "{name}");
    }
}

#[test]
fn the_hint_names_the_fields_to_look_for() {
    let fields = [
        ("crm.item.add", "`=originatorId` and `=originId`"),
        ("crm.contact.add", "ORIGINATOR_ID and ORIGIN_ID"),
        ("crm.contact.add", "`crm.item.list`"),
        ("crm.item.productrow.add", "`=ownerType` and `=ownerId`"),
        ("crm.timeline.comment.add", "ENTITY_ID and ENTITY_TYPE"),
        ("catalog.product.add", "iblockId"),
        ("lists.element.add", "ELEMENT_CODE"),
        ("tasks.task.add", "idempotency key"),
        ("tasks.task.delete", "ENTITYNOTFOUND"),
        ("crm.item.update", "phones and e-mails"),
        ("im.message.add", "`unverifiable` is the honest answer"),
    ];
    for (name, said) in fields {
        let hint = lookup(name).unwrap_or_else(|| panic!("{name} is not in the table")).hint;
        assert!(hint.contains(said), "{name}: {hint}");
    }
}

#[test]
fn what_gone_looks_like_is_said_for_each_kind_of_record() {
    let gone = [
        ("crm.activity.delete", "\"Activity is not found\""),
        ("crm.contact.delete", "a second delete has other codes"),
        ("crm.deal.delete", "empty code with \"Not found\""),
        ("crm.item.delete", "NOT_FOUND"),
        ("crm.item.productrow.delete", "NOT_FOUND"),
        ("crm.requisite.delete", "the empty code"),
        ("crm.status.delete", "\"Status is not found.\""),
        ("crm.timeline.comment.delete", "\"Not found.\""),
        ("catalog.product.delete", "\"does not exist\""),
        ("department.delete", "an empty list"),
        ("disk.file.delete", "ERROR_NOT_FOUND"),
        ("disk.file.markDeleted", "DELETED_TYPE is 3"),
        ("documentgenerator.document.delete", "\"Document not found\""),
        ("booking.v1.booking.delete", "1021"),
        ("lists.element.delete", "an empty list"),
        ("note.document.delete", "ENTITYNOTFOUND"),
        ("sale.order.delete", "201240400001"),
        ("sale.payment.delete", "200640400001"),
        ("task.checklistitem.delete", "ITEM_NOT_FOUND_OR_NOT_ACCESSIBLE"),
        ("task.elapseditem.delete", "0x000001"),
    ];
    for (name, said) in gone {
        let hint = lookup(name).unwrap_or_else(|| panic!("{name} is not in the table")).hint;
        assert!(hint.contains(said), "{name}: {hint}");
    }
}
