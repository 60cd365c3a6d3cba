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
    /// Adds a line, or several, that say what to do. rustc prints them indented below the message.
    pub(crate) fn help(mut self, text: impl AsRef<str>) -> Self {
        let mut start = "\nhelp: ";
        for line in text.as_ref().lines() {
            self.text.push_str(if line.is_empty() { "\n" } else { start });
            self.text.push_str(line);
            start = "\n      ";
        }
        self
    }
}

impl From<Refusal> for syn::Error {
    fn from(refusal: Refusal) -> Self {
        Self::new_spanned(refusal.at, refusal.text)
    }
}
