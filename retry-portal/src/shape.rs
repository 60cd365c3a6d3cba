//! The forms in which an error comes.

use serde_json::{Map, Value};

use crate::refusal::Refusal;

/// The form of the body of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shape {
    /// `{"error": CODE, "error_description": …}`, as REST 2 and the token server answer.
    Flat,
    /// `{"error": {"code": CODE, "message": …}}`, as REST 3.0 answers; with `"success": false` from the gateway.
    Nested,
    /// `{"code": CODE, "message": …}`, as the gateway answers in places.
    TopLevel,
    /// `{"error": CODE, "message": …}`, as the gateway answers in places.
    Text,
}

impl Shape {
    pub(crate) fn body(self, refusal: &Refusal) -> Value {
        Value::Object(self.map(&refusal.code, Some(&refusal.text), refusal.more.clone()))
    }

    /// The gateway says `"success": false` wherever there is an `error`.
    pub(crate) fn gateway_body(self, refusal: &Refusal) -> Value {
        Value::Object(self.gateway_map(&refusal.code, Some(&refusal.text), refusal.more.clone()))
    }

    pub(crate) fn gateway_map(self, code: &Value, text: Option<&str>, more: Map<String, Value>) -> Map<String, Value> {
        let mut body = self.map(code, text, more);
        if body.contains_key("error") {
            body.insert("success".to_owned(), false.into());
        }
        body
    }

    pub(crate) fn map(self, code: &Value, text: Option<&str>, more: Map<String, Value>) -> Map<String, Value> {
        let mut body = Map::new();
        let mut put = |name: &str, value: Value| body.insert(name.to_owned(), value);
        match self {
            Self::Flat => {
                put("error", code.clone());
                text.map(|text| put("error_description", text.into()));
                body.extend(more);
            }
            Self::Nested => {
                let mut error = code.as_object().cloned().unwrap_or_default();
                if !code.is_object() {
                    error.insert("code".to_owned(), code.clone());
                }
                text.map(|text| error.insert("message".to_owned(), text.into()));
                error.extend(more);
                put("error", Value::Object(error));
            }
            Self::TopLevel => {
                put("code", code.clone());
                text.map(|text| put("message", text.into()));
                body.extend(more);
            }
            Self::Text => {
                put("error", code.clone());
                text.map(|text| put("message", text.into()));
                body.extend(more);
            }
        }
        body
    }
}

/// The error code in a body, if it is an error of any of these forms: a text without its quotes.
pub(crate) fn code_in(body: &[u8]) -> Option<String> {
    let body: Value = serde_json::from_slice(body).ok()?;
    let error = body.get("error");
    let code = error.and_then(|error| error.get("code")).or(error).or_else(|| body.get("code"))?;
    Some(code.as_str().map_or_else(|| code.to_string(), str::to_owned))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_form_carries_the_code_the_text_and_what_stands_beside() {
        let refusal = Refusal::new(429, "RATE_LIMITED", "slow down").with("retryAfter", 2);
        let body = |shape: Shape| shape.gateway_body(&refusal);
        let nested =
            json!({"success": false, "error": {"code": "RATE_LIMITED", "message": "slow down", "retryAfter": 2}});
        assert_eq!(body(Shape::Nested), nested);
        assert_eq!(body(Shape::TopLevel), json!({"code": "RATE_LIMITED", "message": "slow down", "retryAfter": 2}));
        let text = json!({"success": false, "error": "RATE_LIMITED", "message": "slow down", "retryAfter": 2});
        assert_eq!(body(Shape::Text), text);
        let flat = json!({"error": "RATE_LIMITED", "error_description": "slow down", "retryAfter": 2});
        assert_eq!(Shape::Flat.body(&refusal), flat);
        for shape in [Shape::Flat, Shape::Nested, Shape::TopLevel, Shape::Text] {
            assert_eq!(code_in(shape.body(&refusal).to_string().as_bytes()).as_deref(), Some("RATE_LIMITED"));
        }
    }

    #[test]
    fn an_answer_without_a_code_has_none() {
        for body in ["", "{}", "[1]", "{\"result\":1}", "<html>"] {
            assert_eq!(code_in(body.as_bytes()), None, "{body}");
        }
        assert_eq!(code_in(b"{\"error\":100}").as_deref(), Some("100"));
    }
}
