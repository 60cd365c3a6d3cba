//! Secrets that must not leave the process in a text.

mod spelled;

use std::borrow::Cow;
use std::fmt;
use std::net::IpAddr;
use std::ops::Range;
use std::sync::Arc;

use url::{Host, Url};

use self::spelled::{Letter, read, spelled_out};

/// A part of a secret that is shorter than this may be shown: it helps nobody to guess the rest.
const PART: usize = 8;

/// The same for its beginning where the text was cut.
const CUT_PART: usize = 4;

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
        Self(known.into_iter().filter(|secret| !secret.is_empty()).map(Into::into).collect())
    }

    /// The text without the secrets and without parts of them, in whatever spelling: as in a URL, in JSON, in HTML, in either case.
    pub(crate) fn strike<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let letters = spelled_out(text);
        let mut struck: Vec<Range<usize>> = Vec::new();
        for secret in self.0.iter() {
            let hidden = Hidden::of(secret);
            struck.extend((0..letters.len()).filter_map(|at| hidden.begins_at(at, &letters, text)));
        }
        if struck.is_empty() {
            return Cow::Borrowed(text);
        }
        struck.sort_by_key(|found| found.start);
        let mut shown = String::new();
        let mut end = 0;
        for found in struck {
            if found.start > end || end == 0 {
                shown.push_str(text.get(end..found.start).unwrap_or_default());
                shown.push_str("[secret]");
            }
            end = end.max(found.end);
        }
        shown.push_str(text.get(end..).unwrap_or_default());
        Cow::Owned(shown)
    }
}

/// One secret, as it is compared.
struct Hidden {
    bytes: Vec<u8>,
    /// How many bytes at its beginning only say what kind of secret it is.
    kind: usize,
}

impl Hidden {
    fn of(secret: &str) -> Self {
        // `vibe_api_...`, `vibe_session_...`
        let kind =
            secret.strip_prefix("vibe_").and_then(|rest| rest.find('_')).map_or(0, |end| "vibe_".len() + end + 1);
        Self { bytes: read(&spelled_out(secret), 0).map(|(byte, _)| byte).collect(), kind }
    }

    /// The longest part of it that stands at this place of the text, if it is long enough to be hidden.
    fn begins_at(&self, at: usize, letters: &[Letter], text: &str) -> Option<Range<usize>> {
        let (first, _) = read(letters, at).next()?;
        let mut longest = None;
        for (from, _) in self.bytes.iter().enumerate().filter(|(_, byte)| **byte == first) {
            let rest = self.bytes.get(from..).unwrap_or_default();
            let same = rest.iter().zip(read(letters, at)).take_while(|(byte, (letter, _))| *byte == letter);
            let (length, end) = same.fold((0, at), |(length, _), (_, (_, end))| (length + 1, end));
            let cut = from == 0 && text.get(end..).is_some_and(|rest| rest.starts_with('…'));
            let least = if cut { CUT_PART } else { PART }.min(self.bytes.len());
            if length >= least && from + length > self.kind {
                longest = longest.max(Some(end));
            }
        }
        longest.map(|end| text.floor_char_boundary(at)..text.ceil_char_boundary(end))
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
        assert_eq!(secrets.strike("abcdef"), "[secret]");
        assert_eq!(secrets.strike("nothing"), "nothing");
        assert_eq!(secrets.strike("(x abcde…) abcd… abc… xabcdef…"), "(x [secret]…) [secret]… [secret]… x[secret]…");
        assert!(!format!("{secrets:?}").contains("abc"));
    }

    #[test]
    fn p7_a_part_of_a_secret_is_struck_out() {
        let secrets = Secrets::new(["0123456789abcdef"]);
        assert_eq!(secrets.strike("at 0123456789ab..."), "at [secret]...");
        assert_eq!(secrets.strike("...89abcdef, 456789ab"), "...[secret], [secret]");
        assert_eq!(secrets.strike("012345 6789abc 0123…"), "012345 6789abc [secret]…");
        assert_eq!(secrets.strike("x0123456789abcdef0123456789abcdefy"), "x[secret]y");
    }

    #[test]
    fn p7_a_secret_is_struck_out_in_every_spelling() {
        let secrets = Secrets::new(["aB/c+é=\"7&xyz"]);
        for spelled in [
            "aB/c+é=\"7&xyz",
            "AB/C+é=\"7&XYZ",
            "aB%2Fc%2B%C3%A9%3D%227%26xyz",
            "aB%2fc+%c3%a9%3d%227%26xyz",
            "aB%252Fc%252B%25C3%25A9%253D%25227%2526xyz",
            "aB\\/c+\\u00e9=\\\"7\\u0026xyz",
            "aB/c+\\u{e9}=\\\"7&xyz",
            "aB&#x2F;c&#43;&#233;=&quot;7&amp;xyz",
            "%61%42%2F%63%2B%C3%A9%3D%22%37%26%78%79%7A",
        ] {
            assert_eq!(secrets.strike(&format!("<{spelled}>")), "<[secret]>", "{spelled}");
        }
        // What only looks like a spelling is left as it is.
        for text in ["100% of %zz \\u12 \\u{} &#; &#x; &#99999999; %", "\\", "&", "é%C3"] {
            assert_eq!(secrets.strike(text), text);
        }
    }

    #[test]
    fn p7_a_sign_before_a_secret_does_not_hide_it_by_seeming_to_spell_its_beginning() {
        let beginnings = [
            ("\\", "u2028678"),
            ("\\", "u{61}bcdef"),
            ("\\", "x{61}bcdef"),
            ("\\", "/abcdefg"),
            ("%", "61bcdefg"),
            ("%25", "61bcdefg"),
            ("%", "2561bcdef"),
            ("&", "#97;bcdef"),
            ("&", "#x61;bcdef"),
            ("&#", "97;bcdef"),
            ("&", "amp;bcdef"),
        ];
        for (sign, secret) in beginnings {
            let text = format!("at {sign}{secret}, then");
            let struck = Secrets::new([secret]).strike(&text).into_owned();
            // A sign that may belong to the spelling goes too.
            assert!(struck == format!("at {sign}[secret], then") || struck == "at [secret], then", "{text}: {struck}");
        }
    }

    #[test]
    fn what_kind_of_key_it_is_may_be_said() {
        let secrets = Secrets::new(["vibe_api_0123456789"]);
        assert_eq!(secrets.strike("use a vibe_api_ key"), "use a vibe_api_ key");
        assert_eq!(secrets.strike("not vibe_api_0123456789"), "not [secret]");
        assert_eq!(secrets.strike("not vibe_api_01"), "not [secret]");
    }
}
