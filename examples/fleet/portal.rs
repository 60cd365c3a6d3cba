//! The portal: a local one with scaled times, or the one of the environment with real ones.

use std::time::Duration;

use retry_portal::{Faults, Portal};
use retry_runtime::{Client, ClientBuilder, Policy, RateLimit, Settle};

use crate::options::Options;

/// How long a second of the local portal takes, so that a run ends soon. Nothing else may be hurried like this.
const SECOND: f64 = 0.02;

/// An import may be patient: a call that gets through late is better than a row to import again.
const ATTEMPTS: u32 = 20;

/// # Errors
/// It does not start.
pub(crate) async fn local(options: &Options) -> Result<Portal, String> {
    let faults = Faults::seeded(options.seed).share(options.faults);
    let portal = Portal::builder().time_scale(SECOND).faults(faults).start().await;
    portal.map_err(|error| format!("the local portal does not start: {error}"))
}

/// After how long the local portal certainly ends a request.
pub(crate) fn limit(portal: &Portal) -> Duration {
    portal.execution_limit().max(portal.max_lateness())
}

/// A client of the portal, as all workers have it.
pub(crate) fn client(options: &Options, webhook: &str, local_limit: Option<Duration>) -> ClientBuilder {
    let builder = Client::builder().webhook(webhook);
    let Some(limit) = local_limit else {
        let builder = builder.policy(Policy::new().attempts(ATTEMPTS));
        return match options.settle() {
            Some(limit) => builder.settle(Settle::self_hosted(limit)),
            None => builder,
        };
    };
    let second = Duration::from_secs(1);
    builder
        .policy(Policy::new().attempts(ATTEMPTS).backoff(Duration::from_millis(25), Duration::from_millis(1_500)))
        .connect_timeout(second)
        .attempt_timeout(limit + second / 2)
        .settle(Settle::self_hosted(limit).tcp(second).list_lag(Duration::ZERO).margin(second))
        .rate_limit(RateLimit::new(50, Duration::from_millis(500).mul_f64(SECOND)))
        // It loses far more than a portal does, and the budget refills by real seconds.
        .retry_budget(10_000)
}
