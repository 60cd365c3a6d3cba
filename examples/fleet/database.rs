//! A PostgreSQL server for the run, where none is named.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use retry_journal::postgres::PostgresJournal;
use tempfile::TempDir;
use tokio::process::{Child, Command};

const MISSING: &str = "the workers share a PostgreSQL server, and none is installed here to be started for the run: \
                       apt-get install postgresql, or name one in FLEET_DATABASE";

/// A server in a temporary directory. It ends with this value.
pub(crate) struct Database {
    pub(crate) address: String,
    server: Child,
    _home: TempDir,
}

impl Database {
    /// # Errors
    /// There is no server to start, or it does not start.
    pub(crate) async fn start() -> Result<Self, String> {
        let programs = programs().ok_or(MISSING)?;
        let home = TempDir::with_prefix("fleet-").map_err(|error| format!("no temporary directory: {error}"))?;
        let is_root = is_root().await?;
        if is_root {
            run(Command::new("chown").arg("postgres").arg(home.path())).await?;
        }
        let data = home.path().join("data");
        let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let port = free.map_err(|error| format!("no free port: {error}"))?.port();
        let command = |program: &str| server_command(&programs.join(program), home.path(), is_root);
        run(command("initdb").arg("-D").arg(&data).args(["-A", "trust", "-U", "postgres", "-N"])).await?;
        let mut server = command("postgres");
        server.arg("-D").arg(&data).arg("-k").arg(home.path());
        server.args(["-p", &port.to_string(), "-c", "listen_addresses=", "-c", "max_connections=600"]);
        server.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
        let server = server.spawn().map_err(|error| format!("PostgreSQL does not start: {error}"))?;
        let address = format!("host={} port={port} user=postgres dbname=postgres", home.path().display());
        let database = Self { address, server, _home: home };
        database.answers().await?;
        Ok(database)
    }

    /// Waits until the server answers, and makes the tables.
    async fn answers(&self) -> Result<(), String> {
        let mut tries = 0;
        loop {
            match PostgresJournal::connect(&self.address).await {
                Ok(journal) => {
                    journal.close().await;
                    return Ok(());
                }
                Err(error) if tries == 100 => return Err(error.to_string()),
                Err(_) => tries += 1,
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Ends the server at once; what it has written goes with its directory.
    pub(crate) async fn stop(mut self) {
        // It was started by us and is ours to end; that it has ended already is as good.
        let _ = self.server.kill().await;
    }
}

/// Where the programs are: the newest of Debian's, or on the path.
fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let numbered = versions.filter_map(|entry| {
        let number: u32 = entry.file_name().to_str()?.parse().ok()?;
        Some((number, entry.path().join("bin")))
    });
    let path = std::env::var_os("PATH").unwrap_or_default();
    let newest = numbered.filter(|(_, path)| has_server(path)).max();
    newest.map(|(_, path)| path).or_else(|| std::env::split_paths(&path).find(|path| has_server(path)))
}

fn has_server(path: &Path) -> bool {
    ["initdb", "postgres"].iter().all(|program| path.join(program).is_file())
}

async fn is_root() -> Result<bool, String> {
    let out = Command::new("id").arg("-u").output().await.map_err(|error| format!("id: {error}"))?;
    Ok(out.stdout.trim_ascii() == b"0")
}

/// The server refuses to run as root.
fn server_command(program: &Path, home: &Path, is_root: bool) -> Command {
    if !is_root {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups", "--"]).arg(program).current_dir(home);
    command
}

async fn run(command: &mut Command) -> Result<(), String> {
    let out = command.stdin(Stdio::null()).output().await.map_err(|error| format!("{command:?}: {error}"))?;
    if out.status.success() {
        return Ok(());
    }
    Err(format!("{command:?}: {}", String::from_utf8_lossy(&out.stderr)))
}
