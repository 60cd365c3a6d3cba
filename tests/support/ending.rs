//! How a call ended, by its result.

use retry_runtime::CallError;
use retry_runtime::report::Ending;

/// The ending that the result stands for; fails if the report of an error names another.
///
/// A call that gave its result is `Done`, however it came by it.
#[track_caller]
pub(crate) fn ending<T>(result: &Result<T, CallError>) -> Ending {
    let Err(error) = result else { return Ending::Done };
    let ending = match error {
        CallError::Invalid(_) => Ending::Invalid,
        CallError::Refused(_) => Ending::Refused,
        CallError::Exhausted(_) => Ending::Exhausted,
        CallError::InDoubt(_) => Ending::InDoubt,
        CallError::Duplicated(_) => Ending::Duplicated,
        CallError::Undecodable(_) => Ending::Undecodable,
        other => panic!("an ending that no test knows: {other}"),
    };
    assert_eq!(error.report().ending(), ending, "{error}");
    ending
}
