//! The fields of leads, deals, contacts, companies, quotes and of smart processes.

use super::Kind::{Date, Flag, Int, Money, Multi, Text, Time};
use super::Start::{Empty, Fixed, Now, Title, User};
use super::{Field, fixed, open};

/// Of all of them.
pub(super) static COMMON: &[Field] = &[
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
    open("UTM_SOURCE", "utmSource", Text, Empty),
    open("UTM_MEDIUM", "utmMedium", Text, Empty),
    open("UTM_CAMPAIGN", "utmCampaign", Text, Empty),
    open("UTM_CONTENT", "utmContent", Text, Empty),
    open("UTM_TERM", "utmTerm", Text, Empty),
];

/// The keys of another system, which quotes and smart processes do not have.
pub(super) static ORIGIN: &[Field] =
    &[open("ORIGINATOR_ID", "originatorId", Text, Empty), open("ORIGIN_ID", "originId", Text, Empty)];

pub(super) static LEAD: &[Field] = &[
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

pub(super) static DEAL: &[Field] = &[
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

pub(super) static CONTACT: &[Field] = &[
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

pub(super) static COMPANY: &[Field] = &[
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

pub(super) static QUOTE: &[Field] = &[
    open("TITLE", "title", Text, Title),
    open("STATUS_ID", "stageId", Text, Fixed("DRAFT")),
    open("QUOTE_NUMBER", "quoteNumber", Text, Empty),
    open("CURRENCY_ID", "currencyId", Text, Fixed("RUB")),
    open("OPPORTUNITY", "opportunity", Money, Fixed("0.00")),
    open("TAX_VALUE", "taxValue", Money, Fixed("0.00")),
    open("COMPANY_ID", "companyId", Int, Empty),
    open("CONTACT_ID", "contactId", Int, Empty),
    open("DEAL_ID", "dealId", Int, Empty),
    open("LEAD_ID", "leadId", Int, Empty),
    open("BEGINDATE", "begindate", Date, Now),
    open("CLOSEDATE", "closedate", Date, Now),
    open("CONTENT", "content", Text, Empty),
    open("TERMS", "terms", Text, Empty),
];

pub(super) static ITEM: &[Field] = &[
    // Set from the address of the call.
    fixed("ENTITY_TYPE_ID", "entityTypeId", Int, Empty),
    open("TITLE", "title", Text, Title),
    open("XML_ID", "xmlId", Text, Empty),
    open("CATEGORY_ID", "categoryId", Int, Fixed("0")),
    open("STAGE_ID", "stageId", Text, Fixed("NEW")),
    open("CURRENCY_ID", "currencyId", Text, Fixed("RUB")),
    open("OPPORTUNITY", "opportunity", Money, Fixed("0.00")),
    open("COMPANY_ID", "companyId", Int, Empty),
    open("CONTACT_ID", "contactId", Int, Empty),
    open("BEGINDATE", "begindate", Date, Now),
    open("CLOSEDATE", "closedate", Date, Now),
    open("SOURCE_ID", "sourceId", Text, Empty),
    open("SOURCE_DESCRIPTION", "sourceDescription", Text, Empty),
];
