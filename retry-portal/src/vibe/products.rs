//! `GET` and `PUT /v1/deals/{id}/products`.

use serde_json::Value;

use super::Sight;
use super::codes::{not_found, refusal};
use super::view::view;
use crate::crm::{self, Edits, Entity, Record, Rows, keep};
use crate::params::Params;
use crate::refusal::{Answered, Call, Refusal};

/// All rows of the deal.
pub(super) fn get(sight: &Sight<'_>, deal: u64) -> Result<Answered, Refusal> {
    known(sight, deal)?;
    let rows: Vec<Record> = crm::of_owner(sight.context.store, Entity::Deal, deal).cloned().collect();
    Ok(Answered::plain(shown(&rows)))
}

/// Replaces all rows of the deal.
pub(super) fn set(sight: &Sight<'_>, deal: u64, params: &Params) -> Result<Call, Refusal> {
    let items = items(params)?;
    known(sight, deal)?;
    let rows = items.iter().map(edits).collect::<Option<Vec<Edits>>>();
    let rows = rows.ok_or_else(|| refusal("INVALID_PARAMS", "items must hold objects"))?;
    let rows = Rows::new(Entity::Deal, deal, rows, sight.context.user, shown, not_found());
    Ok(Call::change(rows))
}

/// The documented form is `{"items": […]}`; a list alone, and `rows` as in the native method, are taken too.
fn items(params: &Params) -> Result<Vec<Value>, Refusal> {
    if params.is_list() {
        return Ok(params.listed());
    }
    let items = params.get("items").or_else(|| params.get("rows"));
    items.and_then(Value::as_array).cloned().ok_or_else(|| refusal("INVALID_PARAMS", "items must be an array"))
}

/// Names in camel case or in capitals.
fn edits(row: &Value) -> Option<Edits> {
    let mut edits = Edits::default();
    for (name, value) in row.as_object()? {
        let field = crm::fields(Entity::ProductRow).find(|field| field.item == name || field.name == name);
        if let Some(field) = field.filter(|field| !field.read_only) {
            edits.values.push((field.name.to_owned(), keep(field.kind, value)));
        }
    }
    Some(edits)
}

fn shown(rows: &[Record]) -> Value {
    let switches = super::GatewaySwitches::default();
    rows.iter().map(|row| Value::Object(view(Entity::ProductRow, &switches, row))).collect()
}

fn known(sight: &Sight<'_>, deal: u64) -> Result<(), Refusal> {
    if sight.context.switches.hidden(Entity::Deal) {
        return Err(refusal("ACCESS_DENIED", "Access denied"));
    }
    sight.context.store.table(Entity::Deal).get(deal).map(|_| ()).ok_or_else(not_found)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_rows_come_in_each_of_three_forms() {
        for body in ["{\"items\":[{\"productId\":1}]}", "[{\"productId\":1}]", "{\"rows\":[{\"PRODUCT_ID\":1}]}"] {
            let params = Params::decode("", "application/json", body.as_bytes());
            let rows = items(&params).unwrap();
            let edits = edits(&rows[0]).unwrap();
            assert_eq!(edits.values, [("PRODUCT_ID".to_owned(), json!("1"))], "{body}");
        }
        let none = Params::decode("", "application/json", b"{\"items\":1}");
        assert_eq!(items(&none).unwrap_err().code, json!("INVALID_PARAMS"));
    }
}
