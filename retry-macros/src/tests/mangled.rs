//! Whatever is written, the attribute answers with a function or with errors, and never panics.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::{expand, reported};
use crate::written_out;

/// What is mangled: attributes and the stubs that they fit. Only the last is refused as it stands.
const SEEDS: [(&str, &str); 7] = [
    (
        "name = \"crm.deal.get\", kind = read, version = 2, crate = ::renamed",
        "/// Docs.\n#[must_use] pub async fn get<'a, T>(reader: &'a Reader, id: [T; 3]) -> Result<Page<T>, E> where T: X;",
    ),
    (
        "name = \"crm.deal.add\", kind = write, verify = self::find::<A, B>, key = fields.origin_id, ensure",
        "async fn add(&self, #[param(name = \"FIELDS\")] fields: &NewDeal, #[param(flatten)] r#type: impl X) -> R<(u8, T)>;",
    ),
    (
        "name = \"im.message.add\", kind = write, unverifiable = \"a message carries no key\"",
        "pub(crate) async fn send(client: &Client, #[cfg(unix)] text: &mut str) -> <T as Trait>::Answer;",
    ),
    (
        "name = \"tasks.task.add\", kind = write, verify = find, version = 3, idempotency_key = once, key = once",
        "async fn add(client: &Client, #[param(name = \"FIELDS\")] fields: T, once: &'a x::IdempotencyKey) -> R<u64, E>;",
    ),
    (
        "name = \"crm.deal.add\", kind = write, verify = find, key = fields.origin_id, journal, resend",
        "pub async fn add<'a>(client: &Client, fields: &'a NewDeal<'a>, #[param(flatten)] more: &[u8]) -> Result<Id, E>;",
    ),
    (
        "name = \"im.message.add\", kind = write, unverifiable = \"a message carries no key\", journal",
        "async fn send(&self, text: (String, [u8; 3]), #[cfg(unix)] to: Option<Id>) -> Answer;",
    ),
    (
        "name = \"crm.deal.add\", kind = write, idempotency_key = rest",
        "pub(crate) async unsafe extern \"C\" fn add(mut self: Box<Self>, (a, b): (u8, u8), rest: ...) { body() }",
    ),
];

const STRAY: &str = "name kind verify = , ; : :: -> & < > # ! ? | \"text\" 5 'c' 0.5 b\"x\" r#fn self Self crate super \
                     async fn const unsafe extern pub where _ mut ... .. () [] {} { , } ( = ) [ param ]";

/// A small generator of its own, so that a failure can be run again by its number.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit.max(1)
    }

    /// Drops, repeats, swaps and puts in a few tokens, at any depth.
    fn mangle(&mut self, tokens: TokenStream, stray: &[TokenTree]) -> TokenStream {
        let mut tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for _ in 0..=self.below(2) {
            let at = self.below(tokens.len());
            match self.below(5) {
                0 if at < tokens.len() => drop(tokens.remove(at)),
                1 => tokens.insert(at, stray[self.below(stray.len())].clone()),
                2 if at < tokens.len() => tokens.insert(at, tokens[at].clone()),
                3 if at < tokens.len() => {
                    let other = self.below(tokens.len());
                    tokens.swap(at, other);
                }
                _ => self.mangle_inside(&mut tokens, stray),
            }
        }
        tokens.into_iter().collect()
    }

    fn mangle_inside(&mut self, tokens: &mut [TokenTree], stray: &[TokenTree]) {
        let groups: Vec<usize> = (0..tokens.len()).filter(|at| matches!(tokens[*at], TokenTree::Group(_))).collect();
        if let Some(at) = groups.get(self.below(groups.len()))
            && let TokenTree::Group(group) = &tokens[*at]
        {
            let inside = self.mangle(group.stream(), stray);
            tokens[*at] = Group::new(group.delimiter(), inside).into();
        }
    }
}

#[test]
fn any_tokens_give_a_function_or_errors() {
    let stray: Vec<TokenTree> = STRAY.parse::<TokenStream>().unwrap().into_iter().collect();
    let (mut functions, mut refusals) = (0, 0);
    for seed in 0..6_000 {
        let mut dice = Dice(seed);
        let (attribute, stub) = SEEDS[dice.below(SEEDS.len())];
        let (mut attribute, mut stub) = (attribute.parse().unwrap(), stub.parse().unwrap());
        let which = dice.below(3);
        if which != 0 {
            attribute = dice.mangle(attribute, &stray);
        }
        if which != 1 {
            stub = dice.mangle(stub, &stray);
        }
        let written = written_out(attribute.clone(), &stub);
        if reported(written.clone()).is_empty() {
            functions += 1;
            let item = quote::quote!(impl Api { #written });
            let stands =
                syn::parse2::<syn::ItemImpl>(item).is_ok() || syn::parse2::<syn::File>(written.clone()).is_ok();
            assert!(stands, "seed {seed}: {attribute}\n{stub}\n{written}");
        } else {
            refusals += 1;
        }
    }
    // Both ends are reached, else the mangling has gone too far or not far enough.
    assert!(functions > 50 && refusals > 1_000, "{functions} functions, {refusals} refusals");
}

#[test]
fn tokens_from_macros_by_example_come_in_invisible_groups() {
    let grouped = |source: &str| Group::new(Delimiter::None, source.parse().unwrap());
    let (name, verify) = (grouped("\"crm.deal.add\""), grouped("find"));
    let attribute = quote::quote!(name = #name, kind = write, verify = #verify);
    let written = written_out(attribute, &super::WRITE.parse().unwrap());
    assert!(reported(written).is_empty());
    assert!(!reported(expand("", "")).is_empty());
}
