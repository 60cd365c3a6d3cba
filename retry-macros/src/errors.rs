//! A list of refusals that the judging goes on past, so that one run reports them all.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// Everything found wrong so far with one attribute and its stub.
#[derive(Default)]
pub(crate) struct Errors(Option<syn::Error>);

impl Errors {
    pub(crate) fn push(&mut self, refusal: impl Into<syn::Error>) {
        let error = refusal.into();
        match &mut self.0 {
            Some(first) => first.combine(error),
            none => *none = Some(error),
        }
    }

    pub(crate) fn extend(&mut self, refusals: impl IntoIterator<Item = Refusal>) {
        refusals.into_iter().for_each(|refusal| self.push(refusal));
    }

    /// All refusals, with one after which there is nothing left to judge.
    pub(crate) fn end(self, last: syn::Error) -> syn::Error {
        match self.0 {
            Some(mut first) => {
                first.combine(last);
                first
            }
            None => last,
        }
    }

    /// `value`, if nothing was refused.
    pub(crate) fn finish<T>(self, value: Option<T>) -> syn::Result<T> {
        match (self.0, value) {
            (None, Some(value)) => Ok(value),
            (Some(errors), _) => Err(errors),
            (None, None) => Err(syn::Error::new(
                Span::call_site(),
                "this stub was refused without a reason: please report it as a bug of the attribute",
            )),
        }
    }
}

/// One refusal: the token it sits on, what is wrong, and what to write instead.
pub(crate) struct Refusal {
    at: TokenStream,
    text: String,
}

/// A refusal that covers `tokens`.
pub(crate) fn refuse(tokens: impl ToTokens, what: impl Into<String>) -> Refusal {
    Refusal { at: tokens.into_token_stream(), text: what.into() }
}

/// A refusal at a place that has no token of its own, such as a bracket. `Span::call_site()` is the whole attribute.
pub(crate) fn refuse_at(span: Span, what: impl Into<String>) -> Refusal {
    refuse(proc_macro2::Ident::new("here", span), what)
}

impl Refusal {
    /// Adds a line, or several, that say what to do. rustc prints them indented below the message. Long lines are broken,
    /// but for those of code, which begin with a space.
    pub(crate) fn help(mut self, text: impl AsRef<str>) -> Self {
        let mut start = "\nhelp: ";
        for line in text.as_ref().lines() {
            let lines = if line.starts_with(' ') { vec![line.to_owned()] } else { broken(line) };
            for line in lines {
                self.text.push_str(if line.is_empty() { "\n" } else { start });
                self.text.push_str(&line);
                start = "\n      ";
            }
        }
        self
    }
}

impl From<Refusal> for syn::Error {
    fn from(refusal: Refusal) -> Self {
        Self::new_spanned(refusal.at, refusal.text)
    }
}

/// The width that help is broken at.
const WIDTH: usize = 104;

/// `line` in lines of that width, broken between words, and never within backticks.
fn broken(line: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    // A word, or several from one backtick to the next.
    let mut unit = String::new();
    for word in line.split(' ') {
        if !unit.is_empty() {
            unit.push(' ');
        }
        unit.push_str(word);
        if unit.matches('`').count() % 2 == 1 {
            continue;
        }
        let unit = std::mem::take(&mut unit);
        match lines.last_mut() {
            Some(last) if last.is_empty() => *last = unit,
            Some(last) if last.chars().count() + 1 + unit.chars().count() <= WIDTH => {
                last.push(' ');
                last.push_str(&unit);
            }
            Some(_) | None => lines.push(unit),
        }
    }
    if !unit.is_empty() {
        lines.push(unit);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::{WIDTH, broken};

    #[test]
    fn help_is_broken_between_words_and_not_within_code() {
        assert_eq!(broken(""), [""]);
        assert_eq!(broken("one line"), ["one line"]);
        let code = "`filter by this and that`";
        let text = format!("{} {code}, then more", "word ".repeat(18).trim());
        assert_eq!(broken(&text), ["word ".repeat(18).trim(), &format!("{code}, then more")]);
        // An odd backtick loses nothing.
        assert_eq!(broken("an odd ` one"), ["an odd", "` one"]);
        assert!(broken(&"word ".repeat(99)).iter().all(|line| line.len() <= WIDTH));
    }
}
