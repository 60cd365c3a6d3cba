//! The fields of each entity: their names in both styles, what they hold, and what a new record starts with.

use super::records::Entity;

/// What a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Int,
    Money,
    Text,
    Flag,
    Date,
    Time,
    /// Phones, e-mail addresses and the like: a list of values with server ids.
    Multi,
    /// A custom field: whatever is given.
    Custom,
}

/// What a new record starts with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Start {
    Empty,
    Fixed(&'static str),
    /// The user of the webhook.
    User,
    Now,
    /// `Deal #17`.
    Title,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Field {
    /// The name in the old methods.
    pub(crate) name: &'static str,
    /// The name in `crm.item.*`.
    pub(crate) item: &'static str,
    pub(crate) kind: Kind,
    pub(crate) start: Start,
    /// Set by the server alone; what a client sends is dropped.
    pub(crate) read_only: bool,
}

const fn open(name: &'static str, item: &'static str, kind: Kind, start: Start) -> Field {
    Field { name, item, kind, start, read_only: false }
}

const fn fixed(name: &'static str, item: &'static str, kind: Kind, start: Start) -> Field {
    Field { name, item, kind, start, read_only: true }
}

use Kind::{Date, Flag, Int, Money, Multi, Text, Time};
use Start::{Empty, Fixed, Now, Title, User};

/// Of all four CRM entities.
static COMMON: [Field; 17] = [
    fixed("ID", "id", Int, Empty),
    fixed("DATE_CREATE", "createdTime", Time, Now),
    fixed("DATE_MODIFY", "updatedTime", Time, Now),
    fixed("CREATED_BY_ID", "createdBy", Int, User),
    fixed("MODIFY_BY_ID", "updatedBy", Int, User),
    fixed("LAST_ACTIVITY_BY", "lastActivityBy", Int, User),
    fixed("LAST_ACTIVITY_TIME", "lastActivityTime", Time, Now),
    open("ASSIGNED_BY_ID", "assignedById", Int, User),
    open("OPENED", "opened", Flag, Fixed("Y")),
    open("COMMENTS", "comments", Text, Empty),
    open("ORIGINATOR_ID", "originatorId", Text, Empty),
    open("ORIGIN_ID", "originId", Text, Empty),
    open("UTM_SOURCE", "utmSource", Text, Empty),
    open("UTM_MEDIUM", "utmMedium", Text, Empty),
    open("UTM_CAMPAIGN", "utmCampaign", Text, Empty),
    open("UTM_CONTENT", "utmContent", Text, Empty),
    open("UTM_TERM", "utmTerm", Text, Empty),
];

static LEAD: [Field; 28] = [
    open("TITLE", "title", Text, Title),
    open("NAME", "name", Text, Empty),
    open("SECOND_NAME", "secondName", Text, Empty),
    open("LAST_NAME", "lastName", Text, Empty),
    open("HONORIFIC", "honorific", Text, Empty),
    open("BIRTHDATE", "birthdate", Date, Empty),
    open("COMPANY_TITLE", "companyTitle", Text, Empty),
    open("POST", "post", Text, Empty),
    open("ADDRESS", "address", Text, Empty),
    open("SOURCE_ID", "sourceId", Text, Fixed("CALL")),
    open("SOURCE_DESCRIPTION", "sourceDescription", Text, Empty),
    open("STATUS_ID", "stageId", Text, Fixed("NEW")),
    open("STATUS_DESCRIPTION", "statusDescription", Text, Empty),
    fixed("STATUS_SEMANTIC_ID", "stageSemanticId", Text, Fixed("P")),
    open("CURRENCY_ID", "currencyId", Text, Fixed("RUB")),
    open("OPPORTUNITY", "opportunity", Money, Fixed("0.00")),
    open("IS_MANUAL_OPPORTUNITY", "isManualOpportunity", Flag, Fixed("N")),
    open("COMPANY_ID", "companyId", Int, Empty),
    open("CONTACT_ID", "contactId", Int, Empty),
    fixed("IS_RETURN_CUSTOMER", "isReturnCustomer", Flag, Fixed("N")),
    fixed("DATE_CLOSED", "dateClosed", Time, Empty),
    fixed("MOVED_BY_ID", "movedBy", Int, User),
    fixed("MOVED_TIME", "movedTime", Time, Now),
    open("PHONE", "phone", Multi, Empty),
    open("EMAIL", "email", Multi, Empty),
    open("WEB", "web", Multi, Empty),
    open("IM", "im", Multi, Empty),
    open("LINK", "link", Multi, Empty),
];

static DEAL: [Field; 26] = [
    open("TITLE", "title", Text, Title),
    open("TYPE_ID", "typeId", Text, Fixed("SALE")),
    open("CATEGORY_ID", "categoryId", Int, Fixed("0")),
    open("STAGE_ID", "stageId", Text, Fixed("NEW")),
    fixed("STAGE_SEMANTIC_ID", "stageSemanticId", Text, Fixed("P")),
    fixed("IS_NEW", "isNew", Flag, Fixed("Y")),
    open("IS_RECURRING", "isRecurring", Flag, Fixed("N")),
    open("IS_RETURN_CUSTOMER", "isReturnCustomer", Flag, Fixed("N")),
    open("IS_REPEATED_APPROACH", "isRepeatedApproach", Flag, Fixed("N")),
    open("PROBABILITY", "probability", Int, Empty),
    open("CURRENCY_ID", "currencyId", Text, Fixed("RUB")),
    open("OPPORTUNITY", "opportunity", Money, Fixed("0.00")),
    open("IS_MANUAL_OPPORTUNITY", "isManualOpportunity", Flag, Fixed("N")),
    open("TAX_VALUE", "taxValue", Money, Fixed("0.00")),
    open("COMPANY_ID", "companyId", Int, Empty),
    open("CONTACT_ID", "contactId", Int, Empty),
    open("QUOTE_ID", "quoteId", Int, Empty),
    open("LEAD_ID", "leadId", Int, Empty),
    open("BEGINDATE", "begindate", Date, Now),
    open("CLOSEDATE", "closedate", Date, Now),
    open("CLOSED", "closed", Flag, Fixed("N")),
    open("ADDITIONAL_INFO", "additionalInfo", Text, Empty),
    open("SOURCE_ID", "sourceId", Text, Empty),
    open("SOURCE_DESCRIPTION", "sourceDescription", Text, Empty),
    fixed("MOVED_BY_ID", "movedBy", Int, User),
    fixed("MOVED_TIME", "movedTime", Time, Now),
];

static CONTACT: [Field; 19] = [
    open("HONORIFIC", "honorific", Text, Empty),
    open("NAME", "name", Text, Empty),
    open("SECOND_NAME", "secondName", Text, Empty),
    open("LAST_NAME", "lastName", Text, Empty),
    open("BIRTHDATE", "birthdate", Date, Empty),
    open("TYPE_ID", "typeId", Text, Fixed("CLIENT")),
    open("SOURCE_ID", "sourceId", Text, Fixed("CALL")),
    open("SOURCE_DESCRIPTION", "sourceDescription", Text, Empty),
    open("POST", "post", Text, Empty),
    open("ADDRESS", "address", Text, Empty),
    open("EXPORT", "export", Flag, Fixed("Y")),
    open("COMPANY_ID", "companyId", Int, Empty),
    open("LEAD_ID", "leadId", Int, Empty),
    open("ORIGIN_VERSION", "originVersion", Text, Empty),
    open("PHONE", "phone", Multi, Empty),
    open("EMAIL", "email", Multi, Empty),
    open("WEB", "web", Multi, Empty),
    open("IM", "im", Multi, Empty),
    open("LINK", "link", Multi, Empty),
];

static COMPANY: [Field; 16] = [
    open("TITLE", "title", Text, Title),
    open("COMPANY_TYPE", "typeId", Text, Fixed("CUSTOMER")),
    open("INDUSTRY", "industry", Text, Fixed("IT")),
    open("EMPLOYEES", "employees", Text, Fixed("EMPLOYEES_1")),
    open("CURRENCY_ID", "currencyId", Text, Fixed("RUB")),
    open("REVENUE", "revenue", Money, Fixed("0.00")),
    open("BANKING_DETAILS", "bankingDetails", Text, Empty),
    open("ADDRESS", "address", Text, Empty),
    open("IS_MY_COMPANY", "isMyCompany", Flag, Fixed("N")),
    open("LEAD_ID", "leadId", Int, Empty),
    open("ORIGIN_VERSION", "originVersion", Text, Empty),
    open("PHONE", "phone", Multi, Empty),
    open("EMAIL", "email", Multi, Empty),
    open("WEB", "web", Multi, Empty),
    open("IM", "im", Multi, Empty),
    open("LINK", "link", Multi, Empty),
];

static COMMENT: [Field; 6] = [
    fixed("ID", "id", Int, Empty),
    fixed("CREATED", "created", Time, Now),
    open("ENTITY_ID", "entityId", Int, Empty),
    open("ENTITY_TYPE", "entityType", Text, Empty),
    open("AUTHOR_ID", "authorId", Int, User),
    open("COMMENT", "comment", Text, Empty),
];

static MESSAGE: [Field; 5] = [
    fixed("ID", "id", Int, Empty),
    fixed("DATE", "date", Time, Now),
    fixed("AUTHOR_ID", "authorId", Int, User),
    open("DIALOG_ID", "dialogId", Text, Empty),
    open("MESSAGE", "message", Text, Empty),
];

/// All fields of the entity but the custom ones.
pub(crate) fn fields(entity: Entity) -> impl Iterator<Item = &'static Field> {
    let (common, own): (&'static [Field], &'static [Field]) = match entity {
        Entity::Lead => (&COMMON, &LEAD),
        Entity::Deal => (&COMMON, &DEAL),
        Entity::Contact => (&COMMON, &CONTACT),
        Entity::Company => (&COMMON, &COMPANY),
        Entity::Comment => (&[], &COMMENT),
        Entity::Message => (&[], &MESSAGE),
    };
    common.iter().chain(own)
}

/// A custom field's name in the old style.
pub(crate) fn is_custom(name: &str) -> bool {
    name.strip_prefix("UF_CRM_").is_some_and(|rest| {
        !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
    })
}

/// What the field of this old name holds; `None`: there is no such field.
pub(crate) fn kind(entity: Entity, name: &str) -> Option<Kind> {
    let known = fields(entity).find(|field| field.name == name).map(|field| field.kind);
    known.or_else(|| (custom_fields(entity) && is_custom(name)).then_some(Kind::Custom))
}

fn custom_fields(entity: Entity) -> bool {
    match entity {
        Entity::Lead | Entity::Deal | Entity::Contact | Entity::Company => true,
        Entity::Comment | Entity::Message => false,
    }
}
