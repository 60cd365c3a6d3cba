//! The rows of one page as they came: where they lie, what their ids are.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer as _, Error, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The rows of a result, and the key they are under if it is an object.
pub(super) struct Rows<'a> {
    pub(super) under: Option<String>,
    pub(super) rows: Vec<&'a RawValue>,
}

/// Finds the rows: an array, or the one array in an object.
pub(super) fn open(result: &RawValue) -> Result<Rows<'_>, String> {
    if result.get().starts_with('[') {
        return Ok(Rows { under: None, rows: list(result)? });
    }
    let object: BTreeMap<String, &RawValue> = serde_json::from_str(result.get()).map_err(|error| error.to_string())?;
    let mut lists = object.into_iter().filter(|(_, value)| value.get().starts_with('['));
    match (lists.next(), lists.next()) {
        (Some((under, rows)), None) => Ok(Rows { under: Some(under), rows: list(rows)? }),
        (None, _) => Err("the result is an object without a list in it".to_owned()),
        (Some(_), Some(_)) => Err("the result is an object with more than one list in it".to_owned()),
    }
}

fn list(json: &RawValue) -> Result<Vec<&RawValue>, String> {
    serde_json::from_str(json.get()).map_err(|error| error.to_string())
}

/// The id of a row, and how the row spells the name of its field.
pub(super) struct RowId {
    pub(super) id: u64,
    /// `None`: as it was asked for.
    pub(super) spelling: Option<Box<str>>,
}

/// Reads the id under this name. Some lists filter by `ID` and answer `id`, so the case of its letters may differ.
pub(super) fn id_of(row: &RawValue, field: &str) -> Result<RowId, String> {
    let mut json = serde_json::Deserializer::from_str(row.get());
    let found = json.deserialize_map(Peek(field)).map_err(|error| error.to_string())?;
    let (value, spelling) =
        found.ok_or_else(|| format!("its rows have no `{field}`: if there is a `select`, add \"{field}\" to it"))?;
    let id = value.get().trim_matches('"').parse();
    Ok(RowId { id: id.map_err(|_| format!("the `{field}` of a row is no number"))?, spelling })
}

struct Peek<'f>(&'f str);

impl<'de> Visitor<'de> for Peek<'_> {
    type Value = Option<(&'de RawValue, Option<Box<str>>)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a row, an object with an id")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = None;
        while let Some(name) = map.next_key_seed(NameOf(self.0))? {
            match name {
                Name::Same => found = Some((map.next_value()?, None)),
                Name::OtherCase(spelling) if found.is_none() => found = Some((map.next_value()?, Some(spelling))),
                Name::OtherCase(_) | Name::Another => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(found)
    }
}

enum Name {
    Same,
    OtherCase(Box<str>),
    Another,
}

struct NameOf<'f>(&'f str);

impl<'de> DeserializeSeed<'de> for NameOf<'_> {
    type Value = Name;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Name, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for NameOf<'_> {
    type Value = Name;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a field")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Name, E> {
        Ok(match name {
            same if same == self.0 => Name::Same,
            other if other.eq_ignore_ascii_case(self.0) => Name::OtherCase(other.into()),
            _ => Name::Another,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(json: &str) -> Box<RawValue> {
        RawValue::from_string(json.to_owned()).unwrap()
    }

    #[test]
    fn rows_are_found_in_an_array_and_in_an_object_with_one_list() {
        let found = |json: &str| {
            open(&raw(json))
                .map(|Rows { under, rows }| (under, rows.iter().map(|row| row.get().len()).collect::<Vec<_>>()))
        };
        assert_eq!(found("[{}, 17]").unwrap(), (None, vec![2, 2]));
        assert_eq!(found(r#"{"n": 1, "items": [[]]}"#).unwrap(), (Some("items".to_owned()), vec![2]));
        for odd in [r#"{"a": [], "b": []}"#, r#"{"a": 1}"#, "5", "null"] {
            assert!(found(odd).is_err(), "{odd}");
        }
    }

    #[test]
    fn case_b47_an_id_is_found_in_either_case_as_number_and_as_text() {
        let id = |json: &str| id_of(&raw(json), "ID").map(|RowId { id, spelling }| (id, spelling));
        assert_eq!(id(r#"{"x": {"ID": 1}, "ID": "17"}"#).unwrap(), (17, None));
        assert_eq!(id(r#"{"id": 5, "ID": 17, "Id": 6}"#).unwrap(), (17, None), "the name as it was given wins");
        assert_eq!(id(r#"{"\u0069d": 5}"#).unwrap(), (5, Some("id".into())));
        for (odd, why) in [(r#"{"TITLE": "x"}"#, "add \"ID\""), (r#"{"ID": null}"#, "no number"), ("[1]", "a row")] {
            let told = id(odd).unwrap_err();
            assert!(told.contains(why), "{odd}: {told}");
        }
    }
}
