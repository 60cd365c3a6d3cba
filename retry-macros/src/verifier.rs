//! The verifier that a stub asks for, and the read that it needs, spelled out for messages.

use retry_catalogue::{Action, Strength, Versions};
use syn::ext::IdentExt as _;
use syn::{FnArg, GenericArgument, Pat, PathArguments, ReturnType, Signature, Type};

use crate::catalogue::{Row, and};
use crate::idempotency;
use crate::spell::spell;

/// A name for the verifier of this stub.
pub(crate) fn name(stub: &Signature) -> String {
    format!("verify_{}", stub.ident.unraw())
}

/// The longest signature that is written on one line.
const LINE: usize = 100;

/// The verifier that this stub needs, up to its first brace.
pub(crate) fn head(stub: &Signature) -> String {
    let mut params = vec!["reader: &Reader".to_owned()];
    for param in stub.inputs.iter().skip(1) {
        if let FnArg::Typed(param) = param
            && !idempotency::is_key(&param.ty)
        {
            let name = if let Pat::Ident(name) = &*param.pat { spell(&name.ident) } else { spell(&param.pat) };
            params.push(format!("{name}: {}", spell(&param.ty)));
        }
    }
    let name = format!("async fn {}{}", name(stub), spell(&stub.generics));
    let output = format!("-> Result<ReadBack<{}>, CallError>", found(&stub.output));
    let clause = stub.generics.where_clause.as_ref().map_or(String::new(), |clause| format!(" {}", spell(clause)));
    let line = format!("{name}({}) {output}{clause} {{", params.join(", "));
    if line.len() <= LINE { line } else { format!("{name}(\n    {},\n) {output}{clause} {{", params.join(",\n    ")) }
}

/// The verifier with its steps. Where the catalogue names the read that shows the effect, that one's stub comes first.
pub(crate) fn skeleton(stub: &Signature, row: Option<&Row>) -> String {
    let head = head(stub);
    match row.and_then(|row| Some((row, row.read_back_method()?))) {
        Some((row, read)) => {
            let read = Read::of(row, &read);
            let steps = read.steps(row, &found(&stub.output)).replace('\n', "\n    ");
            format!("{}\n\n{head}\n    {steps}\n}}", read.stub())
        }
        None => {
            format!(
                "{head}\n    // ask for what carries the key of this call, then `ReadBack::by_key(page, |row| ...)`\n}}"
            )
        }
    }
}

/// The parameters of most methods whose names end with `.list`.
const FILTERED: &str = "filter: &Filter, select: &[&str]";

/// The stub of a read, and how it is called.
struct Read {
    attribute: String,
    function: String,
    /// Its parameters after the first, and the arguments for them.
    params: &'static str,
    arguments: &'static str,
    listed: bool,
}

impl Read {
    fn of(row: &Row, read: &Row) -> Self {
        let version = if read.versions == Versions::Three { ", version = 3" } else { "" };
        let attribute = format!("#[bitrix_method(name = \"{}\", kind = read{version})]", read.name);
        let listed = read.action == Action::List;
        let (params, arguments) = if listed && read.name.rsplit('.').next() == Some("list") {
            (FILTERED, "&filter, &select")
        } else if !listed && row.keys == "id" {
            ("id: Id", "id")
        } else {
            ("#[param(flatten)] query: &Query", "&query")
        };
        Self { attribute, function: function(read.name), params, arguments, listed }
    }

    fn stub(&self) -> String {
        let Self { attribute, function, params, listed, .. } = self;
        let result = if *listed { "Page<Row>" } else { "Row" };
        format!("{attribute}\nasync fn {function}(reader: &Reader, {params}) -> Result<{result}, CallError>;")
    }

    /// What the verifier does with it, by what the write does.
    fn steps(&self, row: &Row, found: &str) -> String {
        let Self { function, params, arguments, listed, .. } = self;
        let call = format!("{function}(reader, {arguments})");
        let found = match found {
            "bool" => "true",
            "()" => "()",
            _ => "what_the_call_returns",
        };
        match (row.action, *listed) {
            (Action::Delete, true) => format!(
                "let page = {call}.await?;\n\
                 Ok(if page.rows.iter().any(is_the_one) {{\n    ReadBack::Absent // the delete was not applied\n\
                 }} else if page.is_complete() {{\n    ReadBack::Found({found})\n\
                 }} else {{\n    ReadBack::Unreliable(\"the list goes on\".into())\n}})"
            ),
            (Action::Delete, false) => format!(
                "match {call}.await {{\n    Ok(_) => Ok(ReadBack::Absent), // the delete was not applied\n    \
                 Err(error) if says_that_it_is_gone(&error) => Ok(ReadBack::Found({found})),\n    \
                 Err(error) => Err(error),\n}}"
            ),
            (Action::Update | Action::Act, _) => format!(
                "let now = {call}.await?;\n\
                 // what was sent: found; anything else may as well be somebody's edit\n\
                 Ok(if is_as_sent(&now) {{\n    ReadBack::Found({found})\n\
                 }} else {{\n    ReadBack::Unreliable(\"it is not as it was sent\".into())\n}})"
            ),
            (_, true) if by_key(row) => {
                let keys = and(&row.key_fields().collect::<Vec<_>>());
                let ask = if *params == FILTERED {
                    format!("// filter by {keys}, and select them with the id\n")
                } else {
                    String::new()
                };
                format!(
                    "{ask}let page = {call}.await?;\n\
                     // `is_ours` compares {keys} of each row: a misspelt filter may be ignored\n\
                     Ok(ReadBack::by_key(page, |row| is_ours(&row).then_some(row.id)))"
                )
            }
            (_, true) => format!(
                "// all that is under the same parent: a page that goes on proves nothing\n\
                 let page = {call}.await?;\n\
                 Ok(ReadBack::by_marker(page, |row| is_ours(&row).then_some(row.id)))"
            ),
            (_, false) => format!(
                "match {call}.await {{\n    Ok(row) if is_ours(&row) => Ok(ReadBack::Found(row.id)),\n    \
                 Ok(_) => Ok(ReadBack::Unreliable(\"it is there, and not ours\".into())),\n    \
                 Err(error) if says_that_there_is_none(&error) => Ok(ReadBack::Absent),\n    \
                 Err(error) => Err(error),\n}}"
            ),
        }
    }
}

/// Whether the read of `row` is asked for the keys alone, so that other rows mean that the filter was ignored. A read of
/// all that is under a parent has keys as well, to be compared; how it is asked, the hint says.
pub(crate) fn by_key(row: &Row) -> bool {
    row.strength != Some(Strength::Parent) && row.hint.contains(" by ")
}

/// `list_contact` of `crm.contact.list`, `get_children_folder` of `disk.folder.getChildren`.
fn function(method: &str) -> String {
    let mut last = method.rsplit('.').map(snake);
    match (last.next(), last.next()) {
        (Some(verb), Some(thing)) => format!("{verb}_{thing}"),
        (Some(verb), None) => verb,
        (None, _) => "read".to_owned(),
    }
}

fn snake(segment: &str) -> String {
    let mut name = String::new();
    for letter in segment.chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}
/// The `T` of a stub that returns `Result<T, CallError>` or an alias of it.
fn found(output: &ReturnType) -> String {
    let ReturnType::Type(_, output) = output else {
        return "T".to_owned();
    };
    let Type::Path(path) = &**output else {
        return "T".to_owned();
    };
    let arguments = path.path.segments.last().map(|last| &last.arguments);
    let Some(PathArguments::AngleBracketed(arguments)) = arguments else {
        return "T".to_owned();
    };
    let first = arguments
        .args
        .iter()
        .find_map(|argument| if let GenericArgument::Type(first) = argument { Some(spell(first)) } else { None });
    first.unwrap_or_else(|| "T".to_owned())
}
