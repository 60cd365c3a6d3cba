//! What the docs of a function say of the journal.

use proc_macro2::Ident;

use super::code;
use crate::journal::Journal;
use crate::method::Unknown;
use crate::recovery;
use crate::spell::spell;

/// What is different because the write is on record.
pub(super) struct Recorded {
    pub(super) outcomes: Vec<String>,
    pub(super) errors: Vec<String>,
}

impl Recorded {
    pub(super) fn new(journal: &Journal, unknown: &Unknown<'_>, has_key: bool, stub: &Ident) -> Self {
        let recovery = code(&spell(recovery::path(journal.host, stub)));
        let after = after_a_crash(journal, unknown, has_key);
        let known = if has_key { ONE_INTENT } else { MANY_INTENTS };
        let crash = format!(
            "The process ends before that: a recovery with {recovery} finds the write open. When it can no longer be \
             applied, {after}"
        );
        let mut errors = vec![NO_JOURNAL.to_owned()];
        if has_key {
            errors.push(OTHER_ARGUMENTS.to_owned());
            errors.push(WAITS_FOR_A_PERSON.to_owned());
        }
        Self { outcomes: vec![ON_RECORD.to_owned(), known.to_owned(), crash], errors }
    }
}

fn after_a_crash(journal: &Journal, unknown: &Unknown<'_>, has_key: bool) -> String {
    match unknown {
        Unknown::ReadBack { .. } => {
            let absent = match (journal.resend, has_key) {
                (true, _) => "is sent again",
                (false, true) => "is reported, and sent by the next call with this key",
                (false, false) => "is reported, and not sent again",
            };
            format!("the verifier looks for its effect. What is proved not to be applied {absent}.")
        }
        Unknown::Replay { .. } => {
            "it is sent again with the same key and the same bytes, within 23 hours of the first send.".to_owned()
        }
        Unknown::Stop { .. } => "it goes to a person, and nothing is sent.".to_owned(),
    }
}

const ON_RECORD: &str = "\
Each send is on record in the journal of the client before its first byte leaves, and the end of the call before the caller \
hears of it.";

const ONE_INTENT: &str = "\
The key is on record already, from this process or an earlier one: what was applied gives the recorded result, and nothing \
is sent. What is still open is settled first. What certainly had no effect is begun anew.";

const MANY_INTENTS: &str = "\
No key tells one operation from another, so each call is an operation of its own: an order that is delivered a second time \
is written a second time.";

const NO_JOURNAL: &str = "\
`CallError::Invalid`, if the client has no journal, and `CallError::Exhausted`, if it can't be written: nothing was sent.";

const OTHER_ARGUMENTS: &str = "\
`CallError::Invalid`, if the key is on record with other arguments and may have had an effect: nothing was sent by this call.";

const WAITS_FOR_A_PERSON: &str = "\
`CallError::InDoubt`, if an earlier call with the key waits for a person, or another process still works on it at the deadline.";

pub(super) const CANCEL_SAFETY: &str = "\
Dropping the future stops the waiting and nothing else: the call goes on in a task of its own, and its end is on record.";
