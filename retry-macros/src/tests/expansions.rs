//! What the attribute writes, as snapshots.

use super::{READ, WRITE, expand};

/// The expansion as formatted source. Methods need an `impl` around them to be an item.
fn formatted(attribute: &str, stub: &str) -> String {
    let function = expand(attribute, stub);
    let item = if stub.contains("self") || attribute.contains("Self") {
        quote::quote!(impl Api { #function })
    } else {
        function
    };
    prettyplease::unparse(&syn::parse2(item).unwrap())
}

#[test]
fn a_read() {
    let stub = format!("/// One deal.\n#[must_use]\npub {READ}");
    insta::assert_snapshot!(formatted("name = \"crm.deal.get\", kind = read", &stub));
}

#[test]
fn a_write_that_is_read_back() {
    insta::assert_snapshot!(formatted("name = \"crm.deal.add\", kind = write, verify = find", WRITE));
}

#[test]
fn a_write_that_is_read_back_before_its_first_send() {
    insta::assert_snapshot!(formatted(
        "name = \"crm.deal.add\", kind = write, verify = self::find::<NewDeal>, key = fields.origin_id, ensure",
        "pub async fn add(client: &Client, fields: NewDeal, #[cfg(unix)] more: u8) -> Result<DealId, CallError>;",
    ));
}

#[test]
fn a_write_that_can_not_be_verified() {
    insta::assert_snapshot!(formatted(
        "name = \"im.message.add\", kind = write, unverifiable = \"a message carries no key [of ours]\"",
        "async fn send(client: &Client, #[param(name = \"DIALOG_ID\")] to: &str, #[param(flatten)] message: &Message) \
         -> Result<u64, CallError>;",
    ));
}

#[test]
fn a_method_with_generics() {
    insta::assert_snapshot!(formatted(
        "name = \"crm.deal.update\", kind = write, verify = Self::check, crate = ::renamed::runtime",
        "pub(crate) async fn update<'a, T>(&'a self, id: u64, fields: &'a T, r#type: impl Into<u64> + Clone) \
         -> Result<bool, CallError> where T: ::serde::Serialize + Sync;",
    ));
}

#[test]
fn a_read_by_rest_3() {
    insta::assert_snapshot!(formatted("name = \"tasks.task.get\", kind = read, version = 3", READ));
}

#[test]
fn a_write_with_an_idempotency_key() {
    insta::assert_snapshot!(formatted(
        "name = \"tasks.task.add\", kind = write, version = 3, idempotency_key = once",
        "async fn add(&self, title: &str, once: &IdempotencyKey) -> Result<TaskId, CallError>;",
    ));
}

#[test]
fn a_write_with_an_idempotency_key_that_is_read_back_first() {
    insta::assert_snapshot!(formatted(
        "name = \"tasks.task.add\", kind = write, verify = find, version = 3, idempotency_key = once, key = id, ensure",
        "async fn add(client: &Client, id: u64, once: &'a IdempotencyKey, title: String) -> Result<TaskId, CallError>;",
    ));
}

#[test]
fn a_stub_with_errors() {
    insta::assert_snapshot!(formatted(
        "name = \"crm.deal.list\", kind = raed",
        "/// Deals.\n#[must_use]\npub const fn list(reader: &Reader, #[param(nam = \"x\")] _: u8) -> impl Iterator<Item = Deal>;",
    ));
}

#[test]
fn a_list_read_to_its_end() {
    insta::assert_snapshot!(formatted(
        "name = \"crm.deal.list\", kind = read, pages = \"ID\"",
        "pub fn all_deals(&self, filter: &InStage<'_>) -> Pages<DealRow>;",
    ));
}

#[test]
fn a_list_read_by_offsets() {
    insta::assert_snapshot!(formatted(
        "name = \"crm.status.list\", kind = read, pages = start, crate = ::renamed",
        "fn all_statuses(reader: &Reader) -> Pages<Status>;",
    ));
}

#[test]
fn a_free_write_on_record() {
    insta::assert_snapshot!(formatted(
        "name = \"crm.deal.add\", kind = write, verify = find_deal, key = fields.origin_id, journal",
        "#[cfg(unix)] pub async fn add_deal(client: &Client, fields: &NewDeal) -> Result<Id, CallError>;",
    ));
}

#[test]
fn a_write_on_record_in_an_impl() {
    insta::assert_snapshot!(formatted(
        "name = \"crm.deal.add\", kind = write, verify = Self::find, ensure, journal, resend, crate = ::renamed",
        "pub(crate) async fn add<'a>(&self, #[param(flatten)] deal: &'a NewDeal<'a>, tags: &[u8], #[cfg(unix)] by: Option<u8>) \
         -> Answer<Deal<'a>>;",
    ));
}

#[test]
fn a_write_on_record_with_an_idempotency_key() {
    insta::assert_snapshot!(formatted(
        "name = \"tasks.task.add\", kind = write, version = 3, idempotency_key = once, journal, resend",
        "async fn r#type(client: &Client, title: &str, once: &IdempotencyKey) -> Result<TaskId, CallError>;",
    ));
}

#[test]
fn a_write_on_record_that_can_not_be_verified() {
    insta::assert_snapshot!(formatted(
        "name = \"im.message.add\", kind = write, unverifiable = \"a message carries no key\", journal",
        "async fn send(client: &Client, to: &dyn Serialize) -> Result<u64, CallError>;",
    ));
}

#[test]
fn a_stub_with_errors_that_says_journal() {
    insta::assert_snapshot!(formatted(
        "name = \"crm.deal.add\", kind = write, verify = find, journal = true",
        "pub async fn add<T>(client: &Client, deal: &T) -> Result<Id, CallError>;",
    ));
    insta::assert_snapshot!(formatted(
        "name = \"crm.deal.add\", kind = write, journaled",
        "async fn add(&self) -> Result<Id, CallError>;",
    ));
}
