//! What becomes of a call whose answer is lost: a read is sent again, a write has to say.

use proc_macro2::Ident;
use syn::{LitStr, Type};

use super::{Effect, Unknown, way_out};
use crate::args::Args;
use crate::catalogue::{self, Entry, Version};
use crate::entries::Given;
use crate::errors::{Errors, Refusal, refuse};
use crate::idempotency::Header;
use crate::journal;
use crate::pages;
use crate::params::Param;
use crate::spell::spell;
use crate::stub::Stub;

/// A read may be sent again, so it takes none of the keys that say how a write ends.
pub(super) fn read<'a>(args: &'a Args, errors: &mut Errors) -> Option<Effect<'a>> {
    let given = [
        (key(args.verify.as_ref()), "it leaves no effect that could be read back"),
        (key(args.unverifiable.as_ref()), "it leaves no effect to verify"),
        (key(args.idempotency_key.as_ref()), "it may be sent twice as it is"),
        (key(args.key.as_ref()), "there is no operation to name"),
        (key(args.ensure.as_ref()), "there is nothing that must not happen twice"),
        (key(args.journal.as_ref()), "it leaves nothing behind that a crash could make doubtful"),
        (key(args.resend.as_ref()), "recovery finds none of it"),
    ];
    let mut stands = true;
    for (key, why) in given {
        if let Some(key) = key {
            stands = false;
            errors.push(
                refuse(key, format!("a read takes no `{key}`: {why}"))
                    .help("remove it, or write `kind = write` if the method changes something on the portal"),
            );
        }
    }
    let effect = match &args.pages {
        None => Effect::Read,
        Some(pages) => {
            let by = pages.value.as_ref()?;
            by.judge(errors);
            Effect::Pages(by)
        }
    };
    stands.then_some(effect)
}

fn key<T>(given: Option<&Given<T>>) -> Option<&Ident> {
    given.map(|given| &given.key)
}

/// A write as it was written, before it is known whether it can stand.
pub(super) struct Write<'w, 'a> {
    pub(super) args: &'a Args,
    pub(super) entry: Entry,
    pub(super) version: Option<Version>,
    /// The token that says it is a write.
    pub(super) kind: &'a Ident,
    pub(super) stub: &'a Stub,
    pub(super) params: &'w [Param<'a>],
}

impl<'a> Write<'_, 'a> {
    /// A write says what happens when nobody knows whether it was applied.
    pub(super) fn judge(&self, header: Option<Header<'a>>, errors: &mut Errors) -> Option<Effect<'a>> {
        let args = self.args;
        pages::none_on_a_write(args, errors);
        if let Some(given) = &args.idempotency_key {
            self.idempotency_key(&given.key, errors);
        }
        let journal = journal::judge(args, self.stub, self.params, errors);
        let unknown = match (&args.verify, &args.unverifiable) {
            (Some(verify), None) => {
                cloned_for_each_check(self.params, errors);
                verify.value.as_ref().map(|verify| Unknown::ReadBack {
                    verify,
                    ensure: args.ensure.is_some(),
                    idempotency_key: header,
                })
            }
            (None, None) if args.idempotency_key.is_some() => {
                if let Some(ensure) = &args.ensure {
                    errors.push(ensure_with_key_alone(&ensure.key));
                }
                header.map(|idempotency_key| Unknown::Replay { idempotency_key })
            }
            (None, None) => {
                let follower = ["verify", "unverifiable", "idempotency_key"].iter().any(|key| !args.lacks(key));
                if !follower {
                    errors.extend(self.no_way_out());
                }
                None
            }
            (None, Some(unverifiable)) if args.idempotency_key.is_none() => {
                ensure_without_verifier(args, errors);
                let why = unverifiable.value.as_ref();
                why.and_then(|why| reason(why, errors))
            }
            (_, Some(unverifiable)) => {
                errors.push(contradiction(&unverifiable.key, args));
                None
            }
        };
        let key = args.key.as_ref().and_then(|given| given.value.as_ref());
        Some(Effect::Write { unknown: unknown?, key, journal })
    }

    fn no_way_out(&self) -> Option<Refusal> {
        let name = self.args.name.as_ref()?.value.as_ref()?.value();
        way_out::refusal(&name, &self.entry, self.version, self.kind, &self.stub.sig)
    }

    /// A key that the portal does not look at guards nothing.
    fn idempotency_key(&self, key: &Ident, errors: &mut Errors) {
        match self.version {
            None | Some(Version::Three) => return,
            Some(Version::Two) => {}
        }
        let row = self.entry.row();
        let refusal = match row {
            Some(row) if !row.versions.has_rest3() => {
                let what = format!(
                    "`{}` takes no idempotency key: REST 3.0 does not have this method, and REST 2 ignores the key \
                     without a word",
                    row.name
                );
                refuse(key, what).help("remove `idempotency_key`")
            }
            Some(_) => refuse(
                key,
                "`idempotency_key` needs REST 3.0, and this stub calls REST 2, which ignores the key without a word",
            )
            .help("write `version = 3`: REST 3.0 has this method as well, with arguments and results of its own"),
            None => refuse(
                key,
                "`idempotency_key` needs a REST 3.0 method: on REST 2 the portal ignores the key without a word",
            )
            .help("write `version = 3` if REST 3.0 has this method"),
        };
        // Where REST 3.0 has the method, the key is the better answer.
        let read_back = row.filter(|row| !row.versions.has_rest3()).and_then(catalogue::read_back);
        errors.push(match read_back {
            _ if self.args.verify.is_some() => refusal.help("the verifier settles an unknown outcome without the key"),
            Some(how) => refusal.help(format!("name a verifier, `verify = path`: read it back with {how}")),
            None => {
                refusal.help("on REST 2 name a verifier with `verify = path`, or say `unverifiable = \"the reason\"`")
            }
        });
    }
}

fn ensure_with_key_alone(ensure: &Ident) -> Refusal {
    refuse(ensure, "`ensure` asks the verifier before the first send, and this write has none")
        .help(
            "remove `ensure`: for 24 hours the portal answers a second call with this key and the same arguments\n\
             with the stored result, and runs nothing",
        )
        .help("if it may run again later than that, name a verifier as well: `verify = path`")
}

fn contradiction(unverifiable: &Ident, args: &Args) -> Refusal {
    match (&args.verify, &args.idempotency_key) {
        (Some(_), None) => {
            refuse(unverifiable, "`unverifiable` contradicts `verify`: a write can be read back, or it can't")
                .help("keep `verify` if it can tell this write from every other, else `unverifiable`")
        }
        (None, _) => {
            refuse(unverifiable, "`unverifiable` contradicts `idempotency_key`: the portal knows the write by its key")
                .help("keep `idempotency_key`: what the key can't settle ends as `CallError::InDoubt` all the same")
        }
        (Some(_), Some(_)) => refuse(
            unverifiable,
            "`unverifiable` contradicts `verify` and `idempotency_key`: each of them can settle an unknown outcome",
        )
        .help("remove `unverifiable`"),
    }
}

/// The verifier may run several times, so it gets a clone of each argument.
fn cloned_for_each_check(params: &[Param<'_>], errors: &mut Errors) {
    for param in params {
        if let Type::Reference(reference) = param.ty
            && reference.mutability.is_some()
        {
            errors.push(
                refuse(
                    param.ty,
                    "an argument of a write that is read back is shared: the request and each check see the same value",
                )
                .help(format!(
                    "write `{}`",
                    spell(Type::Reference(syn::TypeReference { mutability: None, ..reference.clone() }))
                )),
            );
        }
    }
}

fn ensure_without_verifier(args: &Args, errors: &mut Errors) {
    if let Some(ensure) = &args.ensure {
        errors.push(
            refuse(&ensure.key, "`ensure` asks the verifier before the first send, and an unverifiable write has none")
                .help("remove `ensure`, or name a verifier in place of `unverifiable`"),
        );
    }
}

fn reason<'a>(why: &'a LitStr, errors: &mut Errors) -> Option<Unknown<'a>> {
    if why.value().trim().is_empty() {
        errors.push(
            refuse(why, "`unverifiable` gives the reason, and this gives none")
                .help("write why nothing on the portal tells this call from another: a person will read it"),
        );
        return None;
    }
    Some(Unknown::Stop { why })
}
