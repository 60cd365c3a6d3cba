//! The parameters after the first: each becomes a part of the request.

use proc_macro2::Ident;
use syn::ext::IdentExt as _;
use syn::parse::Parse;
use syn::{Attribute, FnArg, LitStr, Meta, Pat, Type};

use crate::entries::{Entries, Form, Given, Start};
use crate::errors::{Errors, refuse};

/// One parameter that goes into the body of the request.
pub(crate) struct Param<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) ty: &'a Type,
    /// Its name in the request.
    pub(crate) name: String,
    /// Its fields go into the request one by one, in place of itself.
    pub(crate) flat: bool,
    /// `#[cfg(..)]` conditions, repeated wherever the parameter is used.
    pub(crate) cfgs: Vec<&'a Attribute>,
}

/// Judges the parameters after the first, each with its `#[param(..)]` attributes.
pub(crate) fn judge<'a>(
    parameters: impl IntoIterator<Item = (&'a FnArg, &'a Vec<Attribute>)>,
    errors: &mut Errors,
) -> Vec<Param<'a>> {
    let mut params: Vec<Param<'a>> = Vec::new();
    for (parameter, attributes) in parameters {
        let options = Options::parse(attributes, errors);
        // A receiver stands first or is no syntax, so the others are all typed.
        let FnArg::Typed(parameter) = parameter else {
            continue;
        };
        let Some(ident) = plain_name(&parameter.pat, errors) else {
            continue;
        };
        let param = Param {
            ident,
            ty: &parameter.ty,
            name: options.name_or(ident),
            flat: options.flatten.is_some(),
            cfgs: parameter.attrs.iter().filter(|attr| attr.path().is_ident("cfg")).collect(),
        };
        if let Some(other) = params.iter().find(|other| other.clashes_with(&param)) {
            let what = format!("`{}` is already a key of the request: the parameter `{}`", param.name, other.ident);
            errors.push(
                match options.name.and_then(|given| given.value) {
                    Some(name) => refuse(name, what),
                    None => refuse(ident, what),
                }
                .help("give one of them another name: `#[param(name = \"...\")]`"),
            );
        }
        params.push(param);
    }
    params
}

/// The name of a parameter whose pattern is nothing but a name.
pub(crate) fn plain_name<'a>(pattern: &'a Pat, errors: &mut Errors) -> Option<&'a Ident> {
    if let Pat::Ident(name) = pattern {
        if name.by_ref.is_none() && name.mutability.is_none() && name.subpat.is_none() {
            return Some(&name.ident);
        }
        errors.push(refuse(pattern, "a parameter of a stub is a plain name").help(format!("write `{}`", name.ident)));
    } else {
        errors.push(
            refuse(pattern, "a parameter of a stub is a plain name, the key that it becomes in the request")
                .help("write a name in place of the pattern"),
        );
    }
    None
}

impl Param<'_> {
    /// Whether both would be the same key of one request. Parameters under conditions may exclude each other.
    fn clashes_with(&self, other: &Self) -> bool {
        let certain = |param: &Self| !param.flat && param.cfgs.is_empty();
        certain(self) && certain(other) && self.name == other.name
    }
}

/// What the `#[param(..)]` attributes of one parameter say.
#[derive(Default)]
struct Options {
    name: Option<Given<LitStr>>,
    flatten: Option<Given<()>>,
}

const FORMS: [Form; 2] = [
    Form { key: "name", value: "a string literal", example: "#[param(name = \"entityTypeId\")]", aliases: &["rename"] },
    Form { key: "flatten", value: "nothing", example: "#[param(flatten)]", aliases: &["flat", "splice"] },
];

impl Options {
    fn parse(attributes: &[Attribute], errors: &mut Errors) -> Self {
        let mut options = Self::default();
        for attribute in attributes {
            match &attribute.meta {
                Meta::List(list) if !list.tokens.is_empty() => {
                    Entries::read(list.tokens.clone(), &FORMS, errors, |start, entries| {
                        options.entry(start, entries);
                    });
                }
                Meta::List(_) | Meta::Path(_) | Meta::NameValue(_) => {
                    errors.push(
                        refuse(attribute, "`#[param]` says nothing")
                            .help("write `#[param(name = \"entityTypeId\")]` to rename the parameter in the request")
                            .help("write `#[param(flatten)]` to put its fields there one by one"),
                    );
                }
            }
        }
        if let (Some(_), Some(flatten)) = (&options.name, &options.flatten) {
            errors.push(
                refuse(
                    &flatten.key,
                    "`flatten` contradicts `name`: the fields go into the request under their own names",
                )
                .help("keep the one that is meant"),
            );
        }
        if let Some(name) = options.name.as_ref().and_then(|given| given.value.as_ref())
            && !is_key(&name.value())
        {
            errors.push(
                refuse(name, "this is no key of a request")
                    .help("write it as the documentation of the method does: `#[param(name = \"entityTypeId\")]`"),
            );
        }
        options
    }

    fn entry(&mut self, start: Start, entries: &mut Entries<'_, '_>) {
        match start {
            Start::Key(key) if key == "name" => entries.set(&mut self.name, key, Parse::parse),
            Start::Key(key) if key == "flatten" => entries.set_flag(&mut self.flatten, key),
            Start::Key(key) => {
                entries.unknown(&key);
            }
            Start::Other(tokens) => {
                let refusal = refuse(tokens, "expected an option of the parameter");
                let refusal = refusal.help(entries.all_keys());
                entries.errors.push(refusal);
            }
        }
    }

    /// The name that was given, or the parameter's own: `type` for `r#type`.
    fn name_or(&self, ident: &Ident) -> String {
        match self.name.as_ref().and_then(|given| given.value.as_ref()) {
            Some(name) => name.value(),
            None => ident.unraw().to_string(),
        }
    }
}

/// Whether `name` can be written between quotation marks as it is; the runtime escapes nothing in it.
fn is_key(name: &str) -> bool {
    let odd = |letter: char| letter.is_control() || letter.is_whitespace() || letter == '"' || letter == '\\';
    !name.is_empty() && !name.contains(odd)
}
