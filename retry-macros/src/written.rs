//! The attribute as a function of tokens that need no compiler behind them.

use proc_macro2::TokenStream;
use quote::quote;

use crate::args::Args;
use crate::errors::Errors;
use crate::expand;
use crate::method::Method;
use crate::stub::Stub;

/// What stands in place of the stub: its function, or what is wrong with it.
pub(crate) fn written_out(attribute: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let args = Args::parse(attribute, &mut errors);
    let stub = match Stub::parse(item.clone()) {
        Ok(stub) => stub,
        Err(error) => {
            let errors = errors.end(error).to_compile_error();
            return quote!(#errors #item);
        }
    };
    let method = Method::judge(&args, &stub, &mut errors);
    match errors.finish(method) {
        Ok(method) => expand::function(&method, &stub),
        Err(errors) => expand::fallback(&errors, stub, &args),
    }
}
