//! How a file is opened, checked and brought up to date, before anything is sent by it.

#[cfg(unix)]
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, OptionalExtension as _};

use super::error::{Failure, OpenError};
use super::guard::{Guard, counted};
use super::head::{self, Head, Role};
use super::lock::Lock;
use super::row::{self, Table};
use super::schema;
use super::store::{BUSY, Store, Suspicion};
use crate::bodies::{Bodies, Misfit, Sealer};

/// How it is opened.
pub(super) struct Opening<'a> {
    pub(super) path: &'a Path,
    pub(super) role: Role,
    pub(super) bodies: &'a Bodies,
    pub(super) retention: Duration,
    pub(super) must_exist: bool,
}

impl Opening<'_> {
    /// Opens the file. Whatever can be wrong with it is found here.
    pub(super) fn open(self) -> Result<Store, OpenError> {
        let path = resolved(self.path)?;
        let io = |doing| {
            let path = path.clone();
            move |source| OpenError::Io { path, doing, source }
        };
        let of = |failure| OpenError::of(&path, failure);
        let lock = match self.role {
            Role::Sender => Some(Lock::take(&path)?),
            Role::Desk => None,
        };
        if (self.must_exist || self.role == Role::Desk)
            && !path.try_exists().map_err(io("it could not be looked for"))?
        {
            return Err(OpenError::Missing { path });
        }
        let head = head::found(&path).map_err(io("its head file could not be read"))?;
        let connection = connect(&path, self.role).map_err(of)?;
        let found = schema::found(&connection).map_err(of)?.ok_or_else(|| match head {
            head::Found::Nothing => OpenError::Foreign { path: path.clone() },
            head::Found::Unreadable | head::Found::Reached(_) => {
                OpenError::of(&path, Failure::Damaged("its first page does not read as it was written".into()))
            }
        })?;
        let known = schema::known();
        if found > known {
            return Err(OpenError::Newer { path, found, known });
        }
        if self.role == Role::Desk && found < known {
            return Err(OpenError::Older { path, found, known });
        }
        if self.role == Role::Sender {
            settle(&connection, found).map_err(of)?;
        }
        let sealer = Sealer::of(self.bodies);
        fit(&connection, &sealer, self.role)
            .map_err(of)?
            .map_or(Ok(()), |misfit| Err(OpenError::Key { path: path.clone(), why: misfit.to_string().into() }))?;
        let mut store = Store {
            connection,
            head: Head::open(&path, self.role).map_err(io("its head file could not be opened"))?,
            path: path.as_path().into(),
            sealer,
            drops_bodies: self.bodies.are_dropped(),
            owner: run().map_err(of)?,
            role: self.role,
            retention: self.retention,
            suspicion: Suspicion::default(),
            stopped: None,
            behind: 1,
            lock,
        };
        guard(&mut store, found == 0, head)?;
        if self.role == Role::Sender {
            reached(&mut store).map_err(of)?;
            store.tidy();
        }
        let suspicion = Guard::load(&store.connection).map_err(of)?.suspicion;
        store.suspicion.set(suspicion.as_deref());
        Ok(store)
    }
}

/// One file has one name, whatever links lead to it: its lock and its head are beside it.
fn resolved(path: &Path) -> Result<PathBuf, OpenError> {
    let io = |source| OpenError::Io { path: path.into(), doing: "its directory could not be found", source };
    match path.canonicalize() {
        Ok(path) => Ok(path),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let name = path.file_name().ok_or_else(|| io(std::io::Error::other("the path names no file")))?;
            let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
            Ok(directory.canonicalize().map_err(io)?.join(name))
        }
        Err(error) => Err(io(error)),
    }
}

fn connect(path: &Path, role: Role) -> Result<Connection, Failure> {
    let make = match role {
        Role::Sender => OpenFlags::SQLITE_OPEN_CREATE,
        Role::Desk => OpenFlags::empty(),
    };
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | make;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY)?;
    connection.set_prepared_statement_cache_capacity(64);
    // After a failed write nothing more may be moved about, not even at the end: what is checkpointed is said in one place.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    Ok(connection)
}

/// Sets how it writes, reads all of it, and brings it up to the newest format.
fn settle(connection: &Connection, found: i64) -> Result<(), Failure> {
    if found > 0 {
        // The quick check would not do: it leaves the indexes out, and one flipped bit there hides a row from whoever looks for it.
        let check: String = connection.query_row("PRAGMA integrity_check(1)", (), |row| row.get(0))?;
        if check != "ok" {
            return Err(Failure::Damaged(check.replace('\n', " ").into()));
        }
    }
    let mode: String = connection.query_row("PRAGMA journal_mode = WAL", (), |row| row.get(0))?;
    if mode != "wal" {
        let why = format!("this file system can't keep a log beside the file (journal mode {mode})");
        return Err(Failure::Io("it could not be set up", std::io::Error::other(why)));
    }
    connection.execute_batch(
        "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA wal_autocheckpoint = 0; PRAGMA secure_delete = ON;
         PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY;",
    )?;
    schema::migrate(connection, found)?;
    for (table, sql) in [
        (Table::Intent, format!("SELECT {} FROM intent", row::INTENT)),
        (Table::Event, format!("SELECT {} FROM event", row::EVENT)),
    ] {
        let mut statement = connection.prepare(&sql)?;
        let mut rows = statement.query(())?;
        while let Some(next) = rows.next()? {
            row::checked(table, next)?;
        }
    }
    let guard = Guard::load(connection)?;
    let (total, last) = counted(connection)?;
    if total != guard.total || last > guard.last {
        return Err(Failure::Damaged("rows are missing, or came back as they were before".into()));
    }
    Ok(())
}

/// What does not fit if the bodies in the file are not sealed by this key. An empty file takes the key of its first sender.
fn fit(connection: &Connection, sealer: &Sealer, role: Role) -> Result<Option<Misfit>, Failure> {
    let seal: Option<Vec<u8>> =
        connection.query_row("SELECT seal FROM guard", (), |row| row.get(0)).optional()?.flatten();
    let misfit = sealer.misfit(seal.as_deref());
    if misfit == Some(Misfit::InClear) && role == Role::Sender {
        let is_empty = connection.query_row("SELECT count(*) = 0 FROM intent", (), |row| row.get(0))?;
        if is_empty {
            connection.execute("UPDATE guard SET seal = ?1", [sealer.probe()?])?;
            return Ok(None);
        }
    }
    Ok(misfit)
}

/// Compares what the file has reached with what the head beside it said before. A desk does so, too: what it writes must not make an older copy look new.
fn guard(store: &mut Store, is_new: bool, head: head::Found) -> Result<(), OpenError> {
    let doubt = Guard::load(&store.connection).map(|guard| guard.doubt(is_new, head));
    if let Some(why) = doubt.map_err(|failure| OpenError::of(&store.path, failure))? {
        tracing::warn!(path = %store.path.display(), why, "the journal may have forgotten intents");
        store.transaction(true, |work| work.guard.suspect(&why, head))?;
    }
    Ok(())
}

/// Writes how far the file has come, and makes sure that the names of the files outlive a power cut.
fn reached(store: &mut Store) -> Result<(), Failure> {
    let reached = Guard::load(&store.connection)?.reached;
    let io = |doing| move |error| Failure::Io(doing, error);
    store.head.write(reached).map_err(io("its head file could not be written"))?;
    store.head.sync().map_err(io("its head file could not be synced"))?;
    #[cfg(unix)]
    if let Some(directory) = store.path.parent() {
        File::open(directory).and_then(|it| it.sync_all()).map_err(io("its directory could not be synced"))?;
    }
    Ok(())
}

/// What tells this run of this process from all others.
fn run() -> Result<Box<str>, Failure> {
    let random = getrandom::u32()
        .map_err(|error| Failure::Io("the system gave no random number", std::io::Error::other(error.to_string())))?;
    Ok(format!("process {} run {random:08x}", std::process::id()).into())
}
