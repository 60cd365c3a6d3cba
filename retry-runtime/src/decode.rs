//! How a result becomes the type of a stub.

use serde::de::DeserializeOwned;

/// A type that a stub can return: whatever serde can read, and [`Page<T>`](crate::Page) for lists.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from an answer",
    label = "a stub returns `Result<T, CallError>` where `T` can be read",
    note = "derive `serde::Deserialize` for `{Self}`, or return `Page<Row>` from a list, `Id` or `serde_json::Value`"
)]
pub trait FromAnswer: Sized {
    /// What the `result` of the answer is read as.
    type Result: DeserializeOwned;

    /// Makes it of the result and of what stands beside it.
    fn from_result(result: Self::Result, beside: Beside) -> Self;
}

/// What stands beside the result of a list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Beside {
    /// The `start` of the next page, where the list goes on.
    pub next: Option<u64>,
    /// The number of rows in all, as the server counts them.
    pub total: Option<u64>,
    /// Whether the server says that rows are missing: a window of the search failed, the list was cut, there are more pages.
    pub partial: bool,
}

impl<T: DeserializeOwned> FromAnswer for T {
    type Result = T;

    fn from_result(result: T, _: Beside) -> T {
        result
    }
}
