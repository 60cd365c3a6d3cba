//! Batches in each form: how they are written, and what their answers say of each call.

mod answers;
mod forms;
mod whole;

use bytes::Bytes;
use serde_json::Value;

use super::batch::{BatchForm, Part};
use super::tests::request;
use super::{Api, Heard, Response};
use crate::clock::{Clock, SystemClock};
use crate::decode::FromAnswer;
use crate::effect::OperationKind;
use crate::transport::{Request, Version};

fn call(method: &'static str, arguments: &Value) -> Request {
    Request { arguments: arguments.to_string().into(), ..request(method, Version::Two) }
}

fn read(method: &'static str, version: Version) -> Request {
    Request { kind: OperationKind::Read, ..request(method, version) }
}

/// What each of so many calls hears of this body of a batch.
fn split(api: &Api, calls: &[Request], body: impl Into<Bytes>) -> Vec<Part> {
    let route = api.route();
    let form = BatchForm::of(route, false, &calls[0]).unwrap();
    let envelope = request("batch", form.version());
    let now = SystemClock.now();
    let response = Response {
        request: &envelope,
        path: "/rest/1/s3cr3t/batch",
        status: http::StatusCode::OK,
        headers: [("x-request-id", "req-1")]
            .map(|(k, v)| (k.parse().unwrap(), v.parse().unwrap()))
            .into_iter()
            .collect(),
        body: body.into(),
        received: now,
        last_byte_by: now,
    };
    let calls: Vec<&Request> = calls.iter().collect();
    let parts = form.split(&api.answer(&response, api.secrets()).opened(), &calls);
    assert_eq!(parts.len(), calls.len());
    for Part { answer, .. } in &parts {
        assert_eq!((answer.request_id.as_deref(), answer.last_byte_by), (Some("req-1"), now));
    }
    parts
}

fn three(api: &Api, body: &str) -> Vec<Part> {
    let calls = ["1", "2", "3"].map(|id| call("crm.deal.add", &serde_json::json!({"fields": {"A": id}})));
    split(api, &calls, body.to_owned())
}

fn result<T: FromAnswer>(part: &Part) -> T {
    let Heard::Success(success) = &part.answer.heard else { panic!("{:?}", part.answer.heard) };
    success.read().unwrap().0
}

fn code(part: &Part) -> &str {
    let Heard::Code { code, .. } = &part.answer.heard else { panic!("{:?}", part.answer.heard) };
    code.as_str()
}

fn is_lost(part: &Part) -> bool {
    matches!(&part.answer.heard, Heard::NoEnvelope { what } if what.contains("neither result nor error"))
}
