//! The attribute as a function of tokens.

mod attribute;
mod expansions;
mod hygiene;
mod journal;
mod mangled;
mod messages;
mod most_used;
mod names;
mod pages;
mod places;
mod rest_3;
mod stub;
mod traps;
mod versions;

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use syn::LitStr;

use crate::written_out;

/// A stub with nothing wrong.
const WRITE: &str = "async fn add_deal(client: &Client, fields: &NewDeal) -> Result<DealId, CallError>;";
const READ: &str = "async fn get_deal(reader: &Reader, id: u64) -> Result<Deal, CallError>;";

fn expand(attribute: &str, stub: &str) -> TokenStream {
    written_out(attribute.parse().unwrap(), &stub.parse().unwrap())
}

/// One refusal: the source it covers, and its text.
struct Reported {
    at: String,
    text: String,
}

/// The refusals of an expansion, in order.
fn reported(tokens: TokenStream) -> Vec<Reported> {
    let mut reported = Vec::new();
    collect(tokens, &mut reported);
    reported
}

fn collect(tokens: TokenStream, into: &mut Vec<Reported>) {
    let mut start = None;
    for token in tokens {
        match token {
            TokenTree::Ident(word) if word == "compile_error" => start = Some(word.span()),
            TokenTree::Group(group) => match start.take() {
                Some(start) => into.push(report(start, &group)),
                None => collect(group.stream(), into),
            },
            TokenTree::Ident(_) | TokenTree::Literal(_) | TokenTree::Punct(_) => {}
        }
    }
}

fn report(start: Span, message: &Group) -> Reported {
    let text: LitStr = syn::parse2(message.stream()).unwrap();
    let whole = start.join(message.span()).and_then(|whole| whole.source_text());
    Reported { at: whole.unwrap_or_default(), text: text.value() }
}

/// Asserts that these refusals and no others come out: the source that each covers, and its first line.
#[track_caller]
fn refused(attribute: &str, stub: &str, expected: &[(&str, &str)]) {
    let tokens = expand(attribute, stub);
    let found = reported(tokens);
    let lines: Vec<(&str, &str)> =
        found.iter().map(|found| (found.at.as_str(), found.text.lines().next().unwrap_or_default())).collect();
    assert_eq!(lines, expected, "\n{attribute}\n{stub}");
    for Reported { text, .. } in &found {
        assert!(text.contains("\nhelp: "), "does not say what to do: {text}");
    }
}

#[track_caller]
fn accepted(attribute: &str, stub: &str) {
    refused(attribute, stub, &[]);
}

/// The whole text of the one refusal, on one line.
#[track_caller]
fn sentence(attribute: &str, stub: &str) -> String {
    message(attribute, stub).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The whole text of the one refusal.
#[track_caller]
fn message(attribute: &str, stub: &str) -> String {
    let mut found = reported(expand(attribute, stub));
    assert_eq!(found.len(), 1, "\n{attribute}\n{stub}");
    found.remove(0).text
}
