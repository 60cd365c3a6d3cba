//! Logging in with the token, and out.

use axum::Form;
use axum::extract::State;
use axum::extract::rejection::FormRejection;
use axum::http::header;
use axum::response::{Html, IntoResponse as _, Redirect, Response};
use maud::html;

use super::Here;
use super::frame::{Bar, frame};
use super::problem::Problem;
use super::secrets::COOKIE;

#[derive(serde::Deserialize)]
pub(super) struct Login {
    form: String,
    token: String,
}

/// A form with nothing but the token against foreign pages.
#[derive(serde::Deserialize)]
pub(super) struct Bare {
    form: String,
}

pub(super) async fn form(State(shared): Here) -> Html<String> {
    let body = html! {
        section.card.narrow {
            h1 { "Log in" }
            p { "With the token that this page was started with." }
            form method="post" action="/login" {
                input type="hidden" name="form" value=(shared.secrets.login_form());
                label { "Token" input type="password" name="token" autocomplete="current-password" required autofocus; }
                button type="submit" { "Log in" }
            }
        }
    };
    frame("Log in", Bar::Bare, &body)
}

pub(super) async fn login(State(shared): Here, login: Result<Form<Login>, FormRejection>) -> Result<Response, Problem> {
    let Form(login) = login.map_err(|_| Problem::OldForm)?;
    if !shared.secrets.is_login_form(&login.form) {
        return Err(Problem::OldForm);
    }
    if shared.secrets.needs_login() && !shared.secrets.is_token(login.token.trim()) {
        return Err(Problem::WrongToken);
    }
    Ok(([(header::SET_COOKIE, shared.secrets.cookie())], Redirect::to("/")).into_response())
}

pub(super) async fn logout(State(shared): Here, bare: Result<Form<Bare>, FormRejection>) -> Result<Response, Problem> {
    let Form(bare) = bare.map_err(|_| Problem::OldForm)?;
    if !shared.secrets.is_form(&bare.form) {
        return Err(Problem::OldForm);
    }
    let gone = format!("{COOKIE}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0");
    Ok(([(header::SET_COOKIE, gone)], Redirect::to("/login")).into_response())
}
