//! What the docs of a function say of the journal.

use proc_macro2::Ident;

use super::code;
use crate::journal::Journal;
use crate::method::Unknown;
use crate::recovery;
use crate::spell::spell;

/// What happens on which outcome because the write is on record.
pub(super) fn lines(journal: &Journal, unknown: &Unknown<'_>, has_key: bool, stub: &Ident) -> Vec<String> {
    let recovery = code(&spell(recovery::path(journal.host, stub)));
    let settled = match unknown {
        Unknown::ReadBack { .. } => {
            let absent = match (journal.resend, has_key) {
                (true, _) => "is sent again",
                (false, true) => "is reported, and the next call with its key sends it",
                (false, false) => "is reported",
            };
            format!("the verifier looks for its effect. What is proved not to be applied {absent}.")
        }
        Unknown::Replay { .. } if journal.resend => {
            "it is sent again with the same key and the same bytes, within 23 hours of the first send.".to_owned()
        }
        Unknown::Replay { .. } => "it is reported, and nothing is sent.".to_owned(),
        Unknown::Stop { .. } => "it goes to a person, and nothing is sent.".to_owned(),
    };
    vec![
        ON_RECORD.to_owned(),
        if has_key { ONE_INTENT } else { MANY_INTENTS }.to_owned(),
        format!(
            "The process ends in between: a recovery with {recovery} finds the write open. When it can no longer be \
             applied, {settled}"
        ),
    ]
}

const ON_RECORD: &str = "\
Each send is on record in the journal of the client before its first byte leaves, and what became of it before the caller \
hears of it.";

const ONE_INTENT: &str = "\
The key is already on record: a write that was applied gives the recorded result, and nothing is sent. With other arguments \
the call is refused, unless all before it with this key are certain to have had no effect.";

const MANY_INTENTS: &str = "\
No key tells one operation from another, so each call is one of its own: a call that is delivered a second time is sent a \
second time.";

pub(super) const CANCEL_SAFETY: &str = " What becomes of it is on record all the same.";
