//! What becomes of a call whose answer is lost: a read is sent again, a write has to say.

use proc_macro2::Ident;
use syn::{LitStr, Path, Type};

use super::{Effect, Unknown};
use crate::args::Args;
use crate::entries::Given;
use crate::errors::{Errors, Refusal, refuse};
use crate::params::Param;
use crate::spell::spell;
use crate::stub::Stub;
use crate::verifier;

/// A read may be sent again, so it takes none of the keys that say how a write ends.
pub(super) fn read<'a>(args: &Args, errors: &mut Errors) -> Option<Effect<'a>> {
    let given = [
        (key(args.verify.as_ref()), "it leaves no effect that could be read back"),
        (key(args.unverifiable.as_ref()), "it leaves no effect to verify"),
        (key(args.idempotency_key.as_ref()), "it may be sent twice as it is"),
        (key(args.key.as_ref()), "there is no operation to name"),
        (key(args.ensure.as_ref()), "there is nothing that must not happen twice"),
    ];
    let mut stands = true;
    for (key, why) in given {
        if let Some(key) = key {
            stands = false;
            errors.push(
                refuse(key, format!("a read takes no `{key}`: {why}"))
                    .help("remove it, or write `kind = write` if the method changes something on the portal"),
            );
        }
    }
    stands.then_some(Effect::Read)
}

fn key<T>(given: Option<&Given<T>>) -> Option<&Ident> {
    given.map(|given| &given.key)
}

/// A write says what happens when nobody knows whether it was applied. `kind` is the token that says it is a write.
pub(super) fn write<'a>(
    args: &'a Args,
    kind: &Ident,
    stub: &Stub,
    params: &[Param<'_>],
    errors: &mut Errors,
) -> Option<Effect<'a>> {
    if let Some(given) = &args.idempotency_key {
        idempotency_key(given, params, errors);
    }
    let unknown = match (&args.verify, &args.unverifiable) {
        (Some(verify), None) => {
            cloned_for_each_check(params, errors);
            verify.value.as_ref().map(|verify| Unknown::ReadBack { verify, ensure: args.ensure.is_some() })
        }
        (None, Some(unverifiable)) => {
            ensure_without_verifier(args, errors);
            let why = unverifiable.value.as_ref();
            why.and_then(|why| reason(why, errors))
        }
        (Some(_), Some(unverifiable)) => {
            errors.push(
                refuse(&unverifiable.key, "`unverifiable` contradicts `verify`: a write can be read back, or it can't")
                    .help("keep `verify` if it can tell this write from every other, else `unverifiable`"),
            );
            None
        }
        (None, None) => {
            let follower = ["verify", "unverifiable", "idempotency_key"].iter().any(|key| !args.lacks(key));
            if args.idempotency_key.is_none() && !follower {
                errors.push(no_way_out(args, kind, stub));
            }
            None
        }
    };
    Some(Effect::Write { unknown: unknown?, key: args.key.as_ref().and_then(|given| given.value.as_ref()) })
}

/// The refusal that this library is about.
fn no_way_out(args: &Args, kind: &Ident, stub: &Stub) -> Refusal {
    let name = args.name.as_ref().and_then(|given| given.value.as_ref());
    let method = name.map_or_else(|| "this method".to_owned(), |name| format!("`{}`", name.value()));
    let verifier = verifier::name(&stub.sig);
    let skeleton = verifier::skeleton(&stub.sig).replace('\n', "\n    ");
    refuse(kind, format!("{method} is a write, and its stub does not say how to find out whether it happened"))
        .help("when the answer is lost, sending it again may do it twice, and not sending it may leave it undone")
        .help(format!(
            "name a verifier, `verify = {verifier}`, that looks on the portal for the effect of this very call:\n\n    \
             {skeleton}\n\n"
        ))
        .help(
            "if nothing there tells this call from another, say `unverifiable = \"the reason\"`: a lost answer then\n\
             ends as `CallError::InDoubt`, for a person to settle, and nothing is sent again",
        )
}

/// The verifier may run several times, so it gets a clone of each argument.
fn cloned_for_each_check(params: &[Param<'_>], errors: &mut Errors) {
    for param in params {
        if let Type::Reference(reference) = param.ty
            && reference.mutability.is_some()
        {
            errors.push(
                refuse(
                    param.ty,
                    "an argument of a write that is read back is shared: the request and each check see the same value",
                )
                .help(format!(
                    "write `{}`",
                    spell(Type::Reference(syn::TypeReference { mutability: None, ..reference.clone() }))
                )),
            );
        }
    }
}

fn ensure_without_verifier(args: &Args, errors: &mut Errors) {
    if let Some(ensure) = &args.ensure {
        errors.push(
            refuse(&ensure.key, "`ensure` asks the verifier before the first send, and an unverifiable write has none")
                .help("remove `ensure`, or name a verifier in place of `unverifiable`"),
        );
    }
}

fn reason<'a>(why: &'a LitStr, errors: &mut Errors) -> Option<Unknown<'a>> {
    if why.value().trim().is_empty() {
        errors.push(
            refuse(why, "`unverifiable` gives the reason, and this gives none")
                .help("write why nothing on the portal tells this call from another: a person will read it"),
        );
        return None;
    }
    Some(Unknown::Stop { why })
}

/// Judged for its form, then refused: only REST 3.0 knows idempotency keys.
fn idempotency_key(given: &Given<Ident>, params: &[Param<'_>], errors: &mut Errors) {
    errors.push(
        refuse(
            &given.key,
            "`idempotency_key` needs a REST 3.0 method, and this version of the attribute calls REST 2 only",
        )
        .help("name a verifier with `verify = path`, or write `unverifiable = \"the reason\"`"),
    );
    let Some(value) = &given.value else {
        return;
    };
    let Some(param) = params.iter().find(|param| param.ident == value) else {
        errors.push(
            refuse(value, format!("the stub has no parameter `{value}`"))
                .help("name a parameter after the first, of type `&IdempotencyKey`"),
        );
        return;
    };
    if !is_key(param.ty) {
        errors.push(refuse(param.ty, "this parameter is named as the idempotency key").help("write `&IdempotencyKey`"));
    }
}

/// Whether `ty` is `&IdempotencyKey`, under whatever path.
fn is_key(ty: &Type) -> bool {
    let last = |path: &Path| path.segments.last().is_some_and(|last| last.ident == "IdempotencyKey");
    matches!(ty, Type::Reference(reference)
        if matches!(&*reference.elem, Type::Path(path) if last(&path.path)))
}
