//! Deletes: what "it is gone" looks like.

use serde::{Serialize, Serializer};

use super::ReadBack;
use crate::error::CallError;
use crate::id::Id;
use crate::report::Outcome;

/// How one entity says that a record is not there: a code, and where the code alone says too little, the texts that go with it.
///
/// The constants are the documented answers of Bitrix24's own `get` methods to a record that was deleted; the Vibecode gateway has codes
/// of its own. Texts come in the language of the portal, and
/// are compared without their case and their full stop: name those of your portal with [`Gone::new`]. A text that nobody has named leaves
/// the delete in doubt.
///
/// **There is none** for tasks by REST 2 (`result: []` is also the answer to a caller without rights) and for checklist items (one code
/// for both). A file in the trash is still there for `disk.file.get`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gone {
    code: &'static str,
    /// Any of these; with none of them the code alone says it.
    texts: &'static [&'static str],
}

impl Gone {
    /// `crm.item.get` and `crm.item.productrow.get`.
    pub const ITEM: Self = Self::new("NOT_FOUND", &[]);
    /// `crm.lead.get`, `crm.deal.get`, `crm.contact.get`, `crm.company.get`, `crm.quote.get`, `crm.timeline.comment.get`.
    pub const CRM: Self = Self::new("", &["Not found"]);
    /// `crm.activity.get`.
    pub const ACTIVITY: Self = Self::new("", &["Activity is not found"]);
    /// `tasks.task.get` of REST 3.0.
    pub const TASK: Self = Self::new("BITRIX_REST_V3_EXCEPTION_ENTITYNOTFOUNDEXCEPTION", &[]);
    /// `disk.file.get`, `disk.folder.get`.
    pub const DISK: Self = Self::new("ERROR_NOT_FOUND", &[]);
    /// `sale.order.get`.
    pub const ORDER: Self = Self::new("201240400001", &[]);
    /// `sale.payment.get`.
    pub const PAYMENT: Self = Self::new("200640400001", &[]);
    /// `documentgenerator.document.get`.
    pub const DOCUMENT: Self = Self::new("0", &["Document not found"]);
    /// `booking.v1.booking.get`.
    pub const BOOKING: Self = Self::new("1021", &[]);

    /// An answer of another method, or in another language. Without texts the code alone says it.
    pub const fn new(code: &'static str, texts: &'static [&'static str]) -> Self {
        Self { code, texts }
    }

    /// Whether this error says that the record is not there.
    pub fn is_said_by(&self, error: &CallError) -> bool {
        let Some(Outcome::Code { code, text }) = error.report().attempts().last().map(|attempt| &attempt.outcome)
        else {
            return false;
        };
        code.as_str() == self.code && self.fits(text)
    }

    fn fits(&self, text: &str) -> bool {
        let plain = |text: &str| text.trim().trim_end_matches('.').to_lowercase();
        self.texts.is_empty() || self.texts.iter().any(|known| plain(known) == plain(text))
    }
}

/// The id of a record that was seen before it is deleted. It is sent as the id.
///
/// "Not found" after a lost delete is its success only if the record was there before: else the id may be wrong, or the caller may not see it.
/// So only a read that has answered makes one.
///
/// ```
/// use retry_portal::{Answer, Fault, Portal};
/// use retry_runtime::{CallError, Client, Existing, Gone, Id, ReadBack, Reader, bitrix_method};
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Deal {
///     #[serde(rename = "ID")]
///     id: Id,
/// }
///
/// #[bitrix_method(name = "crm.deal.get", kind = read)]
/// async fn get_deal(reader: &Reader, id: Id) -> Result<Deal, CallError>;
///
/// #[bitrix_method(name = "crm.deal.delete", kind = write, verify = is_gone)]
/// async fn delete_deal(client: &Client, id: Existing) -> Result<bool, CallError>;
///
/// async fn is_gone(reader: &Reader, deal: Existing) -> Result<ReadBack<bool>, CallError> {
///     Ok(deal.judge(get_deal(reader, deal.id()).await, Gone::CRM)?.map(|()| true))
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let portal = Portal::builder().script("crm.deal.delete", [Fault::before(Answer::Reset)]).start().await?;
/// let client = Client::webhook(&portal.webhook_url())?;
/// let id = Id(portal.insert("deal", serde_json::json!({"TITLE": "Chair"}))?);
///
/// let deal = Existing::seen(id, &get_deal(&client, id).await?, |deal| deal.id)?;
/// assert!(delete_deal(&client, deal).await?);
/// assert!(portal.records("deal").is_empty());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Existing(Id);

/// The record that was read is another one than the record to be deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("record {wanted} was to be read, and the answer is record {read}: it was not seen")]
pub struct NotSeen {
    wanted: Id,
    read: Id,
}

impl Existing {
    /// A record that has been read just now; `id_of` takes the id from the answer.
    ///
    /// # Errors
    /// The answer is another record.
    pub fn seen<R>(id: Id, read: &R, id_of: impl FnOnce(&R) -> Id) -> Result<Self, NotSeen> {
        let read = id_of(read);
        if read == id { Ok(Self(id)) } else { Err(NotSeen { wanted: id, read }) }
    }

    /// The id.
    pub const fn id(self) -> Id {
        self.0
    }

    /// Judges what the `get` of the record answers after the delete.
    ///
    /// An error that says that it is gone is `Found`: the delete has had its effect. The record itself is `Absent`.
    ///
    /// # Errors
    /// Any other error is passed on: it says nothing about the record.
    pub fn judge<R>(self, got: Result<R, CallError>, gone: Gone) -> Result<ReadBack<()>, CallError> {
        match got {
            Ok(_) => Ok(ReadBack::Absent),
            Err(error) if gone.is_said_by(&error) => Ok(ReadBack::Found(())),
            Err(error) => Err(error),
        }
    }
}

impl Serialize for Existing {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_compared_as_a_whole_without_case_and_full_stop() {
        for text in ["Not found", "Not found.", " NOT FOUND "] {
            assert!(Gone::CRM.fits(text), "{text}");
        }
        for text in ["", "Owner of the element not found", "Access denied", "Не найдено"] {
            assert!(!Gone::CRM.fits(text), "{text}");
        }
        assert!(Gone::new("", &["Not found", "Не найдено"]).fits("не найдено"));
        assert!(Gone::ITEM.fits("whatever it says"));
    }

    #[test]
    fn only_the_record_itself_has_been_seen() {
        assert_eq!(Existing::seen(Id(7), &"7", |text| text.parse().unwrap()).unwrap().id(), Id(7));
        let error = Existing::seen(Id(7), &"8", |text| text.parse().unwrap()).unwrap_err();
        assert!(error.to_string().contains("record 7 was to be read, and the answer is record 8"), "{error}");
    }
}
