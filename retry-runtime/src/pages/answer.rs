//! What comes back: a page as it is, or several in the answer of a batch.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::decode::{Beside, FromAnswer};

/// One page, its rows unread.
#[derive(Debug)]
pub(super) struct RawPage {
    pub(super) result: Box<RawValue>,
    pub(super) next: Option<u64>,
    pub(super) total: Option<u64>,
    /// Whether the server says that there are more rows, or that some are missing.
    pub(super) partial: bool,
}

impl FromAnswer for RawPage {
    type Result = Box<RawValue>;

    fn from_result(result: Box<RawValue>, Beside { next, total, partial }: Beside) -> Self {
        Self { result, next, total, partial }
    }
}

/// The name of a command. Numbers would make a list of the answer's maps; these are in order for whoever sorts them.
pub(super) fn name(index: u64) -> String {
    format!("p{index:02}")
}

/// The result of a REST 2 batch.
#[derive(Debug, serde::Deserialize)]
pub(super) struct Parts {
    #[serde(default)]
    pub(super) result: Named,
    #[serde(default)]
    pub(super) result_error: Named,
    #[serde(default)]
    result_total: Named,
    #[serde(default)]
    result_next: Named,
    #[serde(default)]
    pub(super) result_time: Named,
}

impl Parts {
    /// The pages up to the first that failed or was not run.
    pub(super) fn into_pages(mut self) -> impl Iterator<Item = RawPage> {
        (0..).map(name).map_while(move |name| {
            if self.result_error.0.contains_key(&name) {
                return None;
            }
            let result = self.result.0.remove(&name)?;
            Some(RawPage {
                result,
                next: self.result_next.number(&name),
                total: self.result_total.number(&name),
                partial: false,
            })
        })
    }
}

/// Values by the names of their commands. Empty, PHP writes it as a list.
#[derive(Debug, Default)]
pub(super) struct Named(pub(super) BTreeMap<String, Box<RawValue>>);

impl Named {
    fn number(&self, name: &str) -> Option<u64> {
        self.0.get(name)?.get().trim_matches('"').parse().ok()
    }
}

impl<'de> Deserialize<'de> for Named {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NamedVisitor)
    }
}

struct NamedVisitor;

impl<'de> Visitor<'de> for NamedVisitor {
    type Value = Named;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with a key for each command")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Named, A::Error> {
        let mut named = BTreeMap::new();
        while let Some((name, value)) = map.next_entry()? {
            named.insert(name, value);
        }
        Ok(Named(named))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Named, A::Error> {
        // No command of ours has a number for a name, so nothing in a list is the answer to one.
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Named::default())
    }

    fn visit_unit<E>(self) -> Result<Named, E> {
        Ok(Named::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages(json: &str) -> Vec<(String, Option<u64>, Option<u64>)> {
        let parts: Parts = serde_json::from_str(json).unwrap();
        parts.into_pages().map(|page| (page.result.get().to_owned(), page.next, page.total)).collect()
    }

    #[test]
    fn case_b37_pages_are_told_apart_by_their_names_whatever_their_order() {
        let json = r#"{"result": {"p10": [10], "p01": [1], "p00": [0], "p02": [2]}, "result_error": [],
            "result_total": {"p00": "3", "p02": null}, "result_next": {"p00": 50}}"#;
        let page = |text: &str, next, total| (text.to_owned(), next, total);
        assert_eq!(pages(json), [page("[0]", Some(50), Some(3)), page("[1]", None, None), page("[2]", None, None)]);
    }

    #[test]
    fn case_b39_case_b40_maps_may_be_empty_lists_or_missing() {
        assert_eq!(pages(r#"{"result": [], "result_error": []}"#), []);
        assert_eq!(pages("{}"), []);
        assert_eq!(pages(r#"{"result": null, "result_time": [1]}"#), []);
    }

    #[test]
    fn pages_behind_a_failed_one_do_not_count() {
        let json = r#"{"result": {"p00": [0], "p01": [1], "p02": [2]}, "result_error": {"p01": {"error": "X"}}}"#;
        assert_eq!(pages(json).len(), 1);
    }
}
