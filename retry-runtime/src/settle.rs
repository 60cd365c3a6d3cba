//! The settle time: how long a request that left us can still be applied, part by part.

use std::time::Duration;

use crate::decision::Horizon;

/// The part of the settle time that counts bytes held by a kernel where no TCP user timeout bounds it:
/// on systems other than Linux and behind a proxy. About what Linux itself takes to give a connection up.
const KERNEL_WITHOUT_BOUND: Duration = Duration::from_mins(15);

/// The longest time for which a request that left us can still be applied, plus the time until a read shows it.
///
/// A read-back that finds nothing proves absence only if it *began* when this time had passed since the last byte
/// could leave. The defaults are those of the cloud: with the send window (the connect timeout, 5 s) they make
/// 90 s directly, and 120 s through the Vibecode gateway with its queue of 30 s (documented). The parts: TCP user timeout 10 s (our
/// choice; it is set on the socket), server limit 60 s (documented for the cloud), list lag 5 s and margin 10 s (our choice; the
/// documentation is silent).
///
/// For a host outside the cloud's domains nothing bounds the server, so that absence is never proof there until
/// [`ClientBuilder::settle`](crate::ClientBuilder::settle) is given: state the wall-clock limit that kills a request on your server
/// (`request_terminate_timeout` of PHP-FPM; `max_execution_time` counts CPU time only and does not).
///
/// ```
/// use std::time::Duration;
/// use retry_runtime::Settle;
///
/// let ours = Settle::self_hosted(Duration::from_secs(120));
/// # let _ = ours;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settle {
    tcp: Option<Duration>,
    gateway_queue: Option<Duration>,
    server_limit: Option<Duration>,
    list_lag: Duration,
    margin: Duration,
    hosted_app: Option<Duration>,
}

impl Settle {
    /// The parts for a cloud portal that is called directly.
    pub const fn cloud() -> Self {
        Self {
            tcp: None,
            gateway_queue: None,
            server_limit: Some(Duration::from_mins(1)),
            list_lag: Duration::from_secs(5),
            margin: Duration::from_secs(10),
            hosted_app: None,
        }
    }

    /// The parts for a portal of your own whose server ends each request after `server_limit` by the wall clock.
    pub const fn self_hosted(server_limit: Duration) -> Self {
        Self { server_limit: Some(server_limit), ..Self::cloud() }
    }

    /// Nothing bounds the server: absence is never proof. The default outside the cloud's domains.
    pub const fn unbounded() -> Self {
        Self { server_limit: None, ..Self::cloud() }
    }

    /// How long our kernel, or a proxy between, may hold bytes and still deliver them.
    ///
    /// Default: 10 s, set on the socket as the TCP user timeout; 15 min where the system has none or a proxy stands between.
    #[must_use]
    pub const fn tcp(mut self, part: Duration) -> Self {
        self.tcp = Some(part);
        self
    }

    /// How long a gateway may hold the call in its queue. Default: zero on the direct way, 30 s through the Vibecode gateway (documented).
    #[must_use]
    pub const fn gateway_queue(mut self, part: Duration) -> Self {
        self.gateway_queue = Some(part);
        self
    }

    /// How long lists may lag behind what is applied. Default 5 s.
    #[must_use]
    pub const fn list_lag(mut self, part: Duration) -> Self {
        self.list_lag = part;
        self
    }

    /// The safety margin on top of all. Default 10 s.
    #[must_use]
    pub const fn margin(mut self, part: Duration) -> Self {
        self.margin = part;
        self
    }

    /// How long a hosted app may still call Bitrix24 after the gateway answered `BH_APP_STARTING` or `BH_APP_TIMEOUT`.
    ///
    /// Default: no bound, as the platform gives none. State one only if you know the app.
    #[must_use]
    pub const fn hosted_app(mut self, part: Duration) -> Self {
        self.hosted_app = Some(part);
        self
    }

    /// How long the request behind an answer may still be applied, or stay unseen; `None` is for ever.
    ///
    /// It counts from the answer where that has [ended](Horizon::Ended) it, else from the time when its last byte could leave: the start of
    /// the send and the connect timeout (5 s by default).
    ///
    /// ```
    /// use std::time::Duration;
    /// use retry_runtime::{Horizon, Settle};
    ///
    /// assert_eq!(Settle::cloud().lasts(Horizon::Ended), Some(Duration::from_secs(15)));
    /// assert_eq!(Settle::cloud().lasts(Horizon::SettleTime), Some(Duration::from_secs(85)));
    /// assert_eq!(Settle::cloud().lasts(Horizon::Unbounded), None);
    /// ```
    pub fn lasts(&self, horizon: Horizon) -> Option<Duration> {
        match horizon {
            Horizon::Never => Some(Duration::ZERO),
            Horizon::Ended => Some(self.after_end()),
            Horizon::SettleTime => self.after_loss(),
            Horizon::Unbounded => self.after_hosted_app(),
        }
    }

    /// How long a request may be applied after its last byte could leave; `None` is for ever.
    pub(crate) fn after_loss(&self) -> Option<Duration> {
        let server = self.server_limit?;
        Some(
            [self.tcp_part(), self.gateway_queue.unwrap_or_default(), server, self.after_end()]
                .into_iter()
                .fold(Duration::ZERO, Duration::saturating_add),
        )
    }

    /// How long lists may lag behind what is applied.
    pub(crate) const fn lists_lag(&self) -> Duration {
        self.list_lag
    }

    /// How long a request may stay unseen after an answer that ended it.
    pub(crate) fn after_end(&self) -> Duration {
        self.list_lag.saturating_add(self.margin)
    }

    /// How long a hosted app may still act after the last byte could leave; `None` is for ever.
    pub(crate) fn after_hosted_app(&self) -> Option<Duration> {
        Some(self.hosted_app?.saturating_add(self.after_loss()?))
    }

    /// The TCP user timeout to set on the socket.
    pub(crate) fn tcp_part(&self) -> Duration {
        self.tcp.unwrap_or(Duration::from_secs(10))
    }

    /// The same settle time behind a gateway whose queue holds a call for so long, unless it says otherwise itself.
    pub(crate) const fn behind_a_queue(mut self, queue: Duration) -> Self {
        if self.gateway_queue.is_none() {
            self.gateway_queue = Some(queue);
        }
        self
    }

    /// The same settle time where nothing bounds what the kernel or a proxy holds.
    pub(crate) const fn without_tcp_bound(mut self) -> Self {
        if self.tcp.is_none() {
            self.tcp = Some(KERNEL_WITHOUT_BOUND);
        }
        self
    }
}

/// The top-level domains under which `bitrix24.` is the vendor's cloud.
const CLOUD_ZONES: [&str; 24] = [
    "br", "by", "cn", "co", "com", "com.br", "com.mx", "com.tr", "de", "es", "eu", "fr", "id", "in", "it", "jp", "kz",
    "mx", "net", "pl", "ru", "ua", "uk", "vn",
];

/// Whether the host is a portal of the vendor's cloud, whose limits are documented.
pub(crate) fn is_cloud_host(host: &str) -> bool {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    host.split_once(".bitrix24.")
        .is_some_and(|(portal, zone)| !portal.is_empty() && !portal.contains('.') && CLOUD_ZONES.contains(&zone))
}

/// Whether the host is the Vibecode gateway, which stands in front of the cloud.
pub(crate) fn is_gateway_host(host: &str) -> bool {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    ["vibecode.bitrix24.tech", "vibecode.bitrix24.com"].contains(&host.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The send window of the HTTP transport: its default connect timeout.
    const SEND_WINDOW: Duration = Duration::from_secs(5);

    #[test]
    fn the_settle_time_is_90_s_directly_and_120_s_through_the_gateway() {
        let direct = Settle::cloud().after_loss().map(|rest| rest + SEND_WINDOW);
        assert_eq!(direct, Some(Duration::from_secs(90)));
        let gateway =
            Settle::cloud().gateway_queue(Duration::from_secs(30)).after_loss().map(|rest| rest + SEND_WINDOW);
        assert_eq!(gateway, Some(Duration::from_mins(2)));
        assert_eq!(Settle::cloud().after_end(), Duration::from_secs(15));
    }

    #[test]
    fn nothing_is_proof_without_a_bound() {
        assert_eq!(Settle::unbounded().after_loss(), None);
        assert_eq!(Settle::cloud().after_hosted_app(), None);
        assert_eq!(
            Settle::cloud().hosted_app(Duration::from_secs(9)).after_hosted_app(),
            Some(Duration::from_secs(94))
        );
    }

    #[test]
    fn a_proxy_counts_fifteen_minutes_unless_stated() {
        assert_eq!(Settle::cloud().without_tcp_bound().tcp_part(), KERNEL_WITHOUT_BOUND);
        let stated = Settle::cloud().tcp(Duration::from_secs(20)).without_tcp_bound();
        assert_eq!(stated.tcp_part(), Duration::from_secs(20));
    }

    #[test]
    fn only_the_vendors_domains_are_the_cloud() {
        for host in ["acme.bitrix24.com", "ACME.bitrix24.de", "acme.bitrix24.com.br", "acme.bitrix24.ru."] {
            assert!(is_cloud_host(host), "{host}");
        }
        for host in [
            "bitrix24.com",
            ".bitrix24.com",
            "crm.acme.com",
            "acme.bitrix24.com.evil.net",
            "a.b.bitrix24.com",
            "acme.bitrix24.example",
            "127.0.0.1",
        ] {
            assert!(!is_cloud_host(host), "{host}");
        }
    }
}
