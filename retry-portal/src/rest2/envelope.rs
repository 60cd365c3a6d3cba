//! The envelope of REST answers with a result; REST 3.0 has the same.

use serde_json::{Map, Value};

use crate::refusal::Answered;
use crate::time::Time;

pub(crate) fn body(answered: Answered, time: &Time) -> Value {
    let mut body = Map::new();
    body.insert("result".to_owned(), answered.result);
    body.extend(answered.beside);
    body.insert("time".to_owned(), time.block());
    Value::Object(body)
}
