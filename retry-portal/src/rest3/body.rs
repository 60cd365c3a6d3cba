//! The body of a call: JSON, or nothing.

use serde_json::{Map, Value};

use super::{invalid, nothing, refused};
use crate::ordered;
use crate::refusal::Refusal;

/// The parameters of a call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Body {
    values: Map<String, Value>,
    /// `order` as it was written.
    pub(crate) order: Vec<(String, Value)>,
}

impl Body {
    /// Reads it. The query string has no parameters here; no body at all is an empty one.
    pub(crate) fn read(content_type: Option<&str>, bytes: &[u8]) -> Result<Self, Refusal> {
        if bytes.trim_ascii().is_empty() {
            return Ok(Self { values: nothing(), order: Vec::new() });
        }
        let json =
            content_type.is_some_and(|mime| mime.split(';').next().is_some_and(|mime| mime.trim().ends_with("json")));
        match serde_json::from_slice(bytes) {
            Ok(Value::Object(values)) if json => {
                Ok(Self { values, order: ordered::member(bytes, |name| name == "order") })
            }
            Ok(_) | Err(_) => Err(refused(400, "INVALIDJSONEXCEPTION", "The request body is not valid JSON")),
        }
    }

    /// Parameters that have been read already: the order of the fields of `order` is lost.
    pub(crate) fn of(values: &Map<String, Value>) -> Self {
        let order = values.get("order").and_then(Value::as_object).into_iter().flatten();
        let order = order.map(|(name, direction)| (name.clone(), direction.clone())).collect();
        Self { values: values.clone(), order }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.values.get(name).filter(|value| !value.is_null())
    }

    /// The whole of it, for comparison; without its token unless that counts.
    pub(crate) fn compared(&self, auth_counts: bool) -> Map<String, Value> {
        let mut values = self.values.clone();
        if !auth_counts {
            values.remove("auth");
        }
        values
    }

    pub(crate) fn required(&self, name: &str) -> Result<&Value, Refusal> {
        self.get(name).ok_or_else(|| invalid(vec![(name, format!("Required field `{name}` is missing"))]))
    }

    /// A number that is one: REST 3.0 takes no texts for it.
    pub(crate) fn id(&self) -> Result<u64, Refusal> {
        let wrong = || invalid(vec![("id", "Field `id` requires data type `int` for this request".to_owned())]);
        self.required("id")?.as_u64().ok_or_else(wrong)
    }
}
