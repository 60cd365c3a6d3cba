//! The tables, and how they come to be.

use super::error::ConnectError;
use super::pool::{Busy, Pool};
use super::rows::get;

/// One step for each version of the tables, from none on.
const STEPS: [&str; 2] = [FIRST, GUARD];

const FIRST: &str = "
CREATE TABLE intent (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    portal text NOT NULL,
    method text NOT NULL,
    key text NOT NULL,
    stub text NOT NULL,
    version smallint NOT NULL,
    arguments bytea,
    digest bytea NOT NULL,
    idempotency_key text,
    -- 1 sending, 2 unknown; closed: 10 not applied, 11 rejected, 12 manual, 13 applied
    state smallint NOT NULL,
    how smallint,
    result bytea,
    why text,
    attempt integer NOT NULL,
    epoch bigint NOT NULL,
    owner text,
    -- which statement of its owner has made it what it is
    token bigint NOT NULL,
    began timestamptz NOT NULL,
    sent timestamptz NOT NULL,
    closed timestamptz,
    UNIQUE (portal, method, key)
);
CREATE INDEX intent_open ON intent (portal, number) WHERE state < 10;
CREATE INDEX intent_closed ON intent (closed) WHERE state IN (10, 11, 13);
CREATE INDEX intent_manual ON intent (number) WHERE state = 12;
CREATE TABLE event (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    intent bigint NOT NULL REFERENCES intent ON DELETE CASCADE,
    at timestamptz NOT NULL,
    kind text NOT NULL,
    text text NOT NULL,
    detail text NOT NULL
);
CREATE INDEX event_intent ON event (intent, number);
CREATE TABLE worker (
    id text PRIMARY KEY,
    seen timestamptz NOT NULL,
    -- for how long it counts as alive after it was seen
    lease interval NOT NULL
);
CREATE TABLE limiter (
    portal text NOT NULL,
    egress text NOT NULL,
    -- when the next request may leave
    tat timestamptz NOT NULL,
    PRIMARY KEY (portal, egress)
) WITH (fillfactor = 50);
";

/// What the journal knows of itself, in one row. A seal is there if the bodies are encrypted: what their key opens. A suspicion is why intents may be missing.
const GUARD: &str = "
CREATE TABLE guard (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    seal bytea,
    suspicion text,
    -- who ended the last suspicion
    trusted text
);
INSERT INTO guard DEFAULT VALUES;
";

const LOST: &str = "UPDATE guard SET suspicion = 'the tables of the journal were not there, although the program that made them anew says that they must be';";

/// The oldest server that has what is used here, as it numbers itself.
const OLDEST: i32 = 130_000;

/// Makes the tables, or brings them up to date. Any number of workers may do so at once: one does it and the others wait.
pub(super) async fn prepare(pool: &Pool, schema: &str, is_expected: bool) -> Result<(), ConnectError> {
    let mut session = pool.session().await?;
    let server = session
        .query(
            "SELECT current_setting('server_version_num')::integer, current_setting('server_version'), \
             current_setting('fsync')",
            &[],
        )
        .await?;
    for row in server {
        let (number, name, fsync): (i32, String, String) = (get(&row, 0)?, get(&row, 1)?, get(&row, 2)?);
        if number < OLDEST {
            return Err(ConnectError::TooOld(name.into()));
        }
        if fsync != "on" {
            tracing::warn!("the server of the journal runs with fsync off: a power cut forgets what was sent");
        }
    }
    let known = i32::try_from(STEPS.len()).unwrap_or(i32::MAX);
    if found(&mut session, schema).await? == Some(known) {
        return Ok(());
    }
    session
        .run(&format!("BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('bitrix-journal {schema}', 0))"))
        .await?;
    let found = found(&mut session, schema).await?;
    let version = found.unwrap_or(0);
    let Some(steps) = usize::try_from(version).ok().and_then(|version| STEPS.get(version..)) else {
        session.run("ROLLBACK").await?;
        return Err(ConnectError::Newer { schema: schema.into(), found: version, known });
    };
    let mut sql = String::new();
    if found.is_none() {
        sql = format!(
            "CREATE SCHEMA IF NOT EXISTS {schema}; \
             CREATE TABLE {schema}.schema_version (version integer NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp()); \
             INSERT INTO {schema}.schema_version (version) VALUES (0);"
        );
    }
    for step in steps {
        sql.push_str(step);
    }
    if found.is_none() && is_expected {
        tracing::warn!(schema, "a journal was expected, and there was none: it may have forgotten intents");
        sql.push_str(LOST);
    }
    session
        .run(&format!("{sql} UPDATE {schema}.schema_version SET version = {known}, at = clock_timestamp(); COMMIT"))
        .await?;
    Ok(())
}

/// The version of the tables, if there are any.
async fn found(session: &mut Busy<'_>, schema: &str) -> Result<Option<i32>, ConnectError> {
    // By the rows of the catalogue: a look by name may be answered from what this connection remembers of the time before the lock.
    let sql = "SELECT EXISTS (SELECT FROM pg_class WHERE relname = 'schema_version' \
               AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1::text))";
    let rows = session.query(sql, &[&schema.trim_matches('"')]).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    if !get::<bool>(row, 0)? {
        return Ok(None);
    }
    let rows = session.query("SELECT max(version) FROM schema_version", &[]).await?;
    match rows.first() {
        Some(row) => Ok(get(row, 0)?),
        None => Ok(None),
    }
}
