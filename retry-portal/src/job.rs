//! A request that was let in.

use std::time::SystemTime;

use tokio::time::Instant;

use crate::journal::Ticket;
use crate::limit::Caller;
use crate::operation::Operation;
use crate::params::Params;

/// When a request came.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arrival {
    pub(crate) at: SystemTime,
    pub(crate) instant: Instant,
    /// When its work began: behind the gateway that is after the queue.
    pub(crate) begun: Instant,
}

#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) ticket: Ticket,
    pub(crate) arrival: Arrival,
    pub(crate) method: String,
    pub(crate) params: Params,
    pub(crate) user: u64,
    pub(crate) caller: Caller,
    pub(crate) operation: Operation,
}
