//! What a person does with a journal in PostgreSQL.

use std::time::Duration;

use retry_runtime::journal::{Epoch, How, Intent, JournalError, State};

use super::PostgresJournal;
use super::pool::Value;
use super::rows::{self, clean, count, get, whole};
use super::{seal, sql};
use crate::columns::Columns;
use crate::{Decided, Decision, Desk, DeskError, Page, Query, Shown, Signature, Stats, Work};

impl Desk for PostgresJournal {
    fn list<'a>(&'a self, query: &'a Query) -> Work<'a, Page> {
        Box::pin(async move { Ok(self.listed(query).await?) })
    }

    fn show(&self, number: u64) -> Work<'_, Shown> {
        Box::pin(async move {
            let intent = self.core.show(number).await?.ok_or(DeskError::NoSuch(number))?;
            let rows = self.core.pool.session().await?.query(sql::STORY, &[&whole(number)]).await?;
            let story =
                rows.iter().map(|row| rows::event(row, &intent.id, &self.core.sealer)).collect::<Result<_, _>>()?;
            Ok(Shown { intent, story })
        })
    }

    fn decide<'a>(&'a self, number: u64, epoch: Epoch, decision: &'a Decision, by: &'a Signature) -> Work<'a, Decided> {
        Box::pin(async move {
            if let Some(intent) = self.decided(number, epoch, decision, by).await? {
                return Ok(Decided::Yes(Box::new(intent)));
            }
            let intent = Box::new(self.core.show(number).await?.ok_or(DeskError::NoSuch(number))?);
            Ok(if intent.epoch == epoch { Decided::NotNow(intent) } else { Decided::Changed(intent) })
        })
    }

    fn stats(&self) -> Work<'_, Stats> {
        Box::pin(async move { Ok(self.counted().await?) })
    }

    fn suspicion(&self) -> Work<'_, Option<Box<str>>> {
        Box::pin(async move { Ok(self.core.see_suspicion().await?.map(|why| (&*why).into())) })
    }

    fn trust<'a>(&'a self, by: &'a Signature) -> Work<'a, ()> {
        Box::pin(async move { Ok(self.core.trust(by).await?) })
    }
}

impl PostgresJournal {
    async fn listed(&self, query: &Query) -> Result<Page, JournalError> {
        let states: Option<Vec<i16>> = (!query.states.is_empty()).then(|| {
            let wanted = names().into_iter().filter(|(_, name)| query.states.iter().any(|wanted| **wanted == **name));
            wanted.map(|(code, _)| code).collect()
        });
        let text = query.text.as_deref().map(clean);
        let before = query.before.map(|before| i64::try_from(before).unwrap_or(i64::MAX));
        let limit = i64::from(if query.limit == 0 { 50 } else { query.limit });
        let values: [Value<'_>; 4] = [&states, &text, &before, &(limit + 1)];
        let rows = self.core.pool.session().await?.query(sql::LIST, &values).await?;
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let intents =
            rows.iter().take(limit).map(|row| rows::intent(row, &self.core.sealer)).collect::<Result<Vec<_>, _>>()?;
        let next = if rows.len() > limit { intents.last().map(|intent| intent.number) } else { None };
        Ok(Page { intents, next })
    }

    async fn decided(
        &self,
        number: u64,
        epoch: Epoch,
        decision: &Decision,
        by: &Signature,
    ) -> Result<Option<Intent>, JournalError> {
        let Some(id) = self.core.name(number).await? else { return Ok(None) };
        let sealer = &self.core.sealer;
        let said = format!("{}: {}", by.name(), by.note());
        let (state, from): (State, &[i16]) = match decision {
            Decision::Adopt(record) => (State::Applied { how: How::Person, result: json(record).into() }, &[1, 2, 12]),
            Decision::Reject => (State::Rejected { why: said.clone().into() }, &[1, 2, 10, 12]),
            Decision::AllowOnce => (State::Ready { why: said.clone().into() }, &[11, 12]),
            Decision::Verify => (State::Unknown { why: said.clone().into() }, &[12]),
        };
        let record = match decision {
            Decision::Adopt(record) => Some(&**record),
            Decision::Reject | Decision::AllowOnce | Decision::Verify => None,
        };
        let Columns { state, how, result, why } = Columns::of(&state);
        let why = why.map(|why| seal::text(sealer, &id, "why", &why)).transpose()?;
        let result = result.map(|result| seal::bytes(sealer, &id, "result", &result)).transpose()?;
        let text = match record {
            Some(record) => format!("{} {record} by {said}", decision.as_str()),
            None => format!("{} by {said}", decision.as_str()),
        };
        let text = seal::text(sealer, &id, "story", &text)?;
        let detail = serde_json::json!({
            "decision": decision.as_str(), "record": record, "name": by.name(), "note": by.note(),
        });
        let detail = seal::text(sealer, &id, "detail", &detail.to_string())?;
        let drops = self.core.drops_bodies;
        let values: [Value<'_>; 10] =
            [&whole(number), &whole(epoch.0), &state, &how, &result, &why, &from, &text, &detail, &drops];
        let rows = self.core.pool.session().await?.query(sql::DECIDE, &values).await?;
        rows.first().map(|row| rows::intent(row, sealer)).transpose()
    }

    async fn counted(&self) -> Result<Stats, JournalError> {
        let rows = self.core.pool.session().await?.query(sql::STATS, &[]).await?;
        let mut stats = Stats::default();
        for row in &rows {
            let code: i16 = get(row, 0)?;
            let Some((_, name)) = names().into_iter().find(|(known, _)| *known == code) else {
                return Err(JournalError::Damaged(format!("{code} is no state").into()));
            };
            stats.states.push((name, count(get(row, 1)?)?));
            stats.at = Some(get(row, 2)?);
            let age = Duration::from_micros(u64::try_from(get::<i64>(row, 3)?).unwrap_or(0));
            if code < 10 {
                stats.oldest_open = stats.oldest_open.max(Some(age));
            } else if code == MANUAL {
                stats.oldest_manual = Some(age);
            }
        }
        Ok(stats)
    }
}

/// What waits for a person.
const MANUAL: i16 = 12;

/// The states by their code and name.
fn names() -> [(i16, &'static str); 6] {
    let none: Box<str> = "".into();
    [
        State::Sending,
        State::Unknown { why: none.clone() },
        State::Ready { why: none.clone() },
        State::Rejected { why: none.clone() },
        State::Manual { why: none },
        State::Applied { how: How::Person, result: bytes::Bytes::new() },
    ]
    .map(|state| (Columns::of(&state).state, state.as_str()))
}

/// A record as a number where it is written as one, else as a text.
fn json(record: &str) -> Vec<u8> {
    let number = record.parse::<u64>().ok().filter(|number| number.to_string() == record);
    number.map_or_else(|| serde_json::Value::from(record), serde_json::Value::from).to_string().into_bytes()
}
