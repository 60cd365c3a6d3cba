//! What is read back from a journal: the arguments for a verifier, and the result for a caller.

use std::any::type_name;
use std::fmt;
use std::fmt::Debug;

use bytes::Bytes;
use serde::de::{self, DeserializeOwned, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Serialize};

use crate::decode::FromAnswer;
use crate::effect::{Effect, OperationKind};
use crate::error::{CallError, Failure};
use crate::report::Report;

/// What a stub with `journal` returns: it goes on record and is read from there.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be the result of a stub with `journal`",
    label = "the result goes on record, and is read from there by whoever makes the call again",
    note = "derive `serde::Serialize`, `serde::Deserialize` and `Debug` for `{Self}`; it owns what it has and is `Send`"
)]
pub trait Outcome: FromAnswer + Serialize + DeserializeOwned + Debug + Send + 'static {}

impl<T: FromAnswer + Serialize + DeserializeOwned + Debug + Send + 'static> Outcome for T {}

/// An argument that recovery can give to the verifier again.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be read back from the journal",
    label = "after a crash its verifier is called with what the journal has",
    note = "derive `serde::Deserialize` for `{Self}`; it owns what it has: `String` for `&str`, `Vec` for a slice"
)]
pub trait Recalled {
    /// What the journal gives.
    type Owned: Send + Sync + 'static;

    /// Reads it.
    ///
    /// # Errors
    /// The JSON is of another shape.
    fn recall<'de, D: Deserializer<'de>>(json: D) -> Result<Self::Owned, D::Error>;

    /// The argument itself.
    fn lend(owned: &Self::Owned) -> &Self;
}

// Not `DeserializeOwned`: of this bound serde says what to derive.
impl<T: for<'de> Deserialize<'de> + Send + Sync + 'static> Recalled for T {
    type Owned = T;

    fn recall<'de, D: Deserializer<'de>>(json: D) -> Result<T, D::Error> {
        T::deserialize(json)
    }

    fn lend(owned: &T) -> &T {
        owned
    }
}

impl Recalled for str {
    type Owned = String;

    fn recall<'de, D: Deserializer<'de>>(json: D) -> Result<String, D::Error> {
        Deserialize::deserialize(json)
    }

    fn lend(owned: &String) -> &str {
        owned
    }
}

impl<T: for<'de> Deserialize<'de> + Send + Sync + 'static> Recalled for [T] {
    type Owned = Vec<T>;

    fn recall<'de, D: Deserializer<'de>>(json: D) -> Result<Vec<T>, D::Error> {
        Deserialize::deserialize(json)
    }

    fn lend(owned: &Vec<T>) -> &[T] {
        owned
    }
}

/// The arguments of a call as they are on record.
#[derive(Clone)]
pub struct Arguments(Bytes);

impl Arguments {
    pub(super) const fn new(object: Bytes) -> Self {
        Self(object)
    }

    /// The argument that was sent under this name; one that was left out is `null`.
    ///
    /// # Errors
    /// It does not read as this type.
    pub fn take<T: Recalled + ?Sized>(&self, name: &'static str) -> Result<T::Owned, CallError> {
        let found =
            serde_json::Deserializer::from_slice(&self.0).deserialize_map(Named::<T>(name, std::marker::PhantomData));
        let read = found.and_then(|found| found.map_or_else(|| T::recall(serde_json::Value::Null), Ok));
        read.map_err(|error| unread::<T>(name, &error))
    }

    /// The arguments that were sent as the fields of one parameter.
    ///
    /// # Errors
    /// They do not read as this type.
    pub fn whole<T: Recalled + ?Sized>(&self) -> Result<T::Owned, CallError> {
        T::recall(&mut serde_json::Deserializer::from_slice(&self.0))
            .map_err(|error| unread::<T>("the arguments", &error))
    }
}

/// Finds one key of an object, and reads it alone.
struct Named<T: ?Sized>(&'static str, std::marker::PhantomData<fn() -> Box<T>>);

impl<'de, T: Recalled + ?Sized> Visitor<'de> for Named<T> {
    type Value = Option<T::Owned>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the arguments of a call, one JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = None;
        while let Some(key) = map.next_key::<String>()? {
            if key == self.0 {
                found = Some(map.next_value_seed(Seed::<T>(std::marker::PhantomData))?);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(found)
    }
}

struct Seed<T: ?Sized>(std::marker::PhantomData<fn() -> Box<T>>);

impl<'de, T: Recalled + ?Sized> de::DeserializeSeed<'de> for Seed<T> {
    type Value = T::Owned;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<T::Owned, D::Error> {
        T::recall(json)
    }
}

fn unread<T: ?Sized>(name: &str, error: &serde_json::Error) -> CallError {
    // Not the error itself: it may quote the argument, which is personal data.
    let why = format!(
        "`{name}` in the journal does not read as {} (line {}, column {})",
        type_name::<T>(),
        error.line(),
        error.column()
    );
    let report = Report::new("the journal", OperationKind::Read, std::time::SystemTime::UNIX_EPOCH);
    CallError::Invalid(Failure::new(Effect::Absent, why, report))
}

impl Debug for Arguments {
    /// Without the arguments, which may be personal data.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Arguments").field("bytes", &self.0.len()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(json: &'static str) -> Arguments {
        Arguments::new(Bytes::from_static(json.as_bytes()))
    }

    #[test]
    fn arguments_are_taken_by_name_and_what_was_left_out_is_null() {
        let arguments = arguments(r#"{"id":7,"title":"Chair","tags":["a","b"]}"#);
        assert_eq!(arguments.take::<u64>("id").unwrap(), 7);
        assert_eq!(<str as Recalled>::lend(&arguments.take::<str>("title").unwrap()), "Chair");
        assert_eq!(<[String] as Recalled>::lend(&arguments.take::<[String]>("tags").unwrap()), ["a", "b"]);
        assert_eq!(arguments.take::<Option<u64>>("none").unwrap(), None);
        assert_eq!(arguments.whole::<serde_json::Value>().unwrap()["id"], 7);
    }

    #[test]
    fn p7_an_argument_that_does_not_read_is_named_without_its_value() {
        let error = arguments(r#"{"phone":"+49 30 1234"}"#).take::<u64>("phone").unwrap_err();
        assert!(error.failure().why().contains("`phone`") && error.failure().why().contains("u64"));
        assert!(!error.to_string().contains("1234"));
        assert!(arguments("no json").take::<u64>("phone").is_err());
    }
}
