//! What the attribute says, with spans. Only its form is judged here; what it means is judged in `method`.

use proc_macro2::{Ident, Span, TokenStream};
use syn::ext::IdentExt as _;
use syn::parse::Parse;
use syn::{Expr, ExprPath, LitInt, LitStr, Path, parse_quote_spanned};

use crate::entries::{Entries, Form, Given, Start};
use crate::errors::{Errors, refuse};
use crate::pages::By;

/// The keys of one attribute, each at most once.
#[derive(Default)]
pub(crate) struct Args {
    pub(crate) name: Option<Given<LitStr>>,
    pub(crate) kind: Option<Given<Ident>>,
    pub(crate) verify: Option<Given<ExprPath>>,
    pub(crate) unverifiable: Option<Given<LitStr>>,
    pub(crate) key: Option<Given<Expr>>,
    pub(crate) ensure: Option<Given<()>>,
    pub(crate) journal: Option<Given<()>>,
    pub(crate) resend: Option<Given<()>>,
    pub(crate) version: Option<Given<LitInt>>,
    pub(crate) idempotency_key: Option<Given<Ident>>,
    pub(crate) read_form: Option<Given<LitStr>>,
    pub(crate) unlisted: Option<Given<()>>,
    pub(crate) pages: Option<Given<By>>,
    pub(crate) krate: Option<Given<Path>>,
    /// Keys that an unknown one was probably meant to be.
    meant: Vec<&'static str>,
    /// There was an unknown key that might have been meant as any.
    stray: bool,
}

const FORMS: [Form; 14] = [
    Form { key: "name", value: "a string literal", example: "name = \"crm.deal.add\"", aliases: &["method"] },
    Form {
        key: "kind",
        value: "one word without quotes",
        example: "kind = read` or `kind = write",
        aliases: &["type"],
    },
    Form {
        key: "verify",
        value: "the path of an async function, without quotes and not called",
        example: "verify = find_deal_by_origin",
        aliases: &["verifier", "verify_with", "check", "read_back", "readback"],
    },
    Form {
        key: "unverifiable",
        value: "a string literal that gives the reason",
        example: "unverifiable = \"a chat message carries no key of ours\"",
        aliases: &["unverified", "no_verify", "reason"],
    },
    Form { key: "key", value: "an expression", example: "key = fields.origin_id", aliases: &["business_key"] },
    Form { key: "ensure", value: "nothing", example: "ensure", aliases: &[] },
    Form {
        key: "journal",
        value: "nothing",
        example: "journal",
        aliases: &["journaled", "journalled", "durable", "record", "log"],
    },
    Form { key: "resend", value: "nothing", example: "resend", aliases: &["send_again", "replay"] },
    Form {
        key: "version",
        value: "the number 2 or 3",
        example: "version = 2` or `version = 3",
        aliases: &["rest", "api"],
    },
    Form {
        key: "idempotency_key",
        value: "the name of one of the stub's parameters",
        example: "idempotency_key = key",
        aliases: &["idempotency", "idempotent"],
    },
    Form {
        key: "read_form",
        value: "a string literal that says why this call only reads",
        example: "read_form = \"it has no parameter fileContent\"",
        aliases: &["form", "read_only", "reads"],
    },
    Form { key: "unlisted", value: "nothing", example: "unlisted", aliases: &["unknown", "custom", "not_listed"] },
    Form {
        key: "pages",
        value: "the id's field as a string literal, or the word `start`",
        example: "pages = \"ID\"` or `pages = start",
        aliases: &["paged", "paging", "pagination", "stream", "cursor"],
    },
    Form {
        key: "crate",
        value: "the path of the runtime, without quotes",
        example: "crate = ::retry_runtime",
        aliases: &[],
    },
];

impl Args {
    /// Reads all that can be read; what can't is reported, and the rest of the attribute still counts.
    pub(crate) fn parse(attribute: TokenStream, errors: &mut Errors) -> Self {
        let mut args = Self::default();
        Entries::read(attribute, &FORMS, errors, |start, entries| match start {
            Start::Key(key) => args.entry(key, entries),
            Start::Other(tokens) => args.not_a_key(tokens, entries),
        });
        args
    }

    /// Whether it is a mistake of its own that `key` was not given, and not the follower of an unknown key.
    pub(crate) fn lacks(&self, key: &str) -> bool {
        !self.stray && !self.meant.contains(&key)
    }

    /// Whether the list is read by pages, for all that can be known of an attribute with errors.
    pub(crate) fn says_pages(&self) -> bool {
        self.pages.is_some() || self.meant.contains(&"pages")
    }

    /// Whether the write is in the journal, for all that can be known of an attribute with errors.
    pub(crate) fn says_journal(&self) -> bool {
        self.journal.is_some() || self.meant.contains(&"journal")
    }

    /// Where the runtime is.
    pub(crate) fn runtime(&self) -> Path {
        match self.krate.as_ref().and_then(|given| given.value.as_ref()) {
            Some(path) => path.clone(),
            None => parse_quote_spanned!(Span::mixed_site()=> ::retry_runtime),
        }
    }

    fn entry(&mut self, key: Ident, entries: &mut Entries<'_, '_>) {
        match key.to_string().as_str() {
            "name" => entries.set(&mut self.name, key, Parse::parse),
            "kind" => entries.set(&mut self.kind, key, Ident::parse_any),
            "verify" => entries.set(&mut self.verify, key, Parse::parse),
            "unverifiable" => entries.set(&mut self.unverifiable, key, Parse::parse),
            "key" => entries.set(&mut self.key, key, Parse::parse),
            "ensure" => entries.set_flag(&mut self.ensure, key),
            "journal" => entries.set_flag(&mut self.journal, key),
            "resend" => entries.set_flag(&mut self.resend, key),
            "version" => entries.set(&mut self.version, key, Parse::parse),
            "idempotency_key" => entries.set(&mut self.idempotency_key, key, Parse::parse),
            "read_form" => entries.set(&mut self.read_form, key, Parse::parse),
            "unlisted" => entries.set_flag(&mut self.unlisted, key),
            "pages" => entries.set(&mut self.pages, key, Parse::parse),
            "crate" => entries.set(&mut self.krate, key, Path::parse_mod_style),
            _ => match entries.unknown(&key) {
                Some(meant) => self.meant.push(meant),
                None => self.stray = true,
            },
        }
    }

    fn not_a_key(&mut self, tokens: TokenStream, entries: &mut Entries<'_, '_>) {
        let refusal = refuse(tokens.clone(), "expected a key of the attribute");
        let refusal = if let Ok(name) = syn::parse2::<LitStr>(tokens) {
            self.meant.push("name");
            refusal.help(format!("write `name = {:?}`", name.value()))
        } else {
            self.stray = true;
            refusal.help(entries.all_keys())
        };
        entries.errors.push(refusal);
    }
}
