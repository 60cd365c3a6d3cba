//! Writes out the constant of a stub with `journal`: by it recovery settles what a crash has left open.
//!
//! A free function has it beside itself, in a type of the same name: `use deals::add_deal` brings both, and
//! `add_deal::RECOVERY` is it. In an `impl` nothing but a constant can stand.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::{ExprPath, Path, ReturnType, Type};

use crate::args::Args;
use crate::expand::{called, local, private};
use crate::journal::{Host, Journal};
use crate::method::{Method, Unknown};
use crate::params::Param;
use crate::place::{at, ends, moved, place_of};
use crate::stub::Stub;
use crate::types::{plain, without_lifetimes};

/// How the constant of the stub `ident` is named where the stub is.
pub(crate) fn path(host: Host, ident: &Ident) -> TokenStream {
    let constant = constant(host, ident);
    match host {
        Host::Module => quote!(#ident::#constant),
        Host::Impl => quote!(Self::#constant),
    }
}

fn constant(host: Host, ident: &Ident) -> Ident {
    match host {
        Host::Module => Ident::new("RECOVERY", ident.span()),
        Host::Impl => Ident::new(&format!("RECOVER_{}", ident.unraw().to_string().to_ascii_uppercase()), ident.span()),
    }
}

/// What stands beside the function.
pub(crate) fn items(method: &Method<'_>, unknown: &Unknown<'_>, journal: &Journal, stub: &Stub) -> TokenStream {
    let krate = &method.krate;
    let private = private(krate, Span::call_site());
    let way = match unknown {
        Unknown::ReadBack { verify, .. } => {
            let check = check(method, verify, stub);
            quote!(#private::Way::ReadBack(#check))
        }
        Unknown::Replay { .. } => quote!(#private::Way::Replay),
        Unknown::Stop { why } => quote!(#private::Way::Stop(#why)),
    };
    let (name, resend, function) = (called(method), journal.resend, stub.sig.ident.unraw().to_string());
    let found = found(krate, stub);
    let value = quote! {
        #found(&#private::Journaled {
            method: #name,
            path: ::core::concat!(::core::module_path!(), "::", #function),
            resend: #resend,
            way: #way,
        })
    };
    beside(krate, journal, stub, &value)
}

/// The same for a stub that was refused, so that who names the constant is not told a second time.
pub(crate) fn of_nothing(args: &Args, stub: &Stub) -> TokenStream {
    let krate = args.runtime();
    let private = private(&krate, Span::call_site());
    let value = quote! {
        #private::recovery::<()>(&#private::Journaled { method: "", path: "", resend: false, way: #private::Way::Stop("") })
    };
    beside(&krate, &Journal::of(stub, args), stub, &value)
}

fn beside(krate: &Path, journal: &Journal, stub: &Stub, value: &TokenStream) -> TokenStream {
    let Stub { attrs, vis, sig, .. } = stub;
    let ident = &sig.ident;
    let constant = constant(journal.host, ident);
    let cfgs: Vec<_> = attrs.iter().filter(|attr| attr.path().is_ident("cfg")).collect();
    let docs = format!(" What recovery settles the calls of `{ident}` by that a crash has left open.");
    let constant = quote! {
        #[doc = #docs]
        #[allow(dead_code, non_upper_case_globals, unreachable_pub)]
        #vis const #constant: #krate::journal::Recovery = #value;
    };
    match journal.host {
        Host::Impl => quote!(#(#cfgs)* #constant),
        // Where no type can stand, `journal` is what asks for one. Of the lints the function itself is warned.
        Host::Module => quote_spanned! {at(journal.place)=>
            #(#cfgs)*
            #[doc(hidden)]
            #[allow(
                dead_code,
                missing_copy_implementations,
                missing_debug_implementations,
                non_camel_case_types,
                unreachable_pub
            )]
            #vis enum #ident {}
            #(#cfgs)*
            impl #ident {
                #constant
            }
        },
    }
}

/// `recovery::<T>`, with the `T` of the return type `Result<T, CallError>`, which may have another name.
fn found(krate: &Path, stub: &Stub) -> TokenStream {
    let (start, end) = ends(&stub.sig.output);
    let (private, behind) = (private(krate, start), private(krate, end));
    let output = match &stub.sig.output {
        ReturnType::Default => quote!(()),
        ReturnType::Type(_, ty) => without_lifetimes(ty, &stub.sig.generics),
    };
    let function = quote_spanned!(at(start)=> #private::recovery::<<);
    let value = quote_spanned!(at(end)=> as #behind::Returned>::Value>);
    quote!(#function #output #value)
}

/// The verifier, called with what is read back. The calls lie on the verifier, whose signature they have to fit; the
/// reading of each argument lies on its type.
fn check(method: &Method<'_>, verify: &ExprPath, stub: &Stub) -> TokenStream {
    let place = verify.path.segments.last().map_or_else(Span::call_site, |last| last.ident.span());
    let private = private(&method.krate, place);
    let [reader, arguments] = ["reader", "arguments"].map(|name| moved(local(name), place));
    let recalled: Vec<Recalled<'_>> =
        method.params.iter().enumerate().map(|(index, param)| Recalled::new(param, index, stub)).collect();
    let lets = recalled.iter().map(|recalled| recalled.read(&method.krate, &arguments));
    let given = recalled.iter().map(|recalled| recalled.give(place));
    quote_spanned! {at(place)=>
        |#reader, #arguments| #private::boxed(async move {
            #(#lets)*
            #private::verdict(#verify(&#reader, #(#given),*)).await
        })
    }
}

/// One argument of the verifier.
struct Recalled<'a> {
    param: &'a Param<'a>,
    local: Ident,
    owned: Ident,
    /// What is read, which the verifier borrows if `lent`.
    ty: TokenStream,
    lent: bool,
}

impl<'a> Recalled<'a> {
    fn new(param: &'a Param<'a>, index: usize, stub: &Stub) -> Self {
        let generics = &stub.sig.generics;
        let whole = plain(param.ty);
        let (ty, lent) = if let Type::Reference(reference) = whole {
            (without_lifetimes(&reference.elem, generics), true)
        } else {
            (without_lifetimes(whole, generics), false)
        };
        let [local, owned] = ["argument", "owned"].map(|name| local(&format!("{name}_{}", index + 1)));
        Self { param, local, owned, ty, lent }
    }

    /// `let owned = Arguments::take::<T>(&arguments, "name")?;`, and for a reference `let local = <T as Recalled>::lend(&owned);`
    fn read(&self, krate: &Path, arguments: &TokenStream) -> TokenStream {
        let place = place_of(self.param.ty);
        let private = private(krate, place);
        let [local, owned, arguments] = [self.local.to_token_stream(), self.owned.to_token_stream(), arguments.clone()]
            .map(|name| moved(name, place));
        let (ty, cfgs, name) = (&self.ty, &self.param.cfgs, &self.param.name);
        let value = if self.param.flat {
            quote_spanned!(at(place)=> #private::Arguments::whole::<#ty>(&#arguments)?)
        } else {
            quote_spanned!(at(place)=> #private::Arguments::take::<#ty>(&#arguments, #name)?)
        };
        if self.lent {
            quote_spanned! {at(place)=>
                #(#cfgs)* let #owned = #value;
                #(#cfgs)* let #local = <#ty as #private::Recalled>::lend(&#owned);
            }
        } else {
            quote_spanned!(at(place)=> #(#cfgs)* let #local = #value;)
        }
    }

    fn give(&self, place: Span) -> TokenStream {
        let (local, cfgs) = (moved(&self.local, place), &self.param.cfgs);
        quote_spanned!(at(place)=> #(#cfgs)* #local)
    }
}
