//! The operations of the journal on the tables.

use std::sync::atomic::Ordering;
use std::time::Duration;

use retry_runtime::journal::{
    Beginning, Begun, Change, Claim, Entry, Epoch, EventKind, Held, How, Intent, IntentId, JournalError, Recorded,
    State,
};

use super::core::{Core, micros};
use super::pool::Value;
use super::rows::{self, Story, count, get, whole};
use super::{seal, sql};
use crate::bodies::Sealer;
use crate::columns::Columns;

/// So many changes may wait for the server; with more of them nothing begins.
const WAITING: usize = 10_000;

impl Core {
    pub(super) async fn look(&self, id: &IntentId) -> Result<Option<Intent>, JournalError> {
        keepable(id)?;
        let rows = self.pool.session().await?.query(sql::LOOK, &[&&*id.portal, &&*id.method, &&*id.key]).await?;
        rows.first().map(|row| rows::intent(row, &self.sealer)).transpose()
    }

    pub(super) async fn show(&self, number: u64) -> Result<Option<Intent>, JournalError> {
        let rows = self.pool.session().await?.query(sql::SHOW, &[&whole(number)]).await?;
        rows.first().map(|row| rows::intent(row, &self.sealer)).transpose()
    }

    /// Which intent has this number. What it is good for is to seal its bodies: where they are in clear nobody is asked, and the name is empty.
    pub(super) async fn name(&self, number: u64) -> Result<Option<IntentId>, JournalError> {
        if matches!(self.sealer, Sealer::Clear) {
            return Ok(Some(IntentId { portal: "".into(), method: "".into(), key: "".into() }));
        }
        let rows = self.pool.session().await?.query(sql::NAME, &[&whole(number)]).await?;
        rows.first().map(|row| rows::id(row, 0)).transpose()
    }

    pub(super) async fn begin(&self, beginning: &Beginning) -> Result<Begun, JournalError> {
        let id = &beginning.id;
        keepable(id)?;
        if self.waiting.load(Ordering::Relaxed) >= WAITING {
            return Err(JournalError::Unavailable(format!("{WAITING} outcomes wait to be put on record").into()));
        }
        self.be_seen().await?;
        let story = Story::of(&beginning.story, id, &self.sealer)?;
        let arguments = seal::bytes(&self.sealer, id, "arguments", &beginning.arguments)?;
        let version = rows::version(beginning.version);
        let idempotency_key = beginning.idempotency_key.as_deref();
        let mut session = self.pool.session().await?;
        let statement = self.unanswered();
        let mut values: Vec<Value<'_>> = vec![&id.portal, &id.method, &id.key, &beginning.stub, &version];
        let digest = beginning.digest.0.as_slice();
        values.extend::<[Value<'_>; 9]>([
            &arguments,
            &digest,
            &idempotency_key,
            &self.me,
            &statement.token,
            &story.at,
            &story.kind,
            &story.text,
            &story.detail,
        ]);
        let expected = beginning.expected.map(|epoch| whole(epoch.0));
        let rows = match &expected {
            None => session.query(sql::FIRST, &values).await?,
            Some(expected) => {
                values.push(expected);
                session.query(sql::AGAIN, &values).await?
            }
        };
        drop(session);
        let Some(row) = rows.first() else {
            statement.answered();
            return Ok(Begun::Taken(self.look(id).await?.map(Box::new)));
        };
        let held = Held { number: count(get(row, 0)?)?, epoch: Epoch(count(get(row, 1)?)?) };
        statement.answered();
        Ok(Begun::Yes(held))
    }

    pub(super) async fn record(&self, entry: &Entry) -> Result<Recorded, JournalError> {
        let Some(id) = self.name(entry.held.number).await? else { return Ok(Recorded::Taken(None)) };
        let (state, is_kept) = after(&entry.change);
        let is_news = matches!(state, State::Applied { .. });
        let Columns { state, how, result, why } = Columns::of(&state);
        let why = why.map(|why| seal::text(&self.sealer, &id, "why", &why)).transpose()?;
        let result = result.map(|result| seal::bytes(&self.sealer, &id, "result", &result)).transpose()?;
        let mut story = Story::of(&entry.story, &id, &self.sealer)?;
        let number = whole(entry.held.number);
        let values: [Value<'_>; 13] = [
            &number,
            &whole(entry.held.epoch.0),
            &state,
            &how,
            &result,
            &why,
            &is_news,
            &is_kept,
            &story.at,
            &story.kind,
            &story.text,
            &story.detail,
            &self.drops_bodies,
        ];
        let mut session = self.pool.session().await?;
        if !session.query(sql::RECORD, &values).await?.is_empty() {
            return Ok(Recorded::Yes);
        }
        if let Change::Applied { how, result } = &entry.change {
            let text = format!("{}: {}", news(*how), String::from_utf8_lossy(result));
            story.add_now(EventKind::Change, &text, &id, &self.sealer)?;
            let values: [Value<'_>; 5] = [&number, &story.at, &story.kind, &story.text, &story.detail];
            if !session.query(sql::LATE, &values).await?.is_empty() {
                tracing::warn!(intent = number, "an intent that was closed was applied after all: look at its story");
            }
        }
        drop(session);
        Ok(Recorded::Taken(self.show(entry.held.number).await?.map(Box::new)))
    }

    pub(super) async fn claim(&self, claim: &Claim) -> Result<Vec<Intent>, JournalError> {
        self.be_seen().await?;
        let mut session = self.pool.session().await?;
        let statement = self.unanswered();
        let rows = match claim {
            Claim::One(id) => {
                keepable(id)?;
                let values: [Value<'_>; 5] = [&id.portal, &id.method, &id.key, &self.me, &statement.token];
                session.query(sql::CLAIM_ONE, &values).await?
            }
            Claim::Open { portal, stubs, limit } => {
                let values: [Value<'_>; 5] = [portal, stubs, &self.me, &statement.token, &i64::from(*limit)];
                session.query(sql::CLAIM_OPEN, &values).await?
            }
        };
        let claimed = rows.iter().map(|row| rows::intent(row, &self.sealer)).collect::<Result<_, _>>()?;
        statement.answered();
        Ok(claimed)
    }

    pub(super) async fn turn(&self, portal: &str, every: Duration) -> Result<Duration, JournalError> {
        let values: [Value<'_>; 3] = [&portal, &self.egress, &micros(every)];
        let rows = self.pool.session().await?.query(sql::TURN, &values).await?;
        let wait: i64 = rows.first().map_or(Ok(0), |row| get(row, 0))?;
        Ok(Duration::from_micros(u64::try_from(wait).unwrap_or(0)))
    }
}

/// The state after a change, and whether its owner keeps the intent.
fn after(change: &Change) -> (State, bool) {
    match change.clone() {
        Change::Unknown { why, let_go } => (State::Unknown { why }, !let_go),
        Change::Ready { why } => (State::Ready { why }, false),
        Change::Applied { how, result } => (State::Applied { how, result }, false),
        Change::Rejected { why } => (State::Rejected { why }, false),
        Change::Manual { why } => (State::Manual { why }, false),
    }
}

fn news(how: How) -> &'static str {
    match how {
        How::Answer => "news from an earlier holder: it was applied, by the answer",
        How::ReadBack => "news from an earlier holder: it was applied, as a read-back shows",
        How::Person => "news from an earlier holder: it was applied, as a person says",
    }
}

/// PostgreSQL keeps no text with a NUL character, and a key must not be changed.
fn keepable(id: &IntentId) -> Result<(), JournalError> {
    if [&id.portal, &id.method, &id.key].iter().any(|text| text.contains('\0')) {
        return Err(JournalError::Unavailable(
            "PostgreSQL keeps no text with a NUL character: make the key of the call without one".into(),
        ));
    }
    Ok(())
}
