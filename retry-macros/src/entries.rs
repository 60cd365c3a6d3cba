//! Reads `key = value, flag, …` and goes on past what is malformed: the form of the attribute and of `#[param(..)]`.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::Token;
use syn::ext::IdentExt as _;
use syn::parse::discouraged::Speculative as _;
use syn::parse::{ParseStream, Parser as _};

use crate::errors::{Errors, refuse};
use crate::near::nearest;

/// A key that was given. `value` is `None` if it was malformed, which has been reported by then.
pub(crate) struct Given<T> {
    pub(crate) key: Ident,
    pub(crate) value: Option<T>,
}

/// A key that may be given.
pub(crate) struct Form {
    pub(crate) key: &'static str,
    /// What its value is, as the end of a sentence.
    pub(crate) value: &'static str,
    /// A whole entry.
    pub(crate) example: &'static str,
    /// What people write who do not know the key's name yet.
    pub(crate) aliases: &'static [&'static str],
}

/// The entries of one attribute, while they are read.
pub(crate) struct Entries<'a, 's> {
    input: ParseStream<'s>,
    forms: &'static [Form],
    pub(crate) errors: &'a mut Errors,
}

/// What an entry begins with.
pub(crate) enum Start {
    Key(Ident),
    /// The whole of an entry that begins with no word.
    Other(TokenStream),
}

impl Entries<'_, '_> {
    /// Calls `entry` at the start of each entry.
    pub(crate) fn read(
        tokens: TokenStream,
        forms: &'static [Form],
        errors: &mut Errors,
        mut entry: impl FnMut(Start, &mut Entries<'_, '_>),
    ) {
        let all = |input: ParseStream<'_>| {
            while !input.is_empty() {
                if let Some(comma) = input.parse::<Option<Token![,]>>()? {
                    errors.push(refuse(comma, "there is no key in front of this comma").help("remove the comma"));
                    continue;
                }
                let mut entries = Entries { input, forms, errors: &mut *errors };
                let start = match input.call(Ident::parse_any) {
                    Ok(key) => Start::Key(key),
                    Err(_) => Start::Other(entries.skip()),
                };
                entry(start, &mut entries);
                if input.parse::<Option<Token![,]>>()?.is_none() && !input.is_empty() {
                    let next = input.cursor().token_stream().into_iter().next();
                    errors.push(
                        refuse(next.to_token_stream(), "this key follows another without a comma")
                            .help("write a `,` before it"),
                    );
                }
            }
            Ok(())
        };
        if let Err(error) = all.parse2(tokens) {
            errors.push(error);
        }
    }

    /// Reads `= value` into `slot`.
    pub(crate) fn set<T>(
        &mut self,
        slot: &mut Option<Given<T>>,
        key: Ident,
        read: fn(ParseStream<'_>) -> syn::Result<T>,
    ) {
        let value = self.value(read).map_err(|wrong| {
            let at = if wrong.is_empty() { key.to_token_stream() } else { wrong };
            if let Some(form) = self.forms.iter().find(|form| key == form.key) {
                self.errors.push(
                    refuse(at, format!("`{key}` takes {}", form.value)).help(format!("write `{}`", form.example)),
                );
            }
        });
        self.give(slot, key, value.ok());
    }

    /// Reads a key that has no value into `slot`.
    pub(crate) fn set_flag(&mut self, slot: &mut Option<Given<()>>, key: Ident) {
        let mut value = Some(());
        if !self.entry_ends(self.input) {
            value = None;
            let wrong = self.skip();
            self.errors.push(
                refuse(wrong, format!("`{key}` takes no value")).help(format!("write just `{key}`, or leave it out")),
            );
        }
        self.give(slot, key, value);
    }

    /// Reports a key that does not exist, and passes over its value. Returns the key that was probably meant.
    pub(crate) fn unknown(&mut self, key: &Ident) -> Option<&'static str> {
        self.skip();
        let word = key.to_string();
        let keys: Vec<&'static str> = self.forms.iter().map(|form| form.key).collect();
        let meant = self.forms.iter().find(|form| form.aliases.contains(&word.as_str())).or_else(|| {
            let near = nearest(&word, &keys)?;
            self.forms.iter().find(|form| form.key == near)
        });
        let refusal = refuse(key, format!("there is no key `{word}`"));
        self.errors.push(
            match meant {
                Some(meant) => refusal.help(format!("did you mean `{}`? It is written `{}`", meant.key, meant.example)),
                None => refusal,
            }
            .help(self.all_keys()),
        );
        meant.map(|form| form.key)
    }

    /// The allowed keys, as a help line.
    pub(crate) fn all_keys(&self) -> String {
        let keys: Vec<String> = self.forms.iter().map(|form| format!("`{}`", form.key)).collect();
        format!("the keys are {}", keys.join(", "))
    }

    fn give<T>(&mut self, slot: &mut Option<Given<T>>, key: Ident, value: Option<T>) {
        if slot.is_some() {
            self.errors.push(refuse(&key, format!("`{key}` is given twice")).help("keep the one that is meant"));
        } else {
            *slot = Some(Given { key, value });
        }
    }

    /// The value after the `=`, or the tokens that stand in its place.
    fn value<T>(&self, read: fn(ParseStream<'_>) -> syn::Result<T>) -> Result<T, TokenStream> {
        if self.input.peek(Token![==]) || self.input.parse::<Token![=]>().is_err() {
            return Err(self.skip());
        }
        let ahead = self.input.fork();
        match read(&ahead) {
            Ok(value) if self.entry_ends(&ahead) => {
                self.input.advance_to(&ahead);
                Ok(value)
            }
            Ok(_) | Err(_) => Err(self.skip()),
        }
    }

    /// Whether a comma, the end or (the comma being forgotten) another key comes next.
    fn entry_ends(&self, input: ParseStream<'_>) -> bool {
        let another_key = || {
            input
                .cursor()
                .ident()
                .is_some_and(|(word, _)| input.peek2(Token![=]) || self.forms.iter().any(|form| word == form.key))
        };
        input.is_empty() || input.peek(Token![,]) || another_key()
    }

    /// Passes over the rest of an entry.
    fn skip(&self) -> TokenStream {
        let mut skipped = TokenStream::new();
        while !self.input.peek(Token![,])
            && let Ok(token) = self.input.parse::<TokenTree>()
        {
            skipped.extend([token]);
        }
        skipped
    }
}
