//! What only people who may use the page know.

use std::fmt::Write as _;

use axum::http::{HeaderMap, header};
use subtle::ConstantTimeEq as _;

/// The fewest letters of a token.
const SHORTEST: usize = 16;

/// The cookie of who has logged in.
pub(crate) const COOKIE: &str = "bitrix-journal";

/// What people log in with.
pub(crate) struct Token(String);

impl Token {
    pub(crate) fn new(text: &str) -> Result<Self, String> {
        if text.chars().count() < SHORTEST {
            return Err(format!("the token has fewer than {SHORTEST} letters: others could guess it"));
        }
        Ok(Self(text.to_owned()))
    }
}

/// The token, and what is made anew with each start of the page.
pub(crate) struct Secrets {
    token: Option<Token>,
    /// The value of the cookie.
    session: String,
    /// What each form of the page carries, so that no foreign page can post.
    form: String,
    /// The same of the form to log in, which everybody can read.
    login: String,
}

impl Secrets {
    pub(crate) fn new(token: Option<Token>) -> Result<Self, String> {
        Ok(Self { token, session: random()?, form: random()?, login: random()? })
    }

    pub(crate) fn form(&self) -> &str {
        &self.form
    }

    pub(crate) fn login_form(&self) -> &str {
        &self.login
    }

    pub(crate) fn is_form(&self, text: &str) -> bool {
        same(text, &self.form)
    }

    pub(crate) fn is_login_form(&self, text: &str) -> bool {
        same(text, &self.login)
    }

    pub(crate) const fn needs_login(&self) -> bool {
        self.token.is_some()
    }

    pub(crate) fn is_token(&self, text: &str) -> bool {
        self.token.as_ref().is_some_and(|token| same(text, &token.0))
    }

    /// Whether the request may see the journal: without a token everybody who reaches it may.
    pub(crate) fn let_in(&self, headers: &HeaderMap) -> bool {
        if !self.needs_login() {
            return true;
        }
        let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        if bearer.and_then(|value| value.strip_prefix("Bearer ")).is_some_and(|token| self.is_token(token)) {
            return true;
        }
        let cookies = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
        cookies
            .flat_map(|line| line.split(';'))
            .filter_map(|cookie| cookie.trim().split_once('='))
            .any(|(name, value)| name == COOKIE && same(value, &self.session))
    }

    /// The header that logs in. The page is left by closing the browser, by logging out, or when the process ends.
    pub(crate) fn cookie(&self) -> String {
        format!("{COOKIE}={}; Path=/; HttpOnly; SameSite=Strict", self.session)
    }
}

/// In a time that does not tell where they differ.
fn same(one: &str, other: &str) -> bool {
    one.as_bytes().ct_eq(other.as_bytes()).into()
}

fn random() -> Result<String, String> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes).map_err(|error| format!("the system gives no random numbers: {error}"))?;
    let mut text = String::with_capacity(64);
    for byte in bytes {
        // Writing to a text can't fail.
        let _ = write!(text, "{byte:02x}");
    }
    Ok(text)
}
