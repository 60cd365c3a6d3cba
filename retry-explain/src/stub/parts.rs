//! What the stubs of one method have in common: names, types, parameters.

use retry_runtime::catalogue::{Action, Method, Versions};

use super::names::{field, function, noun, pascal, plural};
use super::shape::{Answer, Ask, Body, Key, Shape};
use super::text::{Member, Struct, kind, parameter, signature};

#[derive(Debug)]
pub(super) struct Parts<'a> {
    pub(super) method: &'a Method,
    pub(super) shape: Shape,
    /// What it deals with, as the name of a type.
    pub(super) noun: String,
    /// The name of the stub.
    pub(super) function: String,
    /// The type of what is sent.
    pub(super) sent: String,
}

impl<'a> Parts<'a> {
    pub(super) fn new(method: &'a Method, shape: Shape) -> Self {
        let noun = pascal(&noun(method.name));
        let function = function(method.name);
        let sent = match method.action {
            Action::Create | Action::Send => format!("New{noun}"),
            Action::Update => format!("{noun}Fields"),
            Action::Get
            | Action::List
            | Action::Fields
            | Action::Search
            | Action::Count
            | Action::Delete
            | Action::Act
            | Action::Other => format!("{}Fields", pascal(&function)),
        };
        Self { method, shape, noun, function, sent }
    }

    /// The name of the variable that is the body.
    pub(super) fn body(&self) -> String {
        match self.shape.body {
            Body::Named(name) => field(name),
            Body::Flat => "arguments".to_owned(),
        }
    }

    pub(super) fn body_parameter(&self) -> String {
        match self.shape.body {
            Body::Named(name) => parameter(name, &format!("&{}", self.sent)),
            Body::Flat => format!("#[param(flatten)] arguments: &{}", self.sent),
        }
    }

    pub(super) fn outer_parameters(&self) -> Vec<String> {
        self.shape.outer.iter().map(|key| parameter(&key.sent, kind(key.number, "&str"))).collect()
    }

    /// The variables of the arguments before the body, each with a comma after it.
    pub(super) fn outer_values(&self) -> String {
        let values = self.shape.outer.iter().map(|key| field(&key.sent));
        values.flat_map(|value| [", ".to_owned(), value]).collect()
    }

    /// The argument that is the id of the record.
    pub(super) fn id(&self) -> Option<&Key> {
        self.shape.outer.iter().rev().find(|key| key.number)
    }

    /// The type that the write returns.
    pub(super) fn answer(&self) -> String {
        match self.shape.answer {
            Answer::Id => "Id".to_owned(),
            Answer::Bool => "bool".to_owned(),
            Answer::Record | Answer::Object(_) | Answer::Key => format!("{}Answer", self.noun),
        }
    }

    /// The types that the answer needs.
    pub(super) fn answer_types(&self) -> String {
        const DERIVE: &str = "Debug, Clone, PartialEq, Deserialize";
        let id = format!("{}Id", self.noun);
        let answer = self.answer();
        let answered =
            |fields| Struct { doc: "What the portal answers.", derive: DERIVE, name: &answer, fields, more: "" };
        match self.shape.answer {
            Answer::Id | Answer::Bool => String::new(),
            Answer::Record => answered(vec![Member::new(self.record_id(), "Id")]).text(),
            Answer::Key => {
                answered(self.shape.keys.iter().map(|key| Member::new(&key.sent, "String")).collect()).text()
            }
            Answer::Object(name) => {
                let record = Struct {
                    doc: "The record in it.",
                    derive: DERIVE,
                    name: &id,
                    fields: vec![Member::new("id", "Id")],
                    more: "",
                };
                answered(vec![Member::new(name, id.as_str())]).text() + &record.text()
            }
        }
    }

    fn record_id(&self) -> &'static str {
        if self.method.name.starts_with("disk.") { "ID" } else { "id" }
    }

    /// The value of the answer, for a record of this id.
    pub(super) fn found(&self, id: &str) -> String {
        let answer = self.answer();
        match self.shape.answer {
            Answer::Id => id.to_owned(),
            Answer::Bool => "true".to_owned(),
            Answer::Record if id == "id" => format!("{answer} {{ id }}"),
            Answer::Record => format!("{answer} {{ id: {id} }}"),
            Answer::Object(name) => {
                let record = if id == "id" { "id".to_owned() } else { format!("id: {id}") };
                format!("{answer} {{ {}: {}Id {{ {record} }} }}", field(name), self.noun)
            }
            Answer::Key => {
                let body = self.body();
                let keys = self.shape.keys.iter().map(|key| field(&key.sent));
                let fields: Vec<String> = keys.map(|key| format!("{key}: {body}.{key}.clone()")).collect();
                format!("{answer} {{ {} }}", fields.join(", "))
            }
        }
    }

    /// The write itself.
    pub(super) fn write(&self, doc: &str, outcome: &str, parameters: &[String], result: &str) -> String {
        let version = version(self.method, 3);
        let mut all = vec!["client: &Client".to_owned()];
        all.extend_from_slice(parameters);
        let signature = signature(&self.function, &all, result, ";");
        let name = self.method.name;
        let line = format!("#[bitrix_method(name = \"{name}\", kind = write{version}, {outcome})]");
        let line = if line.len() <= 110 {
            line
        } else {
            format!("#[bitrix_method(\n    name = \"{name}\",\n    kind = write{version},\n    {outcome}\n)]")
        };
        format!("/// {doc}\n{line}\n{signature}\n\n")
    }

    pub(super) fn verifier(&self) -> String {
        format!("verify_{}", self.function)
    }

    /// The head of the verifier, which has the parameters of the stub.
    pub(super) fn verifier_head(&self, doc: &str, parameters: &[String]) -> String {
        let mut all = vec!["reader: &Reader".to_owned()];
        all.extend(
            parameters.iter().map(|one| one.rsplit_once("] ").map_or(one.as_str(), |(_, bare)| bare).to_owned()),
        );
        let result = format!("ReadBack<{}>", self.answer());
        let hint = format!("/// {doc}\n");
        hint + &signature(&self.verifier(), &all, &result, " {") + "\n"
    }

    /// The name of the stub of the read.
    pub(super) fn read_function(&self, read: &Method) -> String {
        let noun = noun(read.name);
        let name = if read.action == Action::List { format!("list_{}", plural(&noun)) } else { format!("get_{noun}") };
        if name == self.function { format!("{name}_back") } else { name }
    }

    /// The read that a verifier uses: it takes the arguments before the body, then `ask`.
    pub(super) fn read(&self, read: &Method, ask: Option<&str>, result: &str) -> String {
        self.read_with(read, ask, &[], result)
    }

    /// The same, with more parameters behind it.
    pub(super) fn read_with(&self, read: &Method, ask: Option<&str>, more: &[&str], result: &str) -> String {
        let mut all = vec!["reader: &Reader".to_owned()];
        all.extend(self.outer_parameters());
        if let Some(key) = ask {
            match self.shape.ask {
                Ask::Flat => all.push(format!("#[param(flatten)] key: &{key}")),
                Ask::Filter(name, select) => {
                    all.push(parameter(name, &format!("&{key}")));
                    if select {
                        all.push("select: &[&str]".to_owned());
                    }
                }
            }
        }
        all.extend(more.iter().map(ToString::to_string));
        let version = version(read, 2);
        let signature = signature(&self.read_function(read), &all, result, ";");
        format!("/// Reads it back.\n#[bitrix_method(name = \"{}\", kind = read{version})]\n{signature}\n\n", read.name)
    }
}

/// The `version` that a stub of this method names, if REST 2 is not all there is; `choice` is for a method of both.
pub(super) fn version(method: &Method, choice: u8) -> String {
    match method.versions {
        Versions::Two => String::new(),
        Versions::Three => ", version = 3".to_owned(),
        Versions::Both => format!(", version = {choice}"),
    }
}
