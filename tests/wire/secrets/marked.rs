//! Secrets like no other text, and the search for any part of them.

use std::collections::BTreeSet;

/// Each has signs that a URL, JSON and HTML spell in other ways, and letters that only it has, so often that no part of eight is without them.
pub(super) const WEBHOOK: &str = "zq7wzq7wzq7w/+=\"&zq7wzq7wzq7w";
pub(super) const KEY: &str = "vibe_api_zq7kzq7kzq7k/+=\"&zq7kzq7kzq7k";
pub(super) const SESSION: &str = "vibe_session_zq7szq7szq7s/+=\"&zq7szq7szq7s";
pub(super) const ACCESS: &str = "zq7azq7azq7a/+=\"&zq7azq7azq7a";
pub(super) const REFRESH: &str = "zq7rzq7rzq7r/+=\"&zq7rzq7rzq7r";
pub(super) const CLIENT_SECRET: &str = "zq7czq7czq7c/+=\"&zq7czq7czq7c";
pub(super) const CODE: &str = "zq7ozq7ozq7o/+=\"&zq7ozq7ozq7o";
pub(super) const PASSWORD: &str = "zq7pzq7pzq7pzq7pzq7pzq7p";

const ALL: [&str; 8] = [WEBHOOK, KEY, SESSION, ACCESS, REFRESH, CLIENT_SECRET, CODE, PASSWORD];

/// What they have in common, and nothing else has.
const COMMON: &str = "zq7";

/// So many letters of a secret in a row are a part of it.
const PART: usize = 8;

/// How each letter of a text is spelled.
pub(super) type Spell = fn(char) -> String;

/// The spellings that change every letter.
pub(super) const LETTER_BY_LETTER: [(&str, Spell); 5] = [
    ("%61", |letter| bytes_of(letter, |byte| format!("%{byte:02x}"))),
    ("%2561", |letter| bytes_of(letter, |byte| format!("%25{byte:02X}"))),
    ("\\u0061", |letter| format!("\\u{:04x}", u32::from(letter))),
    ("&#97;", |letter| format!("&#{};", u32::from(letter))),
    ("&#x61;", |letter| format!("&#x{:x};", u32::from(letter))),
];

/// Every letter as a URL may spell it.
pub(super) fn in_percent(text: &str) -> String {
    text.chars().map(LETTER_BY_LETTER[0].1).collect()
}

fn bytes_of(letter: char, spell: impl Fn(u8) -> String) -> String {
    letter.encode_utf8(&mut [0; 4]).bytes().map(spell).collect()
}

/// What must be nowhere, in small letters.
pub(super) struct Marks {
    /// Without one of these there is no part of a secret: they are looked for first, as texts are long.
    common: Vec<String>,
    parts: Vec<String>,
}

/// The text as it is and letter by letter.
fn spelled(text: &str) -> impl Iterator<Item = String> {
    let others =
        LETTER_BY_LETTER.iter().map(|(_, spell)| text.chars().map(spell).collect::<String>().to_ascii_lowercase());
    std::iter::once(text.to_owned()).chain(others)
}

impl Marks {
    pub(super) fn new() -> Self {
        let mut parts = BTreeSet::new();
        for run in ALL.iter().flat_map(|secret| secret.split(|letter: char| !letter.is_ascii_alphanumeric())) {
            let windows = (0..=run.len().saturating_sub(PART)).filter_map(|start| run.get(start..start + PART));
            parts.extend(windows.flat_map(spelled));
        }
        Self { common: spelled(COMMON).collect(), parts: parts.into_iter().collect() }
    }

    /// Where the first part of a secret is.
    pub(super) fn first_in(&self, text: &str) -> Option<String> {
        let text = text.to_ascii_lowercase();
        if !self.common.iter().any(|common| text.contains(common)) {
            return None;
        }
        let at = self.parts.iter().filter_map(|part| text.find(part.as_str())).min()?;
        Some(text.chars().skip(at.saturating_sub(200)).take(400).collect())
    }

    #[track_caller]
    pub(super) fn are_not_in(&self, text: &str, what: &str) {
        if let Some(around) = self.first_in(text) {
            panic!("{what}: a secret shows: {around}");
        }
    }
}
