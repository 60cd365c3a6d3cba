//! The three APIs an order can go through, and what differs between them.

use clap::ValueEnum;
use retry_portal::Portal;
use retry_runtime::journal::Recovery;
use retry_runtime::{CallError, Client, Id, IdempotencyKey};

use crate::leads::Order;
use crate::{rest2, rest3, vibe};

/// The API of the portal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Api {
    /// Deals by REST 2, found again by their origin
    Rest2,
    /// Tasks by REST 3.0, each with an idempotency key
    Rest3,
    /// Deals through the Vibecode gateway, found again by a custom field
    Vibe,
}

/// Why an order gave nothing that can be relied on.
pub(crate) enum Problem {
    /// The call ended without a result.
    Call(CallError),
    /// The portal has made the deal and dropped its key.
    KeyDropped(Id),
    /// The order's number makes no idempotency key.
    NoKey(String),
}

impl Api {
    /// Makes a deal or a task of an order.
    ///
    /// # Errors
    /// What went wrong, which for a call tells all that is known.
    pub(crate) async fn create(self, client: &Client, order: &Order, user: u64) -> Result<(), Problem> {
        match self {
            Self::Rest2 => rest2::create(client, order).await.map_err(Problem::Call),
            Self::Rest3 => {
                let key = IdempotencyKey::of_business("order", &order.number);
                let key = key.map_err(|error| Problem::NoKey(format!("the order number is too long: {error}")))?;
                rest3::create(client, order, user, &key).await.map_err(Problem::Call)
            }
            Self::Vibe => match vibe::create(client, order).await.map_err(Problem::Call)? {
                None => Ok(()),
                Some(id) => Err(Problem::KeyDropped(id)),
            },
        }
    }

    /// What settles the writes that a killed process has left open.
    pub(crate) fn recovery(self) -> Recovery {
        match self {
            Self::Rest2 => rest2::RECOVERY,
            Self::Rest3 => rest3::RECOVERY,
            Self::Vibe => vibe::RECOVERY,
        }
    }

    /// The orders on the local portal, one entry a record.
    pub(crate) fn orders(self, portal: &Portal) -> Vec<String> {
        let (entity, field) = match self {
            Self::Rest2 => ("deal", "ORIGIN_ID"),
            Self::Rest3 => ("task", "TITLE"),
            Self::Vibe => ("deal", vibe::FIELD),
        };
        let records = portal.records(entity);
        let keys = records.iter().filter_map(|record| record.text(field));
        let orders = keys.filter_map(|key| if self == Self::Rest3 { rest3::order_of(key) } else { Some(key) });
        orders.map(str::to_owned).collect()
    }

    /// The orders on a portal outside, one entry a record.
    ///
    /// # Errors
    /// Why they can't be counted.
    pub(crate) async fn listed_orders(self, client: &Client) -> Result<Vec<String>, String> {
        let orders = match self {
            Self::Rest2 => rest2::orders(client).await,
            Self::Vibe => vibe::orders(client).await,
            Self::Rest3 => return Err("tasks can't be listed by their idempotency keys".to_owned()),
        };
        orders.map_err(|error| format!("the deals of the portal could not be listed: {error}"))
    }

    /// What a row is called that was there when its answer had been lost.
    pub(crate) fn found(self) -> &'static str {
        match self {
            Self::Rest2 | Self::Vibe => "found by read-back",
            Self::Rest3 => "found by its idempotency key",
        }
    }

    /// What a row is called that needed another send after its answer had been lost.
    pub(crate) fn resent(self) -> &'static str {
        match self {
            Self::Rest2 | Self::Vibe => "resent after proof of absence",
            Self::Rest3 => "resent with its idempotency key",
        }
    }
}
