//! How a journal in PostgreSQL is opened.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio_postgres::Config;
use tokio_postgres::config::TargetSessionAttrs;

use super::core::{Core, Spans};
use super::error::ConnectError;
use super::pool::Pool;
use super::{PostgresJournal, guard, schema, tasks, tls};
use crate::bodies::{Bodies, Sealer};

/// What can be set before a [`PostgresJournal`] is opened.
#[derive(Debug, Clone)]
pub struct PostgresBuilder {
    schema: Box<str>,
    lease: Duration,
    retention: Duration,
    connections: usize,
    patience: Duration,
    egress: Option<Box<str>>,
    bodies: Bodies,
    is_expected: bool,
}

impl Default for PostgresBuilder {
    fn default() -> Self {
        Self {
            schema: "bitrix_journal".into(),
            lease: Duration::from_secs(30),
            retention: Duration::from_hours(7 * 24),
            connections: 8,
            patience: Duration::from_secs(10),
            egress: None,
            bodies: Bodies::default(),
            is_expected: false,
        }
    }
}

impl PostgresBuilder {
    /// The schema of the tables, `bitrix_journal` by default. All workers of a fleet have the same.
    #[must_use]
    pub fn schema(mut self, name: &str) -> Self {
        self.schema = name.into();
        self
    }

    /// For how long this worker counts as alive after it was last seen, 30 s by default; it says so every third of it. Between 1 second and 1 day.
    #[must_use]
    pub const fn lease(mut self, lease: Duration) -> Self {
        self.lease = lease;
        self
    }

    /// For how long intents are kept after they were closed, 7 days by default. What waits for a person is kept for good.
    ///
    /// It must be longer than the time in which an order may be handed in once more: a key that was dropped is a new one.
    #[must_use]
    pub const fn retention(mut self, retention: Duration) -> Self {
        self.retention = retention;
        self
    }

    /// At most so many connections, 8 by default and at least 1.
    #[must_use]
    pub const fn connections(mut self, connections: usize) -> Self {
        self.connections = if connections == 0 { 1 } else { connections };
        self
    }

    /// For how long one statement may take, and one wait for a connection; 10 s by default.
    #[must_use]
    pub const fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// The name of the address that this worker's calls come from: Bitrix24 counts calls by portal and address, and so does the shared line of a fleet.
    /// The name of the host by default; workers behind one address translation are given one name.
    #[must_use]
    pub fn egress(mut self, address: &str) -> Self {
        self.egress = Some(address.into());
        self
    }

    /// What becomes of the arguments, which may be personal data. By default they are [dropped](Bodies::DropAtClose) when nobody needs them any more.
    ///
    /// Whether they are encrypted is settled for good by the first worker, and all of a fleet have the same key. Between keeping and dropping, each worker goes by its
    /// own setting when it closes an intent.
    #[must_use]
    pub fn bodies(mut self, bodies: Bodies) -> Self {
        self.bodies = bodies;
        self
    }

    /// Says that there must be a journal already: for a fleet that has run before.
    ///
    /// If its tables are not there, they are made, and the journal is under [suspicion](retry_runtime::journal::Journal::suspicion) from its beginning, for all workers and until a
    /// person [trusts](crate::Desk::trust) it.
    #[must_use]
    pub const fn must_exist(mut self) -> Self {
        self.is_expected = true;
        self
    }

    /// Connects, makes the tables or brings them up to date, and starts the heartbeat on the runtime that it is called in.
    ///
    /// The address is a URL or a list of `key=value`, as libpq reads it; with several hosts the one that can be written to is taken.
    ///
    /// # Errors
    /// See [`ConnectError`].
    pub async fn connect(&self, address: &str) -> Result<PostgresJournal, ConnectError> {
        let schema = self.quoted_schema()?;
        if self.lease < Duration::from_secs(1) || self.lease > Duration::from_hours(24) {
            return Err(ConnectError::Lease(self.lease));
        }
        let mut config: Config =
            address.parse().map_err(|error: tokio_postgres::Error| ConnectError::Address(error.to_string().into()))?;
        let tls = tls::connector(&mut config)?;
        bounded(&mut config, self.patience);
        let pool = Pool::new(config, tls, schema.clone(), self.connections, self.patience);
        schema::prepare(&pool, &schema, self.is_expected).await?;
        guard::fit(&pool, &schema, &Sealer::of(&self.bodies)).await?;
        let host = gethostname::gethostname().to_string_lossy().into_owned();
        let me = format!("{host}/{}/{:08x}", std::process::id(), fastrand::u32(..));
        let egress = self.egress.clone().unwrap_or_else(|| host.into());
        let spans = Spans { lease: self.lease, retention: self.retention };
        let core = Arc::new(Core::new(pool, me.into(), egress, spans, &self.bodies));
        core.beat().await?;
        core.see_suspicion().await?;
        let (errands, list) = mpsc::unbounded_channel();
        let (alive, gone) = oneshot::channel();
        tokio::spawn(tasks::run_errands(Arc::clone(&core), list, alive));
        let heart = tokio::spawn(tasks::beat(Arc::clone(&core), gone));
        Ok(PostgresJournal { core, errands, heart: Arc::new(Mutex::new(Some(heart))) })
    }

    fn quoted_schema(&self) -> Result<Box<str>, ConnectError> {
        let name = &*self.schema;
        let is_one = (1..=63).contains(&name.len())
            && name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'))
            && !name.starts_with(|first: char| first.is_ascii_digit())
            && !name.starts_with("pg_");
        if is_one { Ok(format!("\"{name}\"").into()) } else { Err(ConnectError::SchemaName(name.into())) }
    }
}

/// Gives every wait of a connection an end, where the address says nothing of it.
fn bounded(config: &mut Config, patience: Duration) {
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(patience / 2);
    }
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(patience);
    }
    if config.get_application_name().is_none() {
        config.application_name("bitrix-journal");
    }
    config.target_session_attrs(TargetSessionAttrs::ReadWrite);
}
