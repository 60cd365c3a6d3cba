//! Names of fields as the gateway has them.

use super::gateway::GatewaySwitches;
use crate::crm::{self, Entity, Field, Kind, camel, capitals, has_custom, is_custom};

/// Under which names the gateway shows custom fields. It takes both.
///
/// The documentation says that both forms exist and not which one comes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum UserFieldNames {
    /// Under both. The default.
    #[default]
    Both,
    /// `UF_CRM_ORDER_KEY`.
    Original,
    /// `ufCrmOrderKey`.
    Camel,
}

/// Where the gateway's name differs from that of `crm.item.*`.
const RENAMED: [(&str, &str); 6] = [
    ("opportunity", "amount"),
    ("currencyId", "currency"),
    ("createdTime", "createdAt"),
    ("updatedTime", "updatedAt"),
    ("closedate", "closedAt"),
    ("isReturnCustomer", "isReturning"),
];

/// Whether answers have names in capitals.
pub(super) fn in_capitals(entity: Entity) -> bool {
    matches!(entity, Entity::Task | Entity::Activity)
}

/// The name in answers.
pub(super) fn shown(entity: Entity, field: &Field) -> &'static str {
    if in_capitals(entity) {
        return field.name;
    }
    RENAMED.iter().find(|(item, _)| *item == field.item && is_item(entity)).map_or(field.item, |(_, name)| name)
}

fn is_item(entity: Entity) -> bool {
    entity == Entity::Item || entity.type_id().is_some()
}

/// The old name and the kind of what a client names: by the gateway's name, by that of `crm.item.*`, by a custom one.
pub(super) fn resolve(entity: Entity, switches: &GatewaySwitches, name: &str) -> Option<(String, Kind)> {
    let known = crm::fields(entity).find(|field| named(entity, field, name));
    match known {
        Some(field) => survives(entity, switches, field).then(|| (field.name.to_owned(), field.kind)),
        None if !has_custom(entity) => None,
        None if is_custom(name) => Some((name.to_owned(), Kind::Custom)),
        None => capitals(name).map(|custom| (custom, Kind::Custom)),
    }
}

fn named(entity: Entity, field: &Field, name: &str) -> bool {
    if field.item == name || shown(entity, field) == name {
        return true;
    }
    // In requests all names are in camel case, also of what is answered in capitals.
    in_capitals(entity) && (field.name == name || camel(field.name) == name)
}

/// Whether the field gets through. Nothing public says so for the keys of another system, except where the page of the
/// entity lists them.
pub(super) fn survives(entity: Entity, switches: &GatewaySwitches, field: &Field) -> bool {
    let undocumented = match entity {
        Entity::Lead | Entity::Deal | Entity::Contact | Entity::Company | Entity::Quote => true,
        Entity::Item
        | Entity::Comment
        | Entity::Message
        | Entity::Task
        | Entity::Activity
        | Entity::Product
        | Entity::ProductRow
        | Entity::Requisite
        | Entity::Status => false,
    };
    switches.keeps_origin || !undocumented || !matches!(field.name, "ORIGIN_ID" | "ORIGINATOR_ID" | "ORIGIN_VERSION")
}

/// The names of a custom field in answers.
pub(super) fn custom(switches: &GatewaySwitches, name: &str) -> Vec<String> {
    match switches.user_field_names {
        UserFieldNames::Both => vec![name.to_owned(), camel(name)],
        UserFieldNames::Original => vec![name.to_owned()],
        UserFieldNames::Camel => vec![camel(name)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn old(entity: Entity, name: &str) -> Option<String> {
        resolve(entity, &GatewaySwitches::default(), name).map(|(name, _)| name)
    }

    #[test]
    fn a_field_is_found_by_each_of_its_names() {
        for (entity, name, found) in [
            (Entity::Deal, "amount", "OPPORTUNITY"),
            (Entity::Deal, "opportunity", "OPPORTUNITY"),
            (Entity::Deal, "UF_CRM_ORDER_KEY", "UF_CRM_ORDER_KEY"),
            (Entity::Deal, "ufCrmOrderKey", "UF_CRM_ORDER_KEY"),
            (Entity::Deal, "ufCrm_123", "UF_CRM_123"),
            (Entity::Item, "xmlId", "XML_ID"),
            (Entity::Task, "responsibleId", "RESPONSIBLE_ID"),
            (Entity::Task, "createdBy", "CREATED_BY"),
            (Entity::Task, "CREATED_BY", "CREATED_BY"),
            (Entity::Comment, "entityId", "ENTITY_ID"),
        ] {
            assert_eq!(old(entity, name).as_deref(), Some(found), "{name}");
        }
        assert_eq!(old(Entity::Deal, "OPPORTUNITY"), None);
        assert_eq!(old(Entity::Status, "ufCrm_1"), None);
    }

    #[test]
    fn keys_of_another_system_survive_only_where_that_is_documented() {
        for name in ["originId", "originatorId", "xmlId"] {
            assert_eq!(old(Entity::Deal, name), None, "{name}");
        }
        assert_eq!(old(Entity::Requisite, "originatorId").as_deref(), Some("ORIGINATOR_ID"));
        let keeps = GatewaySwitches { keeps_origin: true, ..GatewaySwitches::default() };
        assert_eq!(resolve(Entity::Deal, &keeps, "originId"), Some(("ORIGIN_ID".to_owned(), Kind::Text)));
    }
}
