//! What a verifier says, as the loops understand it.

use std::fmt::Debug;

use super::proof::Proving;
use crate::error::CallError;
use crate::read_back::ReadBack;
use crate::report::Finding;

/// How much of a found record is shown in an error, in bytes.
const SHOWN: usize = 80;

/// The verdict without its value.
pub(crate) fn finding<T: Debug>(verdict: Result<ReadBack<T>, CallError>) -> Finding {
    match verdict {
        Ok(ReadBack::Found(_)) => Finding::Found,
        Ok(ReadBack::Absent) => Finding::Absent,
        Ok(ReadBack::Multiple(found)) => Finding::Multiple(found.iter().map(shown).collect()),
        Ok(ReadBack::Unreliable(why)) => Finding::Unreliable(why.into()),
        // What a verifier can't read it will never read: another check would end the same.
        Err(error @ (CallError::Undecodable(_) | CallError::Invalid(_))) => Finding::Unreliable(
            format!("the verifier can't use {}: {}", error.report().method(), error.failure().why()).into(),
        ),
        Err(error) => Finding::Failed(format!("{}: {}", error.report().method(), error.failure().why()).into()),
    }
}

fn shown<T: Debug>(found: &T) -> Box<str> {
    crate::api::excerpt(&format!("{found:?}"), SHOWN).into()
}

/// Has the verifier find what its write has just made. Whatever comes of it, the write is done.
pub(crate) async fn prove<T, V, F>(mut proving: Proving, made: String, verify: V)
where
    T: Debug,
    V: Fn() -> F,
    F: Future<Output = Result<ReadBack<T>, CallError>>,
{
    while proving.is_due().await {
        let finding = match proving.guarded(&verify).await {
            Ok(Ok(ReadBack::Found(found))) if format!("{found:?}") != made => Finding::Unreliable(ANOTHER.into()),
            Ok(verdict) => finding(verdict),
            Err(failed) => failed,
        };
        proving.heard(finding);
    }
}

const ANOTHER: &str = "it found something else than what the write has returned";
