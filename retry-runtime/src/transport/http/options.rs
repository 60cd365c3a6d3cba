//! The settings of the HTTP client: the user's part first, ours last.

use std::fmt;
use std::time::Duration;

use crate::settle::Settle;

/// The HTTP client's own builder, for root certificates and the like.
pub type HttpBuilder = reqwest::ClientBuilder;

type Hook = Box<dyn FnOnce(HttpBuilder) -> HttpBuilder + Send>;

/// Whether a proxy stands between us and the portal. A proxy can hold bytes of a request, so it has to be named.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Proxy {
    /// None: neither one of the environment (`HTTPS_PROXY` and the like) nor one that the hook sets.
    #[default]
    None,
    /// The ones that the environment names.
    Environment,
    /// The ones that the hook sets.
    Hook,
}

/// What the HTTP transport is built from.
pub(crate) struct HttpOptions {
    pub(crate) hook: Option<Hook>,
    pub(crate) proxy: Proxy,
    pub(crate) connect_timeout: Duration,
    pub(crate) attempt_timeout: Duration,
    pub(crate) answer_limit: usize,
}

impl Default for HttpOptions {
    fn default() -> Self {
        Self {
            hook: None,
            proxy: Proxy::None,
            connect_timeout: Duration::from_secs(5),
            attempt_timeout: Duration::from_secs(65),
            answer_limit: 64 * 1024 * 1024,
        }
    }
}

impl HttpOptions {
    /// Builds the client.
    ///
    /// # Errors
    /// What the HTTP library says against it, for example of the machine's certificates.
    pub(crate) fn client(&mut self, settle: &Settle) -> Result<reqwest::Client, Box<str>> {
        choose_crypto();
        let mut http = reqwest::Client::builder();
        if self.proxy != Proxy::Environment {
            http = http.no_proxy();
        }
        if let Some(hook) = self.hook.take() {
            // A read timeout that the hook sets can't be taken back, only made as long as the attempt.
            http = hook(http).read_timeout(self.attempt_timeout);
        }
        if self.proxy == Proxy::None {
            // Only the builder's own text shows it; whatever that says, no proxy is used unless it was named.
            if format!("{http:?}").contains("proxies: [") {
                return Err(
                    "the hook sets a proxy, which can hold a request: say ClientBuilder::proxy(Proxy::Hook)".into()
                );
            }
            http = http.no_proxy();
        }
        // From here on nothing of the user's can make a second request, cut an attempt short, or print what is sent.
        http = http
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .timeout(self.attempt_timeout)
            .connect_timeout(self.connect_timeout)
            .connection_verbose(false)
            .referer(false)
            .http1_only()
            .no_gzip()
            .no_brotli()
            .no_deflate()
            .no_zstd()
            .pool_idle_timeout(Duration::from_secs(30))
            .user_agent(concat!("retry-runtime/", env!("CARGO_PKG_VERSION")));
        #[cfg(target_os = "linux")]
        {
            http = http.tcp_user_timeout(settle.tcp_part());
        }
        #[cfg(not(target_os = "linux"))]
        let _ = settle;
        http.build().map_err(|error| super::causes(&error.without_url()).into())
    }

    /// Whether the TCP user timeout bounds what may still be delivered.
    pub(crate) fn bounds_the_kernel(&self) -> bool {
        cfg!(target_os = "linux") && self.proxy == Proxy::None
    }
}

impl fmt::Debug for HttpOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpOptions")
            .field("proxy", &self.proxy)
            .field("connect_timeout", &self.connect_timeout)
            .field("attempt_timeout", &self.attempt_timeout)
            .field("answer_limit", &self.answer_limit)
            .finish_non_exhaustive()
    }
}

/// rustls wants a crypto provider of the process: ring, unless the program has chosen one before.
fn choose_crypto() {
    #[cfg(feature = "rustls")]
    if rustls::crypto::CryptoProvider::get_default().is_none() {
        // Losing a race against another thread leaves a provider as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_a_proxy(proxy: Proxy) -> Result<reqwest::Client, Box<str>> {
        let hook = |http: HttpBuilder| match reqwest::Proxy::all("http://127.0.0.1:9") {
            Ok(proxy) => http.proxy(proxy),
            Err(_) => http,
        };
        HttpOptions { hook: Some(Box::new(hook)), proxy, ..HttpOptions::default() }.client(&Settle::cloud())
    }

    #[test]
    fn p3_a_proxy_that_nobody_named_is_refused() {
        assert!(with_a_proxy(Proxy::None).unwrap_err().contains("Proxy::Hook"));
        assert!(with_a_proxy(Proxy::Hook).is_ok());
    }
}
