//! What `retry-explain` prints as stubs, compiled. Written by `EXPLAIN_WRITE=1 cargo test -p retry-explain`.
#![allow(dead_code, missing_docs, unreachable_pub, clippy::pedantic, reason = "text to paste, which a program has made")]

fn main() {}

/// `booking.v1.booking.add`
pub mod booking_v1_booking_add {
    use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};
    use serde::{Deserialize, Serialize};

    /// What is sent.
    #[derive(Debug, Serialize)]
    pub struct NewBooking {
        pub name: String,
        pub description: String,
        /// Stands in `description`: a text that no other operation has.
        #[serde(skip)]
        pub marker: String,
        // and whatever else you fill
    }

    /// What the portal answers.
    #[derive(Debug, Clone, PartialEq, Deserialize)]
    pub struct BookingAnswer {
        pub booking: BookingId,
    }

    /// The record in it.
    #[derive(Debug, Clone, PartialEq, Deserialize)]
    pub struct BookingId {
        pub id: Id,
    }

    /// What the portal shows of it.
    #[derive(Debug, Deserialize)]
    pub struct BookingRow {
        pub id: Id,
        pub description: Option<String>,
    }

    /// Reads it back.
    #[bitrix_method(name = "booking.v1.booking.list", kind = read)]
    pub async fn list_bookings(reader: &Reader, start: u64) -> Result<Page<BookingRow>, CallError>;

    /// A second call makes a second booking.
    #[bitrix_method(name = "booking.v1.booking.add", kind = write, verify = verify_add_booking)]
    pub async fn add_booking(client: &Client, fields: &NewBooking) -> Result<BookingAnswer, CallError>;

    /// Finds what a lost `add_booking` may have made.
    pub async fn verify_add_booking(
        reader: &Reader,
        fields: &NewBooking,
    ) -> Result<ReadBack<BookingAnswer>, CallError> {
        let page = Page::whole_by_start(|start| list_bookings(reader, start)).await?;
        Ok(ReadBack::by_text(page, &fields.marker, |row| {
            (row.description, BookingAnswer { booking: BookingId { id: row.id } })
        }))
    }
}

/// `calendar.event.add`
pub mod calendar_event_add {
    use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};
    use serde::{Deserialize, Serialize};

    /// What is sent.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct NewEvent {
        pub r#type: String,
        pub owner_id: Id,
        pub section: Id,
        pub from: String,
        pub to: String,
        pub description: String,
        /// Stands in `description`: a text that no other operation has.
        #[serde(skip)]
        pub marker: String,
        // and whatever else you fill
    }

    /// What it is looked for by.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct EventKey<'a> {
        pub r#type: &'a str,
        pub owner_id: Id,
        pub section: Id,
        pub from: &'a str,
        pub to: &'a str,
    }

    /// What the portal shows of it.
    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct EventRow {
        pub id: Id,
        pub description: Option<String>,
    }

    /// Reads it back.
    #[bitrix_method(name = "calendar.event.get", kind = read)]
    pub async fn list_events(
        reader: &Reader,
        #[param(flatten)] key: &EventKey<'_>,
    ) -> Result<Page<EventRow>, CallError>;

    /// A second call makes a second event.
    #[bitrix_method(name = "calendar.event.add", kind = write, verify = verify_add_event)]
    pub async fn add_event(client: &Client, #[param(flatten)] arguments: &NewEvent) -> Result<Id, CallError>;

    /// Finds what a lost `add_event` may have made.
    pub async fn verify_add_event(reader: &Reader, arguments: &NewEvent) -> Result<ReadBack<Id>, CallError> {
        let key = EventKey {
            r#type: &arguments.r#type,
            owner_id: arguments.owner_id,
            section: arguments.section,
            from: &arguments.from,
            to: &arguments.to,
        };
        let page = list_events(reader, &key).await?;
        Ok(ReadBack::by_text(page, &arguments.marker, |row| (row.description, row.id)))
    }
}

/// `catalog.price.add`
pub mod catalog_price_add {
    use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};
    use serde::{Deserialize, Serialize};

    /// What is sent.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct NewPrice {
        pub product_id: Id,
        pub catalog_group_id: Id,
        // and whatever else you fill
    }

    /// What the portal answers.
    #[derive(Debug, Clone, PartialEq, Deserialize)]
    pub struct PriceAnswer {
        pub price: PriceId,
    }

    /// The record in it.
    #[derive(Debug, Clone, PartialEq, Deserialize)]
    pub struct PriceId {
        pub id: Id,
    }

    /// What it is looked for by.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct PriceKey {
        pub product_id: Id,
        pub catalog_group_id: Id,
    }

    /// What the portal shows of it.
    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct PriceRow {
        pub id: Id,
        pub product_id: Option<Id>,
        pub catalog_group_id: Option<Id>,
    }

    impl PriceRow {
        fn carries(&self, sent: &NewPrice) -> bool {
            self.product_id == Some(sent.product_id)
                && self.catalog_group_id == Some(sent.catalog_group_id)
        }
    }

    /// Reads it back.
    #[bitrix_method(name = "catalog.price.list", kind = read)]
    pub async fn list_prices(
        reader: &Reader,
        filter: &PriceKey,
        select: &[&str],
    ) -> Result<Page<PriceRow>, CallError>;

    /// A second call is refused, if its key is the same.
    #[bitrix_method(name = "catalog.price.add", kind = write, verify = verify_add_price)]
    pub async fn add_price(client: &Client, fields: &NewPrice) -> Result<PriceAnswer, CallError>;

    /// Finds what a lost `add_price` may have made.
    pub async fn verify_add_price(
        reader: &Reader,
        fields: &NewPrice,
    ) -> Result<ReadBack<PriceAnswer>, CallError> {
        let key = PriceKey { product_id: fields.product_id, catalog_group_id: fields.catalog_group_id };
        let page = list_prices(reader, &key, &["id", "productId", "catalogGroupId"]).await?;
        Ok(ReadBack::by_key(page, |row| {
            row.carries(fields).then_some(PriceAnswer { price: PriceId { id: row.id } })
        }))
    }
}

/// `catalog.product.add`
pub mod catalog_product_add {
    use retry_runtime::{CallError, Client, Id, Key, KeyRow, Page, ReadBack, Reader, bitrix_method};
    use serde::{Deserialize, Serialize};

    /// What is sent.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct NewProduct {
        pub iblock_id: Id,
        /// Your own key of this operation: the same in each send, in no other.
        pub xml_id: String,
        // and whatever else you fill
    }

    /// What the portal answers.
    #[derive(Debug, Clone, PartialEq, Deserialize)]
    pub struct ProductAnswer {
        pub element: ProductId,
    }

    /// The record in it.
    #[derive(Debug, Clone, PartialEq, Deserialize)]
    pub struct ProductId {
        pub id: Id,
    }

    /// Reads it back.
    #[bitrix_method(name = "catalog.product.list", kind = read)]
    pub async fn list_products(
        reader: &Reader,
        #[param(flatten)] key: &Key<'_>,
    ) -> Result<Page<KeyRow>, CallError>;

    /// A second call is probably refused, if its key is the same.
    #[bitrix_method(name = "catalog.product.add", kind = write, verify = verify_add_product)]
    pub async fn add_product(client: &Client, fields: &NewProduct) -> Result<ProductAnswer, CallError>;

    /// Finds what a lost `add_product` may have made.
    pub async fn verify_add_product(
        reader: &Reader,
        fields: &NewProduct,
    ) -> Result<ReadBack<ProductAnswer>, CallError> {
        let key = Key::item_field("iblockId", fields.iblock_id.to_string()).and("xmlId", &fields.xml_id);
        Ok(key.find_in(list_products(reader, &key).await?).map(|id| ProductAnswer { element: ProductId { id } }))
    }
}

/// `catalog.product.delete`
pub mod catalog_product_delete {
    use retry_runtime::{CallError, Client, Existing, Gone, Id, ReadBack, Reader, bitrix_method};
    use serde::Deserialize;

    /// What the portal shows of it.
    #[derive(Debug, Deserialize)]
    pub struct ProductRow {
        pub id: Id,
    }

    /// The answer of the read.
    #[derive(Debug, Deserialize)]
    pub struct ProductState {
        pub product: ProductRow,
    }

    /// Reads it back.
    #[bitrix_method(name = "catalog.product.get", kind = read)]
    pub async fn get_product(reader: &Reader, id: Id) -> Result<ProductState, CallError>;

    /// A second call finds nothing left to remove.
    /// `Existing::seen(id, &read, |read| read.product.id)?`, with what was read before the first send.
    #[bitrix_method(name = "catalog.product.delete", kind = write, verify = verify_delete_product)]
    pub async fn delete_product(client: &Client, id: Existing) -> Result<bool, CallError>;

    /// `Found` means that it is gone.
    pub async fn verify_delete_product(reader: &Reader, id: Existing) -> Result<ReadBack<bool>, CallError> {
        // What the read answers to an id that does not exist: see it once.
        let got = get_product(reader, id.id()).await;
        Ok(id.judge(got, Gone::new("0", &["does not exist"]))?.map(|()| true))
    }
}

/// `crm.activity.add`
pub mod crm_activity_add {
    use retry_runtime::{CallError, Client, Id, Key, KeyRow, Page, ReadBack, Reader, bitrix_method};
    use serde::Serialize;

    /// What is sent.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct NewActivity {
        /// Your own key of this operation: the same in each send, in no other.
        pub originator_id: String,
        /// Your own key of this operation: the same in each send, in no other.
        pub origin_id: String,
        // and whatever else you fill
    }

    /// Reads it back.
    #[bitrix_method(name = "crm.activity.list", kind = read)]
    pub async fn list_activities(
        reader: &Reader,
        #[param(flatten)] key: &Key<'_>,
    ) -> Result<Page<KeyRow>, CallError>;

    /// A second call makes a second activity, and an e-mail activity sends its mail again.
    #[bitrix_method(name = "crm.activity.add", kind = write, verify = verify_add_activity)]
    pub async fn add_activity(client: &Client, fields: &NewActivity) -> Result<Id, CallError>;

    /// Finds what a lost `add_activity` may have made.
    pub async fn verify_add_activity(reader: &Reader, fields: &NewActivity) -> Result<ReadBack<Id>, CallError> {
        let key = Key::origin(&fields.originator_id, &fields.origin_id);
        Ok(key.find_in(list_activities(reader, &key).await?))
    }
}

/// `crm.activity.todo.add`
pub mod crm_activity_todo_add {
    use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};
    use serde::{Deserialize, Serialize};

    /// What is sent.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct NewTodo {
        pub owner_type_id: Id,
        pub owner_id: Id,
        pub description: String,
        /// Stands in `description`: a text that no other operation has.
        #[serde(skip)]
        pub marker: String,
        // and whatever else you fill
    }

    /// What the portal answers.
    #[derive(Debug, Clone, PartialEq, Deserialize)]
    pub struct TodoAnswer {
        pub id: Id,
    }

    /// What it is looked for by.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct TodoKey {
        pub owner_type_id: Id,
        pub owner_id: Id,
    }

    /// What the portal shows of it.
    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct TodoRow {
        pub id: Id,
        pub description: Option<String>,
    }

    /// Reads it back.
    #[bitrix_method(name = "crm.activity.list", kind = read)]
    pub async fn list_activities(
        reader: &Reader,
        filter: &TodoKey,
        select: &[&str],
        start: u64,
    ) -> Result<Page<TodoRow>, CallError>;

    /// A second call makes a second to-do.
    #[bitrix_method(name = "crm.activity.todo.add", kind = write, verify = verify_add_todo)]
    pub async fn add_todo(
        client: &Client,
        #[param(flatten)] arguments: &NewTodo,
    ) -> Result<TodoAnswer, CallError>;

    /// Finds what a lost `add_todo` may have made.
    pub async fn verify_add_todo(
        reader: &Reader,
        arguments: &NewTodo,
    ) -> Result<ReadBack<TodoAnswer>, CallError> {
        let key = TodoKey { owner_type_id: arguments.owner_type_id, owner_id: arguments.owner_id };
        let page = Page::whole_by_start(|start| list_activities(reader, &key, &["ID", "DESCRIPTION"], start)).await?;
        Ok(ReadBack::by_text(page, &arguments.marker, |row| (row.description, TodoAnswer { id: row.id })))
    }
}

/// `crm.address.add`
pub mod crm_address_add {
    use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};
    use serde::{Deserialize, Serialize};

    /// What is sent.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct NewAddress {
        pub type_id: Id,
        pub entity_type_id: Id,
        pub entity_id: Id,
        // and whatever else you fill
    }

    /// What it is looked for by.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct AddressKey {
        pub type_id: Id,
        pub entity_type_id: Id,
        pub entity_id: Id,
    }

    /// What the portal shows of it.
    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct AddressRow {
        pub type_id: Option<Id>,
        pub entity_type_id: Option<Id>,
        pub entity_id: Option<Id>,
    }

    impl AddressRow {
        fn carries(&self, sent: &NewAddress) -> bool {
            self.type_id == Some(sent.type_id)
                && self.entity_type_id == Some(sent.entity_type_id)
                && self.entity_id == Some(sent.entity_id)
        }
    }

    /// Reads it back.
    #[bitrix_method(name = "crm.address.list", kind = read)]
    pub async fn list_addresses(
        reader: &Reader,
        filter: &AddressKey,
        select: &[&str],
    ) -> Result<Page<AddressRow>, CallError>;

    /// A second call is refused, if its key is the same.
    #[bitrix_method(name = "crm.address.add", kind = write, verify = verify_add_address)]
    pub async fn add_address(client: &Client, fields: &NewAddress) -> Result<bool, CallError>;

    /// Finds what a lost `add_address` may have made.
    pub async fn verify_add_address(reader: &Reader, fields: &NewAddress) -> Result<ReadBack<bool>, CallError> {
        let key = AddressKey {
            type_id: fields.type_id,
            entity_type_id: fields.entity_type_id,
            entity_id: fields.entity_id,
        };
        let page = list_addresses(reader, &key, &["TYPE_ID", "ENTITY_TYPE_ID", "ENTITY_ID"]).await?;
        Ok(ReadBack::by_key(page, |row| row.carries(fields).then_some(true)))
    }
}

/// `crm.company.add`
pub mod crm_company_add {
    use retry_runtime::{CallError, Client, Id, Key, KeyRow, Page, ReadBack, Reader, bitrix_method};
    use serde::Serialize;

    /// What is sent.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct NewCompany {
        /// Your own key of this operation: the same in each send, in no other.
        pub originator_id: String,
        /// Your own key of this operation: the same in each send, in no other.
        pub origin_id: String,
        // and whatever else you fill
    }

    /// Reads it back.
    #[bitrix_method(name = "crm.company.list", kind = read)]
    pub async fn list_companies(
        reader: &Reader,
        #[param(flatten)] key: &Key<'_>,
    ) -> Result<Page<KeyRow>, CallError>;

    /// A second call makes a second company.
    #[bitrix_method(name = "crm.company.add", kind = write, verify = verify_add_company)]
    pub async fn add_company(client: &Client, fields: &NewCompany) -> Result<Id, CallError>;

    /// Finds what a lost `add_company` may have made.
    pub async fn verify_add_company(reader: &Reader, fields: &NewCompany) -> Result<ReadBack<Id>, CallError> {
        let key = Key::origin(&fields.originator_id, &fields.origin_id);
        Ok(key.find_in(list_companies(reader, &key).await?))
    }
}

/// `crm.contact.add`
pub mod crm_contact_add {
    use retry_runtime::{CallError, Client, Id, Key, KeyRow, Page, ReadBack, Reader, bitrix_method};
    use serde::Serialize;

    /// What is sent.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct NewContact {
        /// Your own key of this operation: the same in each send, in no other.
        pub originator_id: String,
        /// Your own key of this operation: the same in each send, in no other.
        pub origin_id: String,
        // and whatever else you fill
    }

    /// Reads it back.
    #[bitrix_method(name = "crm.contact.list", kind = read)]
    pub async fn list_contacts(
        reader: &Reader,
        #[param(flatten)] key: &Key<'_>,
    ) -> Result<Page<KeyRow>, CallError>;

    /// A second call makes a second contact.
    #[bitrix_method(name = "crm.contact.add", kind = write, verify = verify_add_contact)]
    pub async fn add_contact(client: &Client, fields: &NewContact) -> Result<Id, CallError>;

    /// Finds what a lost `add_contact` may have made.
    pub async fn verify_add_contact(reader: &Reader, fields: &NewContact) -> Result<ReadBack<Id>, CallError> {
        let key = Key::origin(&fields.originator_id, &fields.origin_id);
        Ok(key.find_in(list_contacts(reader, &key).await?))
    }
}

/// `crm.contact.update`
pub mod crm_contact_update {
    use retry_runtime::{CallError, Change, Client, Id, ReadBack, Reader, bitrix_method};
    use serde::{Deserialize, Serialize};

    /// The fields that are changed, as they are sent and as they are read: equal has to mean equal.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    pub struct ContactFields {
        pub title: String,
        // the fields that you change, and no others
    }

    /// Reads it back.
    #[bitrix_method(name = "crm.contact.get", kind = read)]
    pub async fn get_contact(reader: &Reader, id: Id) -> Result<ContactFields, CallError>;

    /// A second call sets the same values once more, and appends phones and e-mails that have no row id.
    /// `Change::new(before, wanted)`, with what was read before the first send: `wanted` alone is sent.
    #[bitrix_method(name = "crm.contact.update", kind = write, verify = verify_update_contact)]
    pub async fn update_contact(
        client: &Client,
        id: Id,
        fields: &Change<ContactFields>,
    ) -> Result<bool, CallError>;

    /// Compares what is there with what was before, and with what is wanted.
    pub async fn verify_update_contact(
        reader: &Reader,
        id: Id,
        fields: &Change<ContactFields>,
    ) -> Result<ReadBack<bool>, CallError> {
        let now = get_contact(reader, id).await?;
        Ok(fields.judge(&now).map(|()| true))
    }
}

/// `crm.deal.add`
pub mod crm_deal_add {
    use retry_runtime::{CallError, Client, Id, Key, KeyRow, Page, ReadBack, Reader, bitrix_method};
    use serde::Serialize;

    /// What is sent.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct NewDeal {
        /// Your own key of this operation: the same in each send, in no other.
        pub originator_id: String,
        /// Your own key of this operation: the same in each send, in no other.
        pub origin_id: String,
        // and whatever else you fill
    }

    /// Reads it back.
    #[bitrix_method(name = "crm.deal.list", kind = read)]
    pub async fn list_deals(reader: &Reader, #[param(flatten)] key: &Key<'_>) -> Result<Page<KeyRow>, CallError>;

    /// A second call makes a second deal.
    #[bitrix_method(name = "crm.deal.add", kind = write, verify = verify_add_deal)]
    pub async fn add_deal(client: &Client, fields: &NewDeal) -> Result<Id, CallError>;

    /// Finds what a lost `add_deal` may have made.
    pub async fn verify_add_deal(reader: &Reader, fields: &NewDeal) -> Result<ReadBack<Id>, CallError> {
        let key = Key::origin(&fields.originator_id, &fields.origin_id);
        Ok(key.find_in(list_deals(reader, &key).await?))
    }
}

/// `crm.deal.contact.add`
pub mod crm_deal_contact_add {
    use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};
    use serde::{Deserialize, Serialize};

    /// What is sent.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct NewContact {
        pub contact_id: Id,
        // and whatever else you fill
    }

    /// What the portal shows of it.
    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct ContactRow {
        pub contact_id: Option<Id>,
    }

    impl ContactRow {
        fn carries(&self, sent: &NewContact) -> bool {
            self.contact_id == Some(sent.contact_id)
        }
    }

    /// Reads it back.
    #[bitrix_method(name = "crm.deal.contact.items.get", kind = read)]
    pub async fn list_contacts(reader: &Reader, id: Id) -> Result<Page<ContactRow>, CallError>;

    /// A second call answers `false`, since the pair is there already.
    #[bitrix_method(name = "crm.deal.contact.add", kind = write, verify = verify_add_contact)]
    pub async fn add_contact(client: &Client, id: Id, fields: &NewContact) -> Result<bool, CallError>;

    /// Finds what a lost `add_contact` may have made.
    pub async fn verify_add_contact(
        reader: &Reader,
        id: Id,
        fields: &NewContact,
    ) -> Result<ReadBack<bool>, CallError> {
        let page = list_contacts(reader, id).await?;
        Ok(ReadBack::by_marker(page, |row| row.carries(fields).then_some(true)))
    }
}

/// `crm.deal.delete`
pub mod crm_deal_delete {
    use retry_runtime::{CallError, Client, Existing, Gone, Id, ReadBack, Reader, bitrix_method};
    use serde::Deserialize;

    /// What the portal shows of it.
    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct DealRow {
        pub id: Id,
    }

    /// Reads it back.
    #[bitrix_method(name = "crm.deal.get", kind = read)]
    pub async fn get_deal(reader: &Reader, id: Id) -> Result<DealRow, CallError>;

    /// A second call finds nothing left to remove.
    /// `Existing::seen(id, &read, |read| read.id)?`, with what was read before the first send.
    #[bitrix_method(name = "crm.deal.delete", kind = write, verify = verify_delete_deal)]
    pub async fn delete_deal(client: &Client, id: Existing) -> Result<bool, CallError>;

    /// `Found` means that it is gone.
    pub async fn verify_delete_deal(reader: &Reader, id: Existing) -> Result<ReadBack<bool>, CallError> {
        let got = get_deal(reader, id.id()).await;
        Ok(id.judge(got, Gone::CRM)?.map(|()| true))
    }
}

/// `crm.deal.productrows.set`
pub mod crm_deal_productrows_set {
    use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};
    use serde::{Deserialize, Serialize};

    /// One row. It is compared as it comes back: leave out what the portal rounds or fills by itself.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct ProductRow {
        pub product_id: Id,
        pub price: f64,
        pub quantity: f64,
    }

    /// Reads it back.
    #[bitrix_method(name = "crm.deal.productrows.get", kind = read)]
    pub async fn list_productrowses(reader: &Reader, id: Id) -> Result<Page<ProductRow>, CallError>;

    /// A second call sets the same rows once more, over whatever somebody changed in between.
    #[bitrix_method(name = "crm.deal.productrows.set", kind = write, verify = verify_set_productrows)]
    pub async fn set_productrows(client: &Client, id: Id, rows: &[ProductRow]) -> Result<bool, CallError>;

    /// Compares the whole set. It proves presence only.
    pub async fn verify_set_productrows(
        reader: &Reader,
        id: Id,
        rows: &[ProductRow],
    ) -> Result<ReadBack<bool>, CallError> {
        let page = list_productrowses(reader, id).await?;
        Ok(if page.is_complete() && page.rows == rows {
            ReadBack::Found(true)
        } else {
            ReadBack::Unreliable("it has other values: not applied, or changed since".into())
        })
    }
}

/// `crm.deal.update`
pub mod crm_deal_update {
    use retry_runtime::{CallError, Change, Client, Id, ReadBack, Reader, bitrix_method};
    use serde::{Deserialize, Serialize};

    /// The fields that are changed, as they are sent and as they are read: equal has to mean equal.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct DealFields {
        pub title: String,
        // the fields that you change, and no others
    }

    /// Reads it back.
    #[bitrix_method(name = "crm.deal.get", kind = read)]
    pub async fn get_deal(reader: &Reader, id: Id) -> Result<DealFields, CallError>;

    /// A second call sets the same values once more.
    /// `Change::new(before, wanted)`, with what was read before the first send: `wanted` alone is sent.
    #[bitrix_method(name = "crm.deal.update", kind = write, verify = verify_update_deal)]
    pub async fn update_deal(client: &Client, id: Id, fields: &Change<DealFields>) -> Result<bool, CallError>;

    /// Compares what is there with what was before, and with what is wanted.
    pub async fn verify_update_deal(
        reader: &Reader,
        id: Id,
        fields: &Change<DealFields>,
    ) -> Result<ReadBack<bool>, CallError> {
        let now = get_deal(reader, id).await?;
        Ok(fields.judge(&now).map(|()| true))
    }
}

/// `crm.item.add`
pub mod crm_item_add {
    use retry_runtime::{CallError, Client, Id, Key, KeyRow, Page, ReadBack, Reader, bitrix_method};
    use serde::{Deserialize, Serialize};

    /// What is sent.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct NewItem {
        /// Your own key of this operation: the same in each send, in no other.
        pub originator_id: String,
        /// Your own key of this operation: the same in each send, in no other.
        pub origin_id: String,
        // and whatever else you fill
    }

    /// What the portal answers.
    #[derive(Debug, Clone, PartialEq, Deserialize)]
    pub struct ItemAnswer {
        pub item: ItemId,
    }

    /// The record in it.
    #[derive(Debug, Clone, PartialEq, Deserialize)]
    pub struct ItemId {
        pub id: Id,
    }

    /// Reads it back.
    #[bitrix_method(name = "crm.item.list", kind = read)]
    pub async fn list_items(
        reader: &Reader,
        #[param(name = "entityTypeId")] entity_type_id: Id,
        #[param(flatten)] key: &Key<'_>,
    ) -> Result<Page<KeyRow>, CallError>;

    /// A second call makes a second item.
    #[bitrix_method(name = "crm.item.add", kind = write, verify = verify_add_item)]
    pub async fn add_item(
        client: &Client,
        #[param(name = "entityTypeId")] entity_type_id: Id,
        fields: &NewItem,
    ) -> Result<ItemAnswer, CallError>;

    /// Finds what a lost `add_item` may have made.
    pub async fn verify_add_item(
        reader: &Reader,
        entity_type_id: Id,
        fields: &NewItem,
    ) -> Result<ReadBack<ItemAnswer>, CallError> {
        let key = Key::item_origin(&fields.originator_id, &fields.origin_id);
        let found = key.find_in(list_items(reader, entity_type_id, &key).await?);
        Ok(found.map(|id| ItemAnswer { item: ItemId { id } }))
    }
}

/// `crm.item.delete`
pub mod crm_item_delete {
    use retry_runtime::{CallError, Client, Existing, Gone, Id, ReadBack, Reader, bitrix_method};
    use serde::Deserialize;

    /// What the portal shows of it.
    #[derive(Debug, Deserialize)]
    pub struct ItemRow {
        pub id: Id,
    }

    /// The answer of the read.
    #[derive(Debug, Deserialize)]
    pub struct ItemState {
        pub item: ItemRow,
    }

    /// Reads it back.
    #[bitrix_method(name = "crm.item.get", kind = read)]
    pub async fn get_item(
        reader: &Reader,
        #[param(name = "entityTypeId")] entity_type_id: Id,
        id: Id,
    ) -> Result<ItemState, CallError>;

    /// A second call finds nothing left to remove.
    /// `Existing::seen(id, &read, |read| read.item.id)?`, with what was read before the first send.
    #[bitrix_method(name = "crm.item.delete", kind = write, verify = verify_delete_item)]
    pub async fn delete_item(
        client: &Client,
        #[param(name = "entityTypeId")] entity_type_id: Id,
        id: Existing,
    ) -> Result<bool, CallError>;

    /// `Found` means that it is gone.
    pub async fn verify_delete_item(
        reader: &Reader,
        entity_type_id: Id,
        id: Existing,
    ) -> Result<ReadBack<bool>, CallError> {
        let got = get_item(reader, entity_type_id, id.id()).await;
        Ok(id.judge(got, Gone::ITEM)?.map(|()| true))
    }
}

/// `crm.item.payment.pay`
pub mod crm_item_payment_pay {
    use retry_runtime::{CallError, Client, Id, ReadBack, Reader, bitrix_method};
    use serde::Deserialize;

    /// What the portal shows of it.
    #[derive(Debug, Deserialize)]
    pub struct PaymentRow {
        pub id: Id,
        pub paid: Option<String>,
    }

    /// Reads it back.
    #[bitrix_method(name = "crm.item.payment.get", kind = read)]
    pub async fn get_payment(reader: &Reader, id: Id) -> Result<PaymentRow, CallError>;

    /// A second call acts once more, or is refused because of the new state.
    #[bitrix_method(name = "crm.item.payment.pay", kind = write, verify = verify_pay_payment)]
    pub async fn pay_payment(client: &Client, id: Id) -> Result<bool, CallError>;

    /// Compares what is there with what was sent. It proves presence only.
    pub async fn verify_pay_payment(reader: &Reader, id: Id) -> Result<ReadBack<bool>, CallError> {
        // "Y" stands for the value that the call leaves there.
        let row = get_payment(reader, id).await?;
        let shown = row.paid.as_deref() == Some("Y");
        Ok(if shown {
            ReadBack::Found(true)
        } else {
            ReadBack::Unreliable("it has other values: not applied, or changed since".into())
        })
    }
}

/// `crm.item.productrow.add`
pub mod crm_item_productrow_add {
    use retry_runtime::{CallError, Client, bitrix_method};
    use serde::Serialize;

    /// What is sent.
    #[derive(Debug, Serialize)]
    pub struct NewProductrow {
        // whatever you fill
    }

    /// A second call adds the row a second time.
    #[bitrix_method(
        name = "crm.item.productrow.add",
        kind = write,
        unverifiable = "equal ones are legal, and nothing tells this one from them"
    )]
    pub async fn add_productrow(client: &Client, fields: &NewProductrow) -> Result<serde_json::Value, CallError>;
}

/// `crm.item.productrow.set`
pub mod crm_item_productrow_set {
    use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};
    use serde::{Deserialize, Serialize};

    /// One row. It is compared as it comes back: leave out what the portal rounds or fills by itself.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct ProductRow {
        pub product_id: Id,
        pub price: f64,
        pub quantity: f64,
    }

    /// Whose rows they are.
    #[derive(Debug, Serialize)]
    pub struct Owner<'a> {
        #[serde(rename = "=ownerType")]
        pub owner_type: &'a str,
        #[serde(rename = "=ownerId")]
        pub owner_id: Id,
    }

    /// Reads it back.
    #[bitrix_method(name = "crm.item.productrow.list", kind = read)]
    pub async fn list_productrows(reader: &Reader, filter: &Owner<'_>) -> Result<Page<ProductRow>, CallError>;

    /// A second call sets the same rows once more, over whatever somebody changed in between.
    #[bitrix_method(name = "crm.item.productrow.set", kind = write, verify = verify_set_productrow)]
    pub async fn set_productrow(
        client: &Client,
        #[param(name = "ownerType")] owner_type: &str,
        #[param(name = "ownerId")] owner_id: Id,
        #[param(name = "productRows")] product_rows: &[ProductRow],
    ) -> Result<Page<ProductRow>, CallError>;

    /// Compares the whole set. It proves presence only.
    pub async fn verify_set_productrow(
        reader: &Reader,
        owner_type: &str,
        owner_id: Id,
        product_rows: &[ProductRow],
    ) -> Result<ReadBack<Page<ProductRow>>, CallError> {
        let page = list_productrows(reader, &Owner { owner_type, owner_id }).await?;
        Ok(if page.is_complete() && page.rows == product_rows {
            ReadBack::Found(page)
        } else {
            ReadBack::Unreliable("it has other values: not applied, or changed since".into())
        })
    }
}

/// `crm.item.update`
pub mod crm_item_update {
    use retry_runtime::{CallError, Change, Client, Id, ReadBack, Reader, bitrix_method};
    use serde::{Deserialize, Serialize};

    /// The fields that are changed, as they are sent and as they are read: equal has to mean equal.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    pub struct ItemFields {
        pub title: String,
        // the fields that you change, and no others
    }

    /// What the portal answers.
    #[derive(Debug, Clone, PartialEq, Deserialize)]
    pub struct ItemAnswer {
        pub item: ItemId,
    }

    /// The record in it.
    #[derive(Debug, Clone, PartialEq, Deserialize)]
    pub struct ItemId {
        pub id: Id,
    }

    /// The answer of the read.
    #[derive(Debug, Deserialize)]
    pub struct ItemState {
        pub item: ItemFields,
    }

    /// Reads it back.
    #[bitrix_method(name = "crm.item.get", kind = read)]
    pub async fn get_item(
        reader: &Reader,
        #[param(name = "entityTypeId")] entity_type_id: Id,
        id: Id,
    ) -> Result<ItemState, CallError>;

    /// A second call sets the same values once more, and appends phones and e-mails that have no row id.
    /// `Change::new(before, wanted)`, with what was read before the first send: `wanted` alone is sent.
    #[bitrix_method(name = "crm.item.update", kind = write, verify = verify_update_item)]
    pub async fn update_item(
        client: &Client,
        #[param(name = "entityTypeId")] entity_type_id: Id,
        id: Id,
        fields: &Change<ItemFields>,
    ) -> Result<ItemAnswer, CallError>;

    /// Compares what is there with what was before, and with what is wanted.
    pub async fn verify_update_item(
        reader: &Reader,
        entity_type_id: Id,
        id: Id,
        fields: &Change<ItemFields>,
    ) -> Result<ReadBack<ItemAnswer>, CallError> {
        let now = get_item(reader, entity_type_id, id).await?.item;
        Ok(fields.judge(&now).map(|()| ItemAnswer { item: ItemId { id } }))
    }
}

/// `crm.lead.add`
pub mod crm_lead_add {
    use retry_runtime::{CallError, Client, Id, Key, KeyRow, Page, ReadBack, Reader, bitrix_method};
    use serde::Serialize;

    /// What is sent.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct NewLead {
        /// Your own key of this operation: the same in each send, in no other.
        pub originator_id: String,
        /// Your own key of this operation: the same in each send, in no other.
        pub origin_id: String,
        // and whatever else you fill
    }

    /// Reads it back.
    #[bitrix_method(name = "crm.lead.list", kind = read)]
    pub async fn list_leads(reader: &Reader, #[param(flatten)] key: &Key<'_>) -> Result<Page<KeyRow>, CallError>;

    /// A second call makes a second lead.
    #[bitrix_method(name = "crm.lead.add", kind = write, verify = verify_add_lead)]
    pub async fn add_lead(client: &Client, fields: &NewLead) -> Result<Id, CallError>;

    /// Finds what a lost `add_lead` may have made.
    pub async fn verify_add_lead(reader: &Reader, fields: &NewLead) -> Result<ReadBack<Id>, CallError> {
        let key = Key::origin(&fields.originator_id, &fields.origin_id);
        Ok(key.find_in(list_leads(reader, &key).await?))
    }
}

/// `crm.quote.add`
pub mod crm_quote_add {
    use retry_runtime::{CallError, Client, Id, Key, KeyRow, Page, ReadBack, Reader, bitrix_method};
    use serde::Serialize;

    /// What is sent.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct NewQuote {
        /// Your own key of this operation: the same in each send, in no other.
        pub uf_crm_your_key: String,
        // and whatever else you fill
    }

    /// Reads it back.
    #[bitrix_method(name = "crm.quote.list", kind = read)]
    pub async fn list_quotes(reader: &Reader, #[param(flatten)] key: &Key<'_>) -> Result<Page<KeyRow>, CallError>;

    /// A second call makes a second estimate.
    #[bitrix_method(name = "crm.quote.add", kind = write, verify = verify_add_quote)]
    pub async fn add_quote(client: &Client, fields: &NewQuote) -> Result<Id, CallError>;

    /// Finds what a lost `add_quote` may have made.
    pub async fn verify_add_quote(reader: &Reader, fields: &NewQuote) -> Result<ReadBack<Id>, CallError> {
        let key = Key::field("UF_CRM_YOUR_KEY", &fields.uf_crm_your_key);
        Ok(key.find_in(list_quotes(reader, &key).await?))
    }
}

/// `crm.requisite.add`
pub mod crm_requisite_add {
    use retry_runtime::{CallError, Client, Id, Key, KeyRow, Page, ReadBack, Reader, bitrix_method};
    use serde::Serialize;

    /// What is sent.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct NewRequisite {
        /// Your own key of this operation: the same in each send, in no other.
        pub xml_id: String,
        // and whatever else you fill
    }

    /// Reads it back.
    #[bitrix_method(name = "crm.requisite.list", kind = read)]
    pub async fn list_requisites(
        reader: &Reader,
        #[param(flatten)] key: &Key<'_>,
    ) -> Result<Page<KeyRow>, CallError>;

    /// A second call makes a second requisite.
    #[bitrix_method(name = "crm.requisite.add", kind = write, verify = verify_add_requisite)]
    pub async fn add_requisite(client: &Client, fields: &NewRequisite) -> Result<Id, CallError>;

    /// Finds what a lost `add_requisite` may have made.
    pub async fn verify_add_requisite(reader: &Reader, fields: &NewRequisite) -> Result<ReadBack<Id>, CallError> {
        let key = Key::xml_id(&fields.xml_id);
        Ok(key.find_in(list_requisites(reader, &key).await?))
    }
}

/// `crm.status.add`
pub mod crm_status_add {
    use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};
    use serde::{Deserialize, Serialize};

    /// What is sent.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct NewStatus {
        /// Your own key of this operation: the same in each send, in no other.
        pub entity_id: String,
        /// Your own key of this operation: the same in each send, in no other.
        pub status_id: String,
        // and whatever else you fill
    }

    /// What it is looked for by.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct StatusKey<'a> {
        pub entity_id: &'a str,
        pub status_id: &'a str,
    }

    /// What the portal shows of it.
    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct StatusRow {
        pub id: Id,
        pub entity_id: Option<String>,
        pub status_id: Option<String>,
    }

    impl StatusRow {
        fn carries(&self, sent: &NewStatus) -> bool {
            self.entity_id.as_deref() == Some(sent.entity_id.as_str())
                && self.status_id.as_deref() == Some(sent.status_id.as_str())
        }
    }

    /// Reads it back.
    #[bitrix_method(name = "crm.status.list", kind = read)]
    pub async fn list_statuses(reader: &Reader, filter: &StatusKey<'_>) -> Result<Page<StatusRow>, CallError>;

    /// A second call is refused, if its key is the same.
    #[bitrix_method(name = "crm.status.add", kind = write, verify = verify_add_status)]
    pub async fn add_status(client: &Client, fields: &NewStatus) -> Result<Id, CallError>;

    /// Finds what a lost `add_status` may have made.
    pub async fn verify_add_status(reader: &Reader, fields: &NewStatus) -> Result<ReadBack<Id>, CallError> {
        let key = StatusKey { entity_id: &fields.entity_id, status_id: &fields.status_id };
        let page = list_statuses(reader, &key).await?;
        Ok(ReadBack::by_key(page, |row| row.carries(fields).then_some(row.id)))
    }
}

/// `crm.timeline.comment.add`
pub mod crm_timeline_comment_add {
    use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};
    use serde::{Deserialize, Serialize};

    /// What is sent.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct NewComment {
        pub entity_id: Id,
        pub entity_type: String,
        pub comment: String,
        /// Stands in `comment`: a text that no other operation has.
        #[serde(skip)]
        pub marker: String,
        // and whatever else you fill
    }

    /// What it is looked for by.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct CommentKey<'a> {
        pub entity_id: Id,
        pub entity_type: &'a str,
    }

    /// What the portal shows of it.
    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct CommentRow {
        pub id: Id,
        pub comment: Option<String>,
    }

    /// Reads it back.
    #[bitrix_method(name = "crm.timeline.comment.list", kind = read)]
    pub async fn list_comments(
        reader: &Reader,
        filter: &CommentKey<'_>,
        select: &[&str],
        start: u64,
    ) -> Result<Page<CommentRow>, CallError>;

    /// A second call writes the comment a second time.
    #[bitrix_method(name = "crm.timeline.comment.add", kind = write, verify = verify_add_comment)]
    pub async fn add_comment(client: &Client, fields: &NewComment) -> Result<Id, CallError>;

    /// Finds what a lost `add_comment` may have made.
    pub async fn verify_add_comment(reader: &Reader, fields: &NewComment) -> Result<ReadBack<Id>, CallError> {
        let key = CommentKey { entity_id: fields.entity_id, entity_type: &fields.entity_type };
        let page = Page::whole_by_start(|start| list_comments(reader, &key, &["ID", "COMMENT"], start)).await?;
        Ok(ReadBack::by_text(page, &fields.marker, |row| (row.comment, row.id)))
    }
}

/// `department.add`
pub mod department_add {
    use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};
    use serde::{Deserialize, Serialize};

    /// What is sent.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct NewDepartment {
        /// Your own key of this operation: the same in each send, in no other.
        pub name: String,
        pub parent: Id,
        // and whatever else you fill
    }

    /// What it is looked for by.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct DepartmentKey<'a> {
        pub name: &'a str,
        pub parent: Id,
    }

    /// What the portal shows of it.
    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct DepartmentRow {
        pub id: Id,
        pub name: Option<String>,
        pub parent: Option<Id>,
    }

    impl DepartmentRow {
        fn carries(&self, sent: &NewDepartment) -> bool {
            self.name.as_deref() == Some(sent.name.as_str())
                && self.parent == Some(sent.parent)
        }
    }

    /// Reads it back.
    #[bitrix_method(name = "department.get", kind = read)]
    pub async fn list_departments(
        reader: &Reader,
        #[param(flatten)] key: &DepartmentKey<'_>,
    ) -> Result<Page<DepartmentRow>, CallError>;

    /// A second call makes a second department.
    #[bitrix_method(name = "department.add", kind = write, verify = verify_add_department)]
    pub async fn add_department(
        client: &Client,
        #[param(flatten)] arguments: &NewDepartment,
    ) -> Result<Id, CallError>;

    /// Finds what a lost `add_department` may have made.
    pub async fn verify_add_department(
        reader: &Reader,
        arguments: &NewDepartment,
    ) -> Result<ReadBack<Id>, CallError> {
        let key = DepartmentKey { name: &arguments.name, parent: arguments.parent };
        let page = list_departments(reader, &key).await?;
        Ok(ReadBack::by_key(page, |row| row.carries(arguments).then_some(row.id)))
    }
}

/// `disk.folder.addSubFolder`
pub mod disk_folder_addsubfolder {
    use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};
    use serde::{Deserialize, Serialize};

    /// What is sent.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct NewFolder {
        /// Your own key of this operation: the same in each send, in no other.
        pub name: String,
        // and whatever else you fill
    }

    /// What the portal answers.
    #[derive(Debug, Clone, PartialEq, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct FolderAnswer {
        pub id: Id,
    }

    /// What it is looked for by.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct FolderKey<'a> {
        pub name: &'a str,
    }

    /// What the portal shows of it.
    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct FolderRow {
        pub id: Id,
        pub name: Option<String>,
    }

    impl FolderRow {
        fn carries(&self, sent: &NewFolder) -> bool {
            self.name.as_deref() == Some(sent.name.as_str())
        }
    }

    /// Reads it back.
    #[bitrix_method(name = "disk.folder.getChildren", kind = read)]
    pub async fn list_folders(
        reader: &Reader,
        id: Id,
        filter: &FolderKey<'_>,
    ) -> Result<Page<FolderRow>, CallError>;

    /// A second call is refused, since the name is taken.
    #[bitrix_method(name = "disk.folder.addSubFolder", kind = write, verify = verify_folder_add_sub_folder)]
    pub async fn folder_add_sub_folder(
        client: &Client,
        id: Id,
        data: &NewFolder,
    ) -> Result<FolderAnswer, CallError>;

    /// Finds what a lost `folder_add_sub_folder` may have made.
    pub async fn verify_folder_add_sub_folder(
        reader: &Reader,
        id: Id,
        data: &NewFolder,
    ) -> Result<ReadBack<FolderAnswer>, CallError> {
        let key = FolderKey { name: &data.name };
        let page = list_folders(reader, id, &key).await?;
        Ok(ReadBack::by_key(page, |row| row.carries(data).then_some(FolderAnswer { id: row.id })))
    }
}

/// `documentgenerator.document.add`
pub mod documentgenerator_document_add {
    use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};
    use serde::{Deserialize, Serialize};

    /// What is sent.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct NewDocument {
        pub template_id: Id,
        /// Your own key of this operation: the same in each send, in no other.
        pub value: String,
        // and whatever else you fill
    }

    /// What the portal answers.
    #[derive(Debug, Clone, PartialEq, Deserialize)]
    pub struct DocumentAnswer {
        pub document: DocumentId,
    }

    /// The record in it.
    #[derive(Debug, Clone, PartialEq, Deserialize)]
    pub struct DocumentId {
        pub id: Id,
    }

    /// What it is looked for by.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct DocumentKey<'a> {
        pub template_id: Id,
        pub value: &'a str,
    }

    /// What the portal shows of it.
    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct DocumentRow {
        pub id: Id,
        pub template_id: Option<Id>,
        pub value: Option<String>,
    }

    impl DocumentRow {
        fn carries(&self, sent: &NewDocument) -> bool {
            self.template_id == Some(sent.template_id)
                && self.value.as_deref() == Some(sent.value.as_str())
        }
    }

    /// Reads it back.
    #[bitrix_method(name = "documentgenerator.document.list", kind = read)]
    pub async fn list_documents(
        reader: &Reader,
        filter: &DocumentKey<'_>,
        select: &[&str],
    ) -> Result<Page<DocumentRow>, CallError>;

    /// A second call makes a second document.
    #[bitrix_method(name = "documentgenerator.document.add", kind = write, verify = verify_add_document)]
    pub async fn add_document(
        client: &Client,
        #[param(flatten)] arguments: &NewDocument,
    ) -> Result<DocumentAnswer, CallError>;

    /// Finds what a lost `add_document` may have made.
    pub async fn verify_add_document(
        reader: &Reader,
        arguments: &NewDocument,
    ) -> Result<ReadBack<DocumentAnswer>, CallError> {
        let key = DocumentKey { template_id: arguments.template_id, value: &arguments.value };
        let page = list_documents(reader, &key, &["id", "templateId", "value"]).await?;
        Ok(ReadBack::by_key(page, |row| {
            row.carries(arguments).then_some(DocumentAnswer { document: DocumentId { id: row.id } })
        }))
    }
}

/// `entity.item.add`
pub mod entity_item_add {
    use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};
    use serde::{Deserialize, Serialize};

    /// What is sent.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct NewItem {
        /// Your own key of this operation: the same in each send, in no other.
        pub name: String,
        // and whatever else you fill
    }

    /// What it is looked for by.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct ItemKey<'a> {
        pub name: &'a str,
    }

    /// What the portal shows of it.
    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct ItemRow {
        pub id: Id,
        pub name: Option<String>,
    }

    impl ItemRow {
        fn carries(&self, sent: &NewItem) -> bool {
            self.name.as_deref() == Some(sent.name.as_str())
        }
    }

    /// Reads it back.
    #[bitrix_method(name = "entity.item.get", kind = read)]
    pub async fn list_items(
        reader: &Reader,
        #[param(name = "ENTITY")] entity: &str,
        #[param(name = "FILTER")] filter: &ItemKey<'_>,
    ) -> Result<Page<ItemRow>, CallError>;

    /// A second call makes a second item.
    #[bitrix_method(name = "entity.item.add", kind = write, verify = verify_add_item)]
    pub async fn add_item(
        client: &Client,
        #[param(name = "ENTITY")] entity: &str,
        #[param(flatten)] arguments: &NewItem,
    ) -> Result<Id, CallError>;

    /// Finds what a lost `add_item` may have made.
    pub async fn verify_add_item(
        reader: &Reader,
        entity: &str,
        arguments: &NewItem,
    ) -> Result<ReadBack<Id>, CallError> {
        let key = ItemKey { name: &arguments.name };
        let page = list_items(reader, entity, &key).await?;
        Ok(ReadBack::by_key(page, |row| row.carries(arguments).then_some(row.id)))
    }
}

/// `event.bind`
pub mod event_bind {
    use retry_runtime::{CallError, Client, Page, ReadBack, Reader, bitrix_method};
    use serde::{Deserialize, Serialize};

    /// What is sent.
    #[derive(Debug, Serialize)]
    pub struct NewEvent {
        /// Your own key of this operation: the same in each send, in no other.
        pub event: String,
        /// Your own key of this operation: the same in each send, in no other.
        pub handler: String,
        // and whatever else you fill
    }

    /// What the portal shows of it.
    #[derive(Debug, Deserialize)]
    pub struct EventRow {
        pub event: Option<String>,
        pub handler: Option<String>,
    }

    impl EventRow {
        fn carries(&self, sent: &NewEvent) -> bool {
            self.event.as_deref() == Some(sent.event.as_str())
                && self.handler.as_deref() == Some(sent.handler.as_str())
        }
    }

    /// Reads it back.
    #[bitrix_method(name = "event.get", kind = read)]
    pub async fn list_events(reader: &Reader) -> Result<Page<EventRow>, CallError>;

    /// A second call is said to fail with "Unable to set event handler".
    #[bitrix_method(name = "event.bind", kind = write, verify = verify_bind_event)]
    pub async fn bind_event(client: &Client, #[param(flatten)] arguments: &NewEvent) -> Result<bool, CallError>;

    /// Finds what a lost `bind_event` may have made.
    pub async fn verify_bind_event(reader: &Reader, arguments: &NewEvent) -> Result<ReadBack<bool>, CallError> {
        let page = list_events(reader).await?;
        Ok(ReadBack::by_marker(page, |row| row.carries(arguments).then_some(true)))
    }
}

/// `im.chat.add`
pub mod im_chat_add {
    use retry_runtime::{CallError, Client, Id, ReadBack, Reader, bitrix_method};
    use serde::{Deserialize, Serialize};

    /// What is sent.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct NewChat {
        pub entity_type: String,
        pub entity_id: String,
        // and whatever else you fill
    }

    /// What it is looked for by.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct ChatKey<'a> {
        pub entity_type: &'a str,
        pub entity_id: &'a str,
    }

    /// What the portal shows of it.
    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct ChatRow {
        pub id: Id,
    }

    /// Reads it back.
    #[bitrix_method(name = "im.chat.get", kind = read)]
    pub async fn get_chat(
        reader: &Reader,
        #[param(flatten)] key: &ChatKey<'_>,
    ) -> Result<Option<ChatRow>, CallError>;

    /// A second call makes a second chat.
    #[bitrix_method(name = "im.chat.add", kind = write, verify = verify_add_chat)]
    pub async fn add_chat(client: &Client, #[param(flatten)] arguments: &NewChat) -> Result<Id, CallError>;

    /// Finds what a lost `add_chat` may have made.
    pub async fn verify_add_chat(reader: &Reader, arguments: &NewChat) -> Result<ReadBack<Id>, CallError> {
        let key = ChatKey { entity_type: &arguments.entity_type, entity_id: &arguments.entity_id };
        Ok(match get_chat(reader, &key).await? {
            Some(row) => ReadBack::Found(row.id),
            None => ReadBack::Absent,
        })
    }
}

/// `im.message.add`
pub mod im_message_add {
    use retry_runtime::{CallError, Client, Id, bitrix_method};
    use serde::Serialize;

    /// What is sent.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct NewMessage {
        pub dialog_id: String,
        pub message: String,
        // whatever you fill
    }

    /// A second call posts the message a second time.
    #[bitrix_method(name = "im.message.add", kind = write, unverifiable = "a message carries no key of yours")]
    pub async fn add_message(client: &Client, #[param(flatten)] arguments: &NewMessage) -> Result<Id, CallError>;
}

/// `im.notify`
pub mod im_notify {
    use retry_runtime::{CallError, Client, Id, bitrix_method};
    use serde::Serialize;

    /// What is sent.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct NewIm {
        pub user_id: Id,
        pub message: String,
        pub tag: String,
        // whatever you fill
    }

    /// A second call alerts the user once more; with the same TAG one notification remains.
    #[bitrix_method(
        name = "im.notify",
        kind = write,
        unverifiable = "no read shows it, and a second call alerts the user once more; with the same TAG one notification remains"
    )]
    pub async fn notify_im(client: &Client, #[param(flatten)] arguments: &NewIm) -> Result<Id, CallError>;
}

/// `lists.element.add`
pub mod lists_element_add {
    use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};
    use serde::{Deserialize, Serialize};

    /// What is sent.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct NewElement {
        pub iblock_type_id: String,
        pub iblock_id: Id,
        /// Your own key of this operation: the same in each send, in no other.
        pub element_code: String,
        // and whatever else you fill
    }

    /// What it is looked for by.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct ElementKey<'a> {
        pub iblock_type_id: &'a str,
        pub iblock_id: Id,
        pub element_code: &'a str,
    }

    /// What the portal shows of it.
    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct ElementRow {
        pub id: Id,
        pub code: Option<String>,
    }

    impl ElementRow {
        fn carries(&self, sent: &NewElement) -> bool {
            self.code.as_deref() == Some(sent.element_code.as_str())
        }
    }

    /// Reads it back.
    #[bitrix_method(name = "lists.element.get", kind = read)]
    pub async fn list_elements(
        reader: &Reader,
        #[param(flatten)] key: &ElementKey<'_>,
    ) -> Result<Page<ElementRow>, CallError>;

    /// A second call is refused with ERROR_ELEMENT_ALREADY_EXISTS, if the code is the same.
    #[bitrix_method(name = "lists.element.add", kind = write, verify = verify_add_element)]
    pub async fn add_element(client: &Client, #[param(flatten)] arguments: &NewElement) -> Result<Id, CallError>;

    /// Finds what a lost `add_element` may have made.
    pub async fn verify_add_element(reader: &Reader, arguments: &NewElement) -> Result<ReadBack<Id>, CallError> {
        let key = ElementKey {
            iblock_type_id: &arguments.iblock_type_id,
            iblock_id: arguments.iblock_id,
            element_code: &arguments.element_code,
        };
        let page = list_elements(reader, &key).await?;
        Ok(ReadBack::by_key(page, |row| row.carries(arguments).then_some(row.id)))
    }
}

/// `lists.element.update`
pub mod lists_element_update {
    use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};
    use serde::{Deserialize, Serialize};

    /// What is changed.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct ElementFields {
        pub name: String,
        // the fields that you change; compare each of them in `shows`
    }

    /// What it is looked for by.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct ElementKey<'a> {
        pub iblock_type_id: &'a str,
        pub iblock_id: Id,
        pub element_id: Id,
    }

    /// What the portal shows of it.
    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct ElementRow {
        pub id: Id,
        pub name: Option<String>,
    }

    impl ElementRow {
        fn shows(&self, sent: &ElementFields) -> bool {
            self.name.as_deref() == Some(sent.name.as_str())
        }
    }

    /// Reads it back.
    #[bitrix_method(name = "lists.element.get", kind = read)]
    pub async fn list_elements(
        reader: &Reader,
        #[param(flatten)] key: &ElementKey<'_>,
    ) -> Result<Page<ElementRow>, CallError>;

    /// A second call sets the same values once more, over whatever somebody changed in between.
    #[bitrix_method(name = "lists.element.update", kind = write, verify = verify_update_element)]
    pub async fn update_element(
        client: &Client,
        #[param(name = "IBLOCK_TYPE_ID")] iblock_type_id: &str,
        #[param(name = "IBLOCK_ID")] iblock_id: Id,
        #[param(name = "ELEMENT_ID")] element_id: Id,
        #[param(name = "FIELDS")] fields: &ElementFields,
    ) -> Result<bool, CallError>;

    /// Compares what is there with what was sent. It proves presence only.
    pub async fn verify_update_element(
        reader: &Reader,
        iblock_type_id: &str,
        iblock_id: Id,
        element_id: Id,
        fields: &ElementFields,
    ) -> Result<ReadBack<bool>, CallError> {
        let key = ElementKey { iblock_type_id, iblock_id, element_id };
        let page = list_elements(reader, &key).await?;
        if !page.is_complete() {
            return Ok(ReadBack::Unreliable("the list goes on after this page".into()));
        }
        let shown = page.rows.iter().any(|row| row.id == element_id && row.shows(fields));
        Ok(if shown {
            ReadBack::Found(true)
        } else {
            ReadBack::Unreliable("it has other values: not applied, or changed since".into())
        })
    }
}

/// `mail.message.send`
pub mod mail_message_send {
    use retry_runtime::{CallError, Client, IdempotencyKey, bitrix_method};
    use serde::Serialize;

    /// What is sent.
    #[derive(Debug, Serialize)]
    pub struct NewMessage {
        // whatever you fill
    }

    /// With the same key and the same content it happens once, for 24 hours: make the key before the first send,
    /// `IdempotencyKey::of_business("order", "1017")`.
    #[bitrix_method(name = "mail.message.send", kind = write, version = 3, idempotency_key = key)]
    pub async fn send_message(
        client: &Client,
        #[param(flatten)] arguments: &NewMessage,
        key: &IdempotencyKey,
    ) -> Result<serde_json::Value, CallError>;
}

/// `placement.bind`
pub mod placement_bind {
    use retry_runtime::{CallError, Client, Page, ReadBack, Reader, bitrix_method};
    use serde::{Deserialize, Serialize};

    /// What is sent.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct NewPlacement {
        /// Your own key of this operation: the same in each send, in no other.
        pub placement: String,
        /// Your own key of this operation: the same in each send, in no other.
        pub handler: String,
        // and whatever else you fill
    }

    /// What the portal shows of it.
    #[derive(Debug, Deserialize)]
    pub struct PlacementRow {
        pub placement: Option<String>,
        pub handler: Option<String>,
    }

    impl PlacementRow {
        fn carries(&self, sent: &NewPlacement) -> bool {
            self.placement.as_deref() == Some(sent.placement.as_str())
                && self.handler.as_deref() == Some(sent.handler.as_str())
        }
    }

    /// Reads it back.
    #[bitrix_method(name = "placement.get", kind = read)]
    pub async fn list_placements(reader: &Reader) -> Result<Page<PlacementRow>, CallError>;

    /// A second call is refused where the place takes one handler only.
    #[bitrix_method(name = "placement.bind", kind = write, verify = verify_bind_placement)]
    pub async fn bind_placement(
        client: &Client,
        #[param(flatten)] arguments: &NewPlacement,
    ) -> Result<bool, CallError>;

    /// Finds what a lost `bind_placement` may have made.
    pub async fn verify_bind_placement(
        reader: &Reader,
        arguments: &NewPlacement,
    ) -> Result<ReadBack<bool>, CallError> {
        let page = list_placements(reader).await?;
        Ok(ReadBack::by_marker(page, |row| row.carries(arguments).then_some(true)))
    }
}

/// `sale.basketitem.add`
pub mod sale_basketitem_add {
    use retry_runtime::{CallError, Client, Id, Key, KeyRow, Page, ReadBack, Reader, bitrix_method};
    use serde::{Deserialize, Serialize};

    /// What is sent.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct NewBasketitem {
        pub order_id: Id,
        /// Your own key of this operation: the same in each send, in no other.
        pub xml_id: String,
        // and whatever else you fill
    }

    /// What the portal answers.
    #[derive(Debug, Clone, PartialEq, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct BasketitemAnswer {
        pub basket_item: BasketitemId,
    }

    /// The record in it.
    #[derive(Debug, Clone, PartialEq, Deserialize)]
    pub struct BasketitemId {
        pub id: Id,
    }

    /// Reads it back.
    #[bitrix_method(name = "sale.basketitem.list", kind = read)]
    pub async fn list_basketitems(
        reader: &Reader,
        #[param(flatten)] key: &Key<'_>,
    ) -> Result<Page<KeyRow>, CallError>;

    /// A second call adds the row to the basket a second time.
    #[bitrix_method(name = "sale.basketitem.add", kind = write, verify = verify_add_basketitem)]
    pub async fn add_basketitem(client: &Client, fields: &NewBasketitem) -> Result<BasketitemAnswer, CallError>;

    /// Finds what a lost `add_basketitem` may have made.
    pub async fn verify_add_basketitem(
        reader: &Reader,
        fields: &NewBasketitem,
    ) -> Result<ReadBack<BasketitemAnswer>, CallError> {
        let key = Key::item_field("orderId", fields.order_id.to_string()).and("xmlId", &fields.xml_id);
        let found = key.find_in(list_basketitems(reader, &key).await?);
        Ok(found.map(|id| BasketitemAnswer { basket_item: BasketitemId { id } }))
    }
}

/// `sale.order.add`
pub mod sale_order_add {
    use retry_runtime::{CallError, Client, Id, Key, KeyRow, Page, ReadBack, Reader, bitrix_method};
    use serde::{Deserialize, Serialize};

    /// What is sent.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct NewOrder {
        /// Your own key of this operation: the same in each send, in no other.
        pub xml_id: String,
        // and whatever else you fill
    }

    /// What the portal answers.
    #[derive(Debug, Clone, PartialEq, Deserialize)]
    pub struct OrderAnswer {
        pub order: OrderId,
    }

    /// The record in it.
    #[derive(Debug, Clone, PartialEq, Deserialize)]
    pub struct OrderId {
        pub id: Id,
    }

    /// Reads it back.
    #[bitrix_method(name = "sale.order.list", kind = read)]
    pub async fn list_orders(reader: &Reader, #[param(flatten)] key: &Key<'_>) -> Result<Page<KeyRow>, CallError>;

    /// A second call makes a second order.
    #[bitrix_method(name = "sale.order.add", kind = write, verify = verify_add_order)]
    pub async fn add_order(client: &Client, fields: &NewOrder) -> Result<OrderAnswer, CallError>;

    /// Finds what a lost `add_order` may have made.
    pub async fn verify_add_order(
        reader: &Reader,
        fields: &NewOrder,
    ) -> Result<ReadBack<OrderAnswer>, CallError> {
        let key = Key::item_xml_id(&fields.xml_id);
        Ok(key.find_in(list_orders(reader, &key).await?).map(|id| OrderAnswer { order: OrderId { id } }))
    }
}

/// `sale.payment.add`
pub mod sale_payment_add {
    use retry_runtime::{CallError, Client, Id, Key, KeyRow, Page, ReadBack, Reader, bitrix_method};
    use serde::{Deserialize, Serialize};

    /// What is sent.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct NewPayment {
        pub order_id: Id,
        /// Your own key of this operation: the same in each send, in no other.
        pub xml_id: String,
        // and whatever else you fill
    }

    /// What the portal answers.
    #[derive(Debug, Clone, PartialEq, Deserialize)]
    pub struct PaymentAnswer {
        pub payment: PaymentId,
    }

    /// The record in it.
    #[derive(Debug, Clone, PartialEq, Deserialize)]
    pub struct PaymentId {
        pub id: Id,
    }

    /// Reads it back.
    #[bitrix_method(name = "sale.payment.list", kind = read)]
    pub async fn list_payments(
        reader: &Reader,
        #[param(flatten)] key: &Key<'_>,
    ) -> Result<Page<KeyRow>, CallError>;

    /// A second call makes a second payment.
    #[bitrix_method(name = "sale.payment.add", kind = write, verify = verify_add_payment)]
    pub async fn add_payment(client: &Client, fields: &NewPayment) -> Result<PaymentAnswer, CallError>;

    /// Finds what a lost `add_payment` may have made.
    pub async fn verify_add_payment(
        reader: &Reader,
        fields: &NewPayment,
    ) -> Result<ReadBack<PaymentAnswer>, CallError> {
        let key = Key::item_field("orderId", fields.order_id.to_string()).and("xmlId", &fields.xml_id);
        Ok(key.find_in(list_payments(reader, &key).await?).map(|id| PaymentAnswer { payment: PaymentId { id } }))
    }
}

/// `task.checklistitem.add`
pub mod task_checklistitem_add {
    use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};
    use serde::{Deserialize, Serialize};

    /// What is sent.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct NewChecklistitem {
        pub title: String,
        /// Stands in `title`: a text that no other operation has.
        #[serde(skip)]
        pub marker: String,
        // and whatever else you fill
    }

    /// What the portal shows of it.
    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct ChecklistitemRow {
        pub id: Id,
        pub title: Option<String>,
    }

    /// Reads it back.
    #[bitrix_method(name = "task.checklistitem.getlist", kind = read)]
    pub async fn list_checklistitems(
        reader: &Reader,
        #[param(name = "TASKID")] taskid: Id,
    ) -> Result<Page<ChecklistitemRow>, CallError>;

    /// A second call adds the item a second time.
    #[bitrix_method(name = "task.checklistitem.add", kind = write, verify = verify_add_checklistitem)]
    pub async fn add_checklistitem(
        client: &Client,
        #[param(name = "TASKID")] taskid: Id,
        #[param(name = "FIELDS")] fields: &NewChecklistitem,
    ) -> Result<Id, CallError>;

    /// Finds what a lost `add_checklistitem` may have made.
    pub async fn verify_add_checklistitem(
        reader: &Reader,
        taskid: Id,
        fields: &NewChecklistitem,
    ) -> Result<ReadBack<Id>, CallError> {
        let page = list_checklistitems(reader, taskid).await?;
        Ok(ReadBack::by_text(page, &fields.marker, |row| (row.title, row.id)))
    }
}

/// `task.commentitem.add`
pub mod task_commentitem_add {
    use retry_runtime::{CallError, Client, Id, bitrix_method};
    use serde::Serialize;

    /// What is sent.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct NewCommentitem {
        pub post_message: String,
        // whatever you fill
    }

    /// A second call writes the comment a second time.
    #[bitrix_method(
        name = "task.commentitem.add",
        kind = write,
        unverifiable = "`task.commentitem.getlist` does not work in the new task card, so it always says absent"
    )]
    pub async fn add_commentitem(
        client: &Client,
        #[param(name = "TASKID")] taskid: Id,
        #[param(name = "FIELDS")] fields: &NewCommentitem,
    ) -> Result<Id, CallError>;
}

/// `task.elapseditem.add`
pub mod task_elapseditem_add {
    use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};
    use serde::{Deserialize, Serialize};

    /// What is sent.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct NewElapseditem {
        pub comment_text: String,
        /// Stands in `comment_text`: a text that no other operation has.
        #[serde(skip)]
        pub marker: String,
        // and whatever else you fill
    }

    /// What the portal shows of it.
    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct ElapseditemRow {
        pub id: Id,
        pub comment_text: Option<String>,
    }

    /// Reads it back.
    #[bitrix_method(name = "task.elapseditem.getlist", kind = read)]
    pub async fn list_elapseditems(
        reader: &Reader,
        #[param(name = "TASKID")] taskid: Id,
    ) -> Result<Page<ElapseditemRow>, CallError>;

    /// A second call books the time a second time.
    #[bitrix_method(name = "task.elapseditem.add", kind = write, verify = verify_add_elapseditem)]
    pub async fn add_elapseditem(
        client: &Client,
        #[param(name = "TASKID")] taskid: Id,
        #[param(name = "ARFIELDS")] arfields: &NewElapseditem,
    ) -> Result<Id, CallError>;

    /// Finds what a lost `add_elapseditem` may have made.
    pub async fn verify_add_elapseditem(
        reader: &Reader,
        taskid: Id,
        arfields: &NewElapseditem,
    ) -> Result<ReadBack<Id>, CallError> {
        let page = list_elapseditems(reader, taskid).await?;
        Ok(ReadBack::by_text(page, &arfields.marker, |row| (row.comment_text, row.id)))
    }
}

/// `tasks.task.add`
pub mod tasks_task_add {
    use retry_runtime::{CallError, Client, Id, IdempotencyKey, bitrix_method};
    use serde::{Deserialize, Serialize};

    /// What is sent.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct NewTask {
        pub title: String,
        pub creator_id: Id,
        pub responsible_id: Id,
        // whatever you fill
    }

    /// What the portal answers.
    #[derive(Debug, Clone, PartialEq, Deserialize)]
    pub struct TaskAnswer {
        pub item: TaskId,
    }

    /// The record in it.
    #[derive(Debug, Clone, PartialEq, Deserialize)]
    pub struct TaskId {
        pub id: Id,
    }

    /// With the same key and the same content it happens once, for 24 hours: make the key before the first send,
    /// `IdempotencyKey::of_business("order", "1017")`.
    #[bitrix_method(name = "tasks.task.add", kind = write, version = 3, idempotency_key = key)]
    pub async fn add_task(
        client: &Client,
        fields: &NewTask,
        key: &IdempotencyKey,
    ) -> Result<TaskAnswer, CallError>;
}

/// `tasks.task.update`
pub mod tasks_task_update {
    use retry_runtime::{CallError, Client, Id, IdempotencyKey, bitrix_method};
    use serde::Serialize;

    /// What is sent.
    #[derive(Debug, Serialize)]
    pub struct TaskFields {
        // whatever you fill
    }

    /// With the same key and the same content it happens once, for 24 hours: make the key before the first send,
    /// `IdempotencyKey::of_business("order", "1017")`.
    #[bitrix_method(name = "tasks.task.update", kind = write, version = 3, idempotency_key = key)]
    pub async fn update_task(
        client: &Client,
        id: Id,
        fields: &TaskFields,
        key: &IdempotencyKey,
    ) -> Result<serde_json::Value, CallError>;
}

/// `telephony.externalCall.finish`
pub mod telephony_externalcall_finish {
    use retry_runtime::{CallError, Client, Page, ReadBack, Reader, bitrix_method};
    use serde::{Deserialize, Serialize};

    /// What is sent.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct FinishExternalCallFields {
        /// Your own key of this operation: the same in each send, in no other.
        pub call_id: String,
        // and whatever else you fill
    }

    /// What the portal answers.
    #[derive(Debug, Clone, PartialEq, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct ExternalCallAnswer {
        pub call_id: String,
    }

    /// What it is looked for by.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct ExternalCallKey<'a> {
        pub call_id: &'a str,
    }

    /// What the portal shows of it.
    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct ExternalCallRow {
        pub call_id: Option<String>,
    }

    impl ExternalCallRow {
        fn carries(&self, sent: &FinishExternalCallFields) -> bool {
            self.call_id.as_deref() == Some(sent.call_id.as_str())
        }
    }

    /// Reads it back.
    #[bitrix_method(name = "voximplant.statistic.get", kind = read)]
    pub async fn list_statistics(
        reader: &Reader,
        #[param(name = "CALL_ID")] call_id: &str,
        #[param(name = "FILTER")] filter: &ExternalCallKey<'_>,
    ) -> Result<Page<ExternalCallRow>, CallError>;

    /// A second call does what the documentation does not say.
    #[bitrix_method(name = "telephony.externalCall.finish", kind = write, verify = verify_finish_external_call)]
    pub async fn finish_external_call(
        client: &Client,
        #[param(name = "CALL_ID")] call_id: &str,
        #[param(flatten)] arguments: &FinishExternalCallFields,
    ) -> Result<ExternalCallAnswer, CallError>;

    /// Finds what a lost `finish_external_call` may have made.
    pub async fn verify_finish_external_call(
        reader: &Reader,
        call_id: &str,
        arguments: &FinishExternalCallFields,
    ) -> Result<ReadBack<ExternalCallAnswer>, CallError> {
        let key = ExternalCallKey { call_id: &arguments.call_id };
        let page = list_statistics(reader, call_id, &key).await?;
        Ok(ReadBack::by_key(page, |row| {
            row.carries(arguments).then_some(ExternalCallAnswer { call_id: arguments.call_id.clone() })
        }))
    }
}

/// `user.add`
pub mod user_add {
    use retry_runtime::{CallError, Client, Id, Page, ReadBack, Reader, bitrix_method};
    use serde::{Deserialize, Serialize};

    /// What is sent.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct NewUser {
        /// Your own key of this operation: the same in each send, in no other.
        pub email: String,
        // and whatever else you fill
    }

    /// What it is looked for by.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct UserKey<'a> {
        pub email: &'a str,
    }

    /// What the portal shows of it.
    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct UserRow {
        pub id: Id,
        pub email: Option<String>,
    }

    impl UserRow {
        fn carries(&self, sent: &NewUser) -> bool {
            self.email.as_deref() == Some(sent.email.as_str())
        }
    }

    /// Reads it back.
    #[bitrix_method(name = "user.get", kind = read)]
    pub async fn list_users(
        reader: &Reader,
        #[param(name = "FILTER")] filter: &UserKey<'_>,
    ) -> Result<Page<UserRow>, CallError>;

    /// A second call is refused with ERROR_ARGUMENT, since the EMAIL is taken.
    #[bitrix_method(name = "user.add", kind = write, verify = verify_add_user)]
    pub async fn add_user(client: &Client, #[param(flatten)] arguments: &NewUser) -> Result<Id, CallError>;

    /// Finds what a lost `add_user` may have made.
    pub async fn verify_add_user(reader: &Reader, arguments: &NewUser) -> Result<ReadBack<Id>, CallError> {
        let key = UserKey { email: &arguments.email };
        let page = list_users(reader, &key).await?;
        Ok(ReadBack::by_key(page, |row| row.carries(arguments).then_some(row.id)))
    }
}

/// `crm.company.get`
pub mod crm_company_get {
    use retry_runtime::{CallError, Id, Reader, bitrix_method};
    use serde::Deserialize;

    /// What is read of each.
    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct CompanyRow {
        pub id: Id,
        // whatever you read
    }

    #[bitrix_method(name = "crm.company.get", kind = read)]
    pub async fn get_company(reader: &Reader, id: Id) -> Result<CompanyRow, CallError>;
}

/// `crm.contact.list`
pub mod crm_contact_list {
    use retry_runtime::{CallError, Id, Page, Reader, bitrix_method};
    use serde::Deserialize;

    /// What is read of each.
    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct ContactRow {
        pub id: Id,
        // whatever you read
    }

    #[bitrix_method(name = "crm.contact.list", kind = read)]
    pub async fn list_contacts(
        reader: &Reader,
        filter: &serde_json::Value,
        select: &[&str],
    ) -> Result<Page<ContactRow>, CallError>;
}

/// `crm.deal.fields`
pub mod crm_deal_fields {
    use retry_runtime::{CallError, Reader, bitrix_method};

    #[bitrix_method(name = "crm.deal.fields", kind = read)]
    pub async fn fields_deal(
        reader: &Reader,
        #[param(flatten)] arguments: &serde_json::Value,
    ) -> Result<serde_json::Value, CallError>;
}

/// `crm.deal.list`
pub mod crm_deal_list {
    use retry_runtime::{CallError, Id, Page, Reader, bitrix_method};
    use serde::Deserialize;

    /// What is read of each.
    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct DealRow {
        pub id: Id,
        // whatever you read
    }

    #[bitrix_method(name = "crm.deal.list", kind = read)]
    pub async fn list_deals(
        reader: &Reader,
        filter: &serde_json::Value,
        select: &[&str],
    ) -> Result<Page<DealRow>, CallError>;
}

/// `crm.item.get`
pub mod crm_item_get {
    use retry_runtime::{CallError, Id, Reader, bitrix_method};
    use serde::Deserialize;

    /// The answer.
    #[derive(Debug, Deserialize)]
    pub struct ItemAnswer {
        pub item: ItemRow,
    }

    /// What is read of each.
    #[derive(Debug, Deserialize)]
    pub struct ItemRow {
        pub id: Id,
        // whatever you read
    }

    #[bitrix_method(name = "crm.item.get", kind = read)]
    pub async fn get_item(
        reader: &Reader,
        #[param(name = "entityTypeId")] entity_type_id: u32,
        id: Id,
    ) -> Result<ItemAnswer, CallError>;
}

/// `crm.item.list`
pub mod crm_item_list {
    use retry_runtime::{CallError, Id, Page, Reader, bitrix_method};
    use serde::Deserialize;

    /// What is read of each.
    #[derive(Debug, Deserialize)]
    pub struct ItemRow {
        pub id: Id,
        // whatever you read
    }

    #[bitrix_method(name = "crm.item.list", kind = read)]
    pub async fn list_items(
        reader: &Reader,
        #[param(name = "entityTypeId")] entity_type_id: u32,
        filter: &serde_json::Value,
        select: &[&str],
    ) -> Result<Page<ItemRow>, CallError>;
}

/// `crm.status.list`
pub mod crm_status_list {
    use retry_runtime::{CallError, Id, Page, Reader, bitrix_method};
    use serde::Deserialize;

    /// What is read of each.
    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub struct StatusRow {
        pub id: Id,
        // whatever you read
    }

    #[bitrix_method(name = "crm.status.list", kind = read)]
    pub async fn list_statuses(
        reader: &Reader,
        filter: &serde_json::Value,
        select: &[&str],
    ) -> Result<Page<StatusRow>, CallError>;
}

/// `tasks.task.list`
pub mod tasks_task_list {
    use retry_runtime::{CallError, Id, Page, Reader, bitrix_method};
    use serde::Deserialize;

    /// What is read of each.
    #[derive(Debug, Deserialize)]
    pub struct TaskRow {
        pub id: Id,
        // whatever you read
    }

    #[bitrix_method(name = "tasks.task.list", kind = read, version = 2)]
    pub async fn list_tasks(
        reader: &Reader,
        filter: &serde_json::Value,
        select: &[&str],
    ) -> Result<Page<TaskRow>, CallError>;
}

/// `user.current`
pub mod user_current {
    use retry_runtime::{CallError, Reader, bitrix_method};

    #[bitrix_method(name = "user.current", kind = read)]
    pub async fn user_current(
        reader: &Reader,
        #[param(flatten)] arguments: &serde_json::Value,
    ) -> Result<serde_json::Value, CallError>;
}
