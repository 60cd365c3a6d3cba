//! One request from its head to its answer.

use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use http::{HeaderMap, HeaderValue, Request, header};
use http_body_util::BodyExt;
use hyper::body::Incoming as Body;
use serde_json::{Map, Value};

use crate::address::{Address, Target};
use crate::admission::{Admitted, Incoming, admit};
use crate::batch;
use crate::chance;
use crate::clock::{now, wall};
use crate::job::{Arrival, Job};
use crate::journal::{Outcome, Received, Ticket};
use crate::limit;
use crate::oauth;
use crate::operation::Operation;
use crate::params::Params;
use crate::reply::{Page, Reply, closed};
use crate::state::{Pending, Shared};
use crate::vibe;
use crate::work;

/// A body may have so many bytes.
const BODY_LIMIT: usize = 16 * 1024 * 1024;

/// Takes note of a request at once; the future reads its body, decides what happens to it and gives the answer.
pub(crate) fn answer(
    shared: Arc<Shared>,
    connection: u64,
    request: Request<Body>,
) -> impl Future<Output = Reply> + Send + 'static {
    let instant = now();
    let arrival = Arrival { at: wall(), instant, begun: instant };
    let (mut head, body) = request.into_parts();
    let address = Address::of(&head.method, head.uri.path());
    let query = head.uri.query().unwrap_or("").to_owned();
    hide_keys(&mut head.headers);
    // Before the body, so that a request whose body never comes is seen too.
    let ticket = shared.state().journal.open(Received {
        number: 0,
        connection,
        at: arrival.at,
        since_start: shared.settings.clock.since_start(),
        verb: head.method.to_string(),
        path: address.shown.clone(),
        query: if has_secrets(&address.target) { oauth::without_secrets(&query) } else { query.clone() },
        method: address.method.clone(),
        headers: head.headers.clone(),
        body: Bytes::new(),
        complete: false,
        params: Map::new(),
        access_token: None,
        request_id: None,
        replayed: false,
        fault: None,
        effect: Outcome::None,
        status: None,
        code: None,
        commands: Vec::new(),
    });
    let headers = head.headers;
    async move {
        let (bytes, whole) = read(body).await;
        let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
        let params = Params::decode(&query, content_type, &bytes);
        let incoming = Incoming { address: &address, headers: &headers, body: &bytes, params: &params };
        let admitted = match decide(&shared, ticket, &incoming, &whole) {
            Ok(admitted) => admitted,
            Err(Stop::Close) => return closed().1,
            Err(Stop::Page(page)) => return refuse(&shared, ticket, page),
        };
        go_on(shared, ticket, arrival, admitted, address.method, params).await
    }
}

/// From the queue, where there is one, to the work.
async fn go_on(
    shared: Arc<Shared>,
    ticket: Ticket,
    mut arrival: Arrival,
    admitted: Admitted,
    method: String,
    mut params: Params,
) -> Reply {
    params.take("auth");
    let Admitted { operation, batch, user, caller, token: _ } = admitted;
    let (mut place, mut pending) = (None, None);
    if let Operation::Vibe(call) = &operation
        && call.route != vibe::Route::Me
    {
        pending = Some(Pending::new(Arc::clone(&shared)));
        if operation.is_write() {
            shared.state().journal.note(ticket, |entry| entry.effect = Outcome::Pending);
        }
        let entered = shared.queue.enter(shared.settings.clock).await;
        shared.state().journal.note(ticket, |entry| entry.effect = Outcome::None);
        match entered {
            Ok(entered) => place = Some(entered),
            Err(refusal) => {
                let page = operation.refused(&shared.state(), refusal);
                return refuse(&shared, ticket, page);
            }
        }
        arrival.begun = now();
    }
    if shared.is_closed() {
        return closed().1;
    }
    let job = Job { ticket, arrival, method, params, user, caller, operation };
    let reply = match batch {
        Some(batch) => batch::run(&shared, job, batch).await,
        None => one(&shared, job).await,
    };
    drop((place, pending));
    reply
}

/// A call alone in its request.
async fn one(shared: &Arc<Shared>, job: Job) -> Reply {
    let chosen = {
        let mut state = shared.state();
        let checked = limit::check(&mut state, shared.settings.clock, &job);
        match checked {
            Ok(()) => Ok(chance::of_one(&mut state, &job)),
            Err(refusal) => Err(job.operation.refused(&state, refusal)),
        }
    };
    match chosen {
        Ok(fault) => work::run(shared, job, fault).await,
        Err(page) => refuse(shared, job.ticket, page),
    }
}

/// Gives this page without any work.
fn refuse(shared: &Shared, ticket: Ticket, page: Page) -> Reply {
    let code = page.code();
    let mut state = shared.state();
    if let Some(code) = &code {
        state.count_refusal(code.clone());
    }
    state.journal.note(ticket, |entry| {
        entry.status = Some(page.status);
        entry.code = code;
        entry.request_id = page.header("X-Request-Id").map(str::to_owned);
    });
    drop(state);
    page.whole()
}

/// Whether the request goes on to its method.
fn decide(shared: &Shared, ticket: Ticket, incoming: &Incoming<'_>, whole: &Whole) -> Result<Admitted, Stop> {
    let mut state = shared.state();
    let params = shown_params(incoming);
    state.journal.note(ticket, |entry| {
        entry.body = incoming.body.clone();
        entry.complete = matches!(whole, Whole::Yes);
        entry.params = params;
    });
    match whole {
        Whole::Yes if shared.is_closed() => Err(Stop::Close),
        Whole::Yes => {
            let admitted = admit(&mut state, &shared.settings, incoming).map_err(Stop::Page)?;
            state.journal.note(ticket, |entry| entry.access_token = admitted.token);
            Ok(admitted)
        }
        Whole::TooLong => Err(Stop::Page(Page::html(413))),
        Whole::Broken => Err(Stop::Close),
    }
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

async fn read(mut body: Body) -> (Bytes, Whole) {
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

/// `Debug` does not show the keys in these headers.
fn hide_keys(headers: &mut HeaderMap<HeaderValue>) {
    for name in ["x-api-key", "authorization"] {
        if let Some(value) = headers.get_mut(name) {
            value.set_sensitive(true);
        }
    }
}

/// Whether parameters may carry secrets there.
fn has_secrets(target: &Target) -> bool {
    match target {
        Target::Rest(..) | Target::TokenServer => true,
        Target::Vibe(_) | Target::Authorize | Target::Nowhere => false,
    }
}

/// The parameters as the journal has them: with those of the path, and without secrets.
fn shown_params(incoming: &Incoming<'_>) -> Map<String, Value> {
    let mut params = incoming.params.values().clone();
    let of_tokens = matches!(incoming.address.target, Target::TokenServer);
    if has_secrets(&incoming.address.target) {
        let secret = |name: &str| name == "auth" || (of_tokens && oauth::is_secret(name));
        for (_, value) in params.iter_mut().filter(|(name, _)| secret(name)) {
            *value = oauth::hidden();
        }
    }
    if let Target::Vibe(Ok(route)) = &incoming.address.target {
        params.extend(route.in_path().into_iter().map(|(name, value)| (name.to_owned(), value.into())));
    }
    params
}
