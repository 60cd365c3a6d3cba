//! Pages for what went wrong, for the person who meets it.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use maud::html;

use super::frame::{Bar, frame};
use crate::desk::DeskError;
use crate::tool::plain::plain;

/// Why there is no such page, or why nothing was done.
pub(super) enum Problem {
    NoSuchPage,
    NoSuchIntent,
    NotUs,
    NotLoggedIn,
    WrongToken,
    /// The form is not of this page, or of its last run.
    OldForm,
    /// What was filled in can't be taken.
    Filled(String),
    Journal(String),
}

impl From<DeskError> for Problem {
    fn from(error: DeskError) -> Self {
        match error {
            DeskError::NoSuch(_) => Self::NoSuchIntent,
            DeskError::Unsigned(_) => Self::Filled(error.to_string()),
            DeskError::Journal(error) => Self::Journal(error.to_string()),
        }
    }
}

impl Problem {
    fn told(&self) -> (StatusCode, &'static str, String) {
        let (status, title, text) = match self {
            Self::NoSuchPage => {
                (StatusCode::NOT_FOUND, "There is no such page", "The address is wrong, or of another version.")
            }
            Self::NoSuchIntent => (
                StatusCode::NOT_FOUND,
                "There is no such intent",
                "No intent of this journal has this number. It may have been removed by its retention.",
            ),
            Self::NotUs => (
                StatusCode::MISDIRECTED_REQUEST,
                "Called by a foreign name",
                "This page answers only to the address it listens at. If a proxy is before it, start it with --host and the name that browsers use.",
            ),
            Self::NotLoggedIn => (
                StatusCode::UNAUTHORIZED,
                "A token is needed",
                "Send the header Authorization: Bearer TOKEN with the token that the page was started with.",
            ),
            Self::WrongToken => (
                StatusCode::UNAUTHORIZED,
                "This is not the token",
                "It is the text that was in BITRIX_JOURNAL_TOKEN or --token when the page was started.",
            ),
            Self::OldForm => (
                StatusCode::FORBIDDEN,
                "Nothing was done",
                "The form is of an earlier run of this page, or did not come from it. Go back, load the page again, and repeat what you wanted.",
            ),
            Self::Filled(text) => return (StatusCode::UNPROCESSABLE_ENTITY, "Nothing was done", plain(text)),
            Self::Journal(text) => {
                return (StatusCode::SERVICE_UNAVAILABLE, "The journal does not answer", plain(text));
            }
        };
        (status, title, text.to_owned())
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let (status, title, text) = self.told();
        let body = html! {
            section.card.problem {
                h1 { (title) }
                p { (text) }
                p { a href="/" { "To the queue" } }
            }
        };
        let mut response = (status, frame(title, Bar::Bare, &body)).into_response();
        if status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}
