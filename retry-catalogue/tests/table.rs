//! The table held against itself.

use std::collections::HashSet;

use retry_catalogue::{Action, Helper, Kind, Method, Strength, Versions, all, lookup};

const TEXT: &str = include_str!("../src/catalogue.tsv");

fn writes() -> impl Iterator<Item = Method> {
    all().filter(|method| method.kind == Kind::Write)
}

#[test]
fn the_columns_are_known_and_every_row_is_well_formed() {
    let (head, rows) = TEXT.split_once('\n').unwrap();
    let columns = "method versions kind forms action replay outdated strength read_with keys hint again reason";
    assert_eq!(head.split('\t').collect::<Vec<_>>(), columns.split(' ').collect::<Vec<_>>());
    for row in rows.lines() {
        let cells: Vec<_> = row.split('\t').collect();
        assert_eq!(cells.len(), 13, "{row}");
        assert!(cells.iter().all(|cell| !cell.is_empty() && cell.trim() == *cell), "{row}");
    }
    assert_eq!(all().count(), rows.lines().count(), "a malformed row is left out");
    assert!(TEXT.ends_with('\n') && !TEXT.contains('\r'));
    assert!(TEXT.bytes().all(|byte| byte == b'\t' || byte == b'\n' || (b' '..=b'~').contains(&byte)));
}

#[test]
fn the_names_are_sorted_and_unique_whatever_their_case() {
    let names: Vec<_> = all().map(|method| method.name.to_ascii_lowercase()).collect();
    for pair in names.windows(2) {
        assert!(pair[0] < pair[1], "{} and {}", pair[0], pair[1]);
    }
}

#[test]
fn every_method_is_found_by_its_name_whatever_its_case() {
    for method in all() {
        assert_eq!(lookup(method.name), Some(method));
        assert_eq!(lookup(&method.name.to_uppercase()), Some(method));
        assert_eq!(lookup(&method.name.to_lowercase()), Some(method));
    }
}

#[test]
fn what_is_not_in_the_table_is_not_found() {
    let known: HashSet<_> = all().map(|method| method.name.to_ascii_lowercase()).collect();
    let mut unknown = vec![String::new(), ".".to_owned(), "\n".to_owned(), "method".to_owned(), "сделка".to_owned()];
    for method in all() {
        let name = method.name;
        unknown.extend([format!("{name}0"), format!("{name} "), format!("{name}\t"), format!(" {name}")]);
        let shorter = &name[..name.len() - 1];
        if !known.contains(&shorter.to_ascii_lowercase()) {
            unknown.push(shorter.to_owned());
        }
    }
    for name in unknown {
        assert_eq!(lookup(&name), None, "{name:?}");
    }
}

#[test]
fn every_write_says_what_a_second_one_does_and_how_sure_its_way_back_is() {
    for method in writes() {
        assert!(method.replay.is_some() && method.strength.is_some(), "{method:?}");
        assert!(!method.again.is_empty() && !method.hint.is_empty(), "{method:?}");
    }
}

#[test]
fn a_read_has_nothing_that_only_a_write_has() {
    for method in all().filter(|method| method.kind == Kind::Read) {
        assert!(!method.two_forms, "{method:?}");
        assert!(method.replay.is_none() && method.strength.is_none() && method.read_with.is_none(), "{method:?}");
        assert!(method.keys.is_empty() && method.hint.is_empty() && method.again.is_empty(), "{method:?}");
    }
}

#[test]
fn what_a_write_is_read_back_with_is_a_read_of_its_own_version() {
    for method in writes() {
        let Some(name) = method.read_with else { continue };
        let read = lookup(name).unwrap_or_else(|| panic!("{name} is not in the table: {method:?}"));
        assert_eq!(read.name, name, "spelt otherwise");
        assert_eq!(read.kind, Kind::Read, "{method:?}");
        assert_eq!(method.read_back_method(), Some(read));
        match method.versions {
            Versions::Two | Versions::Both => assert!(read.versions.has_rest2(), "{method:?}"),
            Versions::Three => assert!(read.versions.has_rest3(), "{method:?}"),
        }
        assert!(read.outdated.is_none() || method.outdated.is_some(), "{method:?} is current, its read is not");
    }
}

#[test]
fn each_strength_has_what_it_needs() {
    for method in writes() {
        match method.strength.unwrap() {
            Strength::Exact => {
                assert!(method.key_fields().count() > 0, "{method:?}");
                assert!(method.hint.contains(&format!("`{}`", method.read_with.unwrap())), "{method:?}");
            }
            Strength::Parent => {
                assert!(method.hint.contains(&format!("`{}`", method.read_with.unwrap())), "{method:?}");
            }
            Strength::Nothing => assert_eq!(method.read_with, None, "{method:?}"),
            Strength::Server => {}
        }
    }
}

#[test]
fn a_write_of_rest_3_alone_has_its_idempotency_key_as_its_key() {
    for method in writes() {
        let alone = method.versions == Versions::Three;
        assert_eq!(method.keys == "Idempotency-Key", alone, "{method:?}");
        assert!(!alone || method.strength == Some(Strength::Server), "{method:?}");
        assert!(!alone || method.takes_idempotency_key());
    }
}

#[test]
fn key_fields_are_names_of_fields() {
    for method in writes() {
        let fields: Vec<_> = method.key_fields().collect();
        assert_eq!(fields.iter().collect::<HashSet<_>>().len(), fields.len(), "{method:?}");
        for field in fields {
            let plain = field.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.*".contains(&byte));
            assert!(plain && !field.is_empty(), "{field:?} of {method:?}");
        }
    }
}

#[test]
fn every_replacement_is_a_current_method_of_the_same_kind() {
    for method in all() {
        let Some(outdated) = method.outdated else { continue };
        let Some(instead) = outdated.instead else {
            assert_eq!(outdated.how, None, "{method:?}");
            continue;
        };
        let other = lookup(instead).unwrap_or_else(|| panic!("{instead} is not in the table: {method:?}"));
        assert_eq!(other.name, instead, "spelt otherwise");
        assert_eq!(other.kind, method.kind, "{method:?}");
        assert!(other.outdated.is_none(), "{method:?} is replaced by what is outdated itself");
        assert!(outdated.how.is_none_or(|how| !how.contains(['(', ')']) && !how.is_empty()), "{method:?}");
    }
}

#[test]
fn every_sentence_is_short_and_can_go_on_or_end() {
    for method in all() {
        let reason = method.reason.unwrap_or_default();
        for text in [method.hint, method.again, reason] {
            assert!(text.len() < 240, "{} has {} characters: {text}", method.name, text.len());
            assert!(!text.ends_with(['.', ',', ';', ' ']) && !text.starts_with(' '), "{method:?}");
            assert!(!text.contains("  ") && !text.contains('{') && !text.contains("``"), "{method:?}");
            assert!(!text.starts_with(|first: char| first.is_ascii_uppercase()) || text.starts_with("EVENT_TOKEN"));
            assert_eq!(text.matches('`').count() % 2, 0, "{method:?}");
        }
    }
}

#[test]
fn every_method_that_a_sentence_names_is_in_the_table() {
    let mut named = 0;
    for method in all() {
        for text in [method.hint, method.again, method.reason.unwrap_or_default()] {
            for name in text.split('`').skip(1).step_by(2).filter(|code| code.contains('.')) {
                assert_eq!(lookup(name).map(|other| other.name), Some(name), "in {method:?}");
                named += 1;
            }
        }
    }
    assert!(named > 500, "{named}");
}

/// Verifiers that count rows without the key as a sign of an ignored filter rest on this.
#[test]
fn a_hint_says_whether_its_list_is_asked_by_the_keys_or_has_them() {
    const HAS: [&str; 8] = [
        " has the ",
        " holds the ",
        " of the ",
        "and compare ",
        "which lists ",
        " shows ",
        "of this application",
        "the code in ",
    ];
    let guarded = |method: &Method| matches!(method.strength, Some(Strength::Server | Strength::Exact));
    for method in writes().filter(guarded).filter(|method| method.action == Action::Create) {
        if method.read_with.is_none() || method.keys == "Idempotency-Key" {
            continue;
        }
        let hint = method.hint;
        if method.is_asked_by_key() {
            let (_, by) = hint.split_once(" by ").unwrap();
            let named = method.key_fields().any(|key| by.contains(key.trim_end_matches('*')) || by.contains(" key"));
            assert!(
                named || by.starts_with("the ") || by.contains("custom field") || by.contains(" of yours"),
                "{}: {hint}",
                method.name
            );
        } else {
            assert!(HAS.iter().any(|has| hint.contains(has)), "{}: {hint}", method.name);
        }
    }
    for (name, asked) in [
        ("crm.deal.add", true),
        ("lists.element.add", true),
        ("sale.order.add", true),
        ("crm.deal.contact.add", false),
        ("event.bind", false),
        ("crm.timeline.comment.add", false),
    ] {
        assert_eq!(lookup(name).unwrap().is_asked_by_key(), asked, "{name}");
    }
}

#[test]
fn a_helper_fits_the_keys_and_the_read_of_its_method() {
    for method in writes() {
        let Some(helper) = method.helper() else { continue };
        let read = method.read_back_method().unwrap();
        let fits = match helper {
            Helper::Key(make) => {
                let pair = make.ends_with("origin");
                let form = read.name.rsplit('.').next() == Some("list") && method.is_asked_by_key();
                form && (!pair || method.key_fields().count() == 2)
            }
            Helper::Text(text) => read.action == Action::List && method.key_fields().any(|key| key == text),
            Helper::Change | Helper::Gone(_) => read.name.rsplit('.').next() == Some("get"),
        };
        assert!(fits, "{}: {helper:?}", method.name);
    }
    for (name, helper) in [
        ("crm.item.add", Some(Helper::Key("item_origin"))),
        ("crm.requisite.add", Some(Helper::Key("xml_id"))),
        ("sale.order.add", Some(Helper::Key("item_xml_id"))),
        ("catalog.product.add", Some(Helper::Key("item_field"))),
        ("crm.quote.add", Some(Helper::Key("field"))),
        // No id in a row; a filter of another shape; a list without a filter.
        ("crm.address.add", None),
        ("documentgenerator.document.add", None),
        ("crm.deal.contact.add", None),
        ("task.checklistitem.add", Some(Helper::Text("TITLE"))),
        ("crm.item.update", Some(Helper::Change)),
        ("crm.item.productrow.set", None),
        ("crm.item.delete", Some(Helper::Gone(Some("ITEM")))),
        ("sale.basketitem.delete", Some(Helper::Gone(None))),
        // An empty list; one code for "gone" and "no rights".
        ("lists.element.delete", None),
        ("task.checklistitem.delete", None),
        ("im.message.add", None),
    ] {
        assert_eq!(lookup(name).unwrap().helper(), helper, "{name}");
    }
}
