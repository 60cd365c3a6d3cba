//! What each operator lets through.

use serde_json::{Map, Value, json};

use super::{Filter, Refused, parse, parse_known};
use crate::crm::records::{Entity, Record};
use crate::crm::schema::{self, Kind};

fn resolve(name: &str) -> Option<(String, Kind)> {
    schema::kind(Entity::Deal, name).map(|kind| (name.to_owned(), kind))
}

fn record(fields: Value) -> Record {
    let Value::Object(fields) = fields else { panic!("an object") };
    Record { id: 1, fields, shared: None, born: None }
}

fn deal() -> Record {
    record(json!({
        "ID": "17",
        "TITLE": "Mole hill",
        "STAGE_ID": "NEW",
        "OPPORTUNITY": "100.00",
        "DATE_CREATE": "2026-03-01T12:00:00+03:00",
        "BEGINDATE": "2026-03-01T03:00:00+03:00",
        "OPENED": "Y",
        "ORIGIN_ID": null,
        "UF_CRM_1": ["a", "b"],
    }))
}

fn passes(filter: impl std::borrow::Borrow<Value>) -> bool {
    parse(filter.borrow(), &resolve).expect("a known filter").lets_through(&deal())
}

#[test]
fn equality_is_exact_and_the_default() {
    assert!(passes(json!({"TITLE": "Mole hill"})));
    assert!(passes(json!({"=TITLE": "Mole hill"})));
    assert!(!passes(json!({"=TITLE": "mole hill"})));
    assert!(!passes(json!({"=TITLE": "Mole"})));
    assert!(passes(json!({"ID": 17})));
    assert!(passes(json!({"=OPPORTUNITY": "100"})));
    assert!(passes(json!({"OPENED": "1"})));
}

#[test]
fn a_list_means_any_of_them() {
    assert!(passes(json!({"@STAGE_ID": ["OLD", "NEW"]})));
    assert!(passes(json!({"STAGE_ID": ["OLD", "NEW"]})));
    assert!(passes(json!({"@ID": {"3": 17, "4": 18}})));
    assert!(!passes(json!({"@STAGE_ID": ["OLD"]})));
    assert!(!passes(json!({"@STAGE_ID": []})));
    assert!(!passes(json!({"!@STAGE_ID": ["OLD", "NEW"]})));
    assert!(passes(json!({"!@STAGE_ID": ["OLD"]})));
    assert!(!passes(json!({"!STAGE_ID": ["OLD", "NEW"]})));
}

#[test]
fn not_equal_has_two_signs() {
    assert!(passes(json!({"!STAGE_ID": "OLD", "!=TITLE": "x"})));
    assert!(!passes(json!({"!STAGE_ID": "NEW"})));
    assert!(!passes(json!({"!=STAGE_ID": "NEW"})));
}

#[test]
fn comparisons_follow_the_kind_of_the_field() {
    assert!(passes(json!({">ID": 9, ">=ID": 17, "<=ID": "17", "<ID": 100})));
    assert!(!passes(json!({">ID": 17})));
    assert!(!passes(json!({"<ID": 17})));
    assert!(passes(json!({">OPPORTUNITY": 99.5, "<OPPORTUNITY": 1000})));
    assert!(passes(json!({">=DATE_CREATE": "2026-03-01T09:00:00Z", "<DATE_CREATE": "2026-03-01 12:00:01"})));
    assert!(!passes(json!({">DATE_CREATE": "2026-03-01T10:00:00+01:00"})));
    assert!(passes(json!({">=BEGINDATE": "2026-03-01", "<BEGINDATE": "2026-03-02"})));
    assert!(passes(json!({">TITLE": "Ant", "<TITLE": "Zebra"})));
}

#[test]
fn patterns_ignore_case() {
    assert!(passes(json!({"%TITLE": "OLE H"})));
    assert!(!passes(json!({"%TITLE": "m%l"})));
    for pattern in ["mole%", "%hill", "%le h%", "m_le hill", "%", "mole hill", "%%l%l%"] {
        assert!(passes(json!({"=%TITLE": pattern})), "{pattern}");
        assert!(passes(json!({"%=TITLE": pattern})), "{pattern}");
        assert!(!passes(json!({"!=%TITLE": pattern})), "{pattern}");
        assert!(!passes(json!({"!%=TITLE": pattern})), "{pattern}");
    }
    for pattern in ["", "hill%", "%mole", "_mole hill", "mole_hill_"] {
        assert!(!passes(json!({"=%TITLE": pattern})), "{pattern}");
    }
    assert!(passes(json!({"!%TITLE": "ant"})));
    assert!(!passes(json!({"!%TITLE": "hill"})));
}

#[test]
fn empty_fields_can_be_asked_for() {
    for empty in [json!(""), Value::Null] {
        assert!(passes(json!({"ORIGIN_ID": empty})));
        assert!(!passes(json!({"!ORIGIN_ID": empty})));
        assert!(!passes(json!({"TITLE": empty})));
        assert!(passes(json!({"!TITLE": empty})));
    }
    let misfit = parse_known(&json!({"COMPANY_ID": "abc"}), &resolve);
    assert!(!misfit.lets_through(&deal()), "what is no number is not the empty field");
    assert!(!passes(json!({">ORIGIN_ID": "a"})) && !passes(json!({"<ORIGIN_ID": "a"})), "empty is neither");
}

#[test]
fn a_list_field_matches_by_any_of_its_values() {
    assert!(passes(json!({"UF_CRM_1": "b"})));
    assert!(!passes(json!({"UF_CRM_1": "c"})));
    let phones = record(json!({"PHONE": [{"VALUE": "+7"}, {"VALUE": "+8"}]}));
    let resolve = |name: &str| schema::kind(Entity::Contact, name).map(|kind| (name.to_owned(), kind));
    assert!(parse_known(&json!({"PHONE": "+8"}), &resolve).lets_through(&phones));
    assert!(!parse_known(&json!({"PHONE": "+9"}), &resolve).lets_through(&phones));
}

#[test]
fn groups_can_be_joined_by_or_and_lie_in_each_other() {
    let either = json!({"logic": "OR", "0": {"TITLE": "x"}, "1": {"STAGE_ID": "NEW"}});
    assert!(passes(json!({"0": either, "ID": 17})));
    assert!(!passes(json!({"0": either, "ID": 18})));
    assert!(!passes(json!({"0": {"logic": "OR", "0": {"TITLE": "x"}, "1": {"STAGE_ID": "OLD"}}})));
    assert!(passes(json!({"logic": "or", "TITLE": "x", "ID": 17})));
    assert!(!passes(json!([{"ID": 17}, {"ID": 18}])), "a list of groups is joined by and");
}

#[test]
fn no_filter_lets_everything_through() {
    for nothing in [json!({}), json!([]), Value::Null, json!("x"), json!({"logic": "OR"})] {
        assert!(passes(nothing));
    }
}

#[test]
fn an_unknown_field_is_named_or_left_out() {
    let filter = json!({"=originId": "A-1", "ID": 17});
    assert_eq!(parse(&filter, &resolve), Err(Refused::UnknownField("originId".to_owned())));
    assert!(parse_known(&filter, &resolve).lets_through(&deal()));
    assert_eq!(parse(&json!({"ID": "abc"}), &resolve), Err(Refused::BadValue("ID".to_owned())));
}

#[test]
fn groups_do_not_lie_in_each_other_without_end() {
    let mut filter = json!({"ID": 17});
    for _ in 0..100 {
        let mut outer = Map::new();
        outer.insert("0".to_owned(), filter);
        filter = Value::Object(outer);
    }
    assert_eq!(parse(&filter, &resolve), Err(Refused::BadValue("0".to_owned())));
    assert_eq!(parse_known(&filter, &resolve), Filter::All(Vec::new()));
}
