//! Text of others, as it may be shown.

use std::fmt::{self, Write as _};

/// Text that came from the portal, the journal or a person. What could steer a terminal or hide from the reader is written out: `\u{1b}` for an escape.
pub(crate) struct Plain<'a>(pub(crate) &'a str);

impl fmt::Display for Plain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for letter in self.0.chars() {
            if is_hidden(letter) {
                write!(f, "{}", letter.escape_default())?;
            } else {
                f.write_char(letter)?;
            }
        }
        Ok(())
    }
}

/// The text with everything hidden written out.
pub(crate) fn plain(text: &str) -> String {
    Plain(text).to_string()
}

/// JSON in which everything hidden is written as JSON escapes it: it can only be inside of strings.
pub(crate) fn plain_json(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for letter in json.chars() {
        if is_hidden(letter) {
            let mut units = [0; 2];
            for unit in letter.encode_utf16(&mut units) {
                // Writing to a text can't fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(letter);
        }
    }
    out
}

/// Control characters, and marks without a width that turn the direction of reading or join what is not one.
fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{feff}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_steers_a_terminal_or_hides_is_shown_as_it_is() {
        assert_eq!(plain("a\u{1b}[2Jb\tc\nd\u{7f}\u{9b}e\u{202e}f"), "a\\u{1b}[2Jb\\tc\\nd\\u{7f}\\u{9b}e\\u{202e}f");
        assert_eq!(plain("сделка № 7, “ü” 中"), "сделка № 7, “ü” 中");
    }

    #[test]
    fn json_stays_the_same_json() {
        let value = serde_json::json!({"a": "x\u{9b}\u{202e}\u{e0041}\u{1b}y"});
        let text = plain_json(&value.to_string());
        assert!(text.is_ascii(), "{text}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
    }
}
