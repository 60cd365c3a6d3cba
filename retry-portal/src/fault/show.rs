//! Faults in words, for logs and summaries.

use std::fmt;

use super::{Answer, Cut, Effect, Fault};

/// `answer reset, effect before`, for example.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "answer {}, effect {}", self.answer, self.effect)
    }
}

/// `before`, `never`, `late` or `cut`, without a duration: so that equal kinds can be counted.
impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Before => "before",
            Self::Never => "never",
            Self::Late(_) => "late",
            Self::AfterCommands(_) => "cut",
        })
    }
}

/// The kind in a word or two, with the status or the error code where it has one, without durations.
impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Normal => f.write_str("normal"),
            Self::Reset => f.write_str("reset"),
            Self::Close => f.write_str("close"),
            Self::Silence | Self::SilenceFor(_) => f.write_str("silence"),
            Self::Cut(Cut::Bytes(_) | Cut::Percent(_)) => f.write_str("cut body"),
            Self::Cut(Cut::LastChunk) => f.write_str("cut chunks"),
            Self::Cut(Cut::Announced(_)) => f.write_str("body shorter than announced"),
            Self::HeadThenReset => f.write_str("head then reset"),
            Self::HeadThenSilence => f.write_str("head then silence"),
            Self::WholeThenReset => f.write_str("whole then reset"),
            Self::Html(status) => write!(f, "html {status}"),
            Self::Coded(coded) => {
                if let Some(status) = coded.status {
                    write!(f, "{status} ")?;
                }
                match coded.error.as_str() {
                    Some(code) => f.write_str(code),
                    None => write!(f, "{}", coded.error),
                }
            }
            Self::Redirect { status, .. } => write!(f, "redirect {status}"),
            Self::Raw(raw) => write!(f, "raw {}", raw.status),
            Self::Slow(_) => f.write_str("slow"),
        }
    }
}
