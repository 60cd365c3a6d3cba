//! The writes that people use most: the message that refuses a stub without a way out names the read and the fields.
//! The lists are written by hand, from what the documentation of each method says, and not from the catalogue.

use retry_catalogue::{Kind, Strength, all};

use super::{WRITE, accepted, expand, reported, sentence};

/// The method, the read, and what is to be found in the sentence on reading it back.
const READ_BACK: [(&str, &str, &[&str]); 41] = [
    ("crm.item.add", "crm.item.list", &["originatorId", "originId", "xmlId"]),
    ("crm.item.import", "crm.item.list", &["originatorId", "originId"]),
    ("crm.lead.add", "crm.lead.list", &["ORIGINATOR_ID", "ORIGIN_ID"]),
    ("crm.deal.add", "crm.deal.list", &["ORIGINATOR_ID", "ORIGIN_ID"]),
    ("crm.contact.add", "crm.contact.list", &["ORIGINATOR_ID", "ORIGIN_ID", "`crm.item.list`"]),
    ("crm.company.add", "crm.company.list", &["ORIGINATOR_ID", "ORIGIN_ID"]),
    ("crm.quote.add", "crm.quote.list", &["UF_CRM_", "custom field"]),
    ("crm.item.productrow.add", "crm.item.productrow.list", &["=ownerType", "=ownerId", "price", "quantity"]),
    ("crm.item.productrow.set", "crm.item.productrow.list", &["ownerType", "ownerId"]),
    ("crm.activity.add", "crm.activity.list", &["ORIGINATOR_ID", "ORIGIN_ID", "e-mail"]),
    ("crm.activity.todo.add", "crm.activity.list", &["OWNER_TYPE_ID", "OWNER_ID", "description"]),
    ("crm.timeline.comment.add", "crm.timeline.comment.list", &["ENTITY_ID", "ENTITY_TYPE", "COMMENT"]),
    ("crm.requisite.add", "crm.requisite.list", &["XML_ID"]),
    ("crm.address.add", "crm.address.list", &["TYPE_ID", "ENTITY_TYPE_ID", "ENTITY_ID"]),
    ("crm.deal.contact.add", "crm.deal.contact.items.get", &["CONTACT_ID"]),
    ("crm.status.add", "crm.status.list", &["ENTITY_ID", "STATUS_ID"]),
    ("crm.item.update", "crm.item.get", &["phones and e-mails"]),
    ("crm.deal.update", "crm.deal.get", &["compare"]),
    ("crm.deal.delete", "crm.deal.get", &["Not found"]),
    ("tasks.task.add", "tasks.task.list", &["xmlId", "CREATED_BY", ">=CREATED_DATE", "REST 3.0"]),
    ("tasks.task.update", "tasks.task.get", &["compare"]),
    ("task.checklistitem.add", "task.checklistitem.getlist", &["TITLE"]),
    ("task.elapseditem.add", "task.elapseditem.getlist", &["COMMENT_TEXT"]),
    ("im.chat.add", "im.chat.get", &["ENTITY_TYPE", "ENTITY_ID"]),
    ("disk.folder.uploadFile", "disk.folder.getChildren", &["NAME", "SIZE"]),
    ("disk.folder.addSubFolder", "disk.folder.getChildren", &["NAME"]),
    ("calendar.event.add", "calendar.event.get", &["from", "to", "description"]),
    ("lists.element.add", "lists.element.get", &["ELEMENT_CODE", "ERROR_ELEMENT_ALREADY_EXISTS"]),
    ("entity.item.add", "entity.item.get", &["NAME"]),
    ("catalog.product.add", "catalog.product.list", &["iblockId", "xmlId"]),
    ("catalog.section.add", "catalog.section.list", &["code"]),
    ("catalog.document.add", "catalog.document.list", &["docNumber"]),
    ("sale.order.add", "sale.order.list", &["xmlId"]),
    ("sale.basketitem.add", "sale.basketitem.list", &["orderId", "xmlId"]),
    ("sale.payment.add", "sale.payment.list", &["orderId", "xmlId"]),
    ("sale.shipment.add", "sale.shipment.list", &["orderId", "xmlId"]),
    ("user.add", "user.get", &["EMAIL"]),
    ("department.add", "department.get", &["NAME", "PARENT"]),
    ("telephony.externalCall.finish", "voximplant.statistic.get", &["CALL_ID"]),
    ("documentgenerator.document.add", "documentgenerator.document.list", &["value", "templateId"]),
    ("crm.documentgenerator.document.add", "crm.documentgenerator.document.list", &["entityTypeId", "entityId"]),
];

fn missing(name: &str) -> String {
    sentence(&format!("name = {name:?}, kind = write"), WRITE)
}

#[test]
fn p8_a_missing_verifier_is_told_the_read_and_the_fields_of_this_very_method() {
    for (name, read, fields) in READ_BACK {
        let text = missing(name);
        assert!(text.contains(&format!("and a second `{name}` ")), "{text}");
        let (_, how) = text.split_once("help: read it back with ").unwrap_or_else(|| panic!("{text}"));
        let (how, _) = how.split_once(" help: ").unwrap();
        assert!(how.starts_with(&format!("`{read}`")), "{name}: {how}");
        for field in fields {
            assert!(how.contains(field), "{name} lacks {field}: {how}");
        }
        assert!(text.contains("help: name a verifier, `verify = verify_add_deal`"), "{text}");
        assert!(text.contains(&format!("#[bitrix_method(name = \"{read}\", kind = read)]")), "{text}");
        assert!(text.ends_with("for a person to settle, and nothing is sent again"), "{text}");
    }
}

#[test]
fn p8_a_verifier_is_spelled_with_the_helper_that_fits() {
    let update = "async fn edit(client: &Client, id: Id, fields: &DealFields) -> Result<bool, CallError>;";
    let delete = "async fn delete_deal(client: &Client, id: Id) -> Result<bool, CallError>;";
    let flat = "async fn add_item(client: &Client, xml_id: &str) -> Result<Id, CallError>;";
    for (name, stub, lines) in [
        (
            "crm.contact.add",
            WRITE,
            &[
                "async fn list_contacts(reader: &Reader, #[param(flatten)] key: &Key<'_>) -> Result<Page<KeyRow>, CallError>;",
                "let key = Key::origin(&fields.originator_id, &fields.origin_id);",
                "Ok(key.find_in(list_contacts(reader, &key).await?).map(|id| what_the_call_returns))",
            ][..],
        ),
        ("crm.item.add", WRITE, &["let key = Key::item_origin(&fields.originator_id, &fields.origin_id);"]),
        (
            "crm.requisite.add",
            flat,
            &["let key = Key::xml_id(xml_id);", "Ok(key.find_in(list_requisites(reader, &key).await?))"],
        ),
        ("crm.quote.add", WRITE, &["let key = Key::field(\"UF_CRM_KEY\", &fields.uf_crm_key);"]),
        (
            "catalog.product.add",
            WRITE,
            &["Key::item_field(\"iblockId\", fields.iblock_id.to_string()).and(\"xmlId\", &fields.xml_id);"],
        ),
        (
            "crm.timeline.comment.add",
            WRITE,
            &[
                "Page::whole_by_start(|start| list_comments(reader, &filter, start)).await?;",
                "Ok(ReadBack::by_text(page, &fields.marker, |row| (row.comment, row.id))",
                "carry a marker in COMMENT",
            ],
        ),
        (
            "crm.deal.update",
            update,
            &[
                "take the new values as `fields: &Change<DealFields>`",
                "id: Id, fields: &Change<DealFields>, ) -> Result<ReadBack<bool>, CallError> {",
                "async fn get_deal(reader: &Reader, id: Id) -> Result<DealFields, CallError>;",
                "Ok(fields.judge(&get_deal(reader, id).await?).map(|()| true))",
            ],
        ),
        (
            "crm.item.update",
            "async fn edit(client: &Client, entity_type_id: u32, id: Id, fields: &Name) -> Result<Item, CallError>;",
            &[
                "async fn get_item( reader: &Reader, #[param(name = \"entityTypeId\")] entity_type_id: u32, id: Id, ) -> \
                 Result<Answer<Name>, CallError>;",
                "Ok(fields.judge(&get_item(reader, entity_type_id, id).await?.item).map(|()| what_the_call_returns))",
            ],
        ),
        (
            "crm.deal.delete",
            delete,
            &[
                "take the id as `id: Existing`",
                "(reader: &Reader, id: Existing) -> Result<ReadBack<bool>, CallError>",
                "Ok(id.judge(get_deal(reader, id.id()).await, Gone::CRM)?.map(|()| true))",
            ],
        ),
        ("sale.basketitem.delete", delete, &["Gone::new(\"ITS_CODE\", &[\"its text\"])"]),
        ("lists.element.add", WRITE, &["Ok(ReadBack::by_key(page, |row| is_ours(&row)"]),
    ] {
        let text = sentence(&format!("name = {name:?}, kind = write"), stub);
        for line in lines {
            assert!(text.contains(line), "{name} lacks {line}: {text}");
        }
    }
}

#[test]
fn p8_where_nothing_can_prove_it_unverifiable_is_said_to_be_the_answer() {
    for (name, why) in [
        ("im.message.add", "a message carries no key of yours"),
        ("bizproc.workflow.start", "running workflows only"),
        ("voximplant.callback.start", "can't be taken back"),
        ("crm.automation.trigger", "`unverifiable` is the honest answer"),
        ("task.commentitem.add", "always says absent"),
        ("sign.b2e.document.send", "`unverifiable` is the honest answer"),
    ] {
        let text = missing(name);
        assert!(!text.contains("help: read it back with"), "{text}");
        assert!(text.contains("help: there is no reliable key") && text.contains(why), "{name}: {text}");
        assert!(text.contains("`unverifiable` is the honest answer"), "{text}");
        assert!(text.contains("help: write `unverifiable = \"the reason\"`: a lost answer then ends as "), "{text}");
    }
}

#[test]
fn p8_a_method_of_rest_3_is_told_of_the_idempotency_key_first() {
    for name in ["tasks.task.add", "mail.message.send", "note.document.add", "humanresources.node.add"] {
        let text = sentence(&format!("name = {name:?}, kind = write, version = 3"), WRITE);
        let (_, second) = text.split_once(" help: ").unwrap().1.split_once(" help: ").unwrap();
        assert!(
            second.starts_with("write `idempotency_key = key`, with a parameter `key: &IdempotencyKey`:"),
            "{text}"
        );
        assert!(second.contains("24 hours"), "{text}");
    }
    for name in ["tasks.task.add", "tasks.task.update", "tasks.task.delete"] {
        let text = missing(name);
        assert!(
            text.contains("call it by REST 3.0,") && text.contains("`version = 3` and `idempotency_key = key`"),
            "{text}"
        );
    }
    assert!(!missing("crm.deal.add").contains("REST 3.0"));
}

#[test]
fn what_a_second_one_does_is_said_by_what_kind_of_replay_it_is() {
    let open = "whether this call did it stays open";
    assert!(missing("crm.deal.add").contains("a second `crm.deal.add` makes a second deal help:"));
    assert!(missing("crm.deal.update").contains(open) && missing("crm.deal.delete").contains(open));
    assert!(
        missing("lists.element.add").contains("shows that something with this key is there, and not that this call")
    );
    assert!(missing("im.message.like").contains("takes the like back"));
}

#[test]
fn each_message_shows_code_that_is_code() {
    let mut stubs = 0;
    for method in all().filter(|method| method.kind == Kind::Write && method.name != "batch") {
        let (name, version) = (method.name, if method.versions.has_rest2() { "" } else { ", version = 3" });
        let found = reported(expand(&format!("name = {name:?}, kind = write{version}"), WRITE));
        assert_eq!(found.len(), 1, "{name}");
        let text = &found[0].text;
        assert!(!text.contains("  help:") && !text.contains("``"), "{text}");
        // Each block of code is one of a stub and a function, or the head of a function alone.
        let code = text.lines().filter(|line| line.starts_with("          ")).collect::<Vec<_>>().join("\n");
        let code = code.replace("{ ... }", "{ todo!() }");
        let items = syn::parse_file(&code).unwrap_or_else(|error| panic!("{name}: {error}\n{code}")).items;
        assert_eq!(items.len(), 1 + usize::from(code.contains("#[bitrix_method")), "{code}");
        // The stub of the read is accepted as it is.
        if let Some((_, attribute)) = code.split_once("#[bitrix_method(") {
            let (attribute, rest) = attribute.split_once(")]\n").unwrap();
            let stub = rest.split_inclusive(";\n").next().unwrap();
            accepted(attribute, stub);
            stubs += 1;
        }
        let provable = method.strength != Some(Strength::Nothing) && method.read_with.is_some();
        assert_eq!(text.contains("#[bitrix_method"), provable && method.versions.has_rest2(), "{text}");
    }
    assert!(stubs > 500, "{stubs}");
}
