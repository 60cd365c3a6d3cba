//! By which names the page may be called. A page of a foreign name that resolves to our address must get nothing.

use std::net::SocketAddr;

/// What the `Host` header may say.
pub(crate) struct Hosts {
    listen: SocketAddr,
    further: Vec<String>,
}

impl Hosts {
    pub(crate) fn new(listen: SocketAddr, further: &[String]) -> Self {
        Self { listen, further: further.iter().map(|host| host.to_ascii_lowercase()).collect() }
    }

    /// Whether it is us who are called: by our address, by `localhost` if we listen there, or by a name that was allowed.
    pub(crate) fn has(&self, host: &str) -> bool {
        let host = host.to_ascii_lowercase();
        if self.further.contains(&host) {
            return true;
        }
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()),
            Some(_) | None => (host.as_str(), Some(80)),
        };
        if port != Some(self.listen.port()) {
            return false;
        }
        if name == "localhost" {
            return self.listen.ip().is_loopback() || self.listen.ip().is_unspecified();
        }
        let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        // Who listens everywhere has many addresses. A rebound name is a name, never an address.
        bare.parse().is_ok_and(|ip: std::net::IpAddr| self.listen.ip().is_unspecified() || ip == self.listen.ip())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(listen: &str) -> Hosts {
        Hosts::new(listen.parse().unwrap(), &["Journal.example".to_owned(), "other.example:8443".to_owned()])
    }

    #[test]
    fn only_our_own_address_and_allowed_names_are_us() {
        let ours = hosts("127.0.0.1:8080");
        for host in ["127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080", "journal.example", "other.example:8443"] {
            assert!(ours.has(host), "{host}");
        }
        for host in [
            "",
            "127.0.0.1",
            "127.0.0.1:80",
            "127.0.0.2:8080",
            "evil.example:8080",
            "localhost.evil.example:8080",
            "journal.example:8080",
            "other.example",
            "[::1]:8080",
            "127.0.0.1:8080:8080",
            "127.0.0.1:x",
            ":8080",
        ] {
            assert!(!ours.has(host), "{host}");
        }
    }

    #[test]
    fn who_listens_everywhere_is_called_by_addresses_and_by_no_foreign_name() {
        for (listen, host) in [
            ("0.0.0.0:80", "10.0.0.7"),
            ("0.0.0.0:81", "10.0.0.7:81"),
            ("[::]:81", "[fe80::1]:81"),
            ("[::1]:80", "[::1]"),
        ] {
            assert!(hosts(listen).has(host), "{listen} {host}");
        }
        assert!(!hosts("0.0.0.0:80").has("evil.example"));
        assert!(!hosts("10.0.0.7:80").has("localhost"));
    }
}
