//! The keys `journal` and `resend`: which writes can be on record, and how they come back from there.

use proc_macro2::{Ident, Span};
use syn::{FnArg, GenericParam, Type, TypeReference};

use crate::args::Args;
use crate::errors::{Errors, Refusal, refuse};
use crate::params::Param;
use crate::spell::spell;
use crate::stub::Stub;
use crate::types::{mentions, plain, references};

/// A write that is on record before its first byte.
pub(crate) struct Journal {
    /// Recovery sends it again once it is proved not applied.
    pub(crate) resend: bool,
    pub(crate) host: Host,
    /// Where the key stands.
    pub(crate) place: Span,
}

impl Journal {
    /// What the attribute says, whether or not it can stand.
    pub(crate) fn of(stub: &Stub, args: &Args) -> Self {
        let place = args.journal.as_ref().map_or_else(Span::call_site, |given| given.key.span());
        Self { resend: args.resend.is_some(), host: Host::of(stub, args), place }
    }
}

/// What the stub is an item of, as far as it shows.
#[derive(Clone, Copy)]
pub(crate) enum Host {
    Module,
    /// An `impl` block, where nothing can stand but functions and constants.
    Impl,
}

impl Host {
    /// What it is that `stub` stands in: an `impl` is known by `self` or `Self`.
    fn of(stub: &Stub, args: &Args) -> Self {
        let receiver = matches!(stub.sig.inputs.first(), Some(FnArg::Receiver(_)));
        let verify = args.verify.as_ref().and_then(|given| given.value.as_ref());
        let key = args.key.as_ref().and_then(|given| given.value.as_ref());
        let own = "Self";
        if receiver || mentions(&stub.sig, own) || mentions(verify, own) || mentions(key, own) {
            Self::Impl
        } else {
            Self::Module
        }
    }
}

/// Judges `journal` and `resend` of a write.
pub(crate) fn judge(args: &Args, stub: &Stub, params: &[Param<'_>], errors: &mut Errors) -> Option<Journal> {
    if let Some(resend) = &args.resend {
        errors.extend(wrong_resend(&resend.key, args));
    }
    args.journal.as_ref()?;
    for parameter in &stub.sig.generics.params {
        errors.extend(generic(parameter));
    }
    for param in params {
        if mentions(param.ty, "impl") {
            errors.push(
                refuse(
                    param.ty,
                    "a parameter of a stub with `journal` has a type that is named: recovery reads it back in another \
                     process, and can't know what stands for this `impl`",
                )
                .help(ONE_TYPE),
            );
        }
        if args.verify.is_some() {
            errors.extend(borrowed_within(param.ty).into_iter().map(not_lent));
        }
    }
    Some(Journal::of(stub, args))
}

const ONE_TYPE: &str = "write the type that the calls are made with; for several of them, write a stub for each";

/// What makes `resend` pointless.
fn wrong_resend(resend: &Ident, args: &Args) -> Option<Refusal> {
    if args.unverifiable.is_some() {
        return Some(
            refuse(
                resend,
                "`resend` contradicts `unverifiable`: recovery sends again what it has proved not applied, and nothing \
                 proves that of this write",
            )
            .help("remove `resend`: what a crash leaves open goes to a person"),
        );
    }
    if args.journal.is_none() && args.lacks("journal") {
        return Some(
            refuse(resend, "`resend` is for what recovery finds in the journal, and this write is not on record there")
                .help("write `journal, resend`")
                .help("or remove `resend`: within its process a write is sent again as the policy of the client says"),
        );
    }
    None
}

/// Recovery has no caller who could say what a type or a number stands for; lifetimes it does not need.
fn generic(parameter: &GenericParam) -> Option<Refusal> {
    let (ident, what) = match parameter {
        GenericParam::Lifetime(_) => return None,
        GenericParam::Type(parameter) => (&parameter.ident, "type"),
        GenericParam::Const(parameter) => (&parameter.ident, "const"),
    };
    let text = format!(
        "a stub with `journal` has no {what} parameters: recovery reads its arguments back in another process, and \
         can't know what `{ident}` was"
    );
    Some(refuse(parameter, text).help(ONE_TYPE))
}

/// The references in `ty` that are not the whole of it.
fn borrowed_within(ty: &Type) -> Vec<&TypeReference> {
    if let Type::Reference(reference) = plain(ty) { references(&reference.elem) } else { references(ty) }
}

/// A reference that could only point into something that recovery does not keep.
fn not_lent(reference: &TypeReference) -> Refusal {
    refuse(
        reference,
        "what recovery reads back from the journal owns all that is in it: only the whole parameter can be a reference",
    )
    .help(format!("write `{}`", owned(&reference.elem)))
}

/// The type that owns what a reference to `ty` points to.
fn owned(ty: &Type) -> String {
    let ty = plain(ty);
    if let Type::Slice(slice) = ty {
        return format!("Vec<{}>", owned(&slice.elem));
    }
    if let Type::Reference(reference) = ty {
        return owned(&reference.elem);
    }
    if matches!(ty, Type::Path(path) if path.path.is_ident("str")) { "String".to_owned() } else { spell(ty) }
}
