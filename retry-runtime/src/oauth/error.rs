//! Why there are no tokens, in words for the person who can change it.

use std::fmt;

use super::store::StoreError;

/// Why there are no tokens, or none that may be used.
///
/// None of these has an effect on the portal: the target call was not sent. No text holds a secret.
/// [`is_transient`](Self::is_transient) says whether it may pass by itself.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TokenError {
    /// An address to which secrets would go is not fit for them.
    #[error("the {what} {wrong}")]
    Address {
        /// Which address.
        what: &'static str,
        /// What is wrong with it.
        wrong: &'static str,
    },
    /// The HTTP client can't be made.
    #[error("the HTTP client can't be made: {why}")]
    Http {
        /// The cause.
        why: Box<str>,
    },
    /// The store holds no tokens.
    #[error("the token store is empty: authorise the application and save the tokens that `authorize` returns")]
    Missing,
    /// The store can't be read or written.
    #[error("the token store failed: {why}")]
    Store {
        /// The cause.
        why: Box<str>,
    },
    /// The store did not answer, or somebody held its lock, for longer than we wait.
    #[error("the token store is busy: {why}; call again later")]
    StoreBusy {
        /// The cause.
        why: Box<str>,
    },
    /// The token server refused, by one of its documented codes or by an unknown one.
    #[error("the token server refused with {code}{}: {}", Aside(.text), advice(.code, *.after_loss))]
    Refused {
        /// Its code, for example `invalid_grant`.
        code: Box<str>,
        /// Its own text, for people; may be empty.
        text: Box<str>,
        /// An earlier request with the same refresh token or code had no answer, so the server may have used it up then.
        after_loss: bool,
    },
    /// The token server gave tokens that lack something needed.
    #[error("the answer of the token server has no fit {missing}: authorise the application again")]
    Incomplete {
        /// The field that is missing or malformed.
        missing: &'static str,
    },
    /// The new tokens belong to another user or portal, so what was written before could not be read back with them.
    #[error(
        "the new tokens are not used, as they belong to another account: the {what} was {held} and is {found} now; \
         authorise as the same user again, or make a new client for the other one"
    )]
    AnotherAccount {
        /// `user_id` or `member_id`.
        what: &'static str,
        /// What it was.
        held: Box<str>,
        /// What it is now.
        found: Box<str>,
    },
    /// The tokens were renewed and the store could not keep them.
    #[error(
        "the tokens were renewed, but the store could not keep them: {why}; they are in memory and are saved again with the next call, so \
         repair the store before this process ends, or the application has to be authorised again"
    )]
    NotKept {
        /// The cause.
        why: Box<str>,
    },
    /// The token server gave no usable answer within the limits.
    #[error("the token server gave no answer in {tries} tries: {why}; call again later")]
    Unavailable {
        /// How often it was asked.
        tries: u32,
        /// What came of the last try.
        why: Box<str>,
    },
    /// The renewal ended without a result.
    #[error("the renewal of the tokens was cut off: its runtime was shut down, or the token store panicked")]
    CutOff,
}

impl TokenError {
    /// Whether it may pass by itself; else its cause has to be fixed first.
    pub const fn is_transient(&self) -> bool {
        match self {
            Self::StoreBusy { .. } | Self::Unavailable { .. } | Self::CutOff => true,
            Self::Address { .. }
            | Self::Http { .. }
            | Self::Missing
            | Self::Store { .. }
            | Self::Refused { .. }
            | Self::Incomplete { .. }
            | Self::AnotherAccount { .. }
            | Self::NotKept { .. } => false,
        }
    }
}

impl From<StoreError> for TokenError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Busy(why) => Self::StoreBusy { why },
            StoreError::Broken(why) => Self::Store { why },
        }
    }
}

/// The server's own text, if it has one.
struct Aside<'a>(&'a str);

impl fmt::Display for Aside<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { Ok(()) } else { write!(f, " ({})", self.0) }
    }
}

fn advice(code: &str, after_loss: bool) -> &'static str {
    match (code, after_loss) {
        ("invalid_grant", true) => {
            "an earlier request had no answer and may have used up the refresh token or code, while the new tokens never arrived; \
             authorise the application again"
        }
        ("invalid_grant", false) => {
            "the refresh token or code is not valid (any more); authorise the application again"
        }
        ("invalid_client" | "invalid_request", _) => {
            "compare the client id and secret with the application's registration"
        }
        ("insufficient_scope" | "invalid_scope", _) => {
            "compare the application's scopes with what the portal has granted"
        }
        ("PAYMENT_REQUIRED", _) => "the portal's subscription to the application has ended; then make a new client",
        (_, _) => "find out what the code means; if need be, ask the vendor's support",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_says_what_to_do_now() {
        let refused = |code: &str, text: &str, after_loss| {
            TokenError::Refused { code: code.into(), text: text.into(), after_loss }.to_string()
        };
        assert_eq!(
            refused("invalid_client", "unknown client", false),
            "the token server refused with invalid_client (unknown client): compare the client id and secret with the application's registration"
        );
        assert!(
            refused("invalid_grant", "", false).starts_with("the token server refused with invalid_grant: the refresh")
        );
        assert!(refused("invalid_grant", "", true).contains("had no answer"));
        assert!(refused("SOMETHING_NEW", "", false).contains("support"));
    }
}
