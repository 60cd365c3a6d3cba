//! The query form against a reader that works as PHP's `parse_str` does.

use serde_json::{Map, Value, json};

use super::command;
use crate::fuzzed::php::parse_str;

/// What the portal reads of a call in a batch.
fn arrives(arguments: &Value) -> Option<Value> {
    let command = command("crm.deal.add", arguments.to_string().as_bytes())?;
    let query = command.strip_prefix("crm.deal.add").unwrap();
    assert!(query.is_empty() || query.starts_with('?'), "{query}");
    assert!(query.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"?&=%-._~".contains(&byte)), "{query}");
    Some(parse_str(query.strip_prefix('?').unwrap_or_default()).unwrap())
}

/// Numbers arrive as their text.
fn as_texts(value: &Value) -> Value {
    match value {
        Value::Number(number) => json!(number.to_string()),
        Value::Array(items) => items.iter().map(as_texts).collect(),
        Value::Object(members) => members.iter().map(|(key, value)| (key.clone(), as_texts(value))).collect(),
        Value::Null | Value::Bool(_) | Value::String(_) => value.clone(),
    }
}

#[test]
fn arguments_arrive_as_they_are() {
    let deal = json!({"fields": {"TITLE": "a&b=c+d % ёлка 🎄 \"quoted\" 'x' [y] #?;/\\ \n\t", "TAGS": ["a", "b"],
        "PHONE": [{"VALUE": "+7 900", "VALUE_TYPE": "WORK"}, {"VALUE": "", "VALUE_TYPE": "HOME"}], ">=DATE.x y": "1"},
        "id": 17, "n": -5});
    assert_eq!(arrives(&deal), Some(as_texts(&deal)));
    let nested = json!({"rows": [{"a": {"b": [["c"], {"d": "e"}]}}]});
    assert_eq!(arrives(&nested), Some(nested));
}

#[test]
fn the_order_of_keys_is_kept() {
    let text = command("crm.deal.list", br#"{"order":{"Z":"ASC","A":"DESC"},"filter":{"M":1,"B":2}}"#).unwrap();
    assert_eq!(text, "crm.deal.list?order%5BZ%5D=ASC&order%5BA%5D=DESC&filter%5BM%5D=1&filter%5BB%5D=2");
    assert_eq!(command("crm.deal.fields", b"{}").unwrap(), "crm.deal.fields");
}

/// Arguments at random: objects and lists up to four deep, of texts and whole numbers.
fn at_random(luck: &mut fastrand::Rng, depth: u32) -> Value {
    const LETTERS: [char; 24] = [
        'a', 'Z', '0', '9', '&', '=', '%', '+', ' ', '#', '?', ';', '"', '\'', '\\', '/', '.', '~', '\n', '<', '>',
        'ё', '漢', '🎄',
    ];
    let text = |luck: &mut fastrand::Rng| (0..luck.usize(0..9)).map(|_| LETTERS[luck.usize(..24)]).collect::<String>();
    match luck.u32(if depth < 4 { 0..5 } else { 0..2 }) {
        0 => json!(luck.i64(..)),
        1 | 2 => json!(text(luck)),
        3 => (0..luck.usize(1..4)).map(|_| at_random(luck, depth + 1)).collect(),
        _ => {
            let key = |luck: &mut fastrand::Rng| format!("K{}", text(luck));
            let members: Map<_, _> = (0..luck.usize(1..4)).map(|_| (key(luck), at_random(luck, depth + 1))).collect();
            Value::Object(members)
        }
    }
}

#[test]
fn arguments_at_random_arrive_as_they_are() {
    let mut luck = fastrand::Rng::with_seed(5);
    for round in 0..5_000 {
        let names = (0..luck.usize(0..4)).map(|number| format!("Key_{number}-ё<"));
        let arguments: Map<_, _> = names.map(|name| (name, at_random(&mut luck, 1))).collect();
        let arguments = Value::Object(arguments);
        let read = arrives(&arguments).unwrap_or_else(|| panic!("round {round}: goes alone: {arguments}"));
        assert_eq!(read, as_texts(&arguments), "round {round}");
    }
}

#[test]
fn case_b44_what_a_query_would_change_goes_alone() {
    for value in [
        "null",
        "true",
        "false",
        "[]",
        "{}",
        r#"{"a":[null]}"#,
        r#"{"a":[[],1]}"#,
        r#"{"0":"x"}"#,
        r#"{"0":"x","1":"y"}"#,
        r#"{"":"x"}"#,
        r#"{" a":"x"}"#,
        r#"{"a[b":"x"}"#,
        r#"{"a]b":"x"}"#,
        r#"{"a":1,"a":2}"#,
        r#""a\u0000b""#,
        r#""see $result[c0][ID]""#,
        "1e3",
        "-0",
        "-0.0",
        "0.00001",
        "0.1234567890123456",
        "12345678901234567890",
    ] {
        let arguments = format!(r#"{{"fields":{{"A":{value}}}}}"#);
        assert_eq!(command("crm.deal.add", arguments.as_bytes()), None, "{arguments}");
        let arguments = format!(r#"{{"fields":{value}}}"#);
        assert_eq!(command("crm.deal.add", arguments.as_bytes()), None, "{arguments}");
    }
    for arguments in [r#"{"a.b":1}"#, r#"{"a b":1}"#, r#"{"":1}"#, r#"{"a[0]":1}"#, "[1]", "1", "{", ""] {
        assert_eq!(command("crm.deal.add", arguments.as_bytes()), None, "{arguments}");
    }
}

#[test]
fn case_b44_a_number_has_the_text_that_php_gives_it() {
    for (number, text) in [
        ("1.0", "1"),
        ("100.50", "100.5"),
        ("-2.25", "-2.25"),
        ("0.0", "0"),
        ("0.0001", "0.0001"),
        ("9007199254740993", "9007199254740993"),
        ("-17", "-17"),
    ] {
        let command = command("m", format!(r#"{{"a":{number}}}"#).as_bytes());
        assert_eq!(command.as_deref(), Some(&*format!("m?a={text}")));
    }
}

#[test]
fn what_is_too_much_for_a_query_goes_alone() {
    let long = |length: usize| json!({"a": "x".repeat(length)}).to_string();
    assert!(command("m", long(32 * 1024 - 4).as_bytes()).is_some());
    assert!(command("m", long(32 * 1024 - 3).as_bytes()).is_none());
    let many = |count: usize| json!({"a": vec!["x"; count]}).to_string();
    assert!(command("m", many(1_000).as_bytes()).is_some());
    assert!(command("m", many(1_001).as_bytes()).is_none(), "PHP takes no more than 1000 variables");
    let deep = |depth: usize| format!(r#"{{"a":{}1{}}}"#, r#"{"a":"#.repeat(depth), "}".repeat(depth));
    assert!(command("m", deep(31).as_bytes()).is_some());
    assert!(command("m", deep(32).as_bytes()).is_none());
    assert!(command("m", deep(100).as_bytes()).is_none());
}
