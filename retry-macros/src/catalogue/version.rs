//! The version of the REST interface that a call goes through, which has to have the method.

use crate::args::Args;
use crate::catalogue::{Entry, Row};
use crate::errors::{Errors, Refusal, refuse};

/// REST 2 or REST 3.0.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Version {
    Two,
    Three,
}

/// The version that was given, and REST 2 where nothing is said. One that does not have the method is refused, and from
/// then on the stub is judged by the one that has it.
pub(crate) fn judge(args: &Args, entry: &Entry, errors: &mut Errors) -> Option<Version> {
    let row = entry.row();
    let Some(given) = &args.version else {
        let own = row.filter(|row| !row.versions.has_rest2());
        return match own {
            _ if !args.lacks("version") => None,
            None => Some(Version::Two),
            Some(row) => {
                if let Some(name) = args.name.as_ref().and_then(|given| given.value.as_ref()) {
                    errors.push(refuse(name, only_three(row)).help("add `version = 3`: what is not said means REST 2"));
                }
                Some(Version::Three)
            }
        };
    };
    let version = given.value.as_ref()?;
    match (version.base10_digits(), row) {
        ("2", Some(row)) if !row.versions.has_rest2() => {
            errors.push(refuse(version, only_three(row)).help("write `version = 3`"));
            Some(Version::Three)
        }
        ("3", Some(row)) if !row.versions.has_rest3() => {
            errors.push(only_two(version, row));
            Some(Version::Two)
        }
        ("2", _) => Some(Version::Two),
        ("3", _) => Some(Version::Three),
        _ => {
            errors.push(
                refuse(version, "Bitrix24 has REST versions 2 and 3")
                    .help("write `version = 3` if REST 3.0 has this method, else leave it out"),
            );
            None
        }
    }
}

fn only_three(row: &Row) -> String {
    format!("REST 2 has no method `{}`: it is one of REST 3.0", row.name)
}

fn only_two(version: &syn::LitInt, row: &Row) -> Refusal {
    refuse(version, format!("REST 3.0 has no method `{}`: it is one of REST 2", row.name))
        .help("remove `version`: what is not said means REST 2")
}
