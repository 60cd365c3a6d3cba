//! The routes, and the native methods behind them.

use http::Method as Verb;

use crate::crm::{Action, Entity};

/// What a request to the gateway is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Route {
    Entity(Whose, Act),
    /// `GET /v1/deals/{id}/products`.
    RowsGet(u64),
    /// `PUT /v1/deals/{id}/products`.
    RowsSet(u64),
    /// `POST /v1/duplicates/find`.
    Duplicates,
    Me,
    /// `POST /v1/batch`.
    Batch,
}

/// Why a path has no route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoRoute {
    Unknown,
    /// `items` of a type that has an entity of its own.
    Reserved(u64),
    /// An id that is no number.
    BadId,
}

/// Whose routes these are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Whose {
    pub(crate) entity: Entity,
    /// Of a smart process.
    pub(crate) type_id: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    Create,
    List,
    Search,
    Fields,
    Get(u64),
    Update(u64),
    Delete(u64),
}

const ENTITIES: [(&str, Entity); 10] = [
    ("deals", Entity::Deal),
    ("leads", Entity::Lead),
    ("contacts", Entity::Contact),
    ("companies", Entity::Company),
    ("quotes", Entity::Quote),
    ("activities", Entity::Activity),
    ("products", Entity::Product),
    ("requisites", Entity::Requisite),
    ("statuses", Entity::Status),
    ("timelines", Entity::Comment),
];
const TASKS: (&str, Entity) = ("tasks", Entity::Task);

/// Types that `items` refuses.
const RESERVED: [u64; 6] = [1, 2, 3, 4, 7, 31];

/// All entities by the names of their routes.
pub(super) fn entities() -> impl Iterator<Item = (&'static str, Entity)> {
    ENTITIES.into_iter().chain([TASKS])
}

impl Route {
    /// The route of a path below `/v1/`.
    pub(crate) fn of(verb: &Verb, path: &str) -> Result<Self, NoRoute> {
        let parts: Vec<&str> = path.trim_end_matches('/').split('/').collect();
        match (verb.as_str(), parts.as_slice()) {
            ("GET", ["me"]) => Ok(Self::Me),
            ("POST", ["batch"]) => Ok(Self::Batch),
            ("POST", ["duplicates", "find"]) => Ok(Self::Duplicates),
            ("GET", ["deals", id, "products"]) => number(id).map(Self::RowsGet),
            ("PUT", ["deals", id, "products"]) => number(id).map(Self::RowsSet),
            (verb, ["items", type_id, rest @ ..]) => {
                let type_id = number(type_id)?;
                if RESERVED.contains(&type_id) {
                    return Err(NoRoute::Reserved(type_id));
                }
                entity_route(Whose { entity: Entity::Item, type_id: Some(type_id) }, verb, rest)
            }
            (verb, [name, rest @ ..]) => {
                let (_, entity) = entities().find(|(known, _)| known == name).ok_or(NoRoute::Unknown)?;
                entity_route(Whose { entity, type_id: None }, verb, rest)
            }
            (_, []) => Err(NoRoute::Unknown),
        }
    }

    /// The native method behind it, in lower case.
    pub(crate) fn native(&self) -> String {
        match self {
            Self::Entity(whose, act) => format!("{}.{}", family(whose.entity), act.action().name()),
            Self::RowsGet(_) => "crm.deal.productrows.get".to_owned(),
            Self::RowsSet(_) => "crm.deal.productrows.set".to_owned(),
            Self::Duplicates => "crm.duplicate.findbycomm".to_owned(),
            Self::Me => "me".to_owned(),
            Self::Batch => "batch".to_owned(),
        }
    }

    pub(crate) fn is_write(&self) -> bool {
        match self {
            Self::Entity(_, act) => act.action().is_write(),
            Self::RowsSet(_) => true,
            Self::RowsGet(_) | Self::Duplicates | Self::Me | Self::Batch => false,
        }
    }

    /// What the path adds to the parameters.
    pub(crate) fn in_path(&self) -> Vec<(&'static str, u64)> {
        match self {
            Self::Entity(whose, act) => {
                let id = match act {
                    Act::Get(id) | Act::Update(id) | Act::Delete(id) => Some(("id", *id)),
                    Act::Create | Act::List | Act::Search | Act::Fields => None,
                };
                whose.type_id.map(|type_id| ("entityTypeId", type_id)).into_iter().chain(id).collect()
            }
            Self::RowsGet(id) | Self::RowsSet(id) => vec![("id", *id)],
            Self::Duplicates | Self::Me | Self::Batch => Vec::new(),
        }
    }
}

impl Act {
    pub(crate) fn action(self) -> Action {
        match self {
            Self::Create => Action::Add,
            Self::List | Self::Search => Action::List,
            Self::Fields => Action::Fields,
            Self::Get(_) => Action::Get,
            Self::Update(_) => Action::Update,
            Self::Delete(_) => Action::Delete,
        }
    }
}

fn entity_route(whose: Whose, verb: &str, rest: &[&str]) -> Result<Route, NoRoute> {
    let act = match (verb, rest) {
        ("GET", []) => Act::List,
        ("POST", []) => Act::Create,
        ("GET", ["fields"]) => Act::Fields,
        ("POST", ["search"]) => Act::Search,
        ("GET", [id]) => Act::Get(number(id)?),
        ("PATCH", [id]) => Act::Update(number(id)?),
        ("DELETE", [id]) => Act::Delete(number(id)?),
        _ => return Err(NoRoute::Unknown),
    };
    Ok(Route::Entity(whose, act))
}

fn number(part: &str) -> Result<u64, NoRoute> {
    part.parse().map_err(|_| NoRoute::BadId)
}

/// The native methods of an entity, without the action.
fn family(entity: Entity) -> &'static str {
    match entity {
        Entity::Deal => "crm.deal",
        Entity::Lead => "crm.lead",
        Entity::Contact => "crm.contact",
        Entity::Company => "crm.company",
        Entity::Quote => "crm.quote",
        Entity::Item => "crm.item",
        Entity::Activity => "crm.activity",
        Entity::Product => "crm.product",
        Entity::ProductRow => "crm.item.productrow",
        Entity::Requisite => "crm.requisite",
        Entity::Status => "crm.status",
        Entity::Comment => "crm.timeline.comment",
        Entity::Message => "im.message",
        Entity::Task => "tasks.task",
    }
}

#[cfg(test)]
mod tests {
    use http::Method as Verb;

    use super::{NoRoute, Route};

    fn native(verb: &Verb, path: &str) -> Option<String> {
        Route::of(verb, path).ok().map(|route| route.native())
    }

    #[test]
    fn a_route_names_the_native_method_behind_it() {
        for (verb, path, method) in [
            (Verb::POST, "deals", "crm.deal.add"),
            (Verb::GET, "deals", "crm.deal.list"),
            (Verb::POST, "deals/search", "crm.deal.list"),
            (Verb::GET, "deals/fields", "crm.deal.fields"),
            (Verb::GET, "leads/7", "crm.lead.get"),
            (Verb::PATCH, "contacts/7", "crm.contact.update"),
            (Verb::DELETE, "companies/7/", "crm.company.delete"),
            (Verb::POST, "items/1030", "crm.item.add"),
            (Verb::GET, "items/1030/7", "crm.item.get"),
            (Verb::POST, "timelines", "crm.timeline.comment.add"),
            (Verb::POST, "tasks", "tasks.task.add"),
            (Verb::GET, "deals/7/products", "crm.deal.productrows.get"),
            (Verb::PUT, "deals/7/products", "crm.deal.productrows.set"),
            (Verb::POST, "duplicates/find", "crm.duplicate.findbycomm"),
            (Verb::GET, "me", "me"),
            (Verb::POST, "batch", "batch"),
        ] {
            assert_eq!(native(&verb, path).as_deref(), Some(method), "{verb} {path}");
        }
    }

    #[test]
    fn types_with_an_entity_of_their_own_are_refused() {
        for type_id in [1, 2, 3, 4, 7, 31] {
            assert_eq!(Route::of(&Verb::GET, &format!("items/{type_id}")), Err(NoRoute::Reserved(type_id)));
        }
    }

    #[test]
    fn other_paths_have_no_route() {
        for (verb, path) in [
            (Verb::POST, ""),
            (Verb::POST, "deal"),
            (Verb::PUT, "deals/7"),
            (Verb::POST, "deals/7"),
            (Verb::GET, "deals/search/7"),
            (Verb::POST, "me"),
            (Verb::GET, "rest"),
        ] {
            assert_eq!(Route::of(&verb, path), Err(NoRoute::Unknown), "{verb} {path}");
        }
        assert_eq!(Route::of(&Verb::GET, "deals/x"), Err(NoRoute::BadId));
    }
}
