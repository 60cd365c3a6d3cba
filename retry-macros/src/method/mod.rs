//! Attribute and stub, judged together. What is left can be written out without a further question.

mod outcome;
mod signature;
mod way_out;

use proc_macro2::{Ident, Span};
use syn::{Expr, ExprPath, LitStr, Path};

use crate::args::Args;
use crate::catalogue::{self, Entry, Kind, Row, Version};
use crate::errors::{Errors, refuse, refuse_at};
use crate::idempotency::Header;
use crate::journal::Journal;
use crate::pages::By;
use crate::params::Param;
use crate::stub::Stub;

pub(crate) use signature::Caller;

/// One call, as it is written out.
pub(crate) struct Method<'a> {
    /// The path of the runtime.
    pub(crate) krate: Path,
    pub(crate) name: &'a LitStr,
    /// What the catalogue says of it.
    pub(crate) row: Option<Row>,
    pub(crate) version: Version,
    pub(crate) caller: Caller<'a>,
    /// What the request is made of.
    pub(crate) params: Vec<Param<'a>>,
    pub(crate) effect: Effect<'a>,
}

/// What the call may do to the portal.
pub(crate) enum Effect<'a> {
    Read,
    /// A read of a whole list.
    Pages(&'a By),
    Write {
        unknown: Unknown<'a>,
        /// The business key of the operation.
        key: Option<&'a Expr>,
        /// It is on record before it is sent.
        journal: Option<Journal>,
    },
}

/// What becomes of a write whose outcome is unknown.
pub(crate) enum Unknown<'a> {
    ReadBack {
        verify: &'a ExprPath,
        /// It is read back before the first send as well.
        ensure: bool,
        /// What settles it where the verifier can't.
        idempotency_key: Option<Header<'a>>,
    },
    /// It is sent again under its key, by which the portal knows it.
    Replay { idempotency_key: Header<'a> },
    /// It goes to a person, for this reason.
    Stop { why: &'a LitStr },
}

impl<'a> Unknown<'a> {
    /// The key that the call carries.
    pub(crate) const fn idempotency_key(&self) -> Option<&Header<'a>> {
        match self {
            Self::ReadBack { idempotency_key, .. } => idempotency_key.as_ref(),
            Self::Replay { idempotency_key } => Some(idempotency_key),
            Self::Stop { .. } => None,
        }
    }
}

impl<'a> Method<'a> {
    /// Reports everything that is wrong. There is a method if nothing was.
    pub(crate) fn judge(args: &'a Args, stub: &'a Stub, errors: &mut Errors) -> Option<Self> {
        let name = name(args, errors);
        let entry = Entry::judge(args, errors);
        let kind = kind(args, errors);
        let kind_stands = entry.is_some_and(|entry| catalogue::judge_kind(args, &entry, kind, errors));
        let entry = entry.unwrap_or(Entry::Unknown);
        let version = catalogue::judge_version(args, &entry, errors);
        let signature = signature::judge(stub, kind.map(|(kind, _)| kind), args, errors);
        let effect = match kind.filter(|_| kind_stands) {
            Some((Kind::Read, _)) => outcome::read(args, errors),
            Some((Kind::Write, token)) => {
                let write = outcome::Write { args, entry, version, kind: token, stub, params: &signature.params };
                write.judge(signature.header, errors)
            }
            None => None,
        };
        Some(Self {
            krate: args.runtime(),
            name: name?,
            row: entry.row().copied(),
            version: version?,
            caller: signature.caller?,
            params: signature.params,
            effect: effect?,
        })
    }
}

fn name<'a>(args: &'a Args, errors: &mut Errors) -> Option<&'a LitStr> {
    if args.name.is_none() && args.lacks("name") {
        errors.push(
            refuse_at(Span::call_site(), "the attribute does not name the method")
                .help("add `name = \"crm.deal.add\"`, as the documentation writes it"),
        );
    }
    args.name.as_ref()?.value.as_ref()
}

fn kind<'a>(args: &'a Args, errors: &mut Errors) -> Option<(Kind, &'a Ident)> {
    const RULE: &str = "write `kind = read` if the method changes nothing on the portal,\n\
                        `kind = write` if it creates, changes, deletes or sends something";
    let Some(given) = &args.kind else {
        if args.lacks("kind") {
            errors.push(
                refuse_at(Span::call_site(), "the attribute does not say whether the method reads or writes")
                    .help(RULE),
            );
        }
        return None;
    };
    let token = given.value.as_ref()?;
    let kind = match token.to_string().as_str() {
        "read" => Kind::Read,
        "write" => Kind::Write,
        other => {
            let refusal = refuse(token, format!("there is no kind `{other}`"));
            errors.push(
                match catalogue::kind_meant(other) {
                    Some(meant) => refusal.help(format!("did you mean `{meant}`?")),
                    None => refusal,
                }
                .help(RULE),
            );
            return None;
        }
    };
    Some((kind, token))
}
