//! A Bitrix24 portal of your own, for tests of your integration.
//!
//! It keeps a CRM in memory and speaks over real sockets on this machine: REST 2, REST 3.0 with its idempotency keys,
//! the Vibecode gateway, and OAuth. It behaves as the documentation of Bitrix24 says: filters, pages, ids as texts, dropped
//! fields, error codes and their statuses, batches, the rate limits, the operating limit, the execution limit. And it
//! loses answers on demand: each [`Fault`] says *when* the effect of a request happens (before the answer, never, or
//! late) and *how* the answer goes (a reset, a close, silence, half a body, a page of HTML, an error code, any bytes
//! you like). Afterwards you count: records, duplicates, requests.
//!
//! ```
//! use std::io::{Read, Write};
//! use std::net::{SocketAddr, TcpStream};
//!
//! use retry_portal::{Answer, Fault, Outcome, Portal};
//!
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // The first create is carried out and its answer is lost; after that the portal behaves.
//! let portal = Portal::builder()
//!     .script("crm.deal.add", [Fault::before(Answer::Close)])
//!     .start()
//!     .await?;
//!
//! // Any client will do. This one posts a deal and reads until the connection ends.
//! fn post(address: SocketAddr, url: String) -> std::io::Result<String> {
//!     let body = r#"{"fields": {"TITLE": "Order 7", "ORIGIN_ID": "7"}}"#;
//!     let path = url.replace(&format!("http://{address}"), "");
//!     let mut stream = TcpStream::connect(address)?;
//!     write!(
//!         stream,
//!         "POST {path}crm.deal.add HTTP/1.1\r\nHost: portal\r\nConnection: close\r\n\
//!          Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
//!         body.len()
//!     )?;
//!     let mut answer = String::new();
//!     stream.read_to_string(&mut answer)?;
//!     Ok(answer)
//! }
//! let (address, url) = (portal.address(), portal.webhook_url());
//! let again = url.clone();
//! let lost = tokio::task::spawn_blocking(move || post(address, url)).await??;
//! assert_eq!(lost, "", "not a byte of an answer");
//!
//! // A client that sends again now has made the order twice.
//! let answer = tokio::task::spawn_blocking(move || post(address, again)).await??;
//! assert!(answer.starts_with("HTTP/1.1 200 OK"));
//! assert_eq!(portal.records("deal").len(), 2);
//! assert_eq!(portal.duplicates_by("deal", "ORIGIN_ID"), [("7".to_owned(), 2)]);
//!
//! // What reached the portal, and what was done with it.
//! assert_eq!(portal.count("crm.deal.add"), 2);
//! assert_eq!(portal.requests()[0].effect, Outcome::Before);
//! assert_eq!(portal.requests()[0].status, None);
//! # Ok(())
//! # }
//! ```
//!
//! # Faults by script or by chance
//!
//! * [`PortalBuilder::script`] and [`Portal::script`]: the first request of a method, the second, and so on.
//! * [`Faults::seeded`]: a share of all requests. What happens to a request follows from the seed and from its content,
//!   not from the order in which concurrent requests arrive: a seed that broke your integration breaks it again.
//!
//! # Time
//!
//! Bitrix24 interrupts a request after 60 s, and a late effect may come at any time before. No test wants to wait for
//! that: with [`PortalBuilder::time_scale`] a second of *portal time* lasts as long as you like.
//! [`Portal::max_lateness`] says after which *real* time no effect comes any more, so that a client under test can be
//! told how long to wait before it believes in absence.
//!
//! # The APIs
//!
//! All of them are at once on one port, over the same records, with the same faults, journal and switches. A script, a
//! count or a seeded fault knows a call by its native method, whatever API it came through: `POST /v1/deals` is
//! `crm.deal.add`. A [`Coded`] fault speaks the language of the API that was called.
//!
//! | API | where | what lets a client in |
//! |---|---|---|
//! | REST 2 | [`Portal::webhook_url`] | the secret in it |
//! | REST 3.0 | [`Portal::rest3_url`] | the secret in it |
//! | gateway | [`Portal::vibe_url`] | [`Portal::vibe_key`], [`Portal::vibe_readonly_key`], [`Portal::vibe_application`] |
//! | both RESTs by OAuth | [`Portal::oauth_endpoint`] | the tokens of [`Portal::token_url`] for [`Portal::oauth_application`], or [`Portal::oauth_tokens`] |
//!
//! ## REST 2
//!
//! | methods | notes |
//! |---|---|
//! | `crm.{deal,lead,contact,company}.{add,get,list,update,delete,fields}` | names in capitals, values as texts; `add` gives the id as a number |
//! | `crm.item.{add,get,list,update,delete,fields}` | for `entityTypeId` 1 to 4, the same records with names in camel case and typed values |
//! | `crm.timeline.comment.{add,list}` | records `"comment"` |
//! | `im.message.add`, `im.dialog.messages.get` | records `"message"` |
//! | `profile`, `server.time` | |
//!
//! Every other method gets 404 `ERROR_METHOD_NOT_FOUND`, unless a script answers for it. Names of methods may have any
//! case and end in `.json`; requests may be GET or POST, their parameters JSON, a form with PHP's nested keys
//! (`fields[TITLE]=…`) or a query string. A body above 16 MiB gets 413.
//!
//! * **Fields.** The portal knows the fields that `crm.*.fields` shows, and takes any `UF_CRM_…` (`ufCrm…` in
//!   `crm.item.*`). Others are dropped without a word on create and update, as in Bitrix24. Phones, e-mail addresses
//!   and the like are lists with ids of the server; a value sent without its id is one more.
//! * **Required.** `fields` must be an object; `get`, `update` and `delete` need an `id`; a comment needs its owner,
//!   who must exist, and a text; a message needs a dialog and a text; an e-mail address needs its `@`. Nothing else,
//!   until [`PortalBuilder::require`] says so.
//! * **Lists.** Pages of 50, `start`, `next`, `total`; `start=-1` does not count. Operators `=` (also without a sign),
//!   `!`, `!=`, `>`, `>=`, `<`, `<=`, `%`, `=%`, `%=`, `!%`, `!=%`, `!%=`, `@`, `!@`; a list as the value of `=` means
//!   any of them; groups with `logic`. Texts are equal when all letters are, case included; the patterns of `%` ignore
//!   case. `crm.item.list` refuses an unknown filter field, the old lists ignore it ([`UnknownFilterField`]).
//! * **Gone.** A deleted deal, lead, contact or company: 400 with the code `""`; a deleted item: 400 `NOT_FOUND`.
//! * **Order of things.** The rate limit comes first, then the secret or the token, then the operating limit
//!   ([`PortalBuilder::operating_limit`]), then the fault, then the method.
//!
//! ## REST 3.0
//!
//! `tasks.task.{add,get,list,update,delete}`, JSON by POST only. A list filters by `id` alone. A task that is gone:
//! `ENTITYNOTFOUNDEXCEPTION` to `get`, `ACCESSDENIEDEXCEPTION` to `update` and `delete`. Fields of a task that the portal
//! does not know are dropped.
//!
//! The header `Idempotency-Key` (1 to 255 printable ASCII characters) counts for one webhook or application, user and
//! method. The first success is stored for 24 h of portal time and given again with `Idempotent-Replayed: true`; another
//! body gets 422. Bodies are compared by what they say, not by their bytes. Errors are not stored, [`Answer::Coded`]
//! ones included, even when the effect took place; a success whose answer is lost is. Of two requests that are in flight
//! at once both run. [`PortalBuilder::idempotency_atomic`] and [`PortalBuilder::idempotency_compares_auth`] switch what
//! the pages of Bitrix24 do not say.
//!
//! ## The gateway
//!
//! | routes below `/v1/` | notes |
//! |---|---|
//! | `deals`, `leads`, `contacts`, `companies`, `quotes`, `activities`, `products`, `requisites`, `statuses`, `timelines`, `tasks` | POST, GET, GET `/{id}`, PATCH, DELETE, POST `/search`, GET `/fields` |
//! | `items/{entityTypeId}` | the same for smart processes; 1, 2, 3, 4, 7 and 31 are refused, any other type exists |
//! | `deals/{id}/products` | GET; PUT replaces all rows |
//! | `duplicates/find` | POST with `type` (`PHONE`, `EMAIL`) and `values` |
//! | `me` | GET |
//!
//! * **Fields.** In camel case (`amount`, `currency`, `createdAt` for deals and their kin, next to the names of
//!   `crm.item.*`), directly in the body or in its member `fields`; tasks and activities answer in capitals. `originId`
//!   and `originatorId` of deals, leads, contacts, companies and quotes are dropped, and filters on them ignored
//!   ([`PortalBuilder::vibe_keeps_origin`]); custom fields are kept and shown under both of their names
//!   ([`UserFieldNames`]).
//! * **Answers.** Create 201 and update 200 with the whole object, delete 204 without a body; lists with `total` and
//!   `meta`. `meta.hasMore` is also true on a last page that is just full, as was seen on the live service.
//!   [`Portal::vibe_window_errors`] makes a list incomplete.
//! * **Errors.** `{"success": false, "error": {"code", "message"}}`, or another [`Shape`]. Which status a code has is
//!   documented for some and guessed for the others: [`PortalBuilder::vibe_status`] changes any.
//! * **Order of things.** The key, its rate ([`PortalBuilder::vibe_rate`]), the route, the pauses that the gateway
//!   remembers ([`PortalBuilder::vibe_operation_pause`], [`PortalBuilder::vibe_quarantine`]), its breaker
//!   ([`PortalBuilder::vibe_error_loop`]), its queue ([`PortalBuilder::vibe_queue`]), then the fault, then the call. Work
//!   that takes longer than [`PortalBuilder::vibe_upstream_timeout`] is a `BITRIX_TIMEOUT`, and goes on.
//!
//! ## OAuth
//!
//! The token server takes the grants `authorization_code` and `refresh_token`; codes come from
//! [`Portal::authorization_code`] or from the page `/oauth/authorize/`. An access token lives an hour of portal time or
//! until [`Portal::expire_tokens`], and travels in the parameter `auth`. A refresh gives a new pair; the old refresh
//! token lives on unless [`PortalBuilder::old_refresh_token_dies`] says otherwise. The forms of its answer are switches
//! ([`TokenAnswer`]). Its scripts and counts have the name `oauth.token`.
//!
//! # Batches
//!
//! | API | where | answer |
//! |---|---|---|
//! | REST 2 | `batch` with `cmd` (object or list of `method?query`) and `halt` | by key: `result`, `result_error`, `result_total`, `result_next`, `result_time`; an empty map is `[]` |
//! | REST 3.0 | `batch` with a list of `{"method", "query"}` | a list in the same order |
//! | gateway | `POST /v1/batch` with up to 50 `calls` | by id: `results`, `totals`, `errors`, `summary`, `meta` |
//!
//! * **Order.** Commands run one after the other as they are written, each with the script, the seeded fault and the
//!   operating limit of its own method; the envelope counts once for the rate. In REST 2 the query is read as PHP reads
//!   it, and `$result[key][field]` is replaced by what an earlier command has answered, or stays as it is. Commands
//!   beyond 50 get `ERROR_BATCH_LENGTH_EXCEEDED` after the first 50 have run; `batch` in a batch gets
//!   `ERROR_BATCH_METHOD_NOT_ALLOWED`.
//! * **Faults inside.** The answer of a [`Coded`] fault is the command's own code. Any other answer that cannot be one
//!   command's alone (a reset, HTML) leaves it out: its effect is as the fault says, and it is in no map. In the list of
//!   REST 3.0 it is `null`.
//! * **Faults around.** A script of `"batch"` is about the envelope, and its effect about all commands;
//!   [`Fault::after_commands`] cuts the batch after some of them. [`Faults::seeded`] does both, and cuts half of the
//!   batches whose answer it loses.
//! * **Afterwards.** [`Received::commands`] tells what became of each command, [`Portal::count`] counts them,
//!   [`Portal::refused`] what a limit has refused.
//!
//! Our guesses, because the documentation is silent: a failed element of REST 3.0 is `{"error": {"code", "message"}}`,
//! and its batch has no limit of length and takes no notice of an `Idempotency-Key`; the gateway shows `true` for a
//! delete, and takes the `entityTypeId` of `items` from the parameters or from `items/{entityTypeId}`.
//!
//! # Not built
//!
//! `.xml`, `multipart/form-data`, rights beyond [`Portal::hide`], `POST /v1/{entity}/batch`, tasks in REST 2, the gateway's aggregates, includes, date windows and single product rows,
//! scopes of keys and tokens.
//!
//! # In a terminal
//!
//! `cargo run -p retry-portal -- --help` shows the options of the program: the same portal on a port of your choice,
//! with a summary at the end. It comes with the feature `cli`, which is on by default; the library does not need it.

mod address;
mod admission;
mod batch;
mod builder;
mod chance;
mod clock;
mod crm;
mod dates;
mod exchange;
mod fault;
mod job;
mod journal;
mod limit;
mod memory;
mod oauth;
mod operation;
mod ordered;
mod params;
mod portal;
mod refusal;
mod replay;
mod reply;
mod rest2;
mod rest3;
mod secret;
mod server;
mod shape;
mod state;
mod stream;
mod time;
mod vibe;
mod work;

pub use builder::PortalBuilder;
pub use crm::{InsertError, Record, UnknownFilterField};
pub use fault::{Answer, Coded, Cut, Effect, Fault, Faults, Framing, Raw, RetryAfter};
pub use journal::{Command, Outcome, Received};
pub use oauth::TokenAnswer;
pub use portal::Portal;
pub use shape::Shape;
pub use vibe::UserFieldNames;
