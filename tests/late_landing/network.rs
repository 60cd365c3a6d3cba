//! Two network namespaces and the cable between them.

use std::io::{Write as _, stderr};
use std::process::Stdio;
use std::sync::atomic::{AtomicU32, Ordering};

use tokio::process::Command;

/// Set where there can't be namespaces, to go without these tests.
const GO_WITHOUT: &str = "RETRY_NO_NAMESPACES";

const CABLE: &str = "cable";
const NO_CARD: &str = "02:00:00:00:00:99";
pub(crate) const SENDER: &str = "10.99.0.1";
pub(crate) const PORTAL: &str = "10.99.0.2";

/// A sender's machine and a portal's. They go when this is dropped, which a failed test does too.
pub(crate) struct Network {
    sender: Namespace,
    portal: Namespace,
}

/// What the sender's kernel knows of a connection to the portal.
#[derive(Debug, Clone)]
pub(crate) struct Socket {
    pub(crate) is_established: bool,
    /// Bytes that the portal has not acknowledged.
    pub(crate) queued: usize,
}

impl Network {
    /// `None` only where `RETRY_NO_NAMESPACES` says that there shall be none.
    pub(crate) async fn new() -> Option<Self> {
        let made = match Namespace::new("sender").await {
            Ok(sender) => Namespace::new("portal").await.map(|portal| Self { sender, portal }),
            Err(problem) => Err(problem),
        };
        let network = match made {
            Ok(network) => network,
            Err(problem) => {
                let said = format!(
                    "NOT RUN: late landing needs network namespaces, so it has to be root and to have iproute2 (apt-get install iproute2): \
                     {problem}"
                );
                // Not captured as what a test prints is.
                writeln!(stderr(), "{said}").unwrap();
                assert!(std::env::var_os(GO_WITHOUT).is_some(), "{said}. {GO_WITHOUT}=1 goes without these tests");
                return None;
            }
        };
        let (sender, portal) = (&network.sender.name, &network.portal.name);
        expect(&["link", "add", CABLE, "netns", sender, "type", "veth", "peer", "name", CABLE, "netns", portal]).await;
        for (name, address) in [(sender, SENDER), (portal, PORTAL)] {
            expect(&["-n", name, "address", "add", &format!("{address}/24"), "dev", CABLE]).await;
            expect(&["-n", name, "link", "set", CABLE, "up"]).await;
        }
        Some(network)
    }

    /// What the sender sends from now on leaves it and is lost. Nobody is told: it bears an address that no card has.
    pub(crate) async fn lose(&self) {
        let neighbour = ["neighbour", "replace", PORTAL, "lladdr", NO_CARD, "dev", CABLE, "nud", "permanent"];
        expect(&[&["-n", &self.sender.name], &neighbour[..]].concat()).await;
    }

    /// What the sender sends from now on arrives.
    pub(crate) async fn deliver(&self) {
        expect(&["-n", &self.sender.name, "neighbour", "delete", PORTAL, "dev", CABLE]).await;
    }

    /// How to start a program on the sender's machine.
    pub(crate) fn on_the_sender(&self) -> Command {
        self.sender.command()
    }

    /// How to start a program on the portal's machine.
    pub(crate) fn on_the_portal(&self) -> Command {
        self.portal.command()
    }

    /// The sender's connections to the portal, whether or not a process still has them.
    pub(crate) async fn sockets(&self) -> Vec<Socket> {
        let mut ss = Command::new("ss");
        ss.args(["-N", &self.sender.name, "-Htn", "state", "connected", "exclude", "time-wait", "dst", PORTAL]);
        let out = output(&mut ss).await.unwrap();
        out.lines().map(|line| Socket::of(line).unwrap_or_else(|| panic!("ss says {line:?}"))).collect()
    }
}

impl Socket {
    /// `ESTAB 0 312 10.99.0.1:38212 10.99.0.2:443`.
    fn of(line: &str) -> Option<Self> {
        let mut words = line.split_whitespace();
        let is_established = words.next()? == "ESTAB";
        Some(Self { is_established, queued: words.nth(1)?.parse().ok()? })
    }
}

struct Namespace {
    name: String,
}

impl Namespace {
    /// One with a name that no other process or test has.
    async fn new(side: &str) -> Result<Self, String> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("late-{side}-{}-{number}", std::process::id());
        ip(&["netns", "add", &name]).await?;
        Ok(Self { name })
    }

    /// `ip` puts the program in its own place, so that a kill meets the program.
    fn command(&self) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.name]).arg(std::env::current_exe().unwrap());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        command
    }
}

impl Drop for Namespace {
    fn drop(&mut self) {
        let deleted = std::process::Command::new("ip").args(["netns", "delete", &self.name]).status();
        if !deleted.is_ok_and(|status| status.success()) {
            eprintln!("the namespace {} is left behind", self.name);
        }
    }
}

async fn ip(arguments: &[&str]) -> Result<String, String> {
    output(Command::new("ip").args(arguments)).await
}

async fn expect(arguments: &[&str]) {
    ip(arguments).await.unwrap();
}

/// # Errors
/// What the program said against it, or why it does not start.
async fn output(command: &mut Command) -> Result<String, String> {
    let said = match command.output().await {
        Ok(out) if out.status.success() => return Ok(String::from_utf8_lossy(&out.stdout).into_owned()),
        Ok(out) => String::from_utf8_lossy(&out.stderr).trim().to_owned(),
        Err(error) => error.to_string(),
    };
    Err(format!("{:?}: {said}", command.as_std()))
}
