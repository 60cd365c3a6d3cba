//! Words that people take for one another.

/// Verbs of a last part that mean the same to those who do not know which one it is here.
const ALIKE: [&[&str]; 8] = [
    &["add", "create", "new", "insert", "make", "post", "send", "save", "import", "invite", "attach"],
    &["update", "edit", "change", "modify", "set", "patch", "put", "save", "replace", "rename"],
    &["delete", "remove", "del", "destroy", "erase", "drop", "unset"],
    &["get", "list", "getlist", "getbyid", "search", "find", "fetch", "read", "load", "query", "show", "all", "index"],
    &["fields", "getfields", "schema", "describe"],
    &["start", "run", "launch", "begin", "execute", "trigger", "open"],
    &["complete", "finish", "close", "done", "end", "stop"],
    &["bind", "subscribe", "register", "attach"],
];

/// Names that are asked for and do not exist, with what serves in their place.
const CONFUSED: [(&str, &[&str]); 23] = [
    ("crm.address.get", &["crm.address.list"]),
    ("crm.comment.add", &["crm.timeline.comment.add"]),
    ("crm.deal.comment.add", &["crm.timeline.comment.add"]),
    ("crm.deal.product.add", &["crm.item.productrow.add", "crm.item.productrow.set"]),
    ("crm.deal.productrows.add", &["crm.item.productrow.add", "crm.deal.productrows.set"]),
    ("crm.deal.stage.list", &["crm.status.list"]),
    ("crm.funnel.list", &["crm.category.list"]),
    ("crm.note.add", &["crm.timeline.comment.add", "crm.timeline.note.save"]),
    ("crm.pipeline.list", &["crm.category.list"]),
    ("crm.smartinvoice.add", &["crm.item.add"]),
    ("crm.spa.add", &["crm.item.add"]),
    ("crm.stage.list", &["crm.status.list"]),
    ("crm.task.add", &["tasks.task.add", "crm.activity.todo.add"]),
    ("crm.userfield.add", &["userfieldconfig.add"]),
    ("disk.file.upload", &["disk.folder.uploadFile", "disk.storage.uploadFile", "disk.file.uploadVersion"]),
    ("disk.folder.list", &["disk.folder.getChildren"]),
    ("im.message.get", &["im.dialog.messages.get"]),
    ("im.message.list", &["im.dialog.messages.get"]),
    ("im.notify.add", &["im.notify.system.add", "im.notify.personal.add"]),
    ("tasks.task.comment.add", &["tasks.task.chat.message.send", "task.commentitem.add"]),
    ("tasks.task.checklist.add", &["task.checklistitem.add"]),
    ("telephony.call.register", &["telephony.externalCall.register"]),
    ("user.me", &["user.current"]),
];

/// What serves in the place of a name that is often asked for.
pub(super) fn meant(name: &str) -> impl Iterator<Item = &'static str> + use<> {
    let found = CONFUSED.iter().find(|(asked, _)| asked.eq_ignore_ascii_case(name));
    found.map_or(&[][..], |(_, meant)| meant).iter().copied()
}

/// What a verb may mean: a bit for each row of [`ALIKE`] that holds it. None for any other word.
pub(super) fn meanings(word: &str) -> u8 {
    let holds = |words: &[&str]| words.iter().any(|other| other.eq_ignore_ascii_case(word));
    ALIKE.iter().enumerate().filter(|(_, words)| holds(words)).fold(0, |bits, (row, _)| bits | 1 << row)
}

#[cfg(test)]
mod tests {
    use super::CONFUSED;
    use crate::lookup;

    #[test]
    fn confused_names_do_not_exist_and_their_answers_do() {
        for (asked, meant) in CONFUSED {
            assert!(lookup(asked).is_none(), "{asked} exists");
            assert!(!meant.is_empty() && meant.len() <= super::super::MOST);
            for name in meant {
                assert_eq!(lookup(name).map(|method| method.name), Some(*name), "for {asked}");
            }
        }
    }
}
