//! Answers to one call, of Bitrix24 itself and of the gateway.

use bytes::Bytes;
use serde::Deserialize;
use serde_json::Value;

use super::text;
use super::top::{Top, plain};
use super::{Message, cuts, request, rest, vibe};
use crate::api::{Api, Heard, Success};
use crate::decode::FromAnswer;
use crate::effect::OperationKind;
use crate::id::Id;
use crate::page::Page;
use crate::transport::{Request, Version};

/// The methods an answer can be for: the first line of an input names one after the status.
const METHODS: [&str; 9] = [
    "crm.deal.add",
    "crm.deal.get",
    "crm.deal.list",
    "crm.deal.update",
    "crm.deal.delete",
    "crm.item.add",
    "tasks.task.update",
    "crm.deal.fields",
    "crm.deal.productrows.set",
];

/// Who is asked, and what a body of theirs may be.
struct Service {
    api: Api,
    /// Whether a body with this top level may be a success.
    success: fn(&Top) -> bool,
    is_gateway: bool,
}

/// `STATUS METHOD`, headers, an empty line and the body of an answer of Bitrix24 itself.
pub fn rest_envelope(data: &[u8]) {
    if let Some(api) = rest() {
        let success = |top: &Top| top.has("result") && !top.has("error");
        check(&Service { api, success, is_gateway: false }, data);
    }
}

/// The same of the gateway.
pub fn gateway_envelope(data: &[u8]) {
    if let Some(api) = vibe() {
        let success = |top: &Top| top.success && top.has("data") && !top.has("error");
        check(&Service { api, success, is_gateway: true }, data);
    }
}

fn check(service: &Service, data: &[u8]) {
    let Some(message) = Message::read(data) else { return };
    let method = METHODS.into_iter().find(|method| *method == message.rest).unwrap_or("crm.deal.add");
    let arguments = Bytes::from_static(b"{\"id\":1}");
    let request = request(method, OperationKind::Write, Version::Two, arguments);
    let heard = heard(service, &message, &request, message.body);
    found(service, &message, &heard);
    if matches!(heard, Heard::Success(_)) && !message.body.is_empty() {
        let empty_is_one = service.is_gateway && message.is_an_empty_delete(&request);
        for cut in cuts(message.body).filter(|cut| !(cut.is_empty() && empty_is_one)) {
            let heard = self::heard(service, &message, &request, cut);
            assert!(matches!(heard, Heard::NoEnvelope { .. }), "a cut success is {heard:?}");
        }
    }
}

/// What a body says in the end, held to what its top level allows on the way.
fn heard(service: &Service, message: &Message<'_>, request: &Request, body: &[u8]) -> Heard {
    let answer = message.answer(&service.api, request, body);
    let top = Top::of(body);
    let empty = service.is_gateway && body.is_empty() && message.is_an_empty_delete(request);
    let allowed = empty || top.as_ref().is_some_and(service.success);
    if let Heard::Success(success) = &answer.heard {
        assert!(allowed || !reads_as_anything(success), "read as a success");
    }
    let answer = answer.opened();
    text::answer(&answer);
    match &answer.heard {
        Heard::Success(success) => {
            assert!(allowed, "taken for a success");
            reads_as_anything(success);
        }
        Heard::Code { .. } => {
            let coded = top.is_some_and(|top| top.has("error") || (!(service.success)(&top) && top.has("code")));
            assert!(coded, "a code out of nowhere");
        }
        Heard::Moved { .. } => assert!(message.status.is_redirection()),
        Heard::NoEnvelope { .. } => {}
        Heard::TokenRenewed | Heard::NotInBatch | Heard::NoToken { .. } => unreachable!("{answer:?}"),
    }
    answer.heard
}

fn is_blank(value: &Value) -> bool {
    matches!(value.to_string().as_str(), "false" | "null" | "\"\"" | "[]" | "{}")
}

/// Holds an answer to what a body without any doubt says: it gets neither lost nor mistaken.
fn found(service: &Service, message: &Message<'_>, heard: &Heard) {
    let redirected = message.status.is_redirection() && !service.is_gateway;
    let (Some(body), Some(top)) = (plain(message.body), Top::of(message.body)) else { return };
    if redirected {
        return;
    }
    if (service.success)(&top) {
        assert!(matches!(heard, Heard::Success(_)), "a success is lost: {heard:?}");
    }
    // Beside a result that says something a code proves nothing.
    let says_both = ["result", "data"].iter().any(|key| body.get(key).is_some_and(|value| !is_blank(value)));
    if let Some(Value::String(said)) = body.get("error")
        && said != "GATEWAY_CONNECTION_TERMINATED"
        && !(says_both || (service.is_gateway && body.get("success") == Some(&Value::Bool(true))))
    {
        let Heard::Code { code, .. } = heard else { unreachable!("the code {said} is lost: {heard:?}") };
        let cut_or_struck = code.as_str().ends_with('…') || code.as_str().contains("[secret]");
        let same = code.as_str() == said || code.as_str().split(' ').eq(said.split_whitespace());
        assert!(same || cut_or_struck || said.contains(char::is_control), "{said} became {code}");
    }
}

#[derive(Deserialize)]
struct Row {
    #[serde(alias = "id", rename = "ID")]
    _id: Id,
    #[serde(default, rename = "TITLE")]
    _title: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Strict {
    #[serde(rename = "item")]
    _item: Row,
}

#[derive(Deserialize)]
enum Word {
    Done,
    Open,
}

/// Whether a success reads as any of the types that stubs return. Why not is held to what may be shown.
fn reads_as_anything(success: &Success) -> bool {
    let _ = success.is_blank();
    let whole: Option<Value> = read(success);
    let others = [
        read::<Id>(success).is_some(),
        read::<bool>(success).is_some(),
        read::<u64>(success).is_some(),
        read::<String>(success).is_some(),
        read::<Option<u64>>(success).is_some(),
        read::<()>(success).is_some(),
        read::<Vec<Id>>(success).is_some(),
        read::<Page<Row>>(success).is_some(),
        read::<Page<Value>>(success).is_some(),
        read::<Row>(success).is_some(),
        read::<Strict>(success).is_some(),
        read::<Word>(success).is_some_and(|word| matches!(word, Word::Done | Word::Open)),
    ];
    whole.is_some() || others.contains(&true)
}

fn read<T: FromAnswer>(success: &Success) -> Option<T> {
    match success.read::<T>() {
        Ok((value, _)) => Some(value),
        Err(error) => {
            text::shown(&success.shown(&error), 400);
            None
        }
    }
}
