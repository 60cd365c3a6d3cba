//! Updates: the state before, the state that is wanted, the state that is there.

use serde::{Serialize, Serializer};

use super::ReadBack;

/// New values of some fields of a record, with those that were there before the first send. It is sent as the new values alone.
///
/// Bitrix24 has no lock and no version of a record (undocumented, if there is one). So the verifier compares three states:
///
/// | there now | verdict |
/// |---|---|
/// | what is wanted | `Found`, at once and even if it was the same before |
/// | what was there before | `Absent`: the update may be sent again |
/// | anything else, or nothing is known of before | `Unreliable`: somebody has edited the record, and sending again would take the edit back |
///
/// `S` holds the fields that are sent and no others, and compares them by `==`. The portal answers numbers as texts, flags as `Y` and `N`, dates
/// in its own zone: read them into types for which equal means equal ([`Id`](crate::Id), a decimal, a date), or nothing is ever `Found`.
///
/// **It proves nothing** about multi-fields (phones, e-mails) that are sent without their row id: they are added and not replaced. Nor
/// where somebody has put the old values back since: that looks like an update that never came. A value counted up from the old one
/// is safe only in this form, with the old one in it.
///
/// ```
/// use retry_portal::{Answer, Fault, Portal};
/// use retry_runtime::{CallError, Change, Client, Id, ReadBack, Reader, bitrix_method};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Clone, PartialEq, Serialize, Deserialize)]
/// #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
/// struct Stage {
///     stage_id: String,
/// }
///
/// #[bitrix_method(name = "crm.deal.get", kind = read)]
/// async fn get_stage(reader: &Reader, id: Id) -> Result<Stage, CallError>;
///
/// #[bitrix_method(name = "crm.deal.update", kind = write, verify = has_moved)]
/// async fn move_deal(client: &Client, id: Id, fields: &Change<Stage>) -> Result<bool, CallError>;
///
/// async fn has_moved(reader: &Reader, id: Id, fields: &Change<Stage>) -> Result<ReadBack<bool>, CallError> {
///     Ok(fields.judge(&get_stage(reader, id).await?).map(|()| true))
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let portal = Portal::builder().script("crm.deal.update", [Fault::before(Answer::Reset)]).start().await?;
/// let client = Client::webhook(&portal.webhook_url())?;
/// let deal = Id(portal.insert("deal", serde_json::json!({"TITLE": "Chair", "STAGE_ID": "NEW"}))?);
///
/// let before = get_stage(&client, deal).await?;
/// assert!(move_deal(&client, deal, &Change::new(before, Stage { stage_id: "WON".into() })).await?);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change<S> {
    before: Option<S>,
    wanted: S,
}

impl<S> Change<S> {
    /// A change from what was read *before the first send* to what is wanted.
    pub const fn new(before: S, wanted: S) -> Self {
        Self { before: Some(before), wanted }
    }

    /// A change from a state that nobody has read. It is never `Absent`: an update that is not there stays in doubt.
    pub const fn unseen(wanted: S) -> Self {
        Self { before: None, wanted }
    }

    /// What is sent.
    pub const fn wanted(&self) -> &S {
        &self.wanted
    }

    /// Judges the state that is there now.
    pub fn judge(&self, now: &S) -> ReadBack<()>
    where
        S: PartialEq,
    {
        if *now == self.wanted {
            return ReadBack::Found(());
        }
        match &self.before {
            Some(before) if now == before => ReadBack::Absent,
            Some(_) => {
                ReadBack::Unreliable("the record is neither as it was nor as it should be: it was edited since".into())
            }
            None => ReadBack::Unreliable(
                "the record is not as it should be, and what it was before the update is not known: read it first"
                    .into(),
            ),
        }
    }
}

impl<S: Serialize> Serialize for Change<S> {
    fn serialize<T: Serializer>(&self, serializer: T) -> Result<T::Ok, T::Error> {
        self.wanted.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p3_an_edit_of_somebody_else_is_never_overwritten() {
        let change = Change::new("NEW", "WON");
        assert_eq!(change.judge(&"WON"), ReadBack::Found(()));
        assert_eq!(change.judge(&"NEW"), ReadBack::Absent);
        assert!(matches!(change.judge(&"LOST"), ReadBack::Unreliable(why) if why.contains("edited since")));
    }

    #[test]
    fn p3_without_a_state_from_before_it_is_never_absent() {
        let change = Change::unseen("WON");
        assert_eq!(change.judge(&"WON"), ReadBack::Found(()));
        assert!(matches!(change.judge(&"NEW"), ReadBack::Unreliable(why) if why.contains("read it first")));
    }

    #[test]
    fn a_change_of_nothing_is_found_at_once() {
        assert_eq!(Change::new("WON", "WON").judge(&"WON"), ReadBack::Found(()));
    }

    #[test]
    fn only_what_is_wanted_is_sent() {
        assert_eq!(serde_json::to_string(&Change::new("NEW", "WON")).unwrap(), "\"WON\"");
    }
}
