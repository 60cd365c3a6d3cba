//! One story: packets are lost, a write is sent, its process is killed, packets arrive again.

use std::fmt;
use std::time::Duration;

use retry_runtime::clock::{Clock as _, Moment, SystemClock};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::time::{sleep, timeout};

use crate::network::{Network, Socket};
use crate::portal::{self, APPLIED, LISTENS};
use crate::sender::{READY, Sender};

/// No step that does not wait on purpose takes longer, on the slowest machine.
const FOR_EVER: Duration = Duration::from_secs(60);

/// More than a handshake puts into the queue, less than a request.
const A_REQUEST: usize = 100;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Times {
    /// How long after the send packets arrive again.
    pub(crate) lost: Duration,
    /// How long the portal is watched from then on.
    pub(crate) watch: Duration,
}

/// What became of the request, in time since it was sent.
#[derive(Debug)]
pub(crate) struct Landing {
    pub(crate) queued: usize,
    pub(crate) killed: Duration,
    /// When the kernel was last seen with the request.
    pub(crate) held: Duration,
    pub(crate) restored: Duration,
    /// When the portal applied it.
    pub(crate) landed: Option<Duration>,
    pub(crate) watched: Duration,
}

impl Landing {
    pub(crate) fn is_held_after_the_kill(&self) -> bool {
        self.held > self.killed
    }
}

impl fmt::Display for Landing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { queued, killed, held, restored, landed, watched } = self;
        write!(
            f,
            "{queued} bytes in the queue, killed after {killed:.2?}, last seen in the queue after {held:.2?}, packets arrive after {restored:.2?}, "
        )?;
        match landed {
            Some(landed) => write!(f, "APPLIED after {landed:.2?}"),
            None => write!(f, "not applied until {watched:.2?}"),
        }
    }
}

/// Plays the story in this network, in real time.
pub(crate) async fn play(network: &Network, who: Sender, times: Times) -> Landing {
    let mut portal = Side::start(network.on_the_portal(), portal::set);
    portal.says(LISTENS).await;
    let mut sender = Side::start(network.on_the_sender(), |command| who.set(command));
    sender.says(READY).await;

    network.lose().await;
    let sent = SystemClock.now();
    sender.child.stdin.as_mut().unwrap().write_all(b"!").await.unwrap();
    let queued = timeout(FOR_EVER, queued(network)).await.expect("the request does not reach the send queue");
    sender.child.kill().await.unwrap();
    let killed = since(sent);

    let mut held = Duration::ZERO;
    while since(sent) < times.lost {
        if network.sockets().await.iter().any(|socket| socket.queued >= A_REQUEST) {
            held = since(sent);
        }
        sleep(Duration::from_millis(100)).await;
    }

    network.deliver().await;
    let restored = since(sent);
    let landed = timeout(times.watch, portal.says(APPLIED)).await.is_ok().then(|| since(sent));
    Landing { queued, killed, held, restored, landed, watched: since(sent) }
}

fn since(sent: Moment) -> Duration {
    SystemClock.now().instant().duration_since(sent.instant())
}

/// Waits until the request is in the queue of the connection that stood before.
async fn queued(network: &Network) -> usize {
    loop {
        let sockets = network.sockets().await;
        let [Socket { is_established: true, queued }] = sockets[..] else { panic!("not one connection: {sockets:?}") };
        if queued >= A_REQUEST {
            return queued;
        }
        sleep(Duration::from_millis(10)).await;
    }
}

/// A process of one side. It ends when this is dropped.
struct Side {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Side {
    fn start(mut command: Command, set: impl FnOnce(&mut Command)) -> Self {
        set(&mut command);
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, lines }
    }

    async fn says(&mut self, what: &str) {
        let heard = async {
            while let Some(line) = self.lines.next_line().await.unwrap() {
                if line == what {
                    return;
                }
            }
            panic!("it ended without a word of {what:?}");
        };
        timeout(FOR_EVER, heard).await.unwrap_or_else(|_| panic!("nothing of {what:?}"));
    }
}
