//! Where tokens lie in the source: the compiler points there when a type does not fit.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ReturnType;

/// A span of ours that lies at `place`.
pub(crate) fn at(place: Span) -> Span {
    Span::mixed_site().located_at(place)
}

/// `tokens` at another place, where they still mean the same.
pub(crate) fn moved(tokens: impl ToTokens, place: Span) -> TokenStream {
    tokens
        .into_token_stream()
        .into_iter()
        .map(|mut token| {
            let span = token.span().located_at(place);
            if let TokenTree::Group(group) = &token {
                token = Group::new(group.delimiter(), moved(group.stream(), place)).into();
            }
            token.set_span(span);
            token
        })
        .collect()
}

/// Where the return type begins and ends.
pub(crate) fn ends(output: &ReturnType) -> (Span, Span) {
    match output {
        ReturnType::Default => (Span::call_site(), Span::call_site()),
        ReturnType::Type(_, ty) => ends_of(ty),
    }
}

fn ends_of(tokens: impl ToTokens) -> (Span, Span) {
    let mut tokens = tokens.into_token_stream().into_iter();
    let start = tokens.next().map_or_else(Span::call_site, |first| first.span());
    let end = tokens.last().map_or(start, |last| last.span());
    (start, end)
}

/// The one token that stands best for all: of a type, what is behind the `&`.
pub(crate) fn place_of(tokens: impl ToTokens) -> Span {
    let tokens = tokens.into_token_stream().into_iter();
    let mut place = None;
    for token in tokens {
        place = Some(token.span());
        if !matches!(token, TokenTree::Punct(_)) {
            break;
        }
    }
    place.unwrap_or_else(Span::call_site)
}
