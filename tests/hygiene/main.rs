//! Generated code means the same wherever it stands: the runtime under another name, no prelude, and every name that it
//! could lean on taken by something else. And the request it makes is what the stub says.
// Clippy takes what tests share for test code only below this.
#![cfg(test)]

extern crate retry_runtime as renamed;

mod recorder;

use retry_runtime::transport::Version;
use retry_runtime::{CallError, Client, Effect, Id, IdempotencyKey, bitrix_method};
use serde::Serialize;
use serde_json::json;

use crate::recorder::Recorder;

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
    pub(super) struct IdempotencyKey;
    pub(super) struct Version;
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
    pub(super) fn journaled() {}
    pub(super) fn recovery() {}
    pub(super) fn boxed() {}
    pub(super) struct Journaled;
    pub(super) struct Recovery;
    pub(super) struct Arguments;
    pub(super) trait Recalled {}
    pub(super) trait Returned {}
    pub(super) enum Way {}
    pub(super) mod journal {}

    // Methods of these names on every type would win over those of a trait that is not named.
    pub(super) trait Greedy {
        fn clone(&self) {}
        fn as_ref(&self) {}
        fn key(&self) {}
        fn ensure(&self) {}
        fn rest3(&self) {}
        fn idempotency_key(&self) {}
        fn take(self)
        where
            Self: ::core::marker::Sized,
        {
        }
        fn whole(&self) {}
        fn lend(&self) {}
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

    #[bitrix_method(
        name = "tasks.task.add",
        kind = write,
        version = 3,
        verify = find_task,
        idempotency_key = __call,
        crate = ::renamed
    )]
    pub(super) async fn add_task(
        __client: &::renamed::Client,
        key: u8,
        __call: &::renamed::IdempotencyKey,
        rest3: u8,
    ) -> Answer<u64>;

    async fn find_task(_: &::renamed::Reader, key: u8, rest3: u8) -> Answer<::renamed::ReadBack<u64>> {
        ::tokio::task::yield_now().await;
        ::core::assert_eq!((key, rest3), (1, 2));
        ::core::result::Result::Ok(::renamed::ReadBack::Found(17))
    }

    #[bitrix_method(
        name = "crm.deal.add",
        kind = write,
        verify = find_recorded,
        key = add_recorded,
        journal,
        resend,
        crate = ::renamed
    )]
    pub(super) async fn add_recorded(
        client: &::renamed::Client,
        add_recorded: &str,
        reader: u8,
        #[param(flatten)] arguments: &Fields,
        __argument_1: ::std::string::String,
    ) -> Answer<u64>;

    #[derive(::serde::Serialize, ::serde::Deserialize)]
    #[serde(crate = "::serde")]
    pub(super) struct Fields {
        pub(super) title: ::std::string::String,
    }

    async fn find_recorded(
        _: &::renamed::Reader,
        one: &str,
        two: u8,
        three: &Fields,
        four: ::std::string::String,
    ) -> Answer<::renamed::ReadBack<u64>> {
        ::tokio::task::yield_now().await;
        ::core::assert_eq!((one, two, three.title.as_str(), four.as_str()), ("one", 2, "three", "four"));
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

        #[bitrix_method(name = "crm.deal.delete", kind = write, verify = Self::is_gone, journal, crate = ::renamed)]
        pub(super) async fn delete(&self, id: &[u8]) -> Answer<bool>;

        async fn is_gone(_: &::renamed::Reader, id: &[u8]) -> Answer<::renamed::ReadBack<bool>> {
            ::tokio::task::yield_now().await;
            ::core::result::Result::Ok(::renamed::ReadBack::Found(id.len() == 2))
        }
    }
}

/// Stubs in a place where a `let` with an ordinary name is a pattern, as constants and unit structs have those names.
#[expect(dead_code, non_camel_case_types, non_upper_case_globals, reason = "the names are there to be in the way")]
mod constants {
    use retry_runtime::{CallError, Client, IdempotencyKey, ReadBack, Reader, bitrix_method};

    const call: u8 = 1;
    const client: u8 = 1;
    const __call: u8 = 1;
    const __client: u8 = 1;
    static answer: u8 = 1;
    static __answer: u8 = 1;
    struct reader;
    struct __reader;
    struct argument_1;
    struct __argument_1;

    #[bitrix_method(name = "crm.deal.get", kind = read)]
    pub(super) async fn get(through: &Reader, id: u8) -> Result<u64, CallError>;

    #[bitrix_method(name = "crm.deal.add", kind = write, verify = find, ensure)]
    pub(super) async fn add(through: &Client, id: u8) -> Result<u64, CallError>;

    #[bitrix_method(name = "tasks.task.add", kind = write, version = 3, idempotency_key = once)]
    pub(super) async fn add_task(through: &Client, id: u8, once: &IdempotencyKey) -> Result<u64, CallError>;

    async fn find(_: &Reader, id: u8) -> Result<ReadBack<u64>, CallError> {
        tokio::task::yield_now().await;
        Ok(ReadBack::Found(u64::from(id)))
    }
}

#[tokio::test]
async fn constants_and_unit_structs_are_not_met_by_our_variables() {
    let (client, portal) = Recorder::answering([Some(json!(5)), Some(json!(7))]);
    assert_eq!(constants::get(&client, 1).await.unwrap(), 5);
    assert_eq!(constants::add(&client, 6).await.unwrap(), 6);
    assert_eq!(constants::add_task(&client, 3, &IdempotencyKey::random()).await.unwrap(), 7);
    assert_eq!(portal.sent(), [("crm.deal.get", json!({"id": 1})), ("tasks.task.add", json!({"id": 3}))]);
}

#[tokio::test]
async fn an_idempotency_key_is_a_header_and_reaches_neither_the_body_nor_the_verifier() {
    // The last answer is lost, so that the verifier is asked.
    let (client, portal) = Recorder::answering([Some(json!(5)), Some(json!(16)), None]);
    let key = IdempotencyKey::of_business("task", "1017").unwrap();
    hostile::get(&client, 1, 2, 3, 4, 5, "six", 7).await.unwrap();
    assert_eq!(hostile::add_task(&client, 1, &key, 2).await.unwrap(), 16);
    assert_eq!(hostile::add_task(&client, 1, &key, 2).await.unwrap(), 17, "the verifier has found it");
    let guarded = (Version::Three, Some(key));
    assert_eq!(portal.headers(), [(Version::Two, None), guarded.clone(), guarded]);
    assert_eq!(portal.sent()[1..], vec![("tasks.task.add", json!({"key": 1, "rest3": 2})); 2]);
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

#[tokio::test]
async fn a_verifier_gets_from_the_record_what_the_stub_was_called_with() {
    // Both answers are lost, so that the verifiers are asked.
    let (client, portal) = Recorder::answering([None, None]);
    let fields = hostile::Fields { title: "three".to_owned() };
    let added = hostile::add_recorded(&client, "one", 2, &fields, "four".to_owned()).await.unwrap();
    assert_eq!(added, 17, "the verifier has found it");
    assert!(hostile::Api(client).delete(&[1, 2]).await.unwrap());
    let arguments = json!({"add_recorded": "one", "reader": 2, "title": "three", "__argument_1": "four"});
    assert_eq!(portal.sent(), [("crm.deal.add", arguments), ("crm.deal.delete", json!({"id": [1, 2]}))]);
    let shown = format!("{:?} {:?}", hostile::add_recorded::RECOVERY, hostile::Api::RECOVER_DELETE);
    assert!(shown.contains("\"hygiene::hostile::add_recorded\"") && shown.contains("\"hygiene::hostile::delete\""));
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
