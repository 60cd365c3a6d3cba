//! Where the code lies that the attribute writes: what the compiler has to say of it is shown there.

use proc_macro2::{TokenStream, TokenTree};

use super::expand;

/// The source that each token of this name lies on.
fn under(name: &str, tokens: TokenStream, found: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(word) if word == name => found.push(word.span().source_text().unwrap_or_default()),
            TokenTree::Group(group) => under(name, group.stream(), found),
            TokenTree::Ident(_) | TokenTree::Literal(_) | TokenTree::Punct(_) => {}
        }
    }
}

#[test]
fn what_is_made_of_a_parameter_lies_on_the_name_of_its_type_and_not_on_a_sign() {
    let expansion = expand(
        "name = \"crm.deal.add\", kind = write, verify = find",
        "async fn add(client: &Client, fields: &NewDeal, tags: Vec<u8>, more: &&::std::string::String) \
         -> Result<DealId, CallError>;",
    );
    let mut entries = Vec::new();
    under("Entry", expansion, &mut entries);
    assert_eq!(entries, ["NewDeal", "Vec", "std"]);
}
