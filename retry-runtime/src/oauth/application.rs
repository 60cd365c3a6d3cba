//! The application that the tokens belong to.

use std::borrow::Cow;
use std::fmt;

use super::address;
use super::error::TokenError;
use crate::secret::Secrets;

/// The vendor's own, as documented.
const TOKEN_SERVER: &str = "https://oauth.bitrix.info/oauth/token/";

/// An OAuth application, as the portal or the vendor's partner site has registered it.
#[derive(Clone, PartialEq, Eq)]
pub struct Application {
    client_id: Box<str>,
    client_secret: Box<str>,
    server: Cow<'static, str>,
}

impl Application {
    /// The application with these two from its registration.
    pub fn new(client_id: impl Into<Box<str>>, client_secret: impl Into<Box<str>>) -> Self {
        Self { client_id: client_id.into(), client_secret: client_secret.into(), server: Cow::Borrowed(TOKEN_SERVER) }
    }

    /// The address that gives tokens. Default `https://oauth.bitrix.info/oauth/token/`, the documented one.
    ///
    /// # Errors
    /// The address is not `https` (nor `http` to a loopback address), or has a user, a query or a fragment.
    pub fn server(mut self, address: &str) -> Result<Self, TokenError> {
        let address = address::for_secrets("address of the token server", address)?;
        self.server = Cow::Owned(address.into());
        Ok(self)
    }

    /// The client id, which is no secret.
    pub fn client_id(&self) -> &str {
        &self.client_id
    }

    pub(crate) fn server_address(&self) -> &str {
        &self.server
    }

    pub(super) fn client_secret(&self) -> &str {
        &self.client_secret
    }

    /// What no text may show: the client secret and these others.
    pub(super) fn secrets<'a>(&'a self, others: impl IntoIterator<Item = &'a str>) -> Secrets {
        Secrets::new(others.into_iter().chain([self.client_secret()]))
    }
}

impl fmt::Debug for Application {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Application")
            .field("client_id", &self.client_id)
            .field("server", &self.server)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p7_an_application_does_not_show_its_secret() {
        let application = Application::new("local.1", "s3cr3t+1").server("http://127.0.0.1:9/oauth/token/").unwrap();
        let shown = format!("{application:?}");
        assert!(shown.contains("local.1") && shown.contains("127.0.0.1:9") && !shown.contains("s3cr3t"), "{shown}");
        let struck = application.secrets(["c0de"]).strike("a s3cr3t+1 b s3cr3t%2B1 c c0de").into_owned();
        assert_eq!(struck, "a [secret] b [secret] c [secret]");
    }

    #[test]
    fn the_token_server_is_the_documented_one_unless_named() {
        assert_eq!(Application::new("a", "b").server_address(), "https://oauth.bitrix.info/oauth/token/");
        assert!(Application::new("a", "b").server("http://oauth.example.net/").is_err());
    }
}
