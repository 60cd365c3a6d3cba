//! What an expansion may name: absolute paths, the user's own words, and names that no user's name can meet.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::{READ, WRITE, expand};

const METHOD: &str = "async fn add(&self, fields: NewDeal) -> Result<DealId, CallError>;";

/// One expansion of each shape.
fn expansions(more: &str) -> Vec<TokenStream> {
    let read = format!("name = \"crm.deal.get\", kind = read{more}");
    let write = format!("name = \"crm.deal.add\", kind = write, verify = find, key = fields.id, ensure{more}");
    let stop = format!("name = \"im.message.add\", kind = write, unverifiable = \"no key\"{more}");
    let replay = format!("name = \"tasks.task.add\", kind = write, version = 3, idempotency_key = fields{more}");
    let both = format!("{replay}, verify = find, key = fields.id, ensure");
    let journal = format!("{write}, journal, resend");
    let pages = format!("name = \"crm.deal.list\", kind = read, pages = \"ID\"{more}");
    let by_self = "async fn get(&self) -> Result<Deal, CallError>;";
    let by_key = "async fn add(client: &Client, fields: &IdempotencyKey) -> Result<TaskId, CallError>;";
    [
        (&read, READ),
        (&read, by_self),
        (&write, WRITE),
        (&write, METHOD),
        (&stop, WRITE),
        (&stop, METHOD),
        (&replay, by_key),
        (&both, by_key),
        (&journal, WRITE),
        (&journal, METHOD),
        (&pages, "fn all(&self, id: u64) -> Pages<Deal>;"),
    ]
    .map(|(attribute, stub)| expand(attribute, stub))
    .to_vec()
}

/// Each word, with whether it begins a path.
fn words(tokens: TokenStream, into: &mut Vec<(String, bool)>) {
    let mut after_colon = false;
    for token in tokens {
        match &token {
            TokenTree::Ident(word) => into.push((word.to_string(), !after_colon)),
            TokenTree::Group(group) => words(group.stream(), into),
            TokenTree::Literal(_) | TokenTree::Punct(_) => {}
        }
        after_colon = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ':' || punct.as_char() == '.');
    }
}

#[test]
fn a_renamed_runtime_is_named_throughout() {
    for expansion in expansions(", crate = ::renamed") {
        let mut found = Vec::new();
        words(expansion, &mut found);
        assert!(found.iter().any(|(word, _)| word == "renamed"));
        assert!(!found.iter().any(|(word, _)| word == "retry_runtime"));
    }
}

#[test]
fn a_body_names_nothing_that_a_user_could_have_defined_otherwise() {
    // Names that no item has either: a `let` that meets a constant would be a pattern.
    let ours = |word: &str| word.starts_with("__bitrix_method_");
    let users = ["reader", "client", "self", "id", "fields", "find", "add_deal", "Self"];
    let keywords = ["let", "await"];
    // Beside the function: what makes the items, and the types of the stub.
    let items = ["pub", "const", "enum", "impl", "async", "move", "as", "true", "method", "path", "resend", "way"];
    let types = ["NewDeal", "Result", "DealId", "CallError"];
    let named = ["add_deal", "RECOVERY", "RECOVER_ADD"];
    for expansion in expansions("") {
        let mut tokens = expansion.into_iter();
        let is_braces =
            |token: &TokenTree| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
        let Some(body) = tokens.find(is_braces) else { panic!("no body") };
        let mut found = Vec::new();
        words(body.into(), &mut found);
        for (word, first) in found {
            let word = word.as_str();
            assert!(!first || ours(word) || users.contains(&word) || keywords.contains(&word), "bare `{word}`");
        }
        let mut found = Vec::new();
        words(without_attributes(tokens), &mut found);
        for (word, first) in found {
            let word = word.as_str();
            let known = [&users[..], &keywords, &items, &types, &named].concat().contains(&word);
            assert!(!first || ours(word) || known, "bare `{word}` beside the function");
        }
    }
}

fn without_attributes(tokens: impl IntoIterator<Item = TokenTree>) -> TokenStream {
    let mut kept = TokenStream::new();
    let mut tokens = tokens.into_iter();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(hash) if hash.as_char() == '#' => drop(tokens.next()),
            TokenTree::Group(group) => {
                let inner = without_attributes(group.stream());
                kept.extend([TokenTree::from(proc_macro2::Group::new(group.delimiter(), inner))]);
            }
            TokenTree::Ident(_) | TokenTree::Literal(_) | TokenTree::Punct(_) => kept.extend([token]),
        }
    }
    kept
}

#[test]
fn every_path_is_absolute() {
    for expansion in expansions("") {
        // A path that begins with a name of the runtime or of `core` would be looked up where the user is.
        let text = expansion.to_string();
        for name in ["core", "retry_runtime"] {
            assert_eq!(text.matches(&format!(" {name} ::")).count(), text.matches(&format!(":: {name} ::")).count());
        }
    }
}
