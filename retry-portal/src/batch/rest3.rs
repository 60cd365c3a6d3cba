//! `batch` of REST 3.0: a JSON array of `{"method", "query"}`.
//!
//! The pages of Bitrix24 are silent on much of it. Our choices: all of them run whatever happens to one; their number
//! has no limit; an `Idempotency-Key` on the request is not looked at; the token of an application is in the query
//! string, because an array has no place for it.

use serde_json::{Map, Value};

use super::{Batch, Form, Item, METHOD};
use crate::operation::Operation;
use crate::params::Params;
use crate::refusal::Refusal;
use crate::rest3::{self, Request};

/// Reads the calls.
pub(crate) fn read(body: &[u8], by_token: bool) -> Result<Batch, Refusal> {
    match serde_json::from_slice(body) {
        Ok(Value::Array(calls)) => {
            let items = calls.into_iter().enumerate().map(|(at, call)| item(at, &call, by_token)).collect();
            Ok(Batch { form: Form::Rest3, halt: false, items })
        }
        // As documented for a batch in the form of REST 2.
        Ok(Value::Object(_)) => Err(rest3::refused(400, "INVALIDSELECTEXCEPTION", "The batch must be an array")),
        Ok(Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) | Err(_) => {
            Err(rest3::refused(400, "INVALIDJSONEXCEPTION", "The request body is not valid JSON"))
        }
    }
}

fn item(at: usize, call: &Value, by_token: bool) -> Item {
    let method = call.get("method").and_then(Value::as_str).unwrap_or_default().to_ascii_lowercase();
    let query: Map<String, Value> = call.get("query").and_then(Value::as_object).cloned().unwrap_or_default();
    let operation = if method == METHOD {
        Err(Refusal::new(405, "ERROR_BATCH_METHOD_NOT_ALLOWED", "Method is not allowed for batch usage"))
    } else {
        Ok(Operation::Rest3(Request::in_batch(&method, &query, by_token)))
    };
    Item { key: at.to_string(), method, params: Params::of(query), query: None, operation }
}
