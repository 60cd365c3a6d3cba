//! The verifier that a stub asks for, and the read that it needs, spelled out for messages.

mod read;
mod sent;
mod steps;

use retry_catalogue::Helper;
use syn::ext::IdentExt as _;
use syn::{GenericArgument, PathArguments, ReturnType, Signature, Type};

use crate::catalogue::Row;
use crate::spell::spell;
use read::Read;

pub(crate) use sent::retyped;

/// A name for the verifier of this stub.
pub(crate) fn name(stub: &Signature) -> String {
    format!("verify_{}", stub.ident.unraw())
}

/// The longest signature that is written on one line.
const LINE: usize = 100;

/// The verifier that this stub needs, up to its first brace.
pub(crate) fn head(stub: &Signature) -> String {
    head_with(stub, None)
}

/// The same, with the parameter that a helper wants in another form.
fn head_with(stub: &Signature, helper: Option<Helper>) -> String {
    let mut params = vec!["reader: &Reader".to_owned()];
    let other = retyped(stub, helper);
    params.extend(sent::params(stub).map(|(name, ty)| match &other {
        Some((retyped, ty)) if *retyped == name => format!("{name}: {ty}"),
        Some(_) | None => format!("{name}: {}", spell(ty)),
    }));
    let name = format!("async fn {}{}", name(stub), spell(&stub.generics));
    let output = format!("-> Result<ReadBack<{}>, CallError>", found(&stub.output));
    let clause = stub.generics.where_clause.as_ref().map_or(String::new(), |clause| format!(" {}", spell(clause)));
    let line = format!("{name}({}) {output}{clause} {{", params.join(", "));
    if line.len() <= LINE { line } else { format!("{name}(\n    {},\n) {output}{clause} {{", params.join(",\n    ")) }
}

/// The verifier with its steps. Where the catalogue names the read that shows the effect, that one's stub comes first.
pub(crate) fn skeleton(stub: &Signature, row: Option<&Row>) -> String {
    match row.and_then(|row| Some((row, row.read_back_method()?))) {
        Some((row, read)) => {
            let read = Read::of(stub, row, &read);
            let steps = steps::of(&read, stub, row).replace('\n', "\n    ");
            format!("{}\n\n{}\n    {steps}\n}}", read.stub(), head_with(stub, row.helper()))
        }
        None => {
            format!(
                "{}\n    // ask for what carries the key of this call, then `ReadBack::by_key(page, |row| ...)`\n}}",
                head(stub)
            )
        }
    }
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
