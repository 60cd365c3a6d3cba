//! What a generated read costs beside the same call by hand on `reqwest`, in instructions.
//!
//! `cargo bench --bench call_cost` runs each side under `valgrind --tool=callgrind` in a process of its own, twice with different numbers of calls,
//! and prints the difference per call: start-up cancels out, and so does the noise of the machine. The server runs outside of what is counted.

use std::env;
use std::error::Error;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::thread;
use std::time::Duration;

use retry_runtime::{CallError, Client, Id, Page, Reader, bitrix_method};
use serde::{Deserialize, Serialize};

const FEW: u64 = 50;
const MANY: u64 = 550;
/// Rows of the list that is read.
const ROWS: [usize; 2] = [1, 50];

#[derive(Debug, Serialize)]
struct Filter<'a> {
    #[serde(rename = "ORIGINATOR_ID")]
    originator: &'a str,
    #[serde(rename = "ORIGIN_ID")]
    origin: &'a str,
}

#[derive(Debug, Deserialize)]
struct Row {
    #[serde(rename = "ID")]
    id: Id,
    #[serde(rename = "TITLE")]
    title: String,
    #[serde(rename = "ORIGIN_ID")]
    origin: String,
}

#[bitrix_method(name = "crm.deal.list", kind = read)]
async fn list_deals(reader: &Reader, filter: &Filter<'_>, select: &[&str]) -> Result<Page<Row>, CallError>;

/// What one would write without the library: serialise, post, check, parse.
#[derive(Debug, Serialize)]
struct Arguments<'a> {
    filter: Filter<'a>,
    select: &'a [&'a str],
}

#[derive(Debug, Deserialize)]
struct Envelope {
    result: Option<Vec<Row>>,
    error: Option<String>,
    next: Option<u64>,
    total: Option<u64>,
}

async fn by_hand(
    http: &reqwest::Client,
    base: &str,
    arguments: &Arguments<'_>,
) -> Result<(Vec<Row>, Option<u64>, Option<u64>), String> {
    let answer =
        http.post(format!("{base}crm.deal.list")).json(arguments).send().await.map_err(|error| error.to_string())?;
    let body = answer.bytes().await.map_err(|error| error.to_string())?;
    let envelope: Envelope = serde_json::from_slice(&body).map_err(|error| error.to_string())?;
    match (envelope.error, envelope.result) {
        (None, Some(rows)) => Ok((rows, envelope.next, envelope.total)),
        (error, _) => Err(error.unwrap_or_default()),
    }
}

const GENERATED: &str = "generated";
const BY_HAND: &str = "by hand";
const SELECT: [&str; 3] = ["ID", "TITLE", "ORIGIN_ID"];

async fn call(side: &str, url: &str, calls: u64) -> Result<u64, Box<dyn Error>> {
    let mut sum = 0;
    // Our client chooses the crypto of the process, which reqwest wants even for plain HTTP.
    let client = Client::webhook(url)?;
    if side == GENERATED {
        for _ in 0..calls {
            let page = list_deals(&client, &Filter { originator: "shop", origin: "A-1" }, &SELECT).await?;
            sum += page.rows.iter().map(Row::weight).sum::<u64>();
        }
    } else {
        // The same settings, so that only the code above the HTTP client differs.
        let http = reqwest::Client::builder().no_proxy().http1_only().timeout(Duration::from_secs(65)).build()?;
        for _ in 0..calls {
            let arguments = Arguments { filter: Filter { originator: "shop", origin: "A-1" }, select: &SELECT };
            let (rows, _, _) = by_hand(&http, url, &arguments).await?;
            sum += rows.iter().map(Row::weight).sum::<u64>();
        }
    }
    Ok(sum)
}

impl Row {
    /// Something of each field, so that none is optimised away.
    fn weight(&self) -> u64 {
        self.id.0 + (self.title.len() + self.origin.len()) as u64
    }
}

/// Answers every request with the same list.
fn serve(rows: usize) -> Result<String, Box<dyn Error>> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let row = |id| format!(r#"{{"ID":"{id}","TITLE":"Order A-{id} of the shop","ORIGIN_ID":"A-{id}"}}"#);
    let list: Vec<String> = (1..=rows).map(row).collect();
    let time = r#"{"start":1796000000.1,"finish":1796000000.2,"duration":0.1,"operating":0}"#;
    let body = format!(r#"{{"result":[{}],"total":{rows},"time":{time}}}"#, list.join(","));
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length:";
    let answer = format!("{head} {}\r\n\r\n{body}", body.len());
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let answer = answer.clone();
            thread::spawn(move || answer_all(stream, answer.as_bytes()));
        }
    });
    Ok(format!("http://{address}/rest/1/benchmark/"))
}

fn answer_all(mut stream: TcpStream, answer: &[u8]) {
    let (mut buffer, mut request) = ([0; 4096], Vec::new());
    while let Ok(read @ 1..) = stream.read(&mut buffer) {
        request.extend_from_slice(&buffer[..read]);
        if request.ends_with(b"}") {
            request.clear();
            if stream.write_all(answer).is_err() {
                return;
            }
        }
    }
}

/// The instructions of one run, as callgrind counts them.
fn instructions(side: &str, url: &str, calls: u64) -> Result<u64, Box<dyn Error>> {
    let run = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(env::current_exe()?)
        .args(["--run", side, url, &calls.to_string()])
        .output()
        .map_err(|error| format!("valgrind is needed: {error}"))?;
    let text = String::from_utf8_lossy(&run.stderr);
    if !run.status.success() {
        return Err(format!("the run failed:\n{text}").into());
    }
    let line = text.lines().find(|line| line.contains("Collected :")).ok_or_else(|| format!("no count in:\n{text}"))?;
    Ok(line.rsplit(' ').next().unwrap_or_default().parse()?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().collect();
    if let [_, flag, side, url, calls] = arguments.as_slice()
        && flag == "--run"
    {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        println!("{}", runtime.block_on(call(side, url, calls.parse()?))?);
        return Ok(());
    }
    println!("{:>5} {GENERATED:>12} {BY_HAND:>12} {:>7}", "rows", "ratio");
    for rows in ROWS {
        let url = serve(rows)?;
        let each = |side: &str| -> Result<u64, Box<dyn Error>> {
            Ok((instructions(side, &url, MANY)? - instructions(side, &url, FEW)?) / (MANY - FEW))
        };
        let (generated, by_hand) = (each(GENERATED)?, each(BY_HAND)?);
        #[expect(clippy::cast_precision_loss, reason = "a ratio to three digits")]
        let ratio = generated as f64 / by_hand as f64;
        println!("{rows:>5} {generated:>12} {by_hand:>12} {ratio:>7.3}");
    }
    Ok(())
}
