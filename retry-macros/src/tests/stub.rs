//! Every refusal of a stub's signature, and what a stub may be.

use super::{READ, WRITE, accepted, expand, message, refused, reported};

const GET: &str = "name = \"crm.deal.get\", kind = read";
const ADD: &str = "name = \"crm.deal.add\", kind = write, verify = find";

#[test]
fn what_an_async_function_can_have_a_stub_can_have() {
    for stub in [
        READ,
        "pub(crate) async fn get<'a, T, const N: usize>(reader: &'a Reader, ids: [T; N]) -> Result<&'a T, E> where T: X;",
        "async fn get(&self) -> Result<Deal, CallError>;",
        "pub async fn get<'a>(&'a self, id: impl Into<u64>) -> ApiResult<Deal>;",
        "#[must_use] #[cfg(test)] /** Docs. */ async fn get(client: &Arc<Client>) -> Result<impl Iterator, CallError>;",
        "async fn get(reader: &Reader, #[cfg(unix)] id: u64, #[cfg(not(unix))] id: u32) -> Result<Deal, CallError>;",
        "async fn get(reader: &Reader, buffer: &mut Buffer) -> Result<Deal, CallError>;",
    ] {
        accepted(GET, stub);
    }
}

#[test]
fn a_stub_is_a_plain_async_function() {
    let fine = "get(reader: &Reader) -> Result<Deal, CallError>;";
    let not_async = ("fn", "a stub is `async`: it waits for an answer");
    refused(GET, &format!("fn {fine}"), &[not_async]);
    refused(GET, &format!("const fn {fine}"), &[("const", "a stub is not `const`: it makes a call"), not_async]);
    refused(
        GET,
        &format!("async unsafe extern \"C\" fn {fine}"),
        &[
            ("unsafe", "a stub is not `unsafe`: a call asks nothing of its caller"),
            ("extern \"C\"", "a stub is a Rust function"),
        ],
    );
    refused(
        GET,
        "async fn get(reader: &Reader, ids: ...) -> Result<Deal, CallError>;",
        &[("ids: ...", "a stub names each of its parameters: they become the keys of the request")],
    );
}

#[test]
fn a_stub_has_no_body_and_ends_with_a_semicolon() {
    let get = READ.trim_end_matches(';');
    refused(GET, &format!("{get} {{ todo!() }}"), &[("{ todo!() }", "a stub has no body, end it with `;`")]);
    refused(GET, get, &[(get, "a stub ends with `;`")]);
}

#[test]
fn the_first_parameter_is_what_the_call_is_made_through() {
    let nothing = "a stub needs something to make the call through";
    refused(GET, "async fn get() -> Result<Deal, CallError>;", &[("()", nothing)]);
    let text = message(GET, "async fn get() -> Result<Deal, CallError>;");
    assert!(text.contains("`reader: &Reader`") && text.contains("`AsRef<Reader>`"), "{text}");
    let text = message(ADD, "async fn add() -> Result<Deal, CallError>;");
    assert!(text.contains("`client: &Client`") && text.contains("`AsRef<Client>`"), "{text}");
    let no_kind = "name = \"crm.deal.get\", kid = read";
    let found = reported(expand(no_kind, "async fn get() -> Result<Deal, CallError>;"));
    assert!(found[1].text.contains("`reader: &Reader` for a read, `client: &Client` for a write"));
    refused(
        GET,
        "async fn get(#[param(name = \"x\")] reader: &Reader) -> Result<Deal, CallError>;",
        &[(
            "#[param(name = \"x\")]",
            "the first parameter is what the call is made through, and no part of the request",
        )],
    );
}

#[test]
fn self_is_borrowed() {
    let with = |receiver| format!("async fn get({receiver}, id: u64) -> Result<Deal, CallError>;");
    accepted(GET, &with("&self"));
    for receiver in ["self", "mut self", "self: Box<Self>", "self: &Self"] {
        refused(GET, &with(receiver), &[(receiver, "a stub borrows `self`")]);
    }
    for receiver in ["&mut self", "&'a mut self"] {
        refused(
            GET,
            &with(receiver),
            &[(receiver, "a stub does not change `self`: calls may be made at the same time")],
        );
    }
}

#[test]
fn parameters_are_plain_names() {
    refused(
        GET,
        "async fn get(mut reader: &Reader, ref id: u64, mut b: u8, _: u8, (c, d): (u8, u8)) -> Result<Deal, CallError>;",
        &[
            ("mut reader", "a parameter of a stub is a plain name"),
            ("ref id", "a parameter of a stub is a plain name"),
            ("mut b", "a parameter of a stub is a plain name"),
            ("_", "a parameter of a stub is a plain name, the key that it becomes in the request"),
            ("(c, d)", "a parameter of a stub is a plain name, the key that it becomes in the request"),
        ],
    );
}

#[test]
fn a_stub_returns_something() {
    let what = "a stub returns the result of the call, or why there is none";
    refused(GET, "async fn get(reader: &Reader);", &[(")", what)]);
    refused(GET, "async fn get(reader: &Reader) -> ();", &[("()", what)]);
}

#[test]
fn arguments_of_a_write_that_is_read_back_are_shared() {
    let stub = "async fn add(client: &Client, fields: &'a mut NewDeal) -> Result<DealId, CallError>;";
    let what = "an argument of a write that is read back is shared: the request and each check see the same value";
    refused(ADD, stub, &[("&'a mut NewDeal", what)]);
    assert!(message(ADD, stub).ends_with("\nhelp: write `&'a NewDeal`"));
    accepted("name = \"crm.deal.add\", kind = write, unverifiable = \"no key\"", stub);
}

#[test]
fn keys_of_the_request_are_different() {
    let already = |name, other| format!("`{name}` is already a key of the request: the parameter `{other}`");
    let with = |params| format!("async fn get(reader: &Reader, {params}) -> Result<Deal, CallError>;");
    refused(GET, &with("id: u64, #[param(name = \"id\")] other: u64"), &[("\"id\"", &already("id", "id"))]);
    refused(GET, &with("#[param(name = \"type\")] a: u64, r#type: u64"), &[("r#type", &already("type", "a"))]);
    accepted(GET, &with("#[param(flatten)] id: Ids, #[param(name = \"id\")] other: u64"));
}

#[test]
fn options_of_a_parameter() {
    let with = |options: &str| format!("async fn get(reader: &Reader, {options} id: u64) -> Result<Deal, CallError>;");
    for fine in ["#[param(name = \"ID\")]", "#[param(flatten)]", "#[param(flatten,)]"] {
        accepted(GET, &with(fine));
    }
    for nothing in ["#[param]", "#[param()]", "#[param = 5]"] {
        refused(GET, &with(nothing), &[(nothing, "`#[param]` says nothing")]);
    }
    refused(GET, &with("#[param(rename = \"ID\")]"), &[("rename", "there is no key `rename`")]);
    assert!(
        message(GET, &with("#[param(rename = \"ID\")]"))
            .contains("did you mean `name`? It is written `#[param(name = ")
    );
    refused(GET, &with("#[param(\"ID\")]"), &[("\"ID\"", "expected an option of the parameter")]);
    refused(GET, &with("#[param(name = ID)]"), &[("ID", "`name` takes a string literal")]);
    for name in ["\"\"", "\" \"", "\"a b\"", "\"a\\nb\"", "\"a\\\"b\"", "\"a\\\\b\""] {
        refused(GET, &with(&format!("#[param(name = {name})]")), &[(name, "this is no key of a request")]);
    }
    accepted(GET, &with("#[param(name = \"=ownerType\")]"));
    refused(GET, &with("#[param(flatten = true)]"), &[("= true", "`flatten` takes no value")]);
    refused(GET, &with("#[param(name = \"a\")] #[param(name = \"b\")]"), &[("name", "`name` is given twice")]);
    refused(
        GET,
        &with("#[param(name = \"a\", flatten)]"),
        &[("flatten", "`flatten` contradicts `name`: the fields go into the request under their own names")],
    );
}

#[test]
fn what_is_no_function_is_left_as_it_is() {
    for item in ["struct Deal;", "impl Api { fn get(&self); }", "trait Api { }", "const A: u8 = 5;"] {
        let tokens = expand(GET, item);
        let found = reported(tokens.clone());
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].at, item.split(' ').next().unwrap());
        assert!(found[0].text.starts_with("`#[bitrix_method]` belongs on a stub, "), "{}", found[0].text);
        assert!(tokens.to_string().ends_with(&item.parse::<proc_macro2::TokenStream>().unwrap().to_string()));
    }
    assert_eq!(reported(expand(GET, "async fn get(u64) -> T;"))[0].text, "expected `:`");
}

#[test]
fn attribute_and_stub_are_reported_in_one_run() {
    refused(
        "nmae = \"crm.deal.add\", kind = raed, ensure = 1",
        "fn add(client: &Client, _: u8);",
        &[
            ("nmae", "there is no key `nmae`"),
            ("= 1", "`ensure` takes no value"),
            ("raed", "there is no kind `raed`"),
            ("fn", "a stub is `async`: it waits for an answer"),
            ("_", "a parameter of a stub is a plain name, the key that it becomes in the request"),
            (")", "a stub returns the result of the call, or why there is none"),
        ],
    );
    accepted(ADD, WRITE);
}
