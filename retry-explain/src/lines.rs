//! Labelled lines, broken where a terminal ends.

use std::fmt::Write as _;

/// No line is longer, but for a word that is.
const WIDTH: usize = 110;

/// Appends `label   text`; further lines are indented to where the text began.
pub(crate) fn labelled(out: &mut String, label: &str, text: &str) {
    const INDENT: usize = 13;
    let mut column = 0;
    let _ = write!(out, "  {label:<width$}", width = INDENT - 2);
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if column > 0 && INDENT + column + 1 + length > WIDTH {
            let _ = write!(out, "\n{:INDENT$}", "");
            column = 0;
        } else if column > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += length;
    }
    out.push('\n');
}
