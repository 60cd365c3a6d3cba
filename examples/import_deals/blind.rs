//! The same file by the loop that everybody writes first: on any error, send again.

use std::time::Duration;

use serde_json::{Value, json};

use crate::environment::Access;
use crate::leads::{Lead, Order};
use crate::portal::Destination;
use crate::progress::Progress;
use crate::{rest2, turns, vibe};

const ATTEMPTS: u32 = 12;
const PAUSE: Duration = Duration::from_millis(150);

/// What the loop believes.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Blind {
    /// Rows for which an answer came in the end.
    pub(crate) answered: u32,
    /// Rows without one.
    pub(crate) given_up: u32,
    /// HTTP requests.
    pub(crate) requests: u32,
}

/// Where the loop posts to.
#[derive(Clone)]
enum Address {
    Webhook(String),
    Vibe { url: String, key: String },
}

/// Sends each row until an answer comes.
///
/// # Errors
/// The loop can't go this way, the HTTP client can't be made, or a task broke.
pub(crate) async fn send(destination: &Destination, leads: Vec<Lead>) -> Result<Blind, String> {
    let address = match &destination.access {
        Access::Webhook(url) => Address::Webhook(format!("{}/crm.deal.add", url.trim_end_matches('/'))),
        Access::Vibe { key, url: Some(url) } => {
            Address::Vibe { url: format!("{}/deals", url.trim_end_matches('/')), key: key.clone() }
        }
        Access::Vibe { url: None, .. } | Access::OAuth { .. } => {
            return Err("--blind runs against a portal on this machine only".to_owned());
        }
    };
    let http = reqwest::Client::builder().timeout(destination.patience).no_proxy().build();
    let http = http.map_err(|error| error.to_string())?;
    let mut progress = Progress::of(leads.len());
    let mut blind = Blind::default();
    let add = |lead: Lead| {
        let (http, address) = (http.clone(), address.clone());
        async move { add_deal(&http, &address, &lead.order).await }
    };
    turns::each_row(leads, destination.at_a_time, add, |(answered, requests)| {
        blind.answered += u32::from(answered);
        blind.given_up += u32::from(!answered);
        blind.requests += requests;
        progress.advance(|| format!("{} requests", blind.requests));
    })
    .await?;
    progress.end();
    Ok(blind)
}

/// Whether an answer came, and after how many requests.
async fn add_deal(http: &reqwest::Client, address: &Address, order: &Order) -> (bool, u32) {
    for attempt in 1..=ATTEMPTS {
        let answer = answer(http, address, order).await;
        if answer.is_ok_and(|answer| answer.get("result").or(answer.get("data")).is_some()) {
            return (true, attempt);
        }
        tokio::time::sleep(PAUSE).await;
    }
    (false, ATTEMPTS)
}

async fn answer(http: &reqwest::Client, address: &Address, order: &Order) -> Result<Value, reqwest::Error> {
    let request = match address {
        Address::Webhook(url) => http.post(url).json(&json!({ "fields": rest2::NewDeal::of(order) })),
        Address::Vibe { url, key } => http.post(url).header("X-Api-Key", key).json(&vibe::NewDeal::of(order)),
    };
    request.send().await?.error_for_status()?.json().await
}
