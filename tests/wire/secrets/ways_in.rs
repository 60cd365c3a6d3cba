//! The ways in to a portal, each with secrets of its own.

use retry_runtime::oauth::{Application, MemoryStore, Tokens};
use retry_runtime::{Client, ClientBuilder};

use super::marked::{ACCESS, CLIENT_SECRET, KEY, REFRESH, SESSION, WEBHOOK, in_percent};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Webhook,
    OAuth,
    Vibe,
    VibeSession,
}

pub(super) const WAYS: [Way; 4] = [Way::Webhook, Way::OAuth, Way::Vibe, Way::VibeSession];

impl Way {
    /// What a server that is called so may know.
    pub(super) const fn secrets(self) -> &'static [&'static str] {
        match self {
            Self::Webhook => &[WEBHOOK],
            Self::OAuth => &[ACCESS, REFRESH, CLIENT_SECRET],
            Self::Vibe => &[KEY],
            Self::VibeSession => &[KEY, SESSION],
        }
    }

    /// A client of the server at this address.
    pub(super) fn builder(self, address: &str) -> ClientBuilder {
        let builder = Client::builder();
        match self {
            Self::Webhook => {
                let secret = in_percent(WEBHOOK);
                builder.webhook(&format!("{}/rest/1/{secret}/", base(address)))
            }
            Self::OAuth => {
                let tokens = Tokens::new(ACCESS, REFRESH, &format!("{}/rest/", base(address))).unwrap();
                builder.oauth(application(address), MemoryStore::new(tokens.clone()), tokens)
            }
            Self::Vibe => builder.vibe(KEY).vibe_base(&format!("{}/v1", base(address))),
            // As it may come out of a file.
            Self::VibeSession => {
                let session = format!(" {SESSION}\n");
                builder.vibe(&format!("{KEY}\n")).vibe_session(&session).vibe_base(&format!("{}/v1", base(address)))
            }
        }
    }
}

/// Plain HTTP goes to this machine only.
fn base(address: &str) -> String {
    let scheme = if address.starts_with("127.") { "http" } else { "https" };
    format!("{scheme}://{address}")
}

pub(super) fn application(address: &str) -> Application {
    Application::new("local.1", CLIENT_SECRET).server(&format!("{}/oauth/token/", base(address))).unwrap()
}
