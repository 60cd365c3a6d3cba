//! Writes that change or remove what is there, and are settled by looking at it again.

use retry_runtime::catalogue::{Action, Helper, Method};

use super::names::field;
use super::parts::Parts;
use super::shape::{Ask, object};
use super::text::{Member, Struct, kind, made, parameter};

/// What a verifier of a change says where the values are others. Never absence: without the state from before nobody knows
/// whether the call was not applied, or somebody has changed the values since.
const OTHER: &str = "it has other values: not applied, or changed since";

/// The last lines of a verifier that proves presence only.
fn ending(test: &str, found: &str) -> String {
    format!(
        "    Ok(if {test} {{\n        ReadBack::Found({found})\n    }} else {{\n        \
         ReadBack::Unreliable(\"{OTHER}\".into())\n    }})\n}}\n\n"
    )
}

/// A change: the values that were sent are there.
pub(super) fn compare(parts: &Parts<'_>, read: &Method) -> String {
    if parts.method.helper() == Some(Helper::Change) {
        return changed(parts, read);
    }
    let acts = parts.method.action != Action::Update;
    let state = state(parts, acts);
    let mut parameters = parts.outer_parameters();
    if !acts {
        parameters.push(parts.body_parameter());
    }
    let body = parts.body();
    let (row, test) = if acts {
        (shown(parts, &state, None), format!("row.{}.as_deref() == Some(\"Y\")", field(&state)))
    } else {
        (shown(parts, &state, Some(&parts.sent)), format!("row.shows({body})"))
    };
    let sent = Struct {
        doc: "What is changed.",
        derive: "Debug, Serialize",
        name: &parts.sent,
        fields: vec![Member::new(&state, "String")],
        more: "the fields that you change; compare each of them in `shows`",
    };
    let found = parts.found(&parts.id().map(|key| field(&key.sent)).unwrap_or_default());
    let (key, types, look) = look(parts, read, &test);
    let note = if acts { "    // \"Y\" stands for the value that the call leaves there.\n" } else { "" };
    [
        if acts { String::new() } else { sent.text() },
        parts.answer_types(),
        key,
        row,
        types,
        parts.write(
            &format!("A second call {}.", parts.method.again),
            &format!("verify = {}", parts.verifier()),
            &parameters,
            &parts.answer(),
        ),
        parts.verifier_head("Compares what is there with what was sent. It proves presence only.", &parameters),
        note.to_owned(),
        look,
        ending("shown", &found),
    ]
    .concat()
}

/// A change of fields, by `Change`.
fn changed(parts: &Parts<'_>, read: &Method) -> String {
    let state = state(parts, false);
    let sent = Struct {
        doc: "The fields that are changed, as they are sent and as they are read: equal has to mean equal.",
        derive: "Debug, Clone, PartialEq, Serialize, Deserialize",
        name: &parts.sent,
        fields: vec![Member::new(&state, "String")],
        more: "the fields that you change, and no others",
    };
    let mut parameters = parts.outer_parameters();
    parameters.push(parts.body_parameter().replace(&format!("&{}", parts.sent), &format!("&Change<{}>", parts.sent)));
    let (types, result, inner) = one(parts, read, &parts.sent);
    let found = parts.found(&parts.id().map(|key| field(&key.sent)).unwrap_or_default());
    let (function, values, body) = (parts.read_function(read), parts.outer_values(), parts.body());
    let doc = format!(
        "A second call {}.\n/// `Change::new(before, wanted)`, with what was read before the first send: `wanted` alone is sent.",
        parts.method.again
    );
    [
        sent.text(),
        parts.answer_types(),
        types,
        parts.read(read, None, &result),
        parts.write(&doc, &format!("verify = {}", parts.verifier()), &parameters, &parts.answer()),
        parts.verifier_head("Compares what is there with what was before, and with what is wanted.", &parameters),
        format!("    let now = {function}(reader{values}).await?{inner};\n"),
        format!("    Ok({body}.judge(&now).map(|()| {found}))\n}}\n\n"),
    ]
    .concat()
}

/// The answer of a read of one record: types for it, its own, and how the record is taken from it.
fn one(parts: &Parts<'_>, read: &Method, row: &str) -> (String, String, String) {
    let Some(name) = object(read.name) else { return (String::new(), row.to_owned(), String::new()) };
    let state = format!("{}State", parts.noun);
    let fields = vec![Member::new(name, row)];
    let object =
        Struct { doc: "The answer of the read.", derive: "Debug, Deserialize", name: &state, fields, more: "" };
    (object.text(), state, format!(".{}", field(name)))
}

/// A removal, by `Existing` and `Gone`.
fn seen(parts: &Parts<'_>, read: &Method, id: &str, gone: Option<&str>) -> String {
    let row = format!("{}Row", parts.noun);
    let (types, result, inner) = one(parts, read, &row);
    let own = format!("{id}: Id");
    let parameters: Vec<String> = parts
        .outer_parameters()
        .into_iter()
        .map(|one| if one == own { format!("{id}: Existing") } else { one })
        .collect();
    let doc = format!(
        "A second call {}.\n/// `Existing::seen(id, &read, |read| read{inner}.id)?`, with what was read before the first send.",
        parts.method.again
    );
    let (note, gone) = match gone {
        Some(gone) => ("", format!("Gone::{gone}")),
        None => {
            ("    // What the read answers to an id that does not exist: see it once.\n", gone_of(parts.method.hint))
        }
    };
    let function = parts.read_function(read);
    let values = parts.outer_values().replace(&format!(", {id}"), &format!(", {id}.id()"));
    [
        shown(parts, "", None),
        types,
        parts.read(read, None, &result),
        parts.write(&doc, &format!("verify = {}", parts.verifier()), &parameters, "bool"),
        parts.verifier_head("`Found` means that it is gone.", &parameters),
        note.to_owned(),
        format!("    let got = {function}(reader{values}).await;\n"),
        format!("    Ok({id}.judge(got, {gone})?.map(|()| true))\n}}\n\n"),
    ]
    .concat()
}

/// A removal: it is not there any more.
pub(super) fn gone(parts: &Parts<'_>, read: &Method) -> String {
    if let (Some(Helper::Gone(gone)), Some(id)) = (parts.method.helper(), parts.id()) {
        return seen(parts, read, &field(&id.sent), gone);
    }
    let parameters = parts.outer_parameters();
    let head = parts.write(
        &format!("A second call {}.", parts.method.again),
        &format!("verify = {}", parts.verifier()),
        &parameters,
        "bool",
    );
    let doc = "`Found` means that it is gone. See it before the first send: a wrong id, or lost rights, look the same.";
    let verifier = parts.verifier_head(doc, &parameters);
    let function = parts.read_function(read);
    let values = parts.outer_values();
    if read.action != Action::List {
        let one = parts.read(read, None, "serde_json::Value");
        let code = missing(parts.method.hint);
        return format!(
            "{one}{head}{verifier}    match {function}(reader{values}).await {{\n        Ok(_) => Ok(ReadBack::Absent),\n        \
             Err(error) if error.code().is_some_and(|code| code.as_str() == {code:?}) => Ok(ReadBack::Found(true)),\n        \
             Err(error) => Err(error),\n    }}\n}}\n\n"
        );
    }
    let row = shown(parts, "", None);
    let (key, types, look) = look(parts, read, "true");
    let look = look.replace("let shown =", "let there =");
    format!(
        "{key}{row}{types}{head}{verifier}{look}    Ok(if there {{ ReadBack::Absent }} else {{ ReadBack::Found(true) }})\n}}\n\n"
    )
}

/// A set that is replaced as a whole.
pub(super) fn set(parts: &Parts<'_>, read: &Method) -> String {
    let item = parts.method.name.starts_with("crm.item.");
    let names = if item { ["productId", "price", "quantity"] } else { ["PRODUCT_ID", "PRICE", "QUANTITY"] };
    let [product, price, quantity] = names;
    let fields = vec![Member::new(product, "Id"), Member::new(price, "f64"), Member::new(quantity, "f64")];
    let row = Struct {
        doc: "One row. It is compared as it comes back: leave out what the portal rounds or fills by itself.",
        derive: "Debug, Clone, PartialEq, Serialize, Deserialize",
        name: "ProductRow",
        fields,
        more: "",
    };
    let mut parameters = parts.outer_parameters();
    parameters.push(parameter(if item { "productRows" } else { "rows" }, "&[ProductRow]"));
    let rows = if item { "product_rows" } else { "rows" };
    let answer = if item { "Page<ProductRow>" } else { "bool" };
    let mut parts = Parts::new(parts.method, parts.shape.clone());
    let key = if item {
        parts.shape.ask = Ask::Filter("filter", false);
        "/// Whose rows they are.\n#[derive(Debug, Serialize)]\npub struct Owner<'a> {\n    #[serde(rename = \"=ownerType\")]\n    \
         pub owner_type: &'a str,\n    #[serde(rename = \"=ownerId\")]\n    pub owner_id: Id,\n}\n\n"
    } else {
        ""
    };
    let outcome = format!("verify = {}", parts.verifier());
    let doc = format!("A second call {}.", parts.method.again);
    let write = parts.write(&doc, &outcome, &parameters, answer);
    let head = parts.verifier_head("Compares the whole set. It proves presence only.", &parameters);
    let head = head.replace(&format!("ReadBack<{}>", parts.answer()), &format!("ReadBack<{answer}>"));
    let function = parts.read_function(read);
    let (values, found) = if item {
        parts.shape.outer = Vec::new();
        (", &Owner { owner_type, owner_id }".to_owned(), "page")
    } else {
        (parts.outer_values(), "true")
    };
    let reads = parts.read(read, item.then_some("Owner<'_>"), "Page<ProductRow>");
    format!(
        "{}{key}{reads}{write}{head}    let page = {function}(reader{values}).await?;\n{}",
        row.text(),
        ending(&format!("page.is_complete() && page.rows == {rows}"), found)
    )
}

/// The key type, the read, and the line of the verifier that asks whether a row of this id passes the test.
fn look(parts: &Parts<'_>, read: &Method, test: &str) -> (String, String, String) {
    let function = parts.read_function(read);
    let values = parts.outer_values();
    let row = format!("{}Row", parts.noun);
    if read.action != Action::List {
        let (types, result, inner) = one(parts, read, &row);
        let look = format!("    let row = {function}(reader{values}).await?{inner};\n    let shown = {test};\n");
        return (String::new(), types + &parts.read(read, None, &result), look);
    }
    let borrows = parts.shape.outer.iter().any(|key| !key.number);
    let name = format!("{}Key{}", parts.noun, if borrows { "<'a>" } else { "" });
    let fields = parts
        .shape
        .outer
        .iter()
        .map(|key| Member::new(key.filter.as_deref().unwrap_or(&key.sent), kind(key.number, "&'a str")));
    let key = Struct {
        doc: "What it is looked for by.",
        derive: "Debug, Serialize",
        name: &name,
        fields: fields.collect(),
        more: "",
    };
    let mut bare = Parts::new(parts.method, parts.shape.clone());
    bare.shape.outer = Vec::new();
    let reads = bare.read(read, Some(&name.replace("'a", "'_")), &format!("Page<{row}>"));
    let set: Vec<String> = parts.shape.outer.iter().map(|key| field(&key.sent)).collect();
    let select = match parts.shape.ask {
        Ask::Filter(_, true) => format!(", &[\"{}\"]", if test == "true" { parts.shape.id } else { "*" }),
        Ask::Filter(_, false) | Ask::Flat => String::new(),
    };
    let own = match parts.id() {
        Some(id) => format!("row.id == {}", field(&id.sent)),
        None => set.last().map(|key| format!("row.{key}.as_deref() == Some({key})")).unwrap_or_default(),
    };
    let passes = if test == "true" { own } else { format!("{own} && {test}") };
    let look = format!(
        "{}    let page = {function}(reader, &key{select}).await?;\n    if !page.is_complete() {{\n        \
         return Ok(ReadBack::Unreliable(\"the list goes on after this page\".into()));\n    }}\n    \
         let shown = page.rows.iter().any(|row| {passes});\n",
        made("key", name.trim_end_matches("<'a>"), &set)
    );
    (key.text(), reads, look)
}

/// What the read shows: the id, or the key where there is none, and the state.
fn shown(parts: &Parts<'_>, state: &str, sent: Option<&str>) -> String {
    let name = format!("{}Row", parts.noun);
    let id = match (parts.id(), parts.shape.outer.last()) {
        (None, Some(key)) => Member::new(&key.sent, "Option<String>"),
        _ => Member::new(parts.shape.id, "Id"),
    };
    let mut fields = vec![id];
    if !state.is_empty() {
        fields.push(Member::new(state, "Option<String>"));
    }
    let row =
        Struct { doc: "What the portal shows of it.", derive: "Debug, Deserialize", name: &name, fields, more: "" };
    let Some(sent) = sent else { return row.text() };
    let state = field(state);
    row.text()
        + &format!(
            "impl {name} {{\n    fn shows(&self, sent: &{sent}) -> bool {{\n        \
             self.{state}.as_deref() == Some(sent.{state}.as_str())\n    }}\n}}\n\n"
        )
}

/// The field that shows the change: the one that the hint compares, else a title.
fn state(parts: &Parts<'_>, acts: bool) -> String {
    let hint = parts.method.hint;
    let named = hint.split("compare `").nth(1).and_then(|rest| rest.split('`').next());
    let title = if parts.method.name.starts_with("lists.") || parts.method.name.starts_with("user.") {
        "NAME"
    } else if parts.shape.id == "ID" {
        "TITLE"
    } else {
        "title"
    };
    named.unwrap_or(if acts { "status" } else { title }).to_owned()
}

/// `Gone` as far as the hint knows it. A code that stands for many things needs a text beside it.
fn gone_of(hint: &str) -> String {
    let code = missing(hint);
    let text = match hint.split('"').nth(1) {
        Some(text) => format!("{text:?}"),
        None if ["", "0", "100", "ERROR_CORE"].contains(&code) => "\"its text\"".to_owned(),
        None => String::new(),
    };
    format!("Gone::new({code:?}, &[{text}])")
}

/// The code that says "not there", as far as the hint knows it.
fn missing(hint: &str) -> &str {
    if hint.contains("the empty code") {
        return "";
    }
    let quoted = hint.split("code `").nth(1).and_then(|rest| rest.split('`').next());
    let number = hint.split("error ").nth(1).and_then(|rest| rest.split(' ').next());
    let capitals = hint.split([' ', ',', ':', ';']).find(|word| {
        word.len() > 6 && word.contains('_') && word.chars().all(|letter| letter.is_ascii_uppercase() || letter == '_')
    });
    quoted.or(number).or(capitals).unwrap_or("NOT_FOUND")
}
