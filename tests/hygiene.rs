//! Generated code means the same wherever it stands: the runtime under another name, no prelude, and every name that it
//! could lean on taken by something else. And the request it makes is what the stub says.
#![cfg(test)]

extern crate retry_runtime as renamed;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use retry_runtime::clock::{Clock as _, SystemClock};
use retry_runtime::transport::{Answer, BoxFuture, Heard, Loss, Request, Success, Transport, Wire};
use retry_runtime::{CallError, Client, Effect, Id, Settle, bitrix_method};
use serde::Serialize;
use serde_json::{Value, json};

/// Answers with the results it was given, in order; `None` is an answer that got lost. Remembers what it was sent.
#[derive(Debug, Clone, Default)]
struct Recorder {
    results: Arc<Mutex<VecDeque<Option<Value>>>>,
    sent: Arc<Mutex<Vec<(&'static str, Value)>>>,
}

impl Recorder {
    fn answering(results: impl IntoIterator<Item = Option<Value>>) -> (Client, Self) {
        let recorder = Self { results: Arc::new(Mutex::new(results.into_iter().collect())), ..Self::default() };
        let client = Client::builder().transport(recorder.clone()).settle(Settle::cloud()).build().unwrap();
        (client, recorder)
    }

    fn sent(&self) -> Vec<(&'static str, Value)> {
        self.sent.lock().unwrap().clone()
    }

    fn answer(&self, request: &Request, wire: &Wire) -> Result<Answer, Loss> {
        let now = SystemClock.now();
        assert!(wire.claim(now));
        self.sent.lock().unwrap().push((request.method, serde_json::from_slice(&request.arguments).unwrap()));
        match self.results.lock().unwrap().pop_front().expect("no more requests than results") {
            Some(result) => Ok(Answer::new(Heard::Success(Success::new(result.to_string().into())), now)),
            None => Err(Loss::Lost { why: "reset".into(), last_byte_by: now }),
        }
    }
}

impl Transport for Recorder {
    fn send<'a>(&'a self, request: &'a Request, wire: &'a Arc<Wire>) -> BoxFuture<'a, Result<Answer, Loss>> {
        Box::pin(async move { self.answer(request, wire) })
    }
}

/// Stubs in a place where nothing has its usual name.
#[expect(dead_code, reason = "the names are there to be in the way")]
mod hostile {
    #![no_implicit_prelude]

    use ::retry_runtime::bitrix_method;

    pub(super) struct Result;
    pub(super) struct Ok;
    pub(super) struct Err;
    pub(super) struct Option;
    pub(super) struct Some;
    pub(super) struct None;
    pub(super) struct Box;
    pub(super) struct Client;
    pub(super) struct Reader;
    pub(super) struct Call;
    pub(super) struct Entry;
    pub(super) struct CallError;
    pub(super) trait Clone {}
    pub(super) trait AsRef {}
    pub(super) trait Future {}
    pub(super) trait Fn {}
    pub(super) mod core {}
    pub(super) mod std {}
    pub(super) mod retry_runtime {}
    pub(super) mod __private {}
    pub(super) fn read() {}
    pub(super) fn write() {}
    pub(super) fn verdict() {}
    pub(super) fn check_reader() {}

    // Methods of these names on every type would win over those of a trait that is not named.
    pub(super) trait Greedy {
        fn clone(&self) {}
        fn as_ref(&self) {}
        fn key(&self) {}
        fn ensure(&self) {}
    }
    impl<T: ?::core::marker::Sized> Greedy for T {}

    type Answer<T> = ::core::result::Result<T, ::renamed::CallError>;

    #[bitrix_method(name = "crm.deal.get", kind = read, crate = ::renamed)]
    pub(super) async fn get(
        __reader: &::renamed::Reader,
        reader: u8,
        call: u8,
        client: u8,
        __call: u8,
        __answer: u8,
        r#type: &str,
        r#await: u8,
    ) -> Answer<u64>;

    #[bitrix_method(
        name = "crm.deal.add",
        kind = write,
        verify = find,
        key = __call,
        ensure,
        crate = ::renamed
    )]
    pub(super) async fn add(
        client: &::renamed::Client,
        reader: &str,
        __reader: u8,
        __client: u8,
        __call: u8,
        __argument_1: u8,
        __answer: ::std::string::String,
    ) -> Answer<u64>;

    async fn find(
        _: &::renamed::Reader,
        reader: &str,
        one: u8,
        two: u8,
        three: u8,
        four: u8,
        five: ::std::string::String,
    ) -> Answer<::renamed::ReadBack<u64>> {
        ::tokio::task::yield_now().await;
        ::core::assert_eq!((reader, one, two, three, four, five.as_str()), ("reader", 1, 2, 3, 4, "5"));
        ::core::result::Result::Ok(::renamed::ReadBack::Found(17))
    }

    pub(super) struct Api(pub(super) ::renamed::Client);

    impl ::core::convert::AsRef<::renamed::Client> for Api {
        fn as_ref(&self) -> &::renamed::Client {
            &self.0
        }
    }

    impl Api {
        #[bitrix_method(name = "im.message.add", kind = write, unverifiable = "a message carries no key", crate = ::renamed)]
        pub(super) async fn send(&self, client: u8, __client: u8, why: u8) -> Answer<u64>;
    }
}

#[tokio::test]
async fn parameters_with_our_own_names_reach_the_request() {
    let (client, portal) = Recorder::answering([Some(json!(5))]);
    assert_eq!(hostile::get(&client, 1, 2, 3, 4, 5, "six", 7).await.unwrap(), 5);
    let arguments = json!({
        "reader": 1, "call": 2, "client": 3, "__call": 4, "__answer": 5, "type": "six", "await": 7,
    });
    assert_eq!(portal.sent(), [("crm.deal.get", arguments)]);
}

#[tokio::test]
async fn a_verifier_gets_the_parameters_of_the_stub_whatever_they_are_called() {
    let (client, portal) = Recorder::answering([]);
    assert_eq!(hostile::add(&client, "reader", 1, 2, 3, 4, "5".to_owned()).await.unwrap(), 17);
    assert_eq!(portal.sent(), [], "the verifier has found it before anything was sent");
}

#[tokio::test]
async fn a_method_calls_through_its_own_client_and_hands_over_the_reason() {
    let (client, portal) = Recorder::answering([None]);
    let error = hostile::Api(client).send(1, 2, 3).await.unwrap_err();
    assert_eq!(portal.sent(), [("im.message.add", json!({"client": 1, "__client": 2, "why": 3}))]);
    assert!(matches!(error, CallError::InDoubt(_)));
    assert_eq!(error.effect(), Effect::Unknown);
    assert!(error.to_string().contains("a message carries no key"), "{error}");
}

#[derive(Serialize)]
struct Extra<'a> {
    #[serde(rename = "entityTypeId")]
    entity: u8,
    title: &'a str,
}

#[bitrix_method(name = "crm.item.add", kind = write, unverifiable = "a test")]
async fn add_item(
    client: &Client,
    #[param(name = "fields")] values: &[(&str, u8)],
    #[param(flatten)] extra: Extra<'_>,
    absent: Option<u8>,
    r#use: impl Serialize,
    #[cfg(any())] never: std::convert::Infallible,
) -> Result<Id, CallError>;

#[tokio::test]
async fn the_request_is_what_the_stub_says() {
    let (client, portal) = Recorder::answering([Some(json!("17"))]);
    let extra = Extra { entity: 2, title: "Chair" };
    assert_eq!(add_item(&client, &[("a", 1)], extra, None, true).await.unwrap(), Id(17));
    let arguments = json!({"fields": [["a", 1]], "entityTypeId": 2, "title": "Chair", "use": true});
    assert_eq!(portal.sent(), [("crm.item.add", arguments)]);
}

#[tokio::test]
async fn a_future_with_borrowed_arguments_may_cross_threads() {
    let (client, portal) = Recorder::answering([Some(json!(5)), Some(json!(17))]);
    let task = tokio::spawn(async move {
        let text = "six".to_owned();
        let first = hostile::get(&client, 1, 2, 3, 4, 5, &text, 7).await;
        let values = [("a", 1)];
        let second = add_item(&client, &values, Extra { entity: 2, title: &text }, None, &text).await;
        (first, second)
    });
    let (first, second) = task.await.unwrap();
    assert_eq!((first.unwrap(), second.unwrap()), (5, Id(17)));
    assert_eq!(portal.sent().len(), 2);
}
