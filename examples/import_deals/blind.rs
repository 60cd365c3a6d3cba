//! The same file by the loop that everybody writes first: on any error, send again.

use std::time::Duration;

use serde_json::{Value, json};

use crate::NewDeal;
use crate::leads::Lead;
use crate::portal::Destination;
use crate::progress::Progress;
use crate::turns;

const ATTEMPTS: u32 = 12;
const PAUSE: Duration = Duration::from_millis(50);

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

/// Sends each row until an answer comes.
///
/// # Errors
/// The HTTP client can't be made, or a task broke.
pub(crate) async fn send(destination: &Destination, leads: Vec<Lead>) -> Result<Blind, String> {
    let http = reqwest::Client::builder().timeout(destination.patience).no_proxy().build();
    let http = http.map_err(|error| error.to_string())?;
    let address = format!("{}/crm.deal.add", destination.webhook.trim_end_matches('/'));
    let mut progress = Progress::of(leads.len());
    let mut blind = Blind::default();
    let add = |lead: Lead| {
        let (http, address) = (http.clone(), address.clone());
        async move { add_deal(&http, &address, &lead.deal).await }
    };
    turns::each_row(leads, destination.rows_a_minute, add, |(answered, requests)| {
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
async fn add_deal(http: &reqwest::Client, address: &str, deal: &NewDeal) -> (bool, u32) {
    for attempt in 1..=ATTEMPTS {
        if answer(http, address, deal).await.is_ok_and(|answer| answer.get("result").is_some()) {
            return (true, attempt);
        }
        tokio::time::sleep(PAUSE).await;
    }
    (false, ATTEMPTS)
}

async fn answer(http: &reqwest::Client, address: &str, deal: &NewDeal) -> Result<Value, reqwest::Error> {
    http.post(address).json(&json!({ "fields": deal })).send().await?.error_for_status()?.json().await
}
