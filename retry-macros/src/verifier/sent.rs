//! What the write is sent with, and where in it a helper finds its part.

use retry_catalogue::Helper;
use syn::ext::IdentExt as _;
use syn::{FnArg, Pat, Signature, Type};

use super::read::snake;
use crate::idempotency;
use crate::spell::spell;

/// The parameters that a verifier has as well, after its first.
pub(super) fn params(stub: &Signature) -> impl Iterator<Item = (String, &Type)> {
    stub.inputs.iter().skip(1).filter_map(|param| match param {
        FnArg::Typed(param) if !idempotency::is_key(&param.ty) => {
            let name = if let Pat::Ident(name) = &*param.pat { spell(&name.ident) } else { spell(&param.pat) };
            Some((name, &*param.ty))
        }
        FnArg::Typed(_) | FnArg::Receiver(_) => None,
    })
}

/// The parameter that a helper takes the place of, and its type then: the new values of an update as `&Change<..>`, the id of
/// what is deleted as `Existing`.
pub(crate) fn retyped(stub: &Signature, helper: Option<Helper>) -> Option<(String, String)> {
    match helper? {
        Helper::Change => {
            let named = params(stub).find(|(name, _)| name == "fields");
            let (name, ty) = named.or_else(|| params(stub).filter(|(name, _)| !is_id(name)).last())?;
            let values = values(ty);
            let ty = if values.starts_with("Change<") { values } else { format!("Change<{values}>") };
            Some((name, format!("&{ty}")))
        }
        Helper::Gone(_) => {
            let (name, _) = params(stub).filter(|(name, _)| is_id(name)).last().or_else(|| params(stub).next())?;
            Some((name, "Existing".to_owned()))
        }
        Helper::Key(_) | Helper::Text(_) => None,
    }
}

fn is_id(name: &str) -> bool {
    name == "id" || name.ends_with("_id")
}

/// The type of the new values; `Fields` where the stub has none of its own yet.
fn values(ty: &Type) -> String {
    if let Type::Reference(reference) = ty {
        return values(&reference.elem);
    }
    let is_own = if let Type::Path(path) = ty {
        path.path.segments.last().is_some_and(|last| {
            let name = last.ident.unraw().to_string();
            name != "String" && name.starts_with(|letter: char| letter.is_ascii_uppercase())
        })
    } else {
        false
    };
    if is_own { spell(ty) } else { "Fields".to_owned() }
}

/// Where the value of this field is found: in a parameter of its name, else in the object that is sent.
pub(super) fn value(stub: &Signature, field: &str) -> String {
    let field = snake(field).replace('*', "key");
    if let Some((name, ty)) = params(stub).find(|(name, _)| *name == field) {
        return if matches!(ty, Type::Reference(_)) { name } else { format!("&{name}") };
    }
    let object = params(stub).find(|(name, _)| name == "fields").or_else(|| params(stub).next());
    object.map_or_else(|| format!("&{field}"), |(name, _)| format!("&{name}.{field}"))
}
