//! A PostgreSQL server of the tests' own, in a temporary directory.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use tempfile::TempDir;
use tokio::sync::Mutex;
use tokio_postgres::{Client, NoTls};

pub(crate) struct Server {
    programs: PathBuf,
    home: TempDir,
    port: u16,
    process: std::sync::Mutex<Option<Child>>,
}

static SHARED: Mutex<Weak<Server>> = Mutex::const_new(Weak::new());
static SCHEMAS: AtomicU32 = AtomicU32::new(1);

/// The server that most tests share, each in a schema of its own. It ends with the last of them.
///
/// `None` only where `RETRY_JOURNAL_NO_POSTGRES` says that there shall be none.
pub(crate) async fn shared() -> Option<Arc<Server>> {
    let mut shared = SHARED.lock().await;
    if let Some(server) = shared.upgrade() {
        return Some(server);
    }
    let server = Arc::new(Server::start().await?);
    *shared = Arc::downgrade(&server);
    Some(server)
}

/// A schema that no other test has.
pub(crate) fn schema() -> String {
    format!("journal_{}", SCHEMAS.fetch_add(1, Ordering::Relaxed))
}

impl Server {
    /// One that the test may break.
    pub(crate) async fn start() -> Option<Self> {
        let Some(programs) = programs() else {
            assert!(
                std::env::var_os("RETRY_JOURNAL_NO_POSTGRES").is_some(),
                "these tests start a PostgreSQL server, and none is installed: apt-get install postgresql. Where there can't be one, \
                 set RETRY_JOURNAL_NO_POSTGRES=1 to go without these tests"
            );
            println!("NOT RUN: RETRY_JOURNAL_NO_POSTGRES is set, and there is no PostgreSQL here");
            return None;
        };
        let home = TempDir::with_prefix("journal-").unwrap();
        if is_root() {
            run(Command::new("chown").arg("postgres").arg(home.path()));
        }
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let server = Self { programs, home, port, process: std::sync::Mutex::default() };
        let data = server.data();
        run(server.command("initdb").arg("-D").arg(&data).args(["-A", "trust", "-U", "postgres", "-N", "--locale=C"]));
        server.up().await;
        Some(server)
    }

    /// Starts the server and waits until it answers.
    pub(crate) async fn up(&self) {
        let mut command = self.command("postgres");
        command.arg("-D").arg(self.data()).arg("-k").arg(self.home.path());
        command.args(["-p", &self.port.to_string(), "-c", "listen_addresses=127.0.0.1", "-c", "max_connections=200"]);
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        *self.process.lock().unwrap() = Some(child);
        for _ in 0..300 {
            if tokio_postgres::connect(&self.address(), NoTls).await.is_ok() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("the server does not answer within 30 s");
    }

    /// What `pg_ctl stop -m immediate` does: all processes are gone, nothing is written any more.
    pub(crate) fn crash(&self) {
        if let Some(mut child) = self.process.lock().unwrap().take() {
            run(Command::new("kill").args(["-QUIT", &child.id().to_string()]));
            child.wait().unwrap();
        }
    }

    /// On its unix socket.
    pub(crate) fn address(&self) -> String {
        format!("host={} port={} user=postgres dbname=postgres", self.home.path().display(), self.port)
    }

    /// On the loopback address.
    pub(crate) fn url(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }

    /// A connection beside the journal.
    pub(crate) async fn client(&self) -> Client {
        let (client, connection) = tokio_postgres::connect(&self.address(), NoTls).await.unwrap();
        tokio::spawn(connection);
        client
    }

    fn data(&self) -> PathBuf {
        self.home.path().join("data")
    }

    /// The server refuses to run as root.
    fn command(&self, program: &str) -> Command {
        let program = self.programs.join(program);
        if !is_root() {
            return Command::new(program);
        }
        let mut command = Command::new("setpriv");
        command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups", "--"]).arg(program);
        command.current_dir(self.home.path());
        command
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.crash();
    }
}

/// Where the programs are: the newest of Debian's, or on the path.
fn programs() -> Option<PathBuf> {
    let mut found: Vec<(u32, PathBuf)> = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .filter_map(|entry| {
            Some((entry.as_ref().ok()?.file_name().to_str()?.parse().ok()?, entry.ok()?.path().join("bin")))
        })
        .filter(|(_, path)| has_server(path))
        .collect();
    found.sort_unstable();
    let path = std::env::var_os("PATH").unwrap_or_default();
    found.pop().map(|(_, path)| path).or_else(|| std::env::split_paths(&path).find(|path| has_server(path)))
}

fn has_server(path: &Path) -> bool {
    ["initdb", "postgres"].iter().all(|program| path.join(program).is_file())
}

fn is_root() -> bool {
    let out = Command::new("id").arg("-u").output().unwrap();
    out.stdout.trim_ascii() == b"0"
}

fn run(command: &mut Command) {
    let out = command.stdin(Stdio::null()).output().unwrap();
    assert!(out.status.success(), "{command:?}: {}", String::from_utf8_lossy(&out.stderr));
}
