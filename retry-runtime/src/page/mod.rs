//! One page of a list, and whether it is the whole list.

mod whole;

use serde::Deserialize;
use serde::de::{self, DeserializeOwned, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;

use crate::decode::{Beside, FromAnswer};

/// The rows of a full page of most lists (documented); a page that has as many may go on although it does not say so.
const FULL: usize = 50;

/// The rows of one page, and whether there are more.
///
/// It reads a plain array, and an object with one array in it, such as the `items` of `crm.item.list`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    /// The rows.
    pub rows: Vec<T>,
    /// The `start` of the next page, where the list goes on.
    pub next: Option<u64>,
    /// The number of rows in all as the server counts them. Some methods give the size of the page, and with `start = -1` it is 0.
    pub total: Option<u64>,
    /// Whether the server says that rows are missing: a window of its search failed, the list was cut, there are more pages.
    pub partial: bool,
    /// Whether the rows are those of all pages.
    pub(crate) to_its_end: bool,
}

impl<T> Page<T> {
    /// A complete list of these rows.
    pub const fn new(rows: Vec<T>) -> Self {
        Self { rows, next: None, total: None, partial: false, to_its_end: false }
    }

    /// Whether these rows certainly are the whole list.
    ///
    /// They are not if the server says that rows are missing, names a next page or counts more rows, nor if the page is full (50 rows): with `start = -1` a list does
    /// not say that it goes on. [`whole_by_id`](Self::whole_by_id) and [`whole_by_start`](Self::whole_by_start) read the rest.
    pub fn is_complete(&self) -> bool {
        let rows = self.rows.len();
        self.next.is_none()
            && !self.partial
            && (self.to_its_end || rows < FULL)
            && self.total.is_none_or(|total| total <= rows as u64)
    }
}

impl<T: DeserializeOwned> FromAnswer for Page<T> {
    type Result = Rows<T>;

    fn from_result(Rows(rows): Rows<T>, Beside { next, total, partial }: Beside) -> Self {
        Self { rows, next, total, partial, to_its_end: false }
    }
}

/// An array, or an object that has one array.
#[derive(Debug)]
pub struct Rows<T>(Vec<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Rows<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RowsVisitor(PhantomData)).map(Self)
    }
}

struct RowsVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for RowsVisitor<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list, or an object with one list in it")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<T>, A::Error> {
        let mut rows = Vec::with_capacity(seq.size_hint().unwrap_or_default().min(FULL));
        while let Some(row) = seq.next_element()? {
            rows.push(row);
        }
        Ok(rows)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vec<T>, A::Error> {
        let mut found = None;
        while map.next_key::<IgnoredAny>()?.is_some() {
            if let Some(rows) = map.next_value_seed(ListOrElse(PhantomData))? {
                if found.is_some() {
                    return Err(de::Error::custom(
                        "an object with more than one list in it: read it with a type of your own",
                    ));
                }
                found = Some(rows);
            }
        }
        found.ok_or_else(|| de::Error::custom("an object without a list in it"))
    }
}

/// The rows of a list; `None` for any other value.
struct ListOrElse<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> DeserializeSeed<'de> for ListOrElse<T> {
    type Value = Option<Vec<T>>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for ListOrElse<T> {
    type Value = Option<Vec<T>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
        RowsVisitor(PhantomData).visit_seq(seq).map(Some)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Success;

    fn page(json: &'static str, next: Option<u64>, total: Option<u64>) -> Result<Page<u32>, serde_json::Error> {
        Success::new(json).beside(Beside { next, total, partial: false }).read().map(|(page, _)| page)
    }

    #[test]
    fn rows_are_found_in_an_array_and_in_an_object_with_one_list() {
        assert_eq!(page("[1,2]", None, None).unwrap().rows, [1, 2]);
        assert_eq!(page("[]", None, Some(0)).unwrap().rows, [0; 0]);
        assert_eq!(
            page(r#"{"items":[3],"n":1,"more":{"a":[9]},"x":null,"t":"s","f":1.5,"i":-1,"b":true}"#, None, None)
                .unwrap()
                .rows,
            [3]
        );
        assert!(page(r#"{"a":[1],"b":[2]}"#, None, None).is_err());
        assert!(page(r#"{"a":1}"#, None, None).is_err());
        assert!(page("5", None, None).is_err());
    }

    #[test]
    fn p3_a_page_that_may_go_on_is_not_complete() {
        assert!(page("[1,2]", None, Some(2)).unwrap().is_complete());
        assert!(page("[1,2]", None, Some(0)).unwrap().is_complete(), "start = -1 does not count");
        assert!(!page("[1,2]", Some(50), None).unwrap().is_complete());
        assert!(!page("[1,2]", None, Some(3)).unwrap().is_complete());
        assert!(!Page::new(vec![0; 50]).is_complete(), "a full page may go on without saying so");
    }
}
