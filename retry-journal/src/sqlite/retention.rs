//! What is forgotten, and when.

use std::time::Duration;

use super::error::Failure;
use super::row;
use super::work::Work;

/// How many intents are forgotten in one commit: nobody waits long for it.
const AT_ONCE: u32 = 1000;

impl Work<'_> {
    /// Forgets what was closed longer ago than this; says how many intents that were. What is open or waits for a person stays.
    pub(super) fn expire(&mut self, retention: Duration) -> Result<usize, Failure> {
        let Some(until) = self.now.checked_sub(retention) else { return Ok(0) };
        let expired = self.some(
            "WHERE state IN (10, 11, 13) AND closed < ?1 ORDER BY closed",
            [row::micros(until)],
            |_| true,
            AT_ONCE,
        )?;
        for known in &expired {
            let number = row::int(known.intent.number);
            let mut events = self.connection.prepare_cached("DELETE FROM event WHERE intent = ?1 RETURNING mark")?;
            for mark in events.query_map([number], |row| row.get::<_, i64>(0))? {
                self.guard.total = self.guard.total.wrapping_sub(mark?);
            }
            self.connection.prepare_cached("DELETE FROM intent WHERE number = ?1")?.execute([number])?;
            self.guard.total = self.guard.total.wrapping_sub(known.mark);
        }
        Ok(expired.len())
    }

    /// Whether one commit was too little.
    pub(super) fn is_more(expired: usize) -> bool {
        expired == AT_ONCE as usize
    }
}

#[cfg(test)]
mod tests {
    use std::time::{SystemTime, UNIX_EPOCH};

    use retry_runtime::journal::{Beginning, Begun, Change, Digest, Entry, Event, EventKind, How, IntentId};
    use rusqlite::Connection;

    use super::*;
    use crate::bodies::Sealer;
    use crate::sqlite::guard::{Guard, counted};
    use crate::sqlite::schema;

    const DAY: Duration = Duration::from_hours(24);

    fn at<T>(connection: &Connection, now: SystemTime, act: impl FnOnce(&mut Work<'_>) -> T) -> T {
        let mut guard = Guard::load(connection).unwrap();
        let outcome = act(&mut Work {
            connection,
            guard: &mut guard,
            sealer: &Sealer::Clear,
            owner: "this run",
            drops_bodies: true,
            now,
        });
        guard.save(connection).unwrap();
        outcome
    }

    fn put(work: &mut Work<'_>, key: &str, change: Option<Change>) {
        let id = IntentId { portal: "p".into(), method: "m".into(), key: key.into() };
        let event = Event { at: UNIX_EPOCH, kind: EventKind::Change, text: key.into(), detail: "{}".into() };
        let beginning = Beginning {
            id,
            stub: "s".into(),
            version: retry_runtime::transport::Version::Two,
            arguments: "{}".into(),
            digest: Digest::of(b"{}"),
            idempotency_key: None,
            expected: None,
            story: vec![event.clone()],
        };
        let Begun::Yes(held) = work.begin(&beginning).unwrap() else { panic!("taken") };
        if let Some(change) = change {
            work.record(&Entry { held, change, story: vec![event] }).unwrap();
        }
    }

    #[test]
    fn only_what_ended_long_ago_without_a_question_is_forgotten() {
        let connection = Connection::open_in_memory().unwrap();
        schema::migrate(&connection, 0).unwrap();
        let start = UNIX_EPOCH + 20_000 * DAY;
        let why = || "why".into();
        let ends = || {
            [
                ("sending", None),
                ("unknown", Some(Change::Unknown { why: why(), let_go: true })),
                ("ready", Some(Change::Ready { why: why() })),
                ("rejected", Some(Change::Rejected { why: why() })),
                ("manual", Some(Change::Manual { why: why() })),
                ("applied", Some(Change::Applied { how: How::Answer, result: "1".into() })),
            ]
        };
        for (age, day) in [("old", 0), ("new", 3)] {
            for (name, change) in ends() {
                at(&connection, start + day * DAY, |work| put(work, &format!("{age} {name}"), change));
            }
        }
        let expire = |day| at(&connection, start + day * DAY, |work| work.expire(7 * DAY).unwrap());
        assert_eq!(expire(7), 0, "not before its time");
        assert_eq!(expire(8), 3);
        assert_eq!(expire(8), 0);
        let keys: Vec<_> = at(&connection, start, |work| work.some("ORDER BY number", (), |_| true, 99).unwrap())
            .into_iter()
            .map(|known| known.intent.id.key)
            .collect();
        let kept = ["old sending", "old unknown", "old manual"].map(Box::from);
        assert_eq!(keys[..3], kept);
        assert_eq!(keys.len(), 9);
        let guard = Guard::load(&connection).unwrap();
        assert_eq!(counted(&connection).unwrap(), (guard.total, guard.last), "the sum forgets them, too");
        let stories: i64 = connection.query_row("SELECT count(*) FROM event", (), |row| row.get(0)).unwrap();
        assert_eq!(stories, 1 + 2 + 2 + 1 + 5 * 2);
        // A number is given once.
        at(&connection, start + 30 * DAY, |work| {
            assert_eq!(work.expire(7 * DAY).unwrap(), 3);
            put(work, "next", None);
        });
        assert_eq!(Guard::load(&connection).unwrap().last, 13);
    }
}
