//! What reached the portal, and what was done with it.

use std::time::{Duration, SystemTime};

use bytes::Bytes;
use http::HeaderMap;
use serde_json::{Map, Value};

use crate::fault::Fault;

/// One HTTP request that reached the portal.
///
/// No secret is in its path, query and parameters: they show `***` in its place. The headers and the body are as they
/// were sent, keys and tokens included.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Received {
    /// Counts the requests since the start or the last [`Portal::clear_requests`](crate::Portal::clear_requests), from
    /// 1.
    pub number: usize,
    /// Counts the connections since the start, from 1: two requests with one number came over one connection.
    pub connection: u64,
    /// When the head of the request had arrived.
    pub at: SystemTime,
    /// The same, counted from the start of the portal.
    pub since_start: Duration,
    /// `POST`, `GET` and so on.
    pub verb: String,
    /// The path with `***` in the place of the secret, without the query string.
    pub path: String,
    /// The query string as it was sent, but for secrets; empty if there was none.
    pub query: String,
    /// The method in lower case, without `.json`; empty if the path names none. For a route of the gateway it is the
    /// native method behind it (`crm.deal.add` for `POST /v1/deals`), for the token server `oauth.token`.
    pub method: String,
    /// The headers as they were sent.
    pub headers: HeaderMap,
    /// The exact bytes of the body.
    pub body: Bytes,
    /// Whether the body arrived whole. What did not is neither read nor carried out.
    pub complete: bool,
    /// The parameters as the portal understood them. For a route of the gateway, `id` and `entityTypeId` of its path
    /// are among them.
    pub params: Map<String, Value>,
    /// Which access token the request came with: the first one that was given is 1.
    pub access_token: Option<u64>,
    /// The `X-Request-Id` of the answer, which only the gateway has.
    pub request_id: Option<String>,
    /// Whether the answer is that of an earlier request with the same `Idempotency-Key`.
    pub replayed: bool,
    /// The fault that was made, if any.
    pub fault: Option<Fault>,
    /// What became of the effect.
    pub effect: Outcome,
    /// The status that was sent. `None`: the client got no status line, or the answer is not decided yet.
    pub status: Option<u16>,
    /// The error code of the answer, if it had one, as it is written in the body (a text without its quotes).
    pub code: Option<String>,
    /// The commands of a batch in their order, each with what became of it; empty for any other request. The
    /// [`effect`](Self::effect) of a batch as a whole is [`Outcome::None`].
    pub commands: Vec<Command>,
}

/// One command of a batch.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Command {
    /// What the answer calls it: the key in `cmd`, the `id` of a call through the gateway, the index in REST 3.0.
    pub key: String,
    /// The method in lower case, the native one for a call through the gateway; empty if it names none.
    pub method: String,
    /// The parameters as they were sent, before the results of earlier commands were put in.
    pub params: Map<String, Value>,
    /// The fault that was made for this command alone, if any.
    pub fault: Option<Fault>,
    /// What became of it.
    pub effect: Outcome,
    /// Whether the portal put its result or its own code into the answer (which may have been lost as a whole).
    pub answered: bool,
    /// Its own error code, if it had one.
    pub code: Option<String>,
}

impl Received {
    /// The header of this name as text; `None` if it is missing or no text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }
}

/// What became of the effect of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// There is none: a read, or a request that was refused.
    None,
    /// It took place before the answer.
    Before,
    /// A fault kept it from taking place.
    Never,
    /// It has not happened yet: a late effect that is still to come, slow work, or a place in the gateway's queue.
    Pending,
    /// It took place so long after the request had arrived (real time).
    Late(Duration),
    /// This command of a batch was never run: the batch was cut, halted or lost before its turn, or it was refused.
    NotRun,
    /// It was late and found nothing to act on any more, for example because the record had been deleted,
    /// or the machine was so busy that its time came after the execution limit, at which the portal ends every request.
    Dropped,
}

/// All that was received.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    entries: Vec<Received>,
    /// How many entries were cleared: tickets stay right.
    cleared: usize,
}

/// Names an entry that is being worked on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ticket {
    entry: usize,
    command: Option<usize>,
}

impl Ticket {
    /// Names a command of this batch.
    pub(crate) fn of_command(self, at: usize) -> Self {
        Self { entry: self.entry, command: Some(at) }
    }
}

impl Journal {
    pub(crate) fn open(&mut self, mut entry: Received) -> Ticket {
        entry.number = self.entries.len() + 1;
        self.entries.push(entry);
        Ticket { entry: self.cleared + self.entries.len() - 1, command: None }
    }

    /// Changes an entry, unless it has been cleared.
    pub(crate) fn note(&mut self, ticket: Ticket, change: impl FnOnce(&mut Received)) {
        let at = ticket.entry.checked_sub(self.cleared);
        if let Some(entry) = at.and_then(|at| self.entries.get_mut(at)) {
            change(entry);
        }
    }

    /// Changes the command of a batch, unless it has been cleared.
    pub(crate) fn note_command(&mut self, ticket: Ticket, change: impl FnOnce(&mut Command)) {
        self.note(ticket, |entry| {
            if let Some(command) = ticket.command.and_then(|at| entry.commands.get_mut(at)) {
                change(command);
            }
        });
    }

    /// Notes what became of a request, or of a command in a batch.
    pub(crate) fn effect(&mut self, ticket: Ticket, effect: Outcome) {
        match ticket.command {
            Some(_) => self.note_command(ticket, |command| command.effect = effect),
            None => self.note(ticket, |entry| entry.effect = effect),
        }
    }

    /// How many requests and commands of batches named this method.
    pub(crate) fn count(&self, method: &str) -> usize {
        let named = |name: &str| usize::from(name.eq_ignore_ascii_case(method));
        let commands = |entry: &Received| entry.commands.iter().map(|command| named(&command.method)).sum::<usize>();
        self.entries.iter().map(|entry| named(&entry.method) + commands(entry)).sum()
    }

    /// How many commands of batches there were.
    pub(crate) fn commands(&self) -> usize {
        self.entries.iter().map(|entry| entry.commands.len()).sum()
    }

    pub(crate) fn entries(&self) -> &[Received] {
        &self.entries
    }

    pub(crate) fn clear(&mut self) {
        self.cleared += self.entries.len();
        self.entries.clear();
    }
}
