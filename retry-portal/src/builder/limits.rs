//! The limits of the portal, with the figures of the documentation as defaults.

use std::time::Duration;

use super::PortalBuilder;

impl PortalBuilder {
    /// The leaky bucket: so many requests at once, then so many a second of portal time. A request above it gets 503
    /// `QUERY_LIMIT_EXCEEDED` and has no effect; a batch is one request. Default: 50 and 2, as on most plans of the
    /// cloud; Enterprise has 250 and 5.
    pub fn rate(mut self, burst: u32, per_second: f64) -> Self {
        self.rate = Some((burst, per_second));
        self
    }

    /// No limit of the rate, neither the portal's nor the gateway's.
    pub fn no_rate_limit(mut self) -> Self {
        self.rate = None;
        self.gateway.rate = None;
        self
    }

    /// How long one method may work in ten minutes, kept in ten buckets of a minute (all of it portal time), for one
    /// webhook, application or gateway. The call that crosses it is carried out; the next ones get 429
    /// `OPERATION_TIME_LIMIT` and have no effect, until enough buckets are ten minutes old. Commands of a batch count
    /// one by one, the batch itself does not. On the cloud the limit is 480 s. Default: none, `operating` is only told.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), std::io::Error> {
    /// use std::time::Duration;
    ///
    /// let portal = retry_portal::Portal::builder()
    ///     .operating_limit(Duration::from_secs(480))
    ///     .operating_cost("crm.deal.add", Duration::from_secs(100)) // the sixth within ten minutes is refused
    ///     .time_scale(0.001)
    ///     .start()
    ///     .await?;
    /// # drop(portal);
    /// # Ok(())
    /// # }
    /// ```
    pub fn operating_limit(mut self, limit: Duration) -> Self {
        self.operating_limit = Some(limit);
        self
    }

    /// What each call of this method counts in `operating` (portal time), whatever time it really takes. Default: the
    /// time that it takes, which is next to nothing.
    pub fn operating_cost(mut self, method: &str, cost: Duration) -> Self {
        self.operating_costs.insert(method.to_ascii_lowercase(), cost);
        self
    }
}
