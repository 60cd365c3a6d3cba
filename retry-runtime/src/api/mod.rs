//! How a call becomes a request, and how a response becomes an answer.

mod answer;
mod batch;
#[cfg(test)]
mod batch_tests;
mod json;
mod message;
mod part;
mod read;
mod rest;
#[cfg(test)]
mod tests;
mod usage;
mod vibe;

pub use answer::{Answer, Heard, Success};
pub(crate) use answer::{excerpt, line};
pub(crate) use batch::{BATCH, BatchForm};
pub(crate) use message::{Outgoing, Response};
pub use rest::WebhookError;
pub(crate) use rest::command::referring;
pub(crate) use rest::{Access, Rest};
pub use usage::Allowance;
pub(crate) use usage::Usage;
pub(crate) use vibe::Vibe;
pub use vibe::VibeError;

use crate::decision::Route;
use crate::journal::Digest;
use crate::secret::Secrets;
use crate::transport::Request;

/// The API a portal is called by.
#[derive(Debug)]
pub(crate) enum Api {
    /// Bitrix24 itself, REST 2 and REST 3.0.
    Rest(Rest),
    /// The Vibecode gateway.
    Vibe(Vibe),
}

impl Api {
    /// Puts a call into the form of this API.
    ///
    /// # Errors
    /// Says why the API has no form for it.
    pub(crate) fn outgoing(&self, request: &Request, access: Option<Access<'_>>) -> Result<Outgoing, String> {
        match self {
            Self::Rest(rest) => rest.outgoing(request, access),
            Self::Vibe(vibe) => vibe.outgoing(request),
        }
    }

    /// What a response says.
    pub(crate) fn answer(&self, response: &Response<'_>, secrets: &Secrets) -> Answer {
        match self {
            Self::Rest(_) => rest::answer(response, secrets),
            Self::Vibe(_) => vibe::answer(response, secrets),
        }
    }

    /// The secrets that don't change.
    pub(crate) const fn secrets(&self) -> &Secrets {
        match self {
            Self::Rest(rest) => rest.secrets(),
            Self::Vibe(vibe) => vibe.secrets(),
        }
    }

    pub(crate) const fn route(&self) -> Route {
        match self {
            Self::Rest(_) => Route::Direct,
            Self::Vibe(_) => Route::Gateway,
        }
    }

    /// Host and port.
    pub(crate) fn address(&self) -> String {
        let url = match self {
            Self::Rest(rest) => rest.url(),
            Self::Vibe(vibe) => vibe.url(),
        };
        format!("{}:{}", url.host_str().unwrap_or_default(), url.port_or_known_default().unwrap_or_default())
    }

    /// The portal as a journal names it, for people: without a secret. Behind a gateway it is the key that says which portal is meant, so that a digest of it stands for it.
    pub(crate) fn name(&self) -> Box<str> {
        match self {
            Self::Rest(_) => self.address().into(),
            Self::Vibe(vibe) => {
                let digest = Digest::of(vibe.key().as_bytes()).to_string();
                format!("{} key {}", self.address(), digest.get(..12).unwrap_or_default()).into()
            }
        }
    }

    /// What tells one caller of a portal from another: a secret. It is empty for an OAuth application.
    pub(crate) fn account(&self) -> &str {
        match self {
            Self::Rest(rest) => rest.user(),
            Self::Vibe(vibe) => vibe.key(),
        }
    }

    pub(crate) fn host(&self) -> &str {
        match self {
            Self::Rest(rest) => rest.host(),
            Self::Vibe(vibe) => vibe.host(),
        }
    }
}
