//! What must hold of whatever is written: the fuzz target `attribute` calls the check with inputs of its own making, the tests with those in
//! `fuzz/seeds`.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::{File, ImplItem, ImplItemFn, Item, ItemImpl, LitStr};

use crate::stub::Stub;
use crate::written::written_out;

/// With more brackets and operators than so many nothing is tried: the parser recurses, and so does the compiler's own before it.
const MOST: usize = 128;

/// The attribute's tokens, a line of three hyphens, the item's tokens.
pub(crate) fn attribute(data: &[u8]) {
    let Some((attribute, item)) = std::str::from_utf8(data).ok().and_then(|text| text.split_once("\n---\n")) else {
        return;
    };
    // Its own mistakes could not be told from ours.
    if [attribute, item].iter().any(|text| text.contains("compile_error") || nesting(text) > MOST) {
        return;
    }
    let (Ok(attribute), Ok(item)) = (attribute.parse::<TokenStream>(), item.parse::<TokenStream>()) else { return };
    let written = written_out(attribute, &item);
    let mut refusals = Vec::new();
    collect(written.clone(), &mut refusals);
    // What no compiler hands to an attribute may end anywhere.
    let is_item = syn::parse2::<syn::Item>(item.clone()).is_ok();
    for Refusal { span, text } in &refusals {
        assert!(!text.trim().is_empty(), "a refusal without a word");
        let of_the_whole = text.starts_with("the attribute does not ") || !is_item;
        assert!(of_the_whole || !span.byte_range().is_empty(), "a refusal at no token: {text}");
    }
    if let Ok(stub) = Stub::parse(item.clone()) {
        is_function(&written, &stub, refusals.is_empty());
    } else {
        assert!(!refusals.is_empty(), "no function, and not a word");
        assert!(written.to_string().ends_with(&item.to_string()), "what is no stub is changed: {written}");
    }
}

/// What comes out is one function with the signature of the stub, and what recovery needs where the stub is in the journal.
fn is_function(written: &TokenStream, stub: &Stub, accepted: bool) {
    let (function, beside) = function(written);
    let (is, was) = (&function.sig, &stub.sig);
    assert_eq!(is.ident, was.ident);
    assert_eq!(spelled(&is.inputs), spelled(&was.inputs));
    assert_eq!(spelled(&is.output), spelled(&was.output));
    assert_eq!(spelled(&is.generics), spelled(&was.generics));
    assert_eq!(spelled(&function.vis), spelled(&stub.vis));
    if accepted {
        assert_eq!(spelled(is), spelled(was));
    }
    assert!(beside == 0 || spelled(written).contains("RECOVER"), "more than a function: {written}");
}

/// The function, and the number of items beside it.
fn function(written: &TokenStream) -> (ImplItemFn, usize) {
    let whole = syn::parse2::<ItemImpl>(quote::quote!(impl Api { #written }));
    if let Ok(ItemImpl { items, .. }) = whole {
        return match items.as_slice() {
            [ImplItem::Fn(function)] => (function.clone(), 0),
            [ImplItem::Fn(function), ImplItem::Const(_)] => (function.clone(), 1),
            _ => unreachable!("not one function: {written}"),
        };
    }
    let Ok(File { items, .. }) = syn::parse2::<File>(written.clone()) else { unreachable!("no item: {written}") };
    let [Item::Fn(function), Item::Enum(_), Item::Impl(_)] = items.as_slice() else {
        unreachable!("not one function: {written}")
    };
    let function: TokenStream = function.to_token_stream();
    let Ok(function) = syn::parse2(function) else { unreachable!("no function: {written}") };
    (function, 2)
}

fn spelled(tokens: &impl quote::ToTokens) -> String {
    tokens.to_token_stream().to_string()
}

struct Refusal {
    span: Span,
    text: String,
}

fn collect(tokens: TokenStream, into: &mut Vec<Refusal>) {
    let mut start = None;
    for token in tokens {
        match token {
            TokenTree::Ident(word) if word == "compile_error" => start = Some(word.span()),
            TokenTree::Group(group) => match start.take() {
                Some(start) => into.push(refusal(start, &group)),
                None => collect(group.stream(), into),
            },
            TokenTree::Ident(_) | TokenTree::Literal(_) | TokenTree::Punct(_) => {}
        }
    }
}

fn refusal(start: Span, message: &Group) -> Refusal {
    let text = syn::parse2::<LitStr>(message.stream()).map(|text| text.value());
    Refusal { span: start.join(message.span()).unwrap_or(start), text: text.unwrap_or_default() }
}

/// How often something begins that may have another one inside.
fn nesting(text: &str) -> usize {
    text.bytes().filter(|byte| b"([{<&*!-|".contains(byte)).count()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    #[test]
    fn p8_whatever_is_written_becomes_a_function_or_refusals_at_their_tokens() {
        let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../fuzz/seeds/attribute"].iter().collect();
        let mut files: Vec<PathBuf> = folder.read_dir().unwrap().map(|file| file.unwrap().path()).collect();
        files.sort();
        assert!(files.len() > 3, "too few inputs");
        for file in files {
            // The last name that a failure prints is the input it fails with.
            println!("{}", file.display());
            super::attribute(&std::fs::read(file).unwrap());
        }
    }
}
