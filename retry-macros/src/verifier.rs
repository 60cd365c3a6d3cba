//! The verifier that a stub asks for, spelled out for messages.

use syn::ext::IdentExt as _;
use syn::{FnArg, GenericArgument, Pat, PathArguments, ReturnType, Signature, Type};

use crate::idempotency;
use crate::spell::spell;

/// A name for the verifier of this stub.
pub(crate) fn name(stub: &Signature) -> String {
    format!("verify_{}", stub.ident.unraw())
}

/// The longest signature that is written on one line.
const LINE: usize = 100;

/// The verifier that this stub needs, but for its body.
pub(crate) fn skeleton(stub: &Signature) -> String {
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
    let start = if line.len() <= LINE {
        line
    } else {
        format!("{name}(\n    {},\n) {output}{clause} {{", params.join(",\n    "))
    };
    format!("{start}\n    // ask for what carries the key of this call, then `ReadBack::by_key(page, |row| ...)`\n}}")
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
