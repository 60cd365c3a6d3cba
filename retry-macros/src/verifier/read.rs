//! The stub of a read, and how it is called.

use retry_catalogue::{Action, Helper, Versions};
use syn::Signature;

use super::retyped;
use crate::catalogue::Row;

/// The longest stub that is written on one line.
const LINE: usize = 110;

/// The parameters of most methods whose names end with `.list`.
const FILTERED: &str = "filter: &Filter, select: &[&str]";

/// What names a record of `crm.item.*`, and the parameters for it.
const ITEM: &str = "entityTypeId, id";
const OF_ITEM: &str = "#[param(name = \"entityTypeId\")] entity_type_id: u32, id: Id";

pub(super) struct Read {
    attribute: String,
    pub(super) function: String,
    /// Its parameters after the first, and the arguments for them.
    params: &'static str,
    pub(super) arguments: String,
    pub(super) listed: bool,
    /// What it returns.
    result: String,
    /// How the record is taken from what it returns.
    pub(super) inner: &'static str,
}

impl Read {
    pub(super) fn of(stub: &Signature, row: &Row, read: &Row) -> Self {
        let version = if read.versions == Versions::Three { ", version = 3" } else { "" };
        let attribute = format!("#[bitrix_method(name = \"{}\", kind = read{version})]", read.name);
        let listed = read.action == Action::List;
        let filtered = listed && read.name.rsplit('.').next() == Some("list");
        let changed = retyped(stub, row.helper());
        let (params, arguments) = match (row.helper(), &changed) {
            (Some(Helper::Key(_)), _) => ("#[param(flatten)] key: &Key<'_>", "&key".to_owned()),
            (Some(Helper::Text(_)), _) if filtered => ("filter: &Filter, start: u64", "&filter, start".to_owned()),
            (Some(Helper::Gone(_)), Some((id, _))) if row.keys == "id" => ("id: Id", format!("{id}.id()")),
            (Some(Helper::Gone(_)), Some((id, _))) if row.keys == ITEM => {
                (OF_ITEM, format!("entity_type_id, {id}.id()"))
            }
            _ if !listed && row.keys == ITEM => (OF_ITEM, "entity_type_id, id".to_owned()),
            _ if filtered => (FILTERED, "&filter, &select".to_owned()),
            _ if !listed && row.keys == "id" => ("id: Id", "id".to_owned()),
            _ => ("#[param(flatten)] query: &Query", "&query".to_owned()),
        };
        let inner = if row.keys == ITEM { ".item" } else { "" };
        let result = match (row.helper(), changed) {
            (Some(Helper::Key(_)), _) => "Page<KeyRow>".to_owned(),
            // `&Change<DealFields>` is compared with what is there now.
            (Some(Helper::Change), Some((_, ty))) => {
                let values = ty.strip_prefix("&Change<").and_then(|ty| ty.strip_suffix('>')).unwrap_or(&ty);
                if inner.is_empty() { values.to_owned() } else { format!("Answer<{values}>") }
            }
            _ if listed => "Page<Row>".to_owned(),
            _ => "Row".to_owned(),
        };
        Self { attribute, function: function(read.name), params, arguments, listed, result, inner }
    }

    pub(super) fn stub(&self) -> String {
        let Self { attribute, function, params, result, .. } = self;
        let line = format!("async fn {function}(reader: &Reader, {params}) -> Result<{result}, CallError>;");
        if line.len() <= LINE {
            return format!("{attribute}\n{line}");
        }
        let params = params.replace(", ", ",\n    ");
        format!(
            "{attribute}\nasync fn {function}(\n    reader: &Reader,\n    {params},\n) -> Result<{result}, CallError>;"
        )
    }

    /// Whether it takes a filter and a `select` of the user's own.
    pub(super) fn is_filtered(&self) -> bool {
        self.params == FILTERED
    }

    /// Whether it is read page by page.
    pub(super) fn is_paged(&self) -> bool {
        self.arguments.ends_with("start")
    }
}

/// `list_contacts` of `crm.contact.list`, `get_children_folder` of `disk.folder.getChildren`.
fn function(method: &str) -> String {
    let mut last = method.rsplit('.').map(snake);
    match (last.next(), last.next()) {
        (Some(verb), Some(thing)) if verb == "list" => format!("list_{}", plural(&thing)),
        (Some(verb), Some(thing)) => format!("{verb}_{thing}"),
        (Some(verb), None) => verb,
        (None, _) => "read".to_owned(),
    }
}

fn plural(thing: &str) -> String {
    match thing.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ if thing.ends_with('s') => format!("{thing}es"),
        _ => format!("{thing}s"),
    }
}

/// `originatorId` and `ORIGINATOR_ID` as `originator_id`.
pub(super) fn snake(name: &str) -> String {
    let mut out = String::new();
    let mut small = false;
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && small {
            out.push('_');
        }
        out.push(letter.to_ascii_lowercase());
        small = letter.is_ascii_lowercase() || letter.is_ascii_digit();
    }
    out
}
