//! Secrets that must not leave the process in a text.

use std::borrow::Cow;
use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;

use url::{Host, Url};

/// Of a secret that was cut off, so few bytes help nobody.
const TOO_LITTLE: usize = 3;

/// Whether a secret may go there: it travels under TLS, or never leaves the machine.
pub(crate) fn stays_secret(url: &Url) -> bool {
    let on_this_machine = match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(ip)) => IpAddr::from(ip).is_loopback(),
        Some(Host::Ipv6(ip)) => IpAddr::from(ip).is_loopback(),
        None => return false,
    };
    url.scheme() == "https" || (url.scheme() == "http" && on_this_machine)
}

/// A text that nothing prints.
#[derive(Clone)]
pub(crate) struct SecretText(Box<str>);

impl From<&str> for SecretText {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl std::ops::Deref for SecretText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SecretText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[secret]")
    }
}

/// The secrets a client knows of, struck out of whatever it shows.
#[derive(Clone, Default)]
pub(crate) struct Secrets(Arc<[Box<str>]>);

impl Secrets {
    pub(crate) fn new<'a>(known: impl IntoIterator<Item = &'a str>) -> Self {
        let mut known: Vec<Box<str>> = known.into_iter().filter(|secret| !secret.is_empty()).map(Into::into).collect();
        // The longest first, so that a secret that contains another leaves no rest behind.
        known.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        Self(known.into())
    }

    /// The text without the secrets, nor the beginning of one where the text was cut (`…`).
    pub(crate) fn strike<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut text = Cow::Borrowed(text);
        for secret in self.0.iter() {
            if text.contains(&**secret) {
                text = Cow::Owned(text.replace(&**secret, "[secret]"));
            }
            if text.contains('…') {
                let parts = secret.char_indices().map(|(end, _)| &secret[..end]).filter(|part| part.len() > TOO_LITTLE);
                text = parts.rev().fold(text, |text, part| text.replace(&format!("{part}…"), "[secret]…").into());
            }
        }
        text
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Secrets({} hidden)", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p7_a_known_secret_is_struck_out() {
        let secrets = Secrets::new(["abc", "abcdef", ""]);
        assert_eq!(secrets.strike("x abcdef abc y"), "x [secret] [secret] y");
        assert_eq!(secrets.strike("nothing"), "nothing");
        assert_eq!(secrets.strike("(x abcde…) abcd… abc… xabcdef…"), "(x [secret]…) [secret]… [secret]… x[secret]…");
        assert!(!format!("{secrets:?}").contains("abc"));
    }
}
