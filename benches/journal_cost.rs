//! What the journal costs a call on a portal that answers in 100 ms.
//!
//! `cargo bench --bench journal_cost` makes the same calls by a client without a journal and by one with a journal of SQLite in a new file, in turns, and
//! prints the ratio of their times. A pair of rounds is run one after the other, so that what else the machine does weighs on both alike.
//! `PAIRS=40` makes more of them.

use std::env;
use std::error::Error;
use std::time::Duration;

use retry_journal::sqlite::SqliteJournal;
use retry_runtime::{CallError, Client, ClientBuilder, Id, Key, KeyRow, Page, Proof, ReadBack, Reader, bitrix_method};
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::Instant;

/// How long the portal takes to answer.
const ANSWER: Duration = Duration::from_millis(100);
/// How many calls are under way at a time, and how many there are in a round.
const ROUNDS: [(usize, usize); 2] = [(1, 20), (64, 1_280)];

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
struct NewDeal {
    title: String,
    originator_id: String,
    origin_id: String,
}

#[bitrix_method(name = "crm.deal.list", kind = read)]
async fn list_deals(reader: &Reader, #[param(flatten)] key: &Key<'_>) -> Result<Page<KeyRow>, CallError>;

#[bitrix_method(name = "crm.deal.add", kind = write, verify = find_deal, key = fields.origin_id)]
async fn add_deal(client: &Client, fields: &NewDeal) -> Result<Id, CallError>;

#[bitrix_method(name = "crm.deal.add", kind = write, verify = find_deal, key = fields.origin_id, journal)]
async fn add_deal_on_record(client: &Client, fields: &NewDeal) -> Result<Id, CallError>;

async fn find_deal(reader: &Reader, fields: &NewDeal) -> Result<ReadBack<Id>, CallError> {
    let key = Key::origin(&fields.originator_id, &fields.origin_id);
    Ok(key.find_in(list_deals(reader, &key).await?))
}

#[derive(Debug, Clone, Copy)]
enum Side {
    Plain,
    OnRecord,
}

/// Answers each request of a connection after [`ANSWER`].
async fn serve(mut stream: TcpStream) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut bytes = Vec::new();
    loop {
        let length = loop {
            if let Some(length) = request_length(&bytes).filter(|length| bytes.len() >= *length) {
                break length;
            }
            if stream.read_buf(&mut bytes).await? == 0 {
                return Ok(());
            }
        };
        bytes.drain(..length);
        tokio::time::sleep(ANSWER).await;
        let body = br#"{"result":7,"time":{}}"#;
        let head =
            format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n", body.len());
        stream.write_all(&[head.as_bytes(), body].concat()).await?;
    }
}

/// How long the first request is, if its head is there.
fn request_length(bytes: &[u8]) -> Option<usize> {
    let head = bytes.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
    let text = str::from_utf8(bytes.get(..head)?).ok()?.to_ascii_lowercase();
    let body = text.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
    Some(head + body.unwrap_or(0))
}

/// Makes a round of calls, each with a key of its own.
async fn round(side: Side, client: &Client, at_a_time: usize, keys: Vec<String>) -> Result<Duration, Box<dyn Error>> {
    #[expect(clippy::disallowed_methods, reason = "what is measured is the time of this machine")]
    let began = Instant::now();
    let mut keys = keys.into_iter();
    let mut calls = JoinSet::new();
    loop {
        for origin_id in keys.by_ref().take(at_a_time - calls.len()) {
            let client = client.clone();
            calls.spawn(async move {
                let deal = NewDeal { title: "Chair".into(), originator_id: "shop".into(), origin_id };
                match side {
                    Side::Plain => add_deal(&client, &deal).await,
                    Side::OnRecord => add_deal_on_record(&client, &deal).await,
                }
            });
        }
        match calls.join_next().await {
            Some(ended) => drop(ended??),
            None => return Ok(began.elapsed()),
        }
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let pairs = env::var("PAIRS").ok().and_then(|pairs| pairs.parse().ok()).unwrap_or(20);
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}/rest/1/abcdefgh12345678/", listener.local_addr()?);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(stream));
        }
    });
    let folder = tempfile::Builder::new().prefix("journal_cost").tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    // No read is made beside the calls.
    let builder = |builder: ClientBuilder| builder.webhook(&url).proof(Proof::Off);
    let plain = builder(Client::builder()).build()?;
    let journal = SqliteJournal::open(folder.path().join("cost.journal"))?;
    let on_record = builder(Client::builder()).journal(journal).build()?;
    let mut key = 0_u64;
    for (at_a_time, calls) in ROUNDS {
        let (mut ratios, mut times) = (Vec::new(), [Duration::ZERO; 2]);
        // The first pair opens the connections.
        for pair in 0..=pairs {
            let mut sides = [(Side::Plain, &plain), (Side::OnRecord, &on_record)];
            if pair % 2 == 1 {
                sides.reverse();
            }
            let mut took = [Duration::ZERO; 2];
            for (side, client) in sides {
                let keys = (0..calls).map(|call| format!("{}", key + call as u64)).collect();
                key += calls as u64;
                took[side as usize] = round(side, client, at_a_time, keys).await?;
            }
            if pair > 0 {
                ratios.push(took[1].as_secs_f64() / took[0].as_secs_f64());
                times = [times[0] + took[0], times[1] + took[1]];
            }
        }
        ratios.sort_by(f64::total_cmp);
        let rounds = f64::from(u32::try_from(calls / at_a_time)?) * f64::from(pairs);
        let [without, with] = times.map(|time| time.as_secs_f64() * 1_000.0 / rounds);
        println!(
            "{at_a_time:>3} at a time: {without:.1} ms a call without, {with:.1} ms with the journal; ratio {:.3} (median of {pairs} pairs, {:.3} to {:.3})",
            ratios[ratios.len() / 2],
            ratios[0],
            ratios[ratios.len() - 1],
        );
    }
    Ok(())
}
