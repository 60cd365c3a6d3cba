//! How a page is asked for, in each API.

use serde_json::{Map, Value, json};

use super::By;
use crate::call::Call;
use crate::client::Reader;
use crate::decision::Route;
use crate::transport::Version;

/// Rows of a full page where nothing else is said (documented).
const PAGE: u64 = 50;

/// Rows that are asked of the gateway at once: our choice, its documented most is 5,000.
const OF_THE_GATEWAY: u64 = 500;

/// The one list by id whose pages are documented to be smaller.
const SMALLER: (&str, u64) = ("crm.timeline.logmessage.list", 10);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Api {
    Rest2,
    Rest3,
    Gateway,
}

/// What the pages of a list are asked for with.
pub(super) struct Asked {
    pub(super) api: Api,
    pub(super) by: By,
    /// Rows of a full page.
    pub(super) full: u64,
    arguments: Map<String, Value>,
    /// The key of the filter among them.
    filter: String,
}

impl Asked {
    /// Takes the arguments of the stub, if they leave room for those of the walk.
    pub(super) fn new(reader: &Reader, call: &Call, by: By) -> Result<Self, String> {
        let api = match (reader.shared.route, call.version()) {
            (Route::Gateway, _) => Api::Gateway,
            (Route::Direct, Version::Three) => Api::Rest3,
            (Route::Direct, Version::Two) => Api::Rest2,
        };
        let full = match (api, by) {
            (Api::Gateway, By::Id(_)) => OF_THE_GATEWAY,
            (Api::Rest2, _) if call.method().eq_ignore_ascii_case(SMALLER.0) => SMALLER.1,
            (Api::Rest2 | Api::Rest3 | Api::Gateway, _) => PAGE,
        };
        let bytes = call.arguments().as_ref().map_err(ToString::to_string)?;
        let arguments: Map<String, Value> = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        let filter = named(&arguments, "filter").map_or("filter", |(name, _)| name).to_owned();
        let asked = Self { api, by, full, arguments, filter };
        asked.leaves_room()?;
        Ok(asked)
    }

    /// The arguments of the page after this id, of the first one, or of the one at this offset.
    pub(super) fn page(&self, from: &Value) -> Map<String, Value> {
        let mut page = self.arguments.clone();
        let field = match self.by {
            By::Id(field) => field,
            By::Start => {
                match self.api {
                    Api::Rest2 | Api::Gateway => page.insert("start".to_owned(), from.clone()),
                    Api::Rest3 => page.insert("pagination".to_owned(), json!({"limit": self.full, "offset": from})),
                };
                return page;
            }
        };
        if !from.is_null() {
            let filter = page.entry(self.filter.clone()).or_insert(Value::Null);
            match (self.api, filter) {
                (Api::Rest3, Value::Array(conditions)) => conditions.push(json!([field, ">", from])),
                (Api::Rest3, filter) => *filter = json!([[field, ">", from]]),
                (Api::Rest2 | Api::Gateway, Value::Object(conditions)) => {
                    conditions.insert(format!(">{field}"), from.clone());
                }
                (Api::Rest2 | Api::Gateway, filter) => *filter = json!({ format!(">{field}"): from }),
            }
        }
        page.insert("order".to_owned(), json!({ field: "ASC" }));
        match self.api {
            Api::Rest2 => page.insert("start".to_owned(), json!(-1)),
            Api::Rest3 => page.insert("pagination".to_owned(), json!({"limit": self.full})),
            Api::Gateway => {
                page.insert("start".to_owned(), json!(-1));
                page.insert("limit".to_owned(), json!(self.full))
            }
        };
        page
    }

    /// Whether the stub's own arguments say nothing that the walk has to say.
    fn leaves_room(&self) -> Result<(), String> {
        let field = match self.by {
            By::Id(field) => field,
            By::Start => "",
        };
        let own: &[&str] = match (self.api, self.by) {
            (Api::Rest2, By::Id(_)) => &["start", "order"],
            (Api::Rest3, By::Id(_)) => &["pagination", "order"],
            (Api::Gateway, By::Id(_)) => &["start", "limit", "order", "sort"],
            (Api::Rest2, By::Start) => &["start"],
            (Api::Rest3, By::Start) => &["pagination"],
            (Api::Gateway, By::Start) => &["start", "limit"],
        };
        if let Some((name, _)) = own.iter().find_map(|own| named(&self.arguments, own)) {
            return Err(if matches!(name.to_ascii_lowercase().as_str(), "order" | "sort") {
                format!("a list read by its ids has their order, so it takes no `{name}`; with `pages = start` it may")
            } else {
                format!("a list read by pages says itself where each page begins, so it takes no `{name}`")
            });
        }
        if self.by == By::Start {
            return Ok(());
        }
        self.filter_leaves_room(field)?;
        let selected = named(&self.arguments, "select").and_then(|(_, select)| select.as_array());
        let shows = |name: &Value| name.as_str().is_some_and(|name| name == "*" || name.eq_ignore_ascii_case(field));
        if selected.is_some_and(|select| !select.is_empty() && !select.iter().any(shows)) {
            return Err(format!("a list read by its ids has to show them: add \"{field}\" to `select`"));
        }
        Ok(())
    }

    fn filter_leaves_room(&self, field: &str) -> Result<(), String> {
        let Some((_, filter)) = named(&self.arguments, "filter") else { return Ok(()) };
        let is_ours = |name: &str| name.strip_prefix('>').is_some_and(|name| name.eq_ignore_ascii_case(field));
        match (self.api, filter) {
            (Api::Rest3, Value::Array(_)) => Ok(()),
            (Api::Rest3, _) => Err("a filter of REST 3.0 is a list of conditions".to_owned()),
            (Api::Rest2 | Api::Gateway, Value::Object(conditions)) if conditions.keys().any(|name| is_ours(name)) => {
                Err(format!("the filter has `>{field}`, by which the list is read: say `>={field}`"))
            }
            (Api::Rest2 | Api::Gateway, Value::Object(_)) => Ok(()),
            // As PHP writes an empty object.
            (Api::Rest2 | Api::Gateway, Value::Array(list)) if list.is_empty() => Ok(()),
            (Api::Rest2 | Api::Gateway, _) => Err("the filter of a list read by its ids must be an object".to_owned()),
        }
    }
}

/// The argument of this name, whatever the case of its letters: some methods take theirs in capitals.
fn named<'a>(arguments: &'a Map<String, Value>, name: &str) -> Option<(&'a str, &'a Value)> {
    arguments.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(key, value)| (key.as_str(), value))
}
