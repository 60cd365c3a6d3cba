//! Portals and clients whose limits are short, and how a call ended.

use std::time::Duration;

use retry_portal::{Portal, PortalBuilder};
use retry_runtime::report::Ending;
use retry_runtime::{CallError, Client, ClientBuilder, Policy, Settle};

/// A portal whose limits no test is about.
pub(crate) fn portal() -> PortalBuilder {
    Portal::builder().no_rate_limit().time_scale(0.001).vibe_rate(1_000_000, Duration::from_secs(1))
}

/// The limits of a portal on this machine, scaled as its time is.
pub(crate) fn scaled(builder: ClientBuilder) -> ClientBuilder {
    let settle = Settle::self_hosted(Duration::from_millis(100))
        .tcp(Duration::from_millis(200))
        .list_lag(Duration::from_millis(10))
        .margin(Duration::from_millis(50));
    let pauses = Policy::new().backoff(Duration::from_millis(5), Duration::from_millis(20));
    builder.settle(settle).policy(pauses.attempts(6).deadline(Duration::from_secs(20)))
}

/// A client of its gateway.
pub(crate) fn vibe(portal: &Portal) -> Client {
    scaled(Client::builder().vibe(&portal.vibe_key()).vibe_base(&portal.vibe_url())).build().unwrap()
}

/// How a call ended, by its result.
pub(crate) fn ending<T>(result: &Result<T, CallError>) -> Ending {
    result.as_ref().err().map_or(Ending::Done, |error| error.report().ending())
}
