//! Writes that make something, and are settled by looking for it: by a key of one's own, or by a marker under a parent.

use std::fmt::Write as _;

use retry_runtime::catalogue::{Action, Helper, Method, Strength};

use super::names::field;
use super::parts::Parts;
use super::shape::{Answer, Ask, Key};
use super::text::{Member, Struct, kind, made};

pub(super) fn stub(parts: &Parts<'_>, read: &Method) -> String {
    if let Some(Helper::Key(make)) = parts.method.helper() {
        return by_key(parts, read, make);
    }
    let find = Find::new(parts, read);
    let mut parameters = parts.outer_parameters();
    parameters.push(parts.body_parameter());
    let doc = format!("A second call {}.", parts.method.again);
    let outcome = format!("verify = {}", parts.verifier());
    [
        find.sent(),
        parts.answer_types(),
        find.key(),
        find.row(),
        find.read(),
        parts.write(&doc, &outcome, &parameters, &parts.answer()),
        parts.verifier_head(&format!("Finds what a lost `{}` may have made.", parts.function), &parameters),
        find.verdict(),
    ]
    .concat()
}

/// A create with fields of its own for a key, by `Key`.
fn by_key(parts: &Parts<'_>, read: &Method, make: &str) -> String {
    let mut asks = Parts::new(parts.method, parts.shape.clone());
    asks.shape.ask = Ask::Flat;
    let mut parameters = parts.outer_parameters();
    parameters.push(parts.body_parameter());
    let found = parts.found("id");
    let map = if found == "id" { String::new() } else { format!(".map(|id| {found})") };
    let page = format!("{}(reader{}, &key).await?", parts.read_function(read), parts.outer_values());
    [
        Find::new(parts, read).sent(),
        parts.answer_types(),
        asks.read(read, Some("Key<'_>"), "Page<KeyRow>"),
        parts.write(
            &format!("A second call {}.", parts.method.again),
            &format!("verify = {}", parts.verifier()),
            &parameters,
            &parts.answer(),
        ),
        parts.verifier_head(&format!("Finds what a lost `{}` may have made.", parts.function), &parameters),
        format!("    let key = {};\n", key_of(parts, make)),
        short(
            format!("    Ok(key.find_in({page}){map})\n}}\n\n"),
            format!("    let found = key.find_in({page});\n    Ok(found{map})\n}}\n\n"),
        ),
    ]
    .concat()
}

/// The first, if its first line is not too long; else the other.
fn short(line: String, broken: String) -> String {
    if line.lines().next().is_some_and(|first| first.len() <= 110) { line } else { broken }
}

/// `Key::origin(&fields.originator_id, &fields.origin_id)`
fn key_of(parts: &Parts<'_>, make: &str) -> String {
    let body = parts.body();
    let values = parts.shape.keys.iter().map(|key| {
        let value = field(&key.sent);
        (&key.sent, if key.number { format!("{body}.{value}.to_string()") } else { format!("&{body}.{value}") })
    });
    if !make.ends_with("field") {
        return format!("Key::{make}({})", values.map(|(_, value)| value).collect::<Vec<_>>().join(", "));
    }
    let mut text = "Key".to_owned();
    for (at, (name, value)) in values.enumerate() {
        let call = if at == 0 { format!("::{make}") } else { ".and".to_owned() };
        text.extend([call, format!("({name:?}, {value})")]);
    }
    text
}

struct Find<'a> {
    parts: &'a Parts<'a>,
    read: &'a Method,
    /// A text that holds a marker, where no filter finds the key.
    marker: bool,
    /// The one field that shows the marker, if there is one.
    text: Option<&'a str>,
    /// Whether a key is both filtered by and shown.
    exact: bool,
}

impl<'a> Find<'a> {
    fn new(parts: &'a Parts<'a>, read: &'a Method) -> Self {
        let exact = parts.shape.keys.iter().any(|key| key.filter.is_some() && key.row.is_some());
        let marker = !exact && parts.method.strength == Some(Strength::Parent);
        let text = match parts.method.helper() {
            Some(Helper::Text(text)) if marker => {
                let texts = || parts.shape.shown().filter(|(key, _)| !key.number).map(|(_, wire)| wire);
                texts().find(|wire| wire.eq_ignore_ascii_case(text)).or_else(|| texts().next())
            }
            _ => None,
        };
        Self { parts, read, marker, text, exact }
    }

    fn filters(&self) -> impl Iterator<Item = (&'a Key, &'a str)> {
        self.parts.shape.keys.iter().filter_map(|key| Some((key, key.filter.as_deref()?)))
    }

    fn rows(&self) -> impl Iterator<Item = (&'a Key, &'a str)> {
        let text = self.text;
        self.parts.shape.shown().filter(move |(_, wire)| text.is_none_or(|text| text == *wire))
    }

    /// Whether the list goes on page by page.
    fn is_paged(&self) -> bool {
        self.text.is_some() && self.read.name.rsplit('.').next() == Some("list")
    }

    fn is_one(&self) -> bool {
        self.read.action != Action::List
    }

    fn sent(&self) -> String {
        let keys = &self.parts.shape.keys;
        let own = |key: &&Key| !key.number && key.row.is_some();
        let doc = "Your own key of this operation: the same in each send, in no other.";
        let mut fields: Vec<Member> = keys
            .iter()
            .map(|key| Member {
                doc: (own(&key) && !self.marker).then(|| doc.to_owned()),
                ..Member::new(&key.sent, kind(key.number, "String"))
            })
            .collect();
        if self.marker {
            let places: Vec<String> = self.rows().map(|(key, _)| format!("`{}`", field(&key.sent))).collect();
            fields.push(Member {
                doc: Some(format!("Stands in {}: a text that no other operation has.", places.join(" or "))),
                skipped: true,
                ..Member::new("marker", "String")
            });
        }
        let name = &self.parts.sent;
        Struct { doc: "What is sent.", derive: "Debug, Serialize", name, fields, more: "and whatever else you fill" }
            .text()
    }

    fn key_type(&self) -> Option<String> {
        let borrows = self.filters().any(|(key, _)| !key.number);
        self.filters().next().map(|_| format!("{}Key{}", self.parts.noun, if borrows { "<'_>" } else { "" }))
    }

    fn key(&self) -> String {
        let Some(name) = self.key_type() else { return String::new() };
        let fields = self.filters().map(|(key, wire)| Member::new(wire, kind(key.number, "&'a str"))).collect();
        let name = name.replace("'_", "'a");
        Struct { doc: "What it is looked for by.", derive: "Debug, Serialize", name: &name, fields, more: "" }.text()
    }

    fn row(&self) -> String {
        let shape = &self.parts.shape;
        let mut fields = Vec::new();
        if !matches!(shape.answer, Answer::Bool | Answer::Key) {
            fields.push(Member::new(shape.id, "Id"));
        }
        for (key, wire) in self.rows() {
            fields.push(Member::new(wire, kind(key.number, "Option<String>")));
        }
        let name = format!("{}Row", self.parts.noun);
        let row =
            Struct { doc: "What the portal shows of it.", derive: "Debug, Deserialize", name: &name, fields, more: "" };
        row.text() + &self.carries(&name)
    }

    fn carries(&self, name: &str) -> String {
        let compared: Vec<String> = self.rows().map(|(key, wire)| self.compared(key, &field(wire))).collect();
        if compared.is_empty() || self.text.is_some() {
            return String::new();
        }
        let sent = &self.parts.sent;
        format!(
            "impl {name} {{\n    fn carries(&self, sent: &{sent}) -> bool {{\n        {}\n    }}\n}}\n\n",
            compared.join(&format!("\n            {} ", if self.marker { "||" } else { "&&" }))
        )
    }

    fn compared(&self, key: &Key, row: &str) -> String {
        let sent = field(&key.sent);
        if self.marker && !key.number {
            format!("self.{row}.as_deref().is_some_and(|text| text.contains(&sent.marker))")
        } else if key.number {
            format!("self.{row} == Some(sent.{sent})")
        } else {
            format!("self.{row}.as_deref() == Some(sent.{sent}.as_str())")
        }
    }

    fn read(&self) -> String {
        let row = format!("{}Row", self.parts.noun);
        let result = if self.is_one() { format!("Option<{row}>") } else { format!("Page<{row}>") };
        let start: &[&str] = if self.is_paged() { &["start: u64"] } else { &[] };
        self.parts.read_with(self.read, self.key_type().as_deref(), start, &result)
    }

    /// The body of the verifier.
    fn verdict(&self) -> String {
        let parts = self.parts;
        let body = parts.body();
        let mut out = String::new();
        let mut arguments = parts.outer_values();
        if let Some(name) = self.key_type() {
            let values: Vec<String> = self
                .filters()
                .map(|(key, wire)| {
                    let borrow = if key.number { "" } else { "&" };
                    format!("{}: {borrow}{body}.{}", field(wire), field(&key.sent))
                })
                .collect();
            let name = name.trim_end_matches("<'_>");
            out += &made("key", name, &values);
            arguments += ", &key";
            if let Ask::Filter(_, true) = parts.shape.ask {
                let id = (!matches!(parts.shape.answer, Answer::Bool | Answer::Key)).then_some(parts.shape.id);
                let rows = self.rows().map(|(_, wire)| wire);
                let select: Vec<String> = id.into_iter().chain(rows).map(|wire| format!("\"{wire}\"")).collect();
                arguments.extend([", &[", &select.join(", "), "]"]);
            }
        }
        let function = parts.read_function(self.read);
        let found = parts.found("row.id");
        if self.is_one() {
            let _ = writeln!(out, "    Ok(match {function}(reader{arguments}).await? {{");
            if self.rows().next().is_some() {
                let _ = writeln!(out, "        Some(row) if row.carries({body}) => ReadBack::Found({found}),");
                out += "        Some(_) => ReadBack::Unreliable(\"it answered something else than was asked for\".into()),\n";
            } else {
                let _ = writeln!(out, "        Some(row) => ReadBack::Found({found}),");
            }
            return out + "        None => ReadBack::Absent,\n    })\n}\n\n";
        }
        if let Some(text) = self.text {
            let page = if self.is_paged() {
                format!("Page::whole_by_start(|start| {function}(reader{arguments}, start))")
            } else {
                format!("{function}(reader{arguments})")
            };
            let text = field(text);
            let _ = writeln!(out, "    let page = {page}.await?;");
            let judge = format!("    Ok(ReadBack::by_text(page, &{body}.marker, |row| ");
            return out
                + &short(
                    format!("{judge}(row.{text}, {found})))\n}}\n\n"),
                    format!("{judge}{{\n        (row.{text}, {found})\n    }}))\n}}\n\n"),
                );
        }
        let by = if self.exact { "by_key" } else { "by_marker" };
        let _ = writeln!(out, "    let page = {function}(reader{arguments}).await?;");
        let test = format!("row.carries({body}).then_some({found})");
        let test = if test.len() <= 70 { test } else { format!("{{\n        {test}\n    }}") };
        let _ = write!(out, "    Ok(ReadBack::{by}(page, |row| {test}))\n}}\n\n");
        out
    }
}
