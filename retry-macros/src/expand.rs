//! Writes out the function: the user's signature, and one call into the runtime.
//!
//! Where a token lies in the source decides where the compiler points when a type does not fit, so each part of the
//! body lies on what the user wrote for it. How a name resolves is a matter of its own: ours are mixed-site, so that
//! no name of the user's can meet them.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Expr, ExprPath, LitStr, Path, ReturnType};

use crate::args::Args;
use crate::catalogue::Version;
use crate::docs;
use crate::journal::Journal;
use crate::method::{Caller, Effect, Method, Unknown};
use crate::pages::By;
use crate::params::Param;
use crate::place::{at, ends, moved, place_of};
use crate::recovery;
use crate::stub::Stub;

/// The function that `stub` stands for.
pub(crate) fn function(method: &Method<'_>, stub: &Stub) -> TokenStream {
    let Stub { attrs, vis, sig, .. } = stub;
    let described = attrs.iter().any(|attr| attr.path().is_ident("doc"));
    let docs = docs::lines(method, &sig.ident, described);
    let body = match &method.effect {
        Effect::Read => read(method, &sig.output),
        Effect::Pages(by) => pages(method, by, &sig.output),
        Effect::Write { unknown, key, journal: None } => write(method, unknown, *key, &sig.output),
        Effect::Write { unknown, key, journal: Some(journal) } => journaled(method, unknown, *key, journal, stub),
    };
    let recovery = match &method.effect {
        Effect::Write { unknown, journal: Some(journal), .. } => Some(recovery::items(method, unknown, journal, stub)),
        Effect::Write { journal: None, .. } | Effect::Read | Effect::Pages(_) => None,
    };
    quote! {
        #(#attrs)*
        #(#[doc = #docs])*
        #[allow(clippy::too_many_arguments)]
        #vis #sig {
            #body
        }
        #recovery
    }
}

/// The signature of a stub that was refused.
///
/// The errors themselves are the body: to the compiler that is an expression of a type already reported. It fits every
/// return type, `impl Trait` included, so that neither it nor the callers are told a second time.
pub(crate) fn fallback(errors: &syn::Error, stub: Stub, args: &Args) -> TokenStream {
    let recovery = args.says_journal().then(|| recovery::of_nothing(args, &stub));
    let Stub { attrs, vis, mut sig, .. } = stub;
    let errors = errors.to_compile_error();
    // What would be a second error about the same token, or one at the callers, who await the function.
    sig.constness = None;
    sig.abi = None;
    sig.variadic = None;
    if args.says_pages() {
        sig.asyncness = None;
    } else {
        sig.asyncness.get_or_insert_default();
    }
    quote! {
        #(#attrs)*
        #[allow(clippy::too_many_arguments)]
        #vis #sig {
            #errors
        }
        #recovery
    }
}

fn read(method: &Method<'_>, output: &ReturnType) -> TokenStream {
    let reader = local("reader");
    let call = local("call");
    let caller = caller(method, &reader, "Reader");
    let request = request(method, "read");
    let answer = answer(method, output, "read", &[&reader, &call]);
    quote! {
        #caller
        let #call = #request;
        #answer
    }
}

/// A stream in place of a future: nothing is waited for here.
fn pages(method: &Method<'_>, by: &By, output: &ReturnType) -> TokenStream {
    let [reader, call] = ["reader", "call"].map(local);
    let caller = caller(method, &reader, "Reader");
    let request = request(method, "read");
    let (start, end) = ends(output);
    let private = private(&method.krate, start);
    let by = match by {
        By::Id(field) => quote!(#private::By::Id(#field)),
        By::Start => quote!(#private::By::Start),
    };
    let function = quote_spanned!(at(start)=> #private::pages);
    let arguments = quote_spanned!(at(end)=> (#reader, #call, #by));
    quote! {
        #caller
        let #call = #request;
        #function #arguments
    }
}

fn write(method: &Method<'_>, unknown: &Unknown<'_>, key: Option<&Expr>, output: &ReturnType) -> TokenStream {
    let client = local("client");
    let call = local("call");
    let answer = match unknown {
        Unknown::ReadBack { verify, .. } => verified(method, verify, output),
        Unknown::Replay { .. } => answer(method, output, "write_idempotent", &[&client, &call]),
        Unknown::Stop { why } => answer(method, output, "write_unverifiable", &[&client, &call, why]),
    };
    written(method, unknown, key, &answer)
}

/// What settles it is in the constant that recovery has as well.
fn journaled(
    method: &Method<'_>,
    unknown: &Unknown<'_>,
    key: Option<&Expr>,
    journal: &Journal,
    stub: &Stub,
) -> TokenStream {
    let [client, call] = ["client", "call"].map(local);
    let recovery = recovery::path(journal.host, &stub.sig.ident);
    let answer = answer(method, &stub.sig.output, "journaled", &[&client, &call, &recovery]);
    written(method, unknown, key, &answer)
}

/// A write, and what waits for its `answer`.
fn written(method: &Method<'_>, unknown: &Unknown<'_>, key: Option<&Expr>, answer: &TokenStream) -> TokenStream {
    let client = local("client");
    let call = local("call");
    let caller = caller(method, &client, "Client");
    let mut request = request(method, "write");
    if let Some(key) = key {
        let place = place_of(key);
        request.extend(quote_spanned!(at(place)=> .key(&(#key))));
    }
    if let Some(header) = unknown.idempotency_key() {
        let place = place_of(header.ty);
        let value = moved(header.ident, place);
        request.extend(quote_spanned!(at(place)=> .idempotency_key(#value)));
    }
    if let Unknown::ReadBack { ensure: true, .. } = unknown {
        request.extend(quote!(.ensure()));
    }
    quote! {
        #caller
        let #call = #request;
        #answer
    }
}

/// `let local: &Reader = …;`, from the first parameter.
fn caller(method: &Method<'_>, local: &Ident, capability: &str) -> TokenStream {
    let krate = &method.krate;
    match &method.caller {
        Caller::Parameter { ident, ty } => {
            let place = place_of(ty);
            let krate = moved(krate, place);
            let capability = Ident::new(capability, at(place));
            let value = moved(ident, place);
            quote_spanned!(at(place)=> let #local: &#krate::#capability = #value;)
        }
        Caller::Receiver(own) => {
            let krate = moved(krate, own.span);
            let capability = Ident::new(capability, at(own.span));
            quote_spanned! {at(own.span)=>
                let #local: &#krate::#capability = ::core::convert::AsRef::<#krate::#capability>::as_ref(#own);
            }
        }
    }
}

/// `Call::read("crm.deal.list", &[entries])`, a statement of its own: what the future holds is then the call alone, and
/// it is `Send` whatever the arguments are.
fn request(method: &Method<'_>, kind: &str) -> TokenStream {
    let place = method.name.span();
    let private = private(&method.krate, place);
    let kind = Ident::new(kind, at(place));
    let name = called(method);
    let entries = method.params.iter().map(|param| entry(method, param));
    let version = match method.version {
        Version::Two => None,
        Version::Three => Some(quote_spanned!(at(place)=> .rest3())),
    };
    quote_spanned!(at(place)=> #private::Call::#kind(#name, &[#(#entries),*]) #version)
}

/// The method as the documentation spells it: one method has one name in keys, reports and routes.
pub(crate) fn called(method: &Method<'_>) -> LitStr {
    method.row.map_or_else(|| method.name.clone(), |row| LitStr::new(row.name, method.name.span()))
}

/// `Entry::new("fields", &fields)`
fn entry(method: &Method<'_>, param: &Param<'_>) -> TokenStream {
    let place = place_of(param.ty);
    let private = private(&method.krate, place);
    let new = Ident::new(if param.flat { "flat" } else { "new" }, at(place));
    let value = moved(param.ident, place);
    let (name, cfgs) = (&param.name, &param.cfgs);
    quote_spanned!(at(place)=> #(#cfgs)* #private::Entry::#new(#name, &#value))
}

/// The call into the runtime where it is all that follows. It lies on the return type, which it has to fit.
fn answer(method: &Method<'_>, output: &ReturnType, function: &str, arguments: &[&dyn ToTokens]) -> TokenStream {
    let (start, end) = ends(output);
    let private = private(&method.krate, start);
    let function = Ident::new(function, at(start));
    let arguments = arguments.iter().map(|argument| moved(argument, end));
    let arguments = quote_spanned!(at(end)=> (#(#arguments),*).await);
    quote!(#private::#function #arguments)
}

/// The same for a write that is read back. The call lies on the verifier, whose signature it has to fit; only what it
/// gives in the end lies on the return type.
fn verified(method: &Method<'_>, verify: &ExprPath, output: &ReturnType) -> TokenStream {
    let place = verify.path.segments.last().map_or_else(Span::call_site, |last| last.ident.span());
    let [client, reader, call, answer] = ["client", "reader", "call", "answer"].map(|name| moved(local(name), place));
    let private = private(&method.krate, place);
    let clones: Vec<TokenStream> =
        (1..=method.params.len()).map(|index| moved(local(&format!("argument_{index}")), place)).collect();
    // Clones of their own, made in front of the call: a verifier with other parameters is then told which ones.
    let lets = method.params.iter().zip(&clones).map(|(param, clone)| {
        let (cfgs, value) = (&param.cfgs, moved(param.ident, place));
        quote_spanned!(at(place)=> #(#cfgs)* let #clone = ::core::clone::Clone::clone(&#value);)
    });
    let arguments = method.params.iter().zip(&clones).map(|(param, clone)| {
        let cfgs = &param.cfgs;
        quote_spanned!(at(place)=> #(#cfgs)* #clone)
    });
    let check = quote_spanned!(at(place)=> #private::verdict(#verify(&#reader, #(#arguments),*)));
    // An expression that begins and ends where the return type does, so that the whole type is underlined.
    let (start, end) = ends(output);
    let result = quote_spanned!(at(start)=> (#answer,));
    let result_end = quote_spanned!(at(end)=> .0);
    quote_spanned! {at(place)=>
        let #reader = #private::check_reader(#client);
        let #answer = #private::write(#client, &#reader, #call, || {
            #(#lets)*
            #check
        }).await;
        #result #result_end
    }
}

/// `::retry_runtime::__private`, lying at `place`.
pub(crate) fn private(krate: &Path, place: Span) -> TokenStream {
    let krate = moved(krate, place);
    quote_spanned!(at(place)=> #krate::__private)
}

/// A variable of ours. No variable of the user's can be meant by it, but an item could: a `let` with the name of a
/// constant or a unit struct is a pattern. So it has a name that nobody gives.
pub(crate) fn local(name: &str) -> Ident {
    Ident::new(&format!("__bitrix_method_{name}"), Span::mixed_site())
}
