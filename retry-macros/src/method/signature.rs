//! What a stub looks like: refuses everything that a call can't be made of.

use proc_macro2::Ident;
use quote::quote;
use syn::{FnArg, Receiver, ReceiverKind, ReturnType, Safety, Token, Type};

use crate::args::Args;
use crate::catalogue::Kind;
use crate::errors::{Errors, refuse, refuse_at};
use crate::idempotency::{self, Header};
use crate::pages;
use crate::params::{self, Param};
use crate::stub::{End, Stub};

/// What the call is made through: the first parameter.
pub(crate) enum Caller<'a> {
    Parameter { ident: &'a Ident, ty: &'a Type },
    Receiver(Token![self]),
}

/// The parameters of a stub.
pub(crate) struct Signature<'a> {
    pub(crate) caller: Option<Caller<'a>>,
    /// What the request is made of.
    pub(crate) params: Vec<Param<'a>>,
    /// The one that the attribute names as the idempotency key.
    pub(crate) header: Option<Header<'a>>,
}

pub(super) fn judge<'a>(stub: &'a Stub, kind: Option<Kind>, args: &Args, errors: &mut Errors) -> Signature<'a> {
    qualifiers(stub, args, errors);
    let caller = caller(stub, kind, errors);
    // A read has none: that the key was given is refused elsewhere.
    let given = args.idempotency_key.as_ref().filter(|_| kind == Some(Kind::Write));
    let name = given.and_then(|given| given.value.as_ref());
    let (named, others): (Vec<_>, Vec<_>) = (stub.sig.inputs.iter().zip(&stub.options).skip(1))
        .partition(|(parameter, _)| name.is_some_and(|name| idempotency::is_named(parameter, name)));
    let params = params::judge(others, errors);
    let header = name.and_then(|name| {
        let Some((parameter, options)) = named.first() else {
            errors.push(idempotency::no_parameter(name, &stub.sig));
            return None;
        };
        idempotency::judge(parameter, options, errors)
    });
    output(stub, args, errors);
    end(stub, errors);
    Signature { caller, params, header }
}

fn qualifiers(stub: &Stub, args: &Args, errors: &mut Errors) {
    let sig = &stub.sig;
    if let Some(token) = &sig.constness {
        errors.push(refuse(token, "a stub is not `const`: it makes a call").help("remove `const`"));
    }
    if args.says_pages() {
        pages::not_async(sig, errors);
    } else if sig.asyncness.is_none() {
        errors.push(
            refuse(sig.fn_token, "a stub is `async`: it waits for an answer")
                .help(format!("write `async fn {}`", sig.ident)),
        );
    }
    match &sig.safety {
        Safety::Unsafe(token) => errors
            .push(refuse(token, "a stub is not `unsafe`: a call asks nothing of its caller").help("remove `unsafe`")),
        Safety::Safe(token) => {
            errors.push(refuse(token, "a stub is safe without saying so").help("remove `safe`"));
        }
        Safety::Default => {}
    }
    if let Some(abi) = &sig.abi {
        errors.push(refuse(abi, "a stub is a Rust function").help("remove `extern`"));
    }
    if let Some(variadic) = &sig.variadic {
        errors.push(
            refuse(variadic, "a stub names each of its parameters: they become the keys of the request")
                .help("take a slice, or one parameter with `#[param(flatten)]`"),
        );
    }
}

fn caller<'a>(stub: &'a Stub, kind: Option<Kind>, errors: &mut Errors) -> Option<Caller<'a>> {
    let (first, trait_name) = match kind {
        Some(Kind::Read) => ("`reader: &Reader`", "`AsRef<Reader>`"),
        Some(Kind::Write) => ("`client: &Client`", "`AsRef<Client>`"),
        None => ("`reader: &Reader` for a read, `client: &Client` for a write", "`AsRef<Reader>` or `AsRef<Client>`"),
    };
    if let Some(option) = stub.options.first().and_then(|options| options.first()) {
        errors.push(
            refuse(option, "the first parameter is what the call is made through, and no part of the request")
                .help("remove `#[param]` here"),
        );
    }
    match stub.sig.inputs.first() {
        None => {
            errors.push(
                refuse_at(stub.sig.paren_token.span.join(), "a stub needs something to make the call through")
                    .help(format!("begin its parameters with {first}"))
                    .help(format!("or with `&self`, in an `impl` of a type that is {trait_name}")),
            );
            None
        }
        Some(FnArg::Receiver(receiver)) => self_parameter(receiver, errors).map(Caller::Receiver),
        Some(FnArg::Typed(parameter)) => {
            params::plain_name(&parameter.pat, errors).map(|ident| Caller::Parameter { ident, ty: &parameter.ty })
        }
    }
}

fn self_parameter(receiver: &Receiver, errors: &mut Errors) -> Option<Token![self]> {
    let own = receiver.self_token;
    let refusal = if let ReceiverKind::Reference(and, lifetime, mutability) = &receiver.kind {
        let Some(mutability) = mutability else {
            return Some(own);
        };
        refuse(
            quote!(#and #lifetime #mutability #own),
            "a stub does not change `self`: calls may be made at the same time",
        )
    } else {
        refuse(receiver, "a stub borrows `self`")
    };
    errors.push(refusal.help("write `&self`"));
    None
}

fn output(stub: &Stub, args: &Args, errors: &mut Errors) {
    const WHAT: &str = "a stub returns the result of the call, or why there is none";
    let refusal = match &stub.sig.output {
        ReturnType::Default => refuse_at(stub.sig.paren_token.span.close(), WHAT),
        ReturnType::Type(_, output) if is_unit(output) => refuse(output, WHAT),
        ReturnType::Type(..) => return,
    };
    errors.push(refusal.help(if args.says_pages() {
        "write `-> Pages<Row>` with the type of a row as `Row`"
    } else {
        "write `-> Result<T, CallError>` with the type of the method's result as `T`"
    }));
}

fn is_unit(ty: &Type) -> bool {
    matches!(ty, Type::Tuple(tuple) if tuple.elems.is_empty())
}

fn end(stub: &Stub, errors: &mut Errors) {
    match stub.end {
        End::Semicolon => {}
        End::Body(braces) => errors.push(
            refuse_at(braces, "a stub has no body, end it with `;`")
                .help("the attribute writes the body; code around the call goes into a function that calls the stub"),
        ),
        End::Nothing => errors.push(refuse(&stub.sig, "a stub ends with `;`").help("write `;` behind the return type")),
    }
}
