//! `serve`: the journal as a small web page, without a line of script.

mod decide;
mod frame;
mod guard;
mod hosts;
mod login;
mod numbers;
mod problem;
mod queue;
mod secrets;
mod story;
mod trust;

use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Router, middleware};
use tokio::net::TcpListener;

use self::hosts::Hosts;
use self::problem::Problem;
use self::secrets::{Secrets, Token};
use super::options::Serve;
use super::{Ended, Output};
use crate::desk::Desk;

/// The largest form: names and notes of 500 letters are far below.
const LARGEST_FORM: usize = 16 * 1024;

/// What all requests share.
struct Shared {
    desk: Arc<dyn Desk>,
    hosts: Hosts,
    secrets: Secrets,
}

type Here = State<Arc<Shared>>;

/// Serves until Ctrl-C.
pub(crate) async fn serve(desk: Arc<dyn Desk>, options: &Serve, output: &mut Output<'_>) -> Result<(), Ended> {
    let token = options.token.as_deref().map(Token::new).transpose().map_err(Ended::Usage)?;
    if token.is_none() && !options.listen.ip().is_loopback() {
        return Err(Ended::Usage(format!(
            "{} can be reached from other machines: give a token of at least 16 letters in BITRIX_JOURNAL_TOKEN, or listen at 127.0.0.1",
            options.listen
        )));
    }
    let needs_token = token.is_some();
    let secrets = Secrets::new(token).map_err(Ended::NotDone)?;
    let listener = TcpListener::bind(options.listen).await?;
    let address = listener.local_addr()?;
    let shared = Arc::new(Shared { desk, hosts: Hosts::new(address, &options.host), secrets });
    writeln!(output.out, "http://{address}/")?;
    if output.is_terminal {
        let who = if needs_token { "Who has the token" } else { "Everybody who is logged in on this machine" };
        writeln!(output.out, "{who} may look and decide. Ctrl-C ends it.")?;
    }
    output.out.flush()?;
    let served = axum::serve(listener, router(shared)).with_graceful_shutdown(interrupted());
    served.await?;
    Ok(())
}

async fn interrupted() {
    if tokio::signal::ctrl_c().await.is_err() {
        // Without the signal only the end of the process ends it.
        std::future::pending::<()>().await;
    }
}

fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/", get(queue::queue))
        .route("/intents/{number}", get(story::story))
        .route("/intents/{number}/{choice}", post(decide::decide))
        .route("/trust", post(trust::trust))
        .route("/metrics", get(numbers::numbers))
        .route("/login", get(login::form).post(login::login))
        .route("/logout", post(login::logout))
        .route("/style.css", get(style))
        .fallback(async || Problem::NoSuchPage)
        .method_not_allowed_fallback(async || Problem::NoSuchPage)
        .layer(DefaultBodyLimit::max(LARGEST_FORM))
        .layer(middleware::from_fn_with_state(Arc::clone(&shared), guard::guard))
        .with_state(shared)
}

async fn style() -> Response {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], include_str!("style.css")).into_response()
}
