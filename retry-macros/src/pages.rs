//! A list that is read to its end: `pages` says what it is walked by.

use proc_macro2::Ident;
use syn::parse::{Parse, ParseStream};
use syn::{LitStr, Signature};

use crate::args::Args;
use crate::errors::{Errors, refuse};

/// What the list is walked by, as it was written.
pub(crate) enum By {
    /// The ids of the rows, in the field of this name.
    Id(LitStr),
    /// Offsets: the word `start`.
    Start,
}

impl Parse for By {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(LitStr) {
            return input.parse().map(Self::Id);
        }
        let word: Ident = input.parse()?;
        if word == "start" { Ok(Self::Start) } else { Err(syn::Error::new(word.span(), "expected `start`")) }
    }
}

impl By {
    /// Judges the name of the field.
    pub(crate) fn judge(&self, errors: &mut Errors) {
        let Self::Id(field) = self else { return };
        let name = field.value();
        if name.is_empty() || !name.bytes().all(|letter| letter.is_ascii_alphanumeric() || letter == b'_') {
            errors.push(
                refuse(field, "this is no name of a field").help(
                    "write the id's field as the rows of the list spell it: `pages = \"ID\"` or `pages = \"id\"`",
                ),
            );
        }
    }
}

/// A write has one result.
pub(crate) fn none_on_a_write(args: &Args, errors: &mut Errors) {
    if let Some(pages) = &args.pages {
        errors.push(
            refuse(&pages.key, "a write takes no `pages`: they are those of a list, which is read to its end")
                .help("remove it, or write `kind = read` if the method only lists"),
        );
    }
}

/// The stub gives a stream at once; its rows are what is waited for.
pub(crate) fn not_async(sig: &Signature, errors: &mut Errors) {
    if let Some(token) = &sig.asyncness {
        errors.push(
            refuse(token, "a stub with `pages` is not `async`: it gives a stream, whose rows are waited for")
                .help(format!("write `fn {}`", sig.ident)),
        );
    }
}
