//! The names that an unknown one was probably meant to be, and none that is absurd.

use retry_catalogue::{all, lookup, nearest};

fn near(name: &str) -> Vec<&'static str> {
    assert!(lookup(name).is_none(), "{name} exists");
    nearest(name).collect()
}

#[test]
fn plurals_and_singulars_are_seen_through() {
    assert_eq!(near("crm.deals.add"), ["crm.deal.add"]);
    assert_eq!(near("crm.companies.list"), ["crm.company.list"]);
    assert_eq!(near("task.task.add"), ["tasks.task.add"]);
    assert_eq!(near("task.task.get"), ["tasks.task.get"]);
    assert_eq!(near("lists.elements.add"), ["lists.element.add"]);
    assert_eq!(near("crm.item.productrows.set"), ["crm.item.productrow.set"]);
    assert_eq!(near("crm.deal.productrow.set"), ["crm.deal.productrows.set"]);
}

#[test]
fn other_verbs_of_the_same_meaning_are_seen_through() {
    assert_eq!(near("crm.deal.create"), ["crm.deal.add"]);
    assert_eq!(near("crm.deal.remove"), ["crm.deal.delete"]);
    assert_eq!(near("crm.deals.edit"), ["crm.deal.update"]);
    assert_eq!(near("im.message.send"), ["im.message.add"]);
    assert_eq!(near("user.list"), ["user.get", "user.search"]);
    assert_eq!(near("department.list"), ["department.get"]);
    assert_eq!(near("lists.element.list"), ["lists.element.get"]);
    assert_eq!(near("sonet_group.add"), ["sonet_group.create"]);
    assert_eq!(near("bizproc.workflow.run"), ["bizproc.workflow.start"]);
    assert_eq!(near("app.option.update"), ["app.option.set"]);
}

#[test]
fn typing_errors_are_seen_through() {
    assert_eq!(near("crm.dael.lsit"), ["crm.deal.list"]);
    assert_eq!(near("crm.contct.add"), ["crm.contact.add"]);
    assert_eq!(near("crm.contact.updaet"), ["crm.contact.update"]);
    assert_eq!(near("im.mesage.add"), ["im.message.add"]);
    assert_eq!(near("sonetgroup.create"), ["sonet_group.create"]);
    assert_eq!(near("crm.deal.add "), ["crm.deal.add"]);
}

#[test]
fn other_dots_are_seen_through() {
    assert_eq!(near("crm_deal_add"), ["crm.deal.add"]);
    assert_eq!(near("crm/deal/add"), ["crm.deal.add"]);
    assert_eq!(near("calendar.event.getNearest"), ["calendar.event.get.nearest"]);
    assert_eq!(near("crm.deal.category.list"), ["crm.dealcategory.list"]);
}

#[test]
fn a_forgotten_or_added_part_is_seen_through() {
    assert_eq!(near("deal.add"), ["crm.deal.add"]);
    assert_eq!(near("tasks.add"), ["tasks.task.add", "tasks.template.add"]);
    assert_eq!(near("crm.deal.add.json"), ["crm.deal.add"]);
    assert_eq!(near("disk.folder.add"), ["disk.folder.addSubFolder"]);
}

#[test]
fn usual_confusions_have_an_answer_of_their_own() {
    let uploads = ["disk.folder.uploadFile", "disk.storage.uploadFile", "disk.file.uploadVersion"];
    assert_eq!(near("disk.file.upload"), uploads);
    assert_eq!(near("CRM.Stage.List"), ["crm.status.list"]);
    assert_eq!(near("tasks.task.comment.add"), ["tasks.task.chat.message.send", "task.commentitem.add"]);
}

#[test]
fn nothing_is_named_that_was_hardly_meant() {
    let absurd = ["", ".", "...", "foo", "crm", "crm.add", "crm.deal", "crm.deal.foo", "crm.rocket.launch"];
    for name in absurd.into_iter().chain(["crm.lead.convert", "BX24.callMethod", "add", "сделка.добавить"])
    {
        assert!(near(name).is_empty(), "{name}: {:?}", near(name));
    }
    let long = "crm.deal.".repeat(10_000);
    assert!(near(&long).is_empty());
}

#[test]
fn a_getter_is_no_typing_error_for_a_setter() {
    let mut asked = 0;
    for method in all() {
        let Some(family) = method.name.strip_suffix(".set") else { continue };
        let getter = format!("{family}.get");
        if lookup(&getter).is_none() {
            assert!(!near(&getter).contains(&method.name), "{getter}");
            asked += 1;
        }
    }
    assert!(asked > 5, "{asked}");
}

#[test]
fn a_known_name_is_nearest_to_itself() {
    for method in all().step_by(200) {
        assert_eq!(nearest(method.name).collect::<Vec<_>>(), [method.name]);
    }
}
