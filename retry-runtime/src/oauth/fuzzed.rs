//! What must hold of any answer of a token server.

use std::time::{Duration, SystemTime};

use super::answer::{Spoken, read};
use super::error::TokenError;
use super::tokens::Tokens;
use crate::fuzzed::{SECRET, text};
use crate::secret::{Secrets, stays_secret};

/// `STATUS`, an empty line and the body of an answer of the token server.
///
/// # Panics
/// A promise is broken.
pub fn token_answer(data: &[u8]) {
    let Some(at) = data.windows(2).position(|pair| pair == b"\n\n") else { return };
    let (head, rest) = data.split_at(at);
    let Some(status) = std::str::from_utf8(head).ok().and_then(|head| head.parse().ok()) else { return };
    let body = rest.get(2..).unwrap_or_default();
    let Ok(old) = Tokens::new("a0", "s3cr3t", "https://acme.bitrix24.com/rest/") else { return };
    let old = old.with_member_id("m1").with_scope("crm");
    if spoken(status, body, &old) {
        let end = body.trim_ascii_end().len();
        for cut in (0..end).filter_map(|at| body.get(..at)) {
            assert!(!spoken(status, cut, &old), "tokens of a cut answer");
        }
    }
}

/// Whether an answer gives tokens. All that it says is held to what may be shown.
fn spoken(status: u16, body: &[u8], old: &Tokens) -> bool {
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    let spoken = read(status, body, now, &Secrets::new([SECRET]));
    text::hidden(&format!("{spoken:?}"));
    let granted = match spoken {
        Spoken::Granted(granted) => granted,
        Spoken::Refused { code, text } => {
            text::shown(&code, 300);
            text::shown(&text, 300);
            failed(&TokenError::Refused { code, text, after_loss: false });
            return false;
        }
        Spoken::Nothing { what } => {
            text::shown(&what, 300);
            failed(&TokenError::Unavailable { tries: 1, why: what });
            return false;
        }
    };
    let value: serde_json::Value = serde_json::from_slice(body).unwrap_or_default();
    assert!(value.get("error").is_none(), "tokens beside an error");
    let token = value.get("access_token").and_then(|token| token.as_str()).unwrap_or_default();
    assert!(!token.is_empty(), "tokens out of nothing");
    let same_portal = value.get("member_id").and_then(|member| member.as_str()) == Some("m1");
    let again = read(status, body, now, &Secrets::default());
    if let Spoken::Granted(first) = again {
        fit(first.first(), token, None);
    }
    fit(granted.following(old), token, Some(old).filter(|_| !same_portal));
    true
}

/// Tokens are those of the answer, for an address that secrets may go to.
fn fit(tokens: Result<Tokens, TokenError>, token: &str, stays: Option<&Tokens>) {
    match tokens {
        Ok(tokens) => {
            assert_eq!(tokens.access_token(), token);
            assert!(!tokens.refresh_token().is_empty());
            assert!(stays_secret(tokens.endpoint()), "{}", tokens.endpoint());
            if let Some(old) = stays {
                assert_eq!(tokens.endpoint(), old.endpoint(), "another portal");
            }
            if let Some(expires) = tokens.expires() {
                let _ = tokens.seem_expired(expires);
            }
            let kept: Option<Tokens> =
                serde_json::to_string(&tokens).ok().and_then(|json| serde_json::from_str(&json).ok());
            assert_eq!(kept.map(|kept| kept.access_token), Some(tokens.access_token.clone()), "kept and read again");
        }
        Err(error) => failed(&error),
    }
}

fn failed(error: &TokenError) {
    text::shown(&error.to_string(), 900);
    text::hidden(&format!("{error:?}"));
}
