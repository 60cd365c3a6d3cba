//! A portal of one's own in a terminal.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use retry_portal::{Faults, Portal};

/// A local Bitrix24 portal that keeps a CRM in memory and loses answers on demand.
///
/// It speaks REST 2, REST 3.0, the Vibecode gateway's API and OAuth over plain http, all of them on one port and with
/// the same records. It prints where they are and what lets a client in: the webhook in the first line, then one thing a
/// line. Ctrl-C ends it with a summary.
#[derive(Debug, Parser)]
#[command(name = "retry-portal", version)]
struct Options {
    /// Where to listen.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8024")]
    listen: SocketAddr,
    /// The secret of the webhook [default: random].
    #[arg(long)]
    secret: Option<String>,
    /// The key of the gateway [default: random].
    #[arg(long, value_name = "KEY")]
    vibe_key: Option<String>,
    /// Write the tokens of the OAuth application into this file, as JSON that only its owner may read.
    #[arg(long, value_name = "FILE")]
    tokens: Option<PathBuf>,
    /// How many requests a second the rate limit lets through in the long run.
    #[arg(long, value_name = "PER_SECOND", default_value_t = 2.0)]
    rate: f64,
    /// How many requests it lets through at once.
    #[arg(long, value_name = "REQUESTS", default_value_t = 50)]
    burst: u32,
    /// How many real seconds a second of portal time lasts: with 0.01 the execution limit of 60 s is 0.6 s.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
    time_scale: f64,
    /// How many deals are there from the start.
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    deals: u64,
    /// How many seconds (portal time) one method may work in ten minutes, 480 on the cloud [default: no limit].
    #[arg(long, value_name = "SECONDS")]
    operating_limit: Option<u64>,
    /// The part of the requests that meets a fault, from 0 to 1.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    faults: f64,
    /// The seed of the faults: the same seed makes the same ones.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Whose records the summary counts.
const ENTITIES: [&str; 14] = [
    "lead",
    "deal",
    "contact",
    "company",
    "quote",
    "item",
    "comment",
    "message",
    "task",
    "activity",
    "product",
    "productrow",
    "requisite",
    "status",
];

#[tokio::main]
async fn main() -> ExitCode {
    match run(Options::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("retry-portal: {problem}");
            ExitCode::FAILURE
        }
    }
}

async fn run(options: Options) -> Result<(), std::io::Error> {
    let mut builder = Portal::builder()
        .listen(options.listen)
        .rate(options.burst, options.rate)
        .time_scale(options.time_scale)
        .deals(options.deals)
        .faults(Faults::seeded(options.seed).share(options.faults));
    if let Some(seconds) = options.operating_limit {
        builder = builder.operating_limit(std::time::Duration::from_secs(seconds));
    }
    if let Some(secret) = options.secret {
        builder = builder.secret(secret);
    }
    if let Some(key) = options.vibe_key {
        builder = builder.vibe_api_key(key);
    }
    let started = builder.start().await;
    let portal = started
        .map_err(|error| std::io::Error::new(error.kind(), format!("cannot start on {}: {error}", options.listen)))?;
    let tokens = portal.oauth_tokens();
    if let Some(file) = &options.tokens {
        write_tokens(file, &portal, &tokens)
            .map_err(|error| std::io::Error::new(error.kind(), format!("cannot write {}: {error}", file.display())))?;
    }
    // Asked for once before anybody is told that the portal is there, so that no Ctrl-C after that comes too early.
    let mut stop = std::pin::pin!(tokio::signal::ctrl_c());
    tokio::select! {
        biased;
        stopped = &mut stop => return stopped,
        () = std::future::ready(()) => {}
    }
    print!("{}", doors(&portal, tokens));
    if options.faults > 0.0 {
        eprintln!("an effect may come up to {:?} after its request", portal.max_lateness());
    }
    eprintln!("Ctrl-C ends the portal and shows what happened");
    stop.await?;
    print!("{}", summary(&portal));
    portal.close().await;
    Ok(())
}

/// The tokens as a client's token file holds them.
fn write_tokens(file: &Path, portal: &Portal, (access, refresh): &(String, String)) -> Result<(), std::io::Error> {
    let tokens = serde_json::json!({
        "access_token": access,
        "refresh_token": refresh,
        "client_endpoint": portal.oauth_endpoint(),
    });
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file)?.write_all(tokens.to_string().as_bytes())
}

/// Where the APIs are and what lets a client in, one thing a line.
fn doors(portal: &Portal, (access, refresh): (String, String)) -> String {
    let (client_id, client_secret) = portal.oauth_application();
    let lines = [
        ("rest3", portal.rest3_url()),
        ("vibe", portal.vibe_url()),
        ("vibe-key", portal.vibe_key()),
        ("oauth", portal.oauth_endpoint()),
        ("token-server", portal.token_url()),
        ("client-id", client_id),
        ("client-secret", client_secret),
        ("access-token", access),
        ("refresh-token", refresh),
    ];
    let named: String = lines.map(|(name, value)| format!("{name:<14}{value}\n")).concat();
    format!("{}\n{named}", portal.webhook_url())
}

/// What happened, one thing a line.
fn summary(portal: &Portal) -> String {
    let requests = portal.requests();
    let mut methods: BTreeMap<&str, usize> = BTreeMap::new();
    let mut faults: BTreeMap<String, usize> = BTreeMap::new();
    for request in &requests {
        let method = if request.method.is_empty() { "(no method)" } else { &request.method };
        *methods.entry(method).or_default() += 1;
        if let Some(fault) = &request.fault {
            *faults.entry(fault.to_string()).or_default() += 1;
        }
    }
    let mut lines = vec![format!("requests    {}", requests.len())];
    lines.extend(methods.iter().map(|(method, count)| format!("  {count:>8}  {method}")));
    lines.push(format!("faults      {}", faults.values().sum::<usize>()));
    lines.extend(faults.iter().map(|(fault, count)| format!("  {count:>8}  {fault}")));
    lines.push("records".to_owned());
    for entity in ENTITIES {
        let count = portal.records(entity).len();
        if count > 0 {
            lines.push(format!("  {count:>8}  {entity}"));
        }
    }
    let mut duplicates = Vec::new();
    for entity in ["lead", "deal", "contact", "company"] {
        let found = portal.duplicates_by(entity, "ORIGIN_ID");
        duplicates.extend(found.into_iter().map(|(key, count)| format!("  {count:>8}  {entity} with ORIGIN_ID {key}")));
    }
    lines.push(format!("duplicates  {}", duplicates.len()));
    lines.extend(duplicates);
    lines.join("\n") + "\n"
}
