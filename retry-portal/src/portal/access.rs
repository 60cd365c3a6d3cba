//! Where the APIs are, and what lets a client in.

use std::net::SocketAddr;

use super::Portal;

impl Portal {
    /// Where the portal listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// REST 2: `http://127.0.0.1:PORT/rest/1/SECRET/`, with the slash at the end. A client that knows REST 3.0 puts
    /// `api/` behind `rest/` by itself.
    pub fn webhook_url(&self) -> String {
        let settings = &self.shared.settings;
        format!("http://{}/rest/{}/{}/", self.address, settings.user, settings.secret.0)
    }

    /// REST 3.0: `http://127.0.0.1:PORT/rest/api/1/SECRET/`, with the slash at the end.
    pub fn rest3_url(&self) -> String {
        let settings = &self.shared.settings;
        format!("http://{}/rest/api/{}/{}/", self.address, settings.user, settings.secret.0)
    }

    /// The gateway: `http://127.0.0.1:PORT/v1/`, with the slash at the end.
    pub fn vibe_url(&self) -> String {
        format!("http://{}/v1/", self.address)
    }

    /// The key of the gateway that may read and write, for the header `X-Api-Key`: `vibe_api_…`.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), std::io::Error> {
    /// let portal = retry_portal::Portal::builder().vibe_api_key("vibe_api_test").start().await?;
    /// assert_eq!(portal.vibe_key(), "vibe_api_test");
    /// assert_eq!(portal.vibe_url(), format!("http://{}/v1/", portal.address()));
    /// # Ok(())
    /// # }
    /// ```
    pub fn vibe_key(&self) -> String {
        self.shared.state().gateway.keys.personal.0.clone()
    }

    /// A key of the gateway that may only read: its writes get `WRITE_BLOCKED_READONLY_KEY`.
    pub fn vibe_readonly_key(&self) -> String {
        self.shared.state().gateway.keys.read_only.0.clone()
    }

    /// The key of an application, `vibe_app_…`, and a session of its user, `vibe_session_…`, for the header
    /// `Authorization: Bearer`. Without the session the key gets `TOKEN_MISSING`.
    pub fn vibe_application(&self) -> (String, String) {
        let state = self.shared.state();
        (state.gateway.keys.app.0.clone(), state.gateway.keys.session.0.clone())
    }

    /// Where REST calls of an OAuth application begin: `http://127.0.0.1:PORT/rest/`, with the slash at the end.
    pub fn oauth_endpoint(&self) -> String {
        format!("http://{}/rest/", self.address)
    }

    /// The token server: `http://127.0.0.1:PORT/oauth/token/`.
    pub fn token_url(&self) -> String {
        format!("http://{}/oauth/token/", self.address)
    }

    /// The application that may call: `client_id` and `client_secret`.
    pub fn oauth_application(&self) -> (String, String) {
        let state = self.shared.state();
        (state.memory.tokens.client_id.clone(), state.memory.tokens.client_secret.0.clone())
    }

    /// A code as the portal gives it to a user who lets the application in: the token server takes it once, within 30 s
    /// of portal time.
    pub fn authorization_code(&self) -> String {
        let settings = &self.shared.settings;
        self.shared.state().memory.tokens.code(settings.user, settings.clock).0
    }

    /// A pair of tokens without a request, as after the first step: the access token, which lives 1 h of portal time,
    /// and the refresh token, which lives 180 days of it.
    pub fn oauth_tokens(&self) -> (String, String) {
        let settings = &self.shared.settings;
        let (access, refresh) = self.shared.state().memory.tokens.pair(settings.user, settings.clock);
        (access.0, refresh.0)
    }
}
