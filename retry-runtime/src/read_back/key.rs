//! Records that carry a key of ours in fields of their own.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ReadBack;
use crate::id::Id;
use crate::page::Page;

/// A key of our own in the fields of a record: it asks for the records that carry it, and judges what comes back.
///
/// Filter, `select` and comparison come from one place, so that they can't differ. It is spliced into a list stub with
/// `#[param(flatten)]`, and [`find_in`](Self::find_in) compares *each* row, letter by letter.
///
/// | key | for |
/// |---|---|
/// | [`origin`](Self::origin) | `crm.lead.list`, `crm.deal.list`, `crm.contact.list`, `crm.company.list`, `crm.activity.list` |
/// | [`item_origin`](Self::item_origin) | `crm.item.list` with these entities; it refuses a filter field that it does not know |
/// | [`xml_id`](Self::xml_id) | `crm.requisite.list`, `crm.requisite.bankdetail.list` |
/// | [`item_xml_id`](Self::item_xml_id) | `crm.item.list` of invoices and smart processes, `sale.order.list`, `catalog.product.list` |
/// | [`field`](Self::field), [`item_field`](Self::item_field) | any other field, such as one you have added |
///
/// **It proves nothing** where the caller may not see the record, where two operations share a key, and where the portal dropped a
/// misspelt field on the way in. Use keys that stay different in lower case and have no space at their ends: how the portal compares is not documented.
///
/// ```
/// use retry_portal::{Answer, Fault, Portal};
/// use retry_runtime::{CallError, Client, Id, Key, KeyRow, Page, ReadBack, Reader, bitrix_method};
/// use serde::Serialize;
///
/// #[derive(Serialize)]
/// #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
/// struct NewDeal<'a> {
///     title: &'a str,
///     originator_id: &'a str,
///     origin_id: &'a str,
/// }
///
/// #[bitrix_method(name = "crm.deal.list", kind = read)]
/// async fn list_deals(reader: &Reader, #[param(flatten)] key: &Key<'_>) -> Result<Page<KeyRow>, CallError>;
///
/// #[bitrix_method(name = "crm.deal.add", kind = write, verify = find_deal)]
/// async fn add_deal(client: &Client, fields: &NewDeal<'_>) -> Result<Id, CallError>;
///
/// async fn find_deal(reader: &Reader, fields: &NewDeal<'_>) -> Result<ReadBack<Id>, CallError> {
///     let key = Key::origin(fields.originator_id, fields.origin_id);
///     Ok(key.find_in(list_deals(reader, &key).await?))
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let portal = Portal::builder().script("crm.deal.add", [Fault::before(Answer::Reset)]).start().await?;
/// let client = Client::webhook(&portal.webhook_url())?;
/// let deal = NewDeal { title: "Chair", originator_id: "web-shop", origin_id: "1017" };
/// assert_eq!(add_deal(&client, &deal).await?, Id(1));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key<'a> {
    id: &'static str,
    /// What stands before the name of a field in the filter.
    sign: &'static str,
    parts: Vec<(&'static str, Cow<'a, str>)>,
}

impl<'a> Key<'a> {
    /// `ORIGINATOR_ID`, whose record it is, and `ORIGIN_ID`, which one.
    pub fn origin(originator: impl Into<Cow<'a, str>>, origin: impl Into<Cow<'a, str>>) -> Self {
        Self::field("ORIGINATOR_ID", originator).and("ORIGIN_ID", origin)
    }

    /// `originatorId` and `originId`, as the `crm.item.*` methods call them.
    pub fn item_origin(originator: impl Into<Cow<'a, str>>, origin: impl Into<Cow<'a, str>>) -> Self {
        Self::item_field("originatorId", originator).and("originId", origin)
    }

    /// `XML_ID`.
    pub fn xml_id(value: impl Into<Cow<'a, str>>) -> Self {
        Self::field("XML_ID", value)
    }

    /// `xmlId`, as newer methods call it.
    pub fn item_xml_id(value: impl Into<Cow<'a, str>>) -> Self {
        Self::item_field("xmlId", value)
    }

    /// A field of a list that writes names in capitals, `ID` among them.
    pub fn field(name: &'static str, value: impl Into<Cow<'a, str>>) -> Self {
        Self { id: "ID", sign: "", parts: vec![(name, value.into())] }
    }

    /// A field of a list that writes names like `xmlId`; the filter names it with `=`.
    pub fn item_field(name: &'static str, value: impl Into<Cow<'a, str>>) -> Self {
        Self { id: "id", sign: "=", parts: vec![(name, value.into())] }
    }

    /// Another field that belongs to the key, or that the list wants to be named (`iblockId` of `catalog.product.list`).
    #[must_use]
    pub fn and(mut self, name: &'static str, value: impl Into<Cow<'a, str>>) -> Self {
        self.parts.push((name, value.into()));
        self
    }

    /// Judges the list that was asked for with this key.
    ///
    /// A complete page without rows is `Absent`, one record that carries the whole key `Found`, more are `Multiple`. All else is
    /// `Unreliable`: a page that goes on, rows without the key (the filter was ignored), rows that do not show a field of the key or no
    /// id, and a key with an empty part, which every record without one would match.
    pub fn find_in(&self, page: Page<KeyRow>) -> ReadBack<Id> {
        if let Some((name, _)) = self.parts.iter().find(|(_, value)| value.trim().is_empty()) {
            return ReadBack::Unreliable(format!("the key is empty: any record without a `{name}` would match").into());
        }
        let hidden = |row: &KeyRow| self.parts.iter().find(|(name, _)| !row.0.contains_key(*name));
        if let Some((name, _)) = page.rows.iter().find_map(hidden) {
            return ReadBack::Unreliable(format!("rows came back without `{name}`: does the list have it?").into());
        }
        if page.rows.iter().any(|row| self.is_in(row) && row.id().is_none()) {
            return ReadBack::Unreliable("a row came back without an id".into());
        }
        ReadBack::by_key(page, |row| row.id().filter(|_| self.is_in(&row)))
    }

    fn is_in(&self, row: &KeyRow) -> bool {
        self.parts.iter().all(|(name, value)| row.text(name).is_some_and(|text| text == *value))
    }
}

impl Serialize for Key<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let filter: BTreeMap<String, &str> =
            self.parts.iter().map(|(name, value)| (format!("{}{name}", self.sign), &**value)).collect();
        let mut names = vec![self.id];
        names.extend(self.parts.iter().map(|(name, _)| *name));
        let mut query = serializer.serialize_map(Some(2))?;
        query.serialize_entry("filter", &filter)?;
        query.serialize_entry("select", &names)?;
        query.end()
    }
}

/// A row of a list that was asked for with a [`Key`].
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(transparent)]
pub struct KeyRow(BTreeMap<String, Value>);

impl KeyRow {
    /// The id of the record, `ID` or `id`.
    pub fn id(&self) -> Option<Id> {
        ["ID", "id"].iter().find_map(|name| self.text(name))?.parse().ok()
    }

    /// A field, if it is a text or a number.
    pub fn text(&self, name: &str) -> Option<Cow<'_, str>> {
        match self.0.get(name)? {
            Value::String(text) => Some(Cow::Borrowed(text)),
            Value::Number(number) => Some(Cow::Owned(number.to_string())),
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn judged(key: &Key<'_>, rows: &Value) -> ReadBack<Id> {
        key.find_in(Page::new(serde_json::from_value(rows.clone()).unwrap()))
    }

    fn why(verdict: ReadBack<Id>) -> String {
        let ReadBack::Unreliable(why) = verdict else { panic!("{verdict:?}") };
        why.into_owned()
    }

    #[test]
    fn a_key_asks_for_its_records_in_the_spelling_of_the_list() {
        let asks = |key: Key<'_>| serde_json::to_value(key).unwrap();
        assert_eq!(
            asks(Key::origin("shop", "7")),
            json!({"filter": {"ORIGINATOR_ID": "shop", "ORIGIN_ID": "7"}, "select": ["ID", "ORIGINATOR_ID", "ORIGIN_ID"]})
        );
        assert_eq!(
            asks(Key::item_origin("shop", "7")),
            json!({"filter": {"=originatorId": "shop", "=originId": "7"}, "select": ["id", "originatorId", "originId"]})
        );
        assert_eq!(asks(Key::xml_id("7")), json!({"filter": {"XML_ID": "7"}, "select": ["ID", "XML_ID"]}));
        assert_eq!(
            asks(Key::item_xml_id(String::from("7")).and("iblockId", "15")),
            json!({"filter": {"=iblockId": "15", "=xmlId": "7"}, "select": ["id", "xmlId", "iblockId"]})
        );
    }

    #[test]
    fn p1_each_row_is_compared_as_a_whole() {
        let key = Key::origin("shop", "7");
        let row = |id: u64, originator: &str, origin: &str| json!({"ID": id.to_string(), "ORIGINATOR_ID": originator, "ORIGIN_ID": origin});
        assert_eq!(judged(&key, &json!([])), ReadBack::Absent);
        assert_eq!(judged(&key, &json!([row(1, "shop", "7")])), ReadBack::Found(Id(1)));
        assert_eq!(judged(&key, &json!([row(1, "shop", "7"), row(1, "shop", "7")])), ReadBack::Found(Id(1)));
        let two = judged(&key, &json!([row(1, "shop", "7"), row(2, "shop", "7")]));
        assert_eq!(two, ReadBack::Multiple(vec![Id(1), Id(2)]));
        for others in [row(1, "shop", "70"), row(1, "Shop", "7"), row(1, "shop2", "7"), row(1, "shop", "")] {
            assert!(why(judged(&key, &json!([others]))).contains("the filter was ignored"));
        }
        assert_eq!(judged(&key, &json!([row(1, "shop2", "7"), row(2, "shop", "7")])), ReadBack::Found(Id(2)));
        let numbers = Key::item_xml_id("7").and("iblockId", "15");
        assert_eq!(judged(&numbers, &json!([{"id": 3, "iblockId": 15, "xmlId": "7"}])), ReadBack::Found(Id(3)));
    }

    #[test]
    fn p3_a_key_that_can_not_be_read_or_asked_for_is_never_absent() {
        let key = Key::xml_id("7");
        assert!(why(judged(&key, &json!([{"ID": "1"}]))).contains("without `XML_ID`"));
        assert!(why(judged(&key, &json!([{"ID": "1", "XML_ID": "7"}, {"ID": "2"}]))).contains("without `XML_ID`"));
        assert!(why(judged(&key, &json!([{"XML_ID": "7"}]))).contains("without an id"));
        assert!(why(judged(&key, &json!([{"ID": "1", "XML_ID": null}]))).contains("the filter was ignored"));
        for empty in ["", " "] {
            assert!(why(judged(&Key::origin("shop", empty), &json!([]))).contains("any record without a `ORIGIN_ID`"));
        }
        let goes_on = Page { next: Some(50), ..Page::new(vec![]) };
        assert!(why(key.find_in(goes_on)).contains("the list goes on"));
    }
}
