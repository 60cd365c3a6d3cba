//! The idempotency key of a write: a parameter that travels as a header, beside the body of the request.

use proc_macro2::Ident;
use syn::{Attribute, FnArg, Pat, PatType, Signature, Type};

use crate::errors::{Errors, Refusal, refuse};
use crate::near::nearest;
use crate::params;
use crate::spell::spell;
use crate::types::plain;

/// The parameter that is the key.
pub(crate) struct Header<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) ty: &'a Type,
}

/// Whether `parameter` is the one called `name`, though its pattern may be more than a name.
pub(crate) fn is_named(parameter: &FnArg, name: &Ident) -> bool {
    ident(parameter) == Some(name)
}

/// Judges the parameter that was named.
pub(crate) fn judge<'a>(parameter: &'a FnArg, options: &'a [Attribute], errors: &mut Errors) -> Option<Header<'a>> {
    if let Some(option) = options.first() {
        errors.push(
            refuse(option, "the idempotency key is sent as a header, and is no part of the request's body")
                .help("remove `#[param]` here"),
        );
    }
    let FnArg::Typed(PatType { attrs, pat, ty, .. }) = parameter else {
        return None;
    };
    if let Some(condition) = attrs.iter().find(|attr| attr.path().is_ident("cfg")) {
        errors.push(
            refuse(condition, "a write has its idempotency key in every build")
                .help("remove `#[cfg]` here, or write one stub for each condition"),
        );
    }
    if let Some(refusal) = wrong_type(ty) {
        errors.push(refusal);
    }
    Some(Header { ident: params::plain_name(pat, errors)?, ty })
}

/// What is wrong with the type, as far as it is written out. What a path stands for, the compiler knows.
fn wrong_type(ty: &Type) -> Option<Refusal> {
    if let Type::Reference(reference) = plain(ty)
        && reference.mutability.is_none()
        && may_be_key(&reference.elem)
    {
        return None;
    }
    if is_key(ty) {
        return Some(
            refuse(ty, "the idempotency key is shared: it belongs to the operation, and outlives the call")
                .help(format!("write `&{}`", spell(behind_references(ty)))),
        );
    }
    Some(refuse(ty, "this parameter is named as the idempotency key, and its type is another").help(
        "write `&IdempotencyKey`, and let the caller make one before the first call of the operation:\n\
             `IdempotencyKey::of_business(\"order\", \"1017\")` or `IdempotencyKey::random()`",
    ))
}

fn may_be_key(ty: &Type) -> bool {
    matches!(plain(ty), Type::Path(path) if !path.path.is_ident("str") && !path.path.is_ident("String"))
}

/// The refusal of a name that no parameter has.
pub(crate) fn no_parameter(name: &Ident, stub: &Signature) -> Refusal {
    let (refusal, missing) = if stub.inputs.first().and_then(ident) == Some(name) {
        let what = format!("`{name}` is what the call is made through, and not its idempotency key");
        (refuse(name, what), "add a parameter of the type `&IdempotencyKey`, and name it here".to_owned())
    } else {
        let what = format!("the stub has no parameter `{name}`");
        (refuse(name, what), format!("add the parameter `{name}: &IdempotencyKey`"))
    };
    let names: Vec<String> = stub.inputs.iter().skip(1).filter_map(ident).map(Ident::to_string).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let key = key_of(stub).map(Ident::to_string);
    let refusal = match key.as_deref().or_else(|| nearest(&name.to_string(), &names)) {
        Some(meant) => refusal.help(format!("did you mean `{meant}`?")),
        None => refusal.help(missing),
    };
    if names.is_empty() {
        return refusal;
    }
    refusal.help(format!("the parameters are `{}`", names.join("`, `")))
}

/// The parameter that looks like the key of `stub`.
pub(crate) fn key_of(stub: &Signature) -> Option<&Ident> {
    let looks = |parameter: &&FnArg| matches!(parameter, FnArg::Typed(parameter) if is_key(&parameter.ty));
    stub.inputs.iter().skip(1).find(looks).and_then(ident)
}

/// Whether `ty` is called `IdempotencyKey`, under whatever path, borrowed or not.
pub(crate) fn is_key(ty: &Type) -> bool {
    matches!(behind_references(ty), Type::Path(path)
        if path.path.segments.last().is_some_and(|last| last.ident == "IdempotencyKey"))
}

fn behind_references(ty: &Type) -> &Type {
    let ty = plain(ty);
    if let Type::Reference(reference) = ty { behind_references(&reference.elem) } else { ty }
}

fn ident(parameter: &FnArg) -> Option<&Ident> {
    if let FnArg::Typed(parameter) = parameter
        && let Pat::Ident(name) = &*parameter.pat
    {
        Some(&name.ident)
    } else {
        None
    }
}
