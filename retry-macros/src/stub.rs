//! The stub: a function without a body. Taken apart here, judged in `method`.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, FnArg, Signature, Token, Visibility};

use crate::errors::refuse;

/// `attributes visibility signature ;`, the shape of a function in an `extern` block.
pub(crate) struct Stub {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    /// The signature as it is written out again: without the `#[param(..)]` attributes, which are ours.
    pub(crate) sig: Signature,
    /// The `#[param(..)]` attributes: one list for each parameter.
    pub(crate) options: Vec<Vec<Attribute>>,
    pub(crate) end: End,
}

/// What stands after the signature.
pub(crate) enum End {
    Semicolon,
    Body(Span),
    Nothing,
}

impl Stub {
    /// Takes `item` apart, or says that it is no function.
    pub(crate) fn parse(item: TokenStream) -> syn::Result<Self> {
        syn::parse2(item.clone()).map_err(|error| {
            // Where there is no `fn`, what the parser stumbled over is of no interest.
            let mut head = head(item);
            if head.iter().any(|token| is_word(token, "fn")) {
                return error;
            }
            head.truncate(1);
            let first: TokenStream = head.into_iter().collect();
            refuse(first, "`#[bitrix_method]` belongs on a stub, an async function without a body")
                .help("write `async fn add_deal(client: &Client, fields: &NewDeal) -> Result<DealId, CallError>;`")
                .into()
        })
    }
}

impl Parse for Stub {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let vis = input.parse()?;
        let mut sig: Signature = input.parse()?;
        let options = sig.inputs.iter_mut().map(take_options).collect();
        let end = if input.parse::<Option<Token![;]>>()?.is_some() {
            End::Semicolon
        } else if input.is_empty() {
            End::Nothing
        } else {
            End::Body(input.call(braces)?)
        };
        Ok(Self { attrs, vis, sig, options, end })
    }
}

fn braces(input: ParseStream<'_>) -> syn::Result<Span> {
    let body: Group = input.parse()?;
    if body.delimiter() == Delimiter::Brace {
        Ok(body.span())
    } else {
        Err(syn::Error::new(body.span(), "expected `;`"))
    }
}

/// Removes the `#[param(..)]` attributes from a parameter.
fn take_options(parameter: &mut FnArg) -> Vec<Attribute> {
    let attrs = match parameter {
        FnArg::Receiver(receiver) => &mut receiver.attrs,
        FnArg::Typed(parameter) => &mut parameter.attrs,
    };
    let (ours, theirs) = attrs.drain(..).partition(|attr| attr.path().is_ident("param"));
    *attrs = theirs;
    ours
}

/// The words that say what an item is, and all that follows them up to the first pair of braces.
fn head(item: TokenStream) -> Vec<TokenTree> {
    let delimited = |token: &TokenTree, by| matches!(token, TokenTree::Group(group) if group.delimiter() == by);
    item.into_iter()
        .skip_while(|token| {
            let attribute = matches!(token, TokenTree::Punct(_)) || delimited(token, Delimiter::Bracket);
            attribute || is_word(token, "pub") || delimited(token, Delimiter::Parenthesis)
        })
        .take_while(|token| !delimited(token, Delimiter::Brace))
        .collect()
}

fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == word)
}
