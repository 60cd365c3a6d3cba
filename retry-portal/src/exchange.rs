//! One request from its head to its answer.

use std::sync::Arc;
use std::time::SystemTime;

use bytes::{Bytes, BytesMut};
use http::{Request, header};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use serde_json::Map;
use tokio::time::Instant;

use crate::address::Address;
use crate::clock::{now, wall};
use crate::crm::Method;
use crate::envelope::RestError;
use crate::fault::{Fault, Scripted};
use crate::journal::{Outcome, Received, Ticket};
use crate::params::Params;
use crate::reply::{Page, Reply, closed};
use crate::state::{Shared, State};
use crate::work::{self, Job};

/// A body may have so many bytes.
const BODY_LIMIT: usize = 16 * 1024 * 1024;

/// When a request came.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arrival {
    pub(crate) at: SystemTime,
    pub(crate) instant: Instant,
}

/// Takes note of a request at once; the future reads its body, decides what happens to it and gives the answer.
pub(crate) fn answer(
    shared: Arc<Shared>,
    connection: u64,
    request: Request<Incoming>,
) -> impl Future<Output = Reply> + Send + 'static {
    let arrival = Arrival { at: wall(), instant: now() };
    let (head, body) = request.into_parts();
    let address = Address::of(head.uri.path());
    let query = head.uri.query().unwrap_or("").to_owned();
    let content_type = head.headers.get(header::CONTENT_TYPE);
    let content_type = content_type.and_then(|value| value.to_str().ok()).unwrap_or("").to_owned();
    // Before the body, so that a request whose body never comes is seen too.
    let ticket = shared.state().journal.open(Received {
        number: 0,
        connection,
        at: arrival.at,
        since_start: shared.settings.clock.since_start(),
        verb: head.method.to_string(),
        path: address.shown.clone(),
        query: query.clone(),
        method: address.method.clone(),
        headers: head.headers,
        body: Bytes::new(),
        complete: false,
        params: Map::new(),
        fault: None,
        effect: Outcome::None,
        status: None,
        code: None,
    });
    async move {
        let (bytes, whole) = read(body).await;
        let params = Params::decode(&query, &content_type, &bytes);
        match decide(&shared, ticket, &address, bytes, &whole, &params) {
            Ok(fault) => {
                let job = Job { ticket, arrival, method: address.method, params };
                work::run(&shared, job, fault).await
            }
            Err(Stop::Close) => closed().1,
            Err(Stop::Page(page)) => {
                let code = page.code();
                shared.state().journal.note(ticket, |entry| {
                    entry.status = Some(page.status);
                    entry.code = code;
                });
                page.whole()
            }
        }
    }
}

/// Whether the request goes on to its method, and with which fault.
fn decide(
    shared: &Shared,
    ticket: Ticket,
    address: &Address,
    bytes: Bytes,
    whole: &Whole,
    params: &Params,
) -> Result<Option<Fault>, Stop> {
    let mut state = shared.state();
    state.journal.note(ticket, |entry| {
        entry.body = bytes;
        entry.complete = matches!(whole, Whole::Yes);
        entry.params.clone_from(params.values());
    });
    match whole {
        Whole::Yes if shared.is_closed() => return Err(Stop::Close),
        Whole::Yes => admit(&mut state, shared, address)?,
        Whole::TooLong => return Err(Stop::Page(Page::html(413))),
        Whole::Broken => return Err(Stop::Close),
    }
    Ok(choose_fault(&mut state, ticket, &address.method, params.values()))
}

/// Why a request goes no further.
enum Stop {
    Page(Page),
    Close,
}

enum Whole {
    Yes,
    TooLong,
    Broken,
}

async fn read(mut body: Incoming) -> (Bytes, Whole) {
    let mut bytes = BytesMut::new();
    loop {
        match body.frame().await {
            None => return (bytes.freeze(), Whole::Yes),
            Some(Err(_)) => return (bytes.freeze(), Whole::Broken),
            Some(Ok(frame)) => {
                let Ok(data) = frame.into_data() else { continue };
                if bytes.len() + data.len() > BODY_LIMIT {
                    return (bytes.freeze(), Whole::TooLong);
                }
                bytes.extend_from_slice(&data);
            }
        }
    }
}

/// What stands before every method: the rate, the address, the secret.
fn admit(state: &mut State, shared: &Shared, address: &Address) -> Result<(), Stop> {
    if state.bucket.as_mut().is_some_and(|bucket| !bucket.admit(now())) {
        return Err(refused(503, "QUERY_LIMIT_EXCEEDED", "Too many requests"));
    }
    let Some(webhook) = &address.webhook else {
        return Err(Stop::Page(Page::html(404)));
    };
    let user = shared.settings.user.to_string();
    if webhook.secret == shared.settings.secret.0 && webhook.user == user {
        Ok(())
    } else {
        Err(refused(401, "INVALID_CREDENTIALS", "Invalid request credentials"))
    }
}

fn refused(status: u16, code: &str, description: &str) -> Stop {
    let error = RestError::new(status, code, description);
    Stop::Page(Page::json(status, &error.body()))
}

/// A script goes first; a method that ever had one is out of the seeded faults.
fn choose_fault(
    state: &mut State,
    ticket: Ticket,
    method: &str,
    params: &Map<String, serde_json::Value>,
) -> Option<Fault> {
    let fault = match state.scripts.next(method) {
        Scripted::Fault(fault) => Some(*fault),
        Scripted::Over => None,
        Scripted::Never => match (Method::named(method), &mut state.draw) {
            (Some(known), Some(draw)) => draw.next(method, params, known.is_write()),
            (None, _) | (_, None) => None,
        },
    };
    state.journal.note(ticket, |entry| entry.fault.clone_from(&fault));
    fault
}
