//! Names in Rust, made of the portal's.

/// Words of Rust that are no names.
const KEYWORDS: [&str; 8] = ["type", "ref", "match", "move", "use", "where", "in", "for"];

/// Keys that look like the number of a record and are texts of one's own.
const TEXTS: [&str; 10] = [
    "origin_id",
    "originator_id",
    "xml_id",
    "status_id",
    "external_call_id",
    "call_id",
    "template_id",
    "dialog_id",
    "guid",
    "connector_id",
];

/// `originatorId`, `ORIGINATOR_ID` and `fields.originatorId` as `originator_id`.
pub(super) fn snake(wire: &str) -> String {
    let last = wire.rsplit('.').next().unwrap_or(wire).replace("_*", "_YOUR_KEY");
    let mut out = String::new();
    let mut small = false;
    for letter in last.chars() {
        if letter.is_ascii_uppercase() && small {
            out.push('_');
        }
        if letter.is_ascii_alphanumeric() {
            out.push(letter.to_ascii_lowercase());
        } else if !out.is_empty() && !out.ends_with('_') {
            out.push('_');
        }
        small = letter.is_ascii_lowercase() || letter.is_ascii_digit();
    }
    out
}

/// The same as the name of a field or parameter.
pub(super) fn field(wire: &str) -> String {
    let name = snake(wire);
    if KEYWORDS.contains(&name.as_str()) { format!("r#{name}") } else { name }
}

/// `deal_row` as `DealRow`.
pub(super) fn pascal(snake: &str) -> String {
    snake.split('_').map(capital).collect()
}

/// `originator_id` as `originatorId`.
pub(super) fn camel(snake: &str) -> String {
    snake.split('_').enumerate().map(|(at, word)| if at == 0 { word.to_owned() } else { capital(word) }).collect()
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

/// Whether a key is the number of a record.
pub(super) fn is_number(wire: &str) -> bool {
    let name = snake(wire);
    (name.ends_with("id") || name == "parent") && !TEXTS.contains(&name.as_str())
}

/// What a method deals with: `crm.deal.contact.items.get` with `contact`.
pub(super) fn noun(method: &str) -> String {
    let mut parts: Vec<&str> = method.split('.').filter(|part| !["v1", "v2", "items"].contains(part)).collect();
    if parts.len() > 1 {
        parts.pop();
    }
    parts.last().map(|part| snake(part)).unwrap_or_default()
}

/// The name of the function that calls a method: `add_deal`, `im_notify`.
pub(super) fn function(method: &str) -> String {
    let noun = noun(method);
    let verb = method.rsplit('.').next().map(snake).unwrap_or_default();
    if verb.contains('_') || (method.split('.').count() == 2 && verb.len() > 6) {
        format!("{noun}_{verb}")
    } else if verb == noun {
        verb
    } else {
        format!("{verb}_{noun}")
    }
}

/// More than one of them.
pub(super) fn plural(noun: &str) -> String {
    match noun.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ if noun.ends_with('s') => format!("{noun}es"),
        _ => format!("{noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_portal_become_names_of_rust() {
        for (wire, rust) in [
            ("ORIGINATOR_ID", "originator_id"),
            ("originatorId", "originator_id"),
            ("=xmlId", "xml_id"),
            ("fields.code", "code"),
            ("UF_CRM_*", "uf_crm_your_key"),
            ("TASKID", "taskid"),
        ] {
            assert_eq!(snake(wire), rust);
        }
        assert_eq!(field("type"), "r#type");
        assert_eq!((pascal("deal_row"), camel("xml_id")), ("DealRow".into(), "xmlId".into()));
    }

    #[test]
    fn functions_are_named_by_what_they_do() {
        for (method, name) in [
            ("crm.deal.add", "add_deal"),
            ("user.add", "add_user"),
            ("im.notify", "notify_im"),
            ("disk.folder.uploadFile", "folder_upload_file"),
            ("crm.deal.contact.items.get", "get_contact"),
            ("booking.v1.booking.add", "add_booking"),
        ] {
            assert_eq!(function(method), name);
        }
        assert_eq!(
            (plural("activity"), plural("deal"), plural("address")),
            ("activities".into(), "deals".into(), "addresses".into())
        );
    }

    #[test]
    fn a_key_of_ones_own_is_no_number() {
        assert!(is_number("iblockId") && is_number("ENTITY_ID") && is_number("id"));
        assert!(!is_number("ORIGIN_ID") && !is_number("xmlId") && !is_number("EMAIL"));
    }
}
