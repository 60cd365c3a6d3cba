//! What a type says of itself by the way it is written.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{GenericArgument, Generics, PathArguments, Type, TypeReference};

/// `ty` without what `macro_rules!` or brackets put around it.
pub(crate) fn plain(ty: &Type) -> &Type {
    if let Type::Group(group) = ty {
        plain(&group.elem)
    } else if let Type::Paren(paren) = ty {
        plain(&paren.elem)
    } else {
        ty
    }
}

/// The references within `ty`, but not those in the signatures of functions.
pub(crate) fn references(ty: &Type) -> Vec<&TypeReference> {
    let mut found = Vec::new();
    collect(ty, &mut found);
    found
}

fn collect<'t>(ty: &'t Type, into: &mut Vec<&'t TypeReference>) {
    if let Type::Reference(reference) = ty {
        into.push(reference);
    } else if let Type::Group(inner) = ty {
        collect(&inner.elem, into);
    } else if let Type::Paren(inner) = ty {
        collect(&inner.elem, into);
    } else if let Type::Slice(inner) = ty {
        collect(&inner.elem, into);
    } else if let Type::Array(inner) = ty {
        collect(&inner.elem, into);
    } else if let Type::Tuple(inner) = ty {
        inner.elems.iter().for_each(|inner| collect(inner, into));
    } else if let Type::Path(path) = ty {
        for segment in &path.path.segments {
            if let PathArguments::AngleBracketed(arguments) = &segment.arguments {
                for argument in &arguments.args {
                    if let GenericArgument::Type(inner) = argument {
                        collect(inner, into);
                    }
                }
            }
        }
    }
}

/// Whether `tokens` have `word` somewhere.
pub(crate) fn mentions(tokens: impl ToTokens, word: &str) -> bool {
    tokens.into_token_stream().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == word,
        TokenTree::Group(group) => mentions(group.stream(), word),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// `ty` where the lifetimes of `generics` are not known: each is `'_`.
pub(crate) fn without_lifetimes(ty: impl ToTokens, generics: &Generics) -> TokenStream {
    let names: Vec<&Ident> = generics.lifetimes().map(|parameter| &parameter.lifetime.ident).collect();
    elided(ty.into_token_stream(), &names)
}

fn elided(tokens: TokenStream, names: &[&Ident]) -> TokenStream {
    let mut after_quote = false;
    tokens
        .into_iter()
        .map(|token| {
            let is_lifetime = std::mem::replace(&mut after_quote, is_quote(&token));
            match token {
                TokenTree::Ident(ident) if is_lifetime && names.iter().any(|name| **name == ident) => {
                    Ident::new("_", ident.span()).into()
                }
                TokenTree::Group(group) => {
                    let mut inner = proc_macro2::Group::new(group.delimiter(), elided(group.stream(), names));
                    inner.set_span(group.span());
                    inner.into()
                }
                TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => token,
            }
        })
        .collect()
}

fn is_quote(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == '\'')
}
