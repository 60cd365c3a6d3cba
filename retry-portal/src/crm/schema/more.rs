//! The fields of everything that is no CRM item.

use super::Kind::{Custom, Date, Flag, Int, Money, Text, Time};
use super::Start::{Empty, Fixed, Now, User};
use super::{Field, fixed, open};

pub(super) static COMMENT: &[Field] = &[
    fixed("ID", "id", Int, Empty),
    fixed("CREATED", "created", Time, Now),
    open("ENTITY_ID", "entityId", Int, Empty),
    open("ENTITY_TYPE", "entityType", Text, Empty),
    open("AUTHOR_ID", "authorId", Int, User),
    open("COMMENT", "comment", Text, Empty),
];

pub(super) static MESSAGE: &[Field] = &[
    fixed("ID", "id", Int, Empty),
    fixed("DATE", "date", Time, Now),
    fixed("AUTHOR_ID", "authorId", Int, User),
    open("DIALOG_ID", "dialogId", Text, Empty),
    open("MESSAGE", "message", Text, Empty),
];

/// The second name is that of REST 3.0.
pub(super) static TASK: &[Field] = &[
    fixed("ID", "id", Int, Empty),
    open("TITLE", "title", Text, Empty),
    open("DESCRIPTION", "description", Text, Fixed("")),
    open("CREATED_BY", "creatorId", Int, User),
    open("RESPONSIBLE_ID", "responsibleId", Int, User),
    open("STATUS", "status", Int, Fixed("2")),
    open("PRIORITY", "priority", Int, Fixed("1")),
    open("DEADLINE", "deadline", Time, Empty),
    open("START_DATE_PLAN", "startPlan", Time, Empty),
    open("END_DATE_PLAN", "endPlan", Time, Empty),
    open("GROUP_ID", "groupId", Int, Empty),
    open("PARENT_ID", "parentId", Int, Empty),
    open("XML_ID", "xmlId", Text, Empty),
    open("UF_CRM_TASK", "crmItemIds", Custom, Empty),
    fixed("CREATED_DATE", "created", Time, Now),
    fixed("CHANGED_DATE", "changed", Time, Now),
    fixed("CHANGED_BY", "changedById", Int, User),
    fixed("CLOSED_DATE", "closed", Time, Empty),
];

pub(super) static ACTIVITY: &[Field] = &[
    fixed("ID", "id", Int, Empty),
    open("OWNER_ID", "ownerId", Int, Empty),
    open("OWNER_TYPE_ID", "ownerTypeId", Int, Empty),
    open("TYPE_ID", "typeId", Int, Empty),
    open("PROVIDER_ID", "providerId", Text, Empty),
    open("SUBJECT", "subject", Text, Empty),
    open("DESCRIPTION", "description", Text, Empty),
    open("COMPLETED", "completed", Flag, Fixed("N")),
    open("RESPONSIBLE_ID", "responsibleId", Int, User),
    open("START_TIME", "startTime", Time, Now),
    open("END_TIME", "endTime", Time, Empty),
    open("DEADLINE", "deadline", Time, Empty),
    open("ORIGINATOR_ID", "originatorId", Text, Empty),
    open("ORIGIN_ID", "originId", Text, Empty),
    fixed("AUTHOR_ID", "authorId", Int, User),
    fixed("CREATED", "created", Time, Now),
    fixed("LAST_UPDATED", "lastUpdated", Time, Now),
];

pub(super) static PRODUCT: &[Field] = &[
    fixed("ID", "id", Int, Empty),
    open("NAME", "name", Text, Empty),
    open("CODE", "code", Text, Empty),
    open("XML_ID", "xmlId", Text, Empty),
    open("ACTIVE", "active", Flag, Fixed("Y")),
    open("PRICE", "price", Money, Empty),
    open("CURRENCY_ID", "currencyId", Text, Fixed("RUB")),
    open("SECTION_ID", "sectionId", Int, Empty),
    open("SORT", "sort", Int, Fixed("500")),
    open("DESCRIPTION", "description", Text, Empty),
    fixed("DATE_CREATE", "dateCreate", Time, Now),
    fixed("TIMESTAMP_X", "timestampX", Time, Now),
];

pub(super) static PRODUCT_ROW: &[Field] = &[
    fixed("ID", "id", Int, Empty),
    fixed("OWNER_ID", "ownerId", Int, Empty),
    fixed("OWNER_TYPE", "ownerType", Text, Empty),
    open("PRODUCT_ID", "productId", Int, Empty),
    open("PRODUCT_NAME", "productName", Text, Empty),
    open("PRICE", "price", Money, Fixed("0.00")),
    open("QUANTITY", "quantity", Money, Fixed("1.00")),
    open("DISCOUNT_SUM", "discount", Money, Fixed("0.00")),
    open("TAX_RATE", "taxRate", Money, Empty),
    open("TAX_INCLUDED", "taxIncluded", Flag, Fixed("N")),
    open("SORT", "sort", Int, Empty),
];

pub(super) static REQUISITE: &[Field] = &[
    fixed("ID", "id", Int, Empty),
    open("ENTITY_TYPE_ID", "entityTypeId", Int, Empty),
    open("ENTITY_ID", "entityId", Int, Empty),
    open("PRESET_ID", "presetId", Int, Empty),
    open("NAME", "name", Text, Empty),
    open("CODE", "code", Text, Empty),
    open("XML_ID", "xmlId", Text, Empty),
    open("ORIGINATOR_ID", "originatorId", Text, Empty),
    open("ACTIVE", "active", Flag, Fixed("Y")),
    open("SORT", "sort", Int, Fixed("500")),
    open("RQ_NAME", "rqName", Text, Empty),
    open("RQ_COMPANY_NAME", "rqCompanyName", Text, Empty),
    open("RQ_INN", "rqInn", Text, Empty),
    open("RQ_KPP", "rqKpp", Text, Empty),
    open("RQ_REG_DATE", "rqRegDate", Date, Empty),
    fixed("DATE_CREATE", "dateCreate", Time, Now),
    fixed("DATE_MODIFY", "dateModify", Time, Now),
];

pub(super) static STATUS: &[Field] = &[
    fixed("ID", "id", Int, Empty),
    open("ENTITY_ID", "entityId", Text, Empty),
    open("STATUS_ID", "statusId", Text, Empty),
    open("NAME", "name", Text, Empty),
    open("SORT", "sort", Int, Fixed("10")),
    open("SEMANTICS", "semantics", Text, Empty),
    open("COLOR", "color", Text, Empty),
];
