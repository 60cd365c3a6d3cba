//! A few connections that are opened anew when they break.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use retry_runtime::journal::JournalError;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Config, Row, Statement};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::error::failed;

/// What a statement is given.
pub(super) type Value<'a> = &'a (dyn ToSql + Sync);

/// The connections of one handle.
pub(super) struct Pool {
    config: Config,
    tls: MakeRustlsConnect,
    /// The schema, as it is written in SQL.
    schema: Box<str>,
    /// For how long one wait for a connection or an answer may last.
    patience: Duration,
    permits: Semaphore,
    idle: Mutex<Vec<Session>>,
}

/// One connection.
struct Session {
    client: Client,
    prepared: HashMap<&'static str, Statement>,
}

/// A connection that is in use. It goes back when it is dropped, unless a statement of it has no answer.
pub(super) struct Busy<'a> {
    pool: &'a Pool,
    session: Option<Session>,
    _permit: SemaphorePermit<'a>,
}

impl Pool {
    pub(super) fn new(
        config: Config,
        tls: MakeRustlsConnect,
        schema: Box<str>,
        size: usize,
        patience: Duration,
    ) -> Self {
        Self { config, tls, schema, patience, permits: Semaphore::new(size), idle: Mutex::default() }
    }

    /// A connection, an open one where there is one.
    pub(super) async fn session(&self) -> Result<Busy<'_>, JournalError> {
        let session = async {
            let permit = self.permits.acquire().await.map_err(|_| unavailable("its connections were closed"))?;
            let session = match self.spare() {
                Some(session) => session,
                None => self.connect().await?,
            };
            Ok(Busy { pool: self, session: Some(session), _permit: permit })
        };
        tokio::time::timeout(self.patience, session)
            .await
            .map_err(|_| JournalError::Unavailable(format!("no connection within {:?}", self.patience).into()))?
    }

    fn spare(&self) -> Option<Session> {
        let mut idle = self.idle();
        idle.retain(|session| !session.client.is_closed());
        idle.pop()
    }

    async fn connect(&self) -> Result<Session, JournalError> {
        let (client, connection) = self.config.connect(self.tls.clone()).await.map_err(|error| failed(&error))?;
        // It ends with its client, and says to the client what it died of.
        tokio::spawn(connection);
        let limit = self.patience.as_millis();
        // The server gives up before we do, so that nothing that we have given up on is done late. What is weaker than `on` would lose
        // what was acknowledged.
        let setup = format!(
            "SET search_path TO {}; SET statement_timeout TO {limit}; \
             SELECT set_config('synchronous_commit', 'on', false) \
             WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply')",
            self.schema
        );
        client.batch_execute(&setup).await.map_err(|error| failed(&error))?;
        Ok(Session { client, prepared: HashMap::new() })
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Session>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Busy<'_> {
    /// The rows that the statement returns. It is prepared once in each connection.
    pub(super) async fn query(&mut self, sql: &'static str, values: &[Value<'_>]) -> Result<Vec<Row>, JournalError> {
        // Taken out for the time of the statement: whoever drops this future, or gets an error, leaves the connection behind.
        let mut session = self.session.take().ok_or_else(|| unavailable("its connection broke"))?;
        let answer = async {
            if !session.prepared.contains_key(sql) {
                session.prepared.insert(sql, session.client.prepare(sql).await?);
            }
            session.client.query(&session.prepared[sql], values).await
        };
        let rows = tokio::time::timeout(self.pool.patience, answer)
            .await
            .map_err(|_| JournalError::Unavailable(format!("no answer within {:?}", self.pool.patience).into()))?
            .map_err(|error| failed(&error))?;
        self.session = Some(session);
        Ok(rows)
    }

    /// Statements without values, as one transaction where they say so.
    pub(super) async fn run(&mut self, sql: &str) -> Result<(), JournalError> {
        let session = self.session.take().ok_or_else(|| unavailable("its connection broke"))?;
        session.client.batch_execute(sql).await.map_err(|error| failed(&error))?;
        self.session = Some(session);
        Ok(())
    }
}

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        if let Some(session) = self.session.take()
            && !session.client.is_closed()
        {
            self.pool.idle().push(session);
        }
    }
}

impl fmt::Debug for Pool {
    /// Without the address, which may hold a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool").field("schema", &self.schema).field("idle", &self.idle().len()).finish_non_exhaustive()
    }
}

fn unavailable(why: &str) -> JournalError {
    JournalError::Unavailable(why.into())
}
