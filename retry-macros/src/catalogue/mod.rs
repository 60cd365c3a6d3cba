//! What the catalogue of methods knows of the one that a stub names, and what of the stub can't be true then.

mod kind;
mod say;
mod unlisted;
mod version;

use retry_catalogue::{lookup, nearest};
use syn::LitStr;

use crate::args::Args;
use crate::errors::{Errors, Refusal, refuse};

pub(crate) use kind::{judge as judge_kind, kind_meant};
pub(crate) use retry_catalogue::{Kind, Method as Row};
pub(crate) use say::{after_a_lost_answer, and, read_back};
pub(crate) use version::{Version, judge as judge_version};

/// The method of a stub, as far as it is known.
#[derive(Clone, Copy)]
pub(crate) enum Entry {
    Listed(Row),
    /// A self-hosted portal's own method: its stub says so, and is believed.
    Unlisted,
    /// There is no name, or it has been refused: what follows from the method can't be judged.
    Unknown,
}

impl Entry {
    /// Looks the method up. `None` if it is no method to write a stub for, so that nothing else matters.
    pub(crate) fn judge(args: &Args, errors: &mut Errors) -> Option<Self> {
        let Some(name) = args.name.as_ref().and_then(|given| given.value.as_ref()) else {
            return Some(Self::Unknown);
        };
        let method = name.value();
        if method.eq_ignore_ascii_case("batch") {
            errors.push(
                refuse(
                    name,
                    "`batch` is no call of its own here: each call in it has its own kind and its own verifier",
                )
                .help("write a stub for each method, and make the calls at the same time through `client.batched()`"),
            );
            return None;
        }
        if let Some(row) = lookup(&method) {
            if let Some(unlisted) = &args.unlisted {
                let what = format!("`{}` is in the catalogue, and `unlisted` is for what is not", row.name);
                errors.push(refuse(&unlisted.key, what).help("delete `unlisted`"));
            }
            return Some(Self::Listed(row));
        }
        if let Err(why) = unlisted::form(&method) {
            let refusal = refuse(name, format!("{method:?} is not the name of a method: {why}"));
            errors.push(match meant(&method) {
                Some(meant) => refusal.help(meant),
                None => refusal
                    .help("write it as the documentation does, with dots between its parts: `name = \"crm.deal.add\"`"),
            });
        } else if args.unlisted.is_some() {
            return Some(Self::Unlisted);
        } else if args.lacks("unlisted") {
            errors.push(unknown(name, &method));
        }
        Some(Self::Unknown)
    }

    /// The row of a method that has one.
    pub(crate) const fn row(&self) -> Option<&Row> {
        match self {
            Self::Listed(row) => Some(row),
            Self::Unlisted | Self::Unknown => None,
        }
    }
}

fn unknown(name: &LitStr, method: &str) -> Refusal {
    let refusal = refuse(name, format!("Bitrix24 has no method `{method}`: it is not in the catalogue"));
    let refusal = match meant(method) {
        Some(meant) => refusal.help(meant),
        None => refusal,
    };
    refusal.help("if a self-hosted portal has it as a method of its own, add `unlisted`")
}

/// The names that are near enough to be meant.
fn meant(method: &str) -> Option<String> {
    let near: Vec<String> = nearest(method).map(|near| format!("`{near}`")).collect();
    let (last, others) = near.split_last()?;
    Some(match others {
        [] => format!("did you mean {last}?"),
        _ => format!("did you mean {} or {last}?", others.join(", ")),
    })
}
