//! Where the commands write, and how.

use std::fmt;
use std::io::{self, IsTerminal as _, Write};

use anstyle::{AnsiColor, Style};

/// Where a command writes.
pub struct Output<'a> {
    /// Whatever is written to.
    pub out: &'a mut dyn Write,
    /// Whether a person reads it: tables and hints, not bare lines.
    pub is_terminal: bool,
    /// Whether it may have colours.
    pub has_colours: bool,
}

impl fmt::Debug for Output<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Output")
            .field("is_terminal", &self.is_terminal)
            .field("has_colours", &self.has_colours)
            .finish_non_exhaustive()
    }
}

impl<'a> Output<'a> {
    /// Onto standard output, as it is connected and as the environment wants it.
    pub fn standard(out: &'a mut dyn Write) -> Self {
        let choice = anstream::AutoStream::choice(&io::stdout());
        Self { out, is_terminal: io::stdout().is_terminal(), has_colours: choice != anstream::ColorChoice::Never }
    }

    /// A style, or none where there are no colours.
    pub(crate) const fn style(&self, style: Style) -> Style {
        if self.has_colours { style } else { Style::new() }
    }
}

pub(crate) const STRONG: Style = Style::new().bold();
pub(crate) const FAINT: Style = Style::new().dimmed();

/// The colour of a state: red for what waits for a person, yellow for what is open.
pub(crate) const fn colour(state: &str) -> AnsiColor {
    match state.as_bytes() {
        b"manual" => AnsiColor::Red,
        b"sending" | b"unknown" => AnsiColor::Yellow,
        b"applied" => AnsiColor::Green,
        b"not applied" => AnsiColor::Cyan,
        &[..] => AnsiColor::BrightBlack,
    }
}
