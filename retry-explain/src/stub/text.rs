//! Pieces of Rust as text.

use std::fmt::Write as _;

use super::names::{camel, field, snake};

/// A struct to write.
#[derive(Debug)]
pub(super) struct Struct<'a> {
    pub(super) doc: &'a str,
    pub(super) derive: &'a str,
    /// With its lifetime.
    pub(super) name: &'a str,
    /// The name on the wire and the type; one without a name on the wire is not sent.
    pub(super) fields: Vec<Member>,
    /// A comment after the fields.
    pub(super) more: &'a str,
}

#[derive(Debug)]
pub(super) struct Member {
    pub(super) wire: String,
    pub(super) kind: String,
    pub(super) doc: Option<String>,
    pub(super) skipped: bool,
}

impl Member {
    pub(super) fn new(wire: &str, kind: impl Into<String>) -> Self {
        Self { wire: wire.to_owned(), kind: kind.into(), doc: None, skipped: false }
    }
}

impl Struct<'_> {
    pub(super) fn text(&self) -> String {
        let rule = rule(&self.fields);
        let mut out = format!("/// {}\n#[derive({})]\n", self.doc, self.derive);
        if let Some(name) = rule.name() {
            let _ = writeln!(out, "#[serde(rename_all = \"{name}\")]");
        }
        let _ = writeln!(out, "pub struct {} {{", self.name);
        for member in &self.fields {
            if let Some(doc) = &member.doc {
                let _ = writeln!(out, "    /// {doc}");
            }
            if member.skipped {
                out += "    #[serde(skip)]\n";
            } else if rule == Rule::Each && member.wire != snake(&member.wire) {
                let _ = writeln!(out, "    #[serde(rename = \"{}\")]", member.wire);
            }
            let _ = writeln!(out, "    pub {}: {},", field(&member.wire), member.kind);
        }
        if !self.more.is_empty() {
            let _ = writeln!(out, "    // {}", self.more);
        }
        out + "}\n\n"
    }
}

/// How names of fields become those on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rule {
    Same,
    Capitals,
    Camel,
    Each,
}

impl Rule {
    fn name(self) -> Option<&'static str> {
        match self {
            Self::Same | Self::Each => None,
            Self::Capitals => Some("SCREAMING_SNAKE_CASE"),
            Self::Camel => Some("camelCase"),
        }
    }
}

fn rule(fields: &[Member]) -> Rule {
    let obeys = |rule: fn(&str) -> String| {
        fields.iter().filter(|member| !member.skipped).all(|member| rule(&snake(&member.wire)) == member.wire)
    };
    if obeys(str::to_owned) {
        Rule::Same
    } else if obeys(str::to_uppercase) {
        Rule::Capitals
    } else if obeys(camel) {
        Rule::Camel
    } else {
        Rule::Each
    }
}

/// A function's first line, broken where it is too long; `end` is what follows the result.
pub(super) fn signature(name: &str, parameters: &[String], result: &str, end: &str) -> String {
    let line = format!("pub async fn {name}({}) -> Result<{result}, CallError>{end}", parameters.join(", "));
    if line.len() <= 110 {
        return line;
    }
    format!("pub async fn {name}(\n    {},\n) -> Result<{result}, CallError>{end}", parameters.join(",\n    "))
}

/// A parameter, with its name on the wire where that is another.
pub(super) fn parameter(wire: &str, kind: &str) -> String {
    let name = field(wire);
    if name.trim_start_matches("r#") == wire {
        format!("{name}: {kind}")
    } else {
        format!("#[param(name = \"{wire}\")] {name}: {kind}")
    }
}

/// The type of a key that is owned, borrowed, or may be missing.
pub(super) fn kind(number: bool, text: &str) -> &str {
    match (number, text) {
        (true, "Option<String>") => "Option<Id>",
        (true, _) => "Id",
        (false, _) => text,
    }
}

/// A line that makes a struct, broken where it is too long.
pub(super) fn made(variable: &str, name: &str, fields: &[String]) -> String {
    let line = format!("    let {variable} = {name} {{ {} }};\n", fields.join(", "));
    if line.len() <= 110 {
        return line;
    }
    format!("    let {variable} = {name} {{\n        {},\n    }};\n", fields.join(",\n        "))
}

/// The `use` lines for what occurs in the text.
pub(super) fn uses(body: &str) -> String {
    let named = |names: &[&'static str]| -> Vec<&'static str> {
        let words: Vec<&str> = body.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').collect();
        names.iter().copied().filter(|name| words.contains(name)).collect()
    };
    let runtime = named(&[
        "CallError",
        "Change",
        "Client",
        "Existing",
        "Gone",
        "Id",
        "IdempotencyKey",
        "Key",
        "KeyRow",
        "Page",
        "ReadBack",
        "Reader",
        "bitrix_method",
    ]);
    let mut out = format!("use retry_runtime::{{{}}};\n", runtime.join(", "));
    match named(&["Deserialize", "Serialize"]).as_slice() {
        [] => {}
        [one] => out.extend(["use serde::", one, ";\n"]),
        both => out.extend(["use serde::{", &both.join(", "), "};\n"]),
    }
    out + "\n"
}

/// A text inside the quotes of a literal.
pub(super) fn literal(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
