//! The program `retry-portal`.

use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::Command;
use tokio::time::timeout;

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_retry-portal"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    command
}

#[tokio::test]
async fn help_names_every_option() {
    let output = program().arg("--help").output().await.expect("it runs");
    let help = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success());
    for option in [
        "--listen",
        "--secret",
        "--vibe-key",
        "--tokens",
        "--rate",
        "--burst",
        "--time-scale",
        "--deals",
        "--operating-limit",
        "--faults",
        "--seed",
        "127.0.0.1:8024",
    ] {
        assert!(help.contains(option), "{option}: {help}");
    }
}

/// What is printed after the webhook.
const DOORS: [&str; 9] = [
    "rest3",
    "vibe",
    "vibe-key",
    "oauth",
    "token-server",
    "client-id",
    "client-secret",
    "access-token",
    "refresh-token",
];

#[tokio::test]
async fn it_prints_the_webhook_and_ends_with_a_summary() {
    let file = std::env::temp_dir().join(format!("retry-portal-{}.tokens.json", std::process::id()));
    let mut child = program()
        .args(["--listen", "127.0.0.1:0", "--secret", "s3cret", "--time-scale", "0.01", "--tokens"])
        .arg(&file)
        .spawn()
        .expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().expect("its output"));
    let mut url = String::new();
    timeout(Duration::from_secs(10), lines.read_line(&mut url)).await.expect("in time").expect("a line");
    let address =
        url.trim().strip_prefix("http://").and_then(|rest| rest.strip_suffix("/rest/1/s3cret/")).expect("a webhook");
    let kept = std::fs::read_to_string(&file).expect("the tokens are written before the first line");
    std::fs::remove_file(&file).expect("the file is ours");
    for name in DOORS {
        let mut line = String::new();
        timeout(Duration::from_secs(10), lines.read_line(&mut line)).await.expect("in time").expect("a line");
        if name.ends_with("-token") || name == "oauth" {
            assert!(kept.contains(line.split_whitespace().last().unwrap_or("nothing")), "{line} {kept}");
        }
        assert!(line.starts_with(&format!("{name} ")) && line.split_whitespace().count() == 2, "{line}");
    }
    for _ in 0..2 {
        let mut stream = TcpStream::connect(address).await.expect("it listens");
        let ask = "POST /rest/1/s3cret/crm.deal.add?fields[ORIGIN_ID]=A-1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
        stream.write_all(ask.as_bytes()).await.expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.expect("it answers");
        assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    }
    let pid = child.id().expect("it runs").to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().await.expect("kill runs").success());
    let mut summary = String::new();
    timeout(Duration::from_secs(10), lines.read_to_string(&mut summary)).await.expect("in time").expect("a summary");
    assert!(child.wait().await.expect("it ends").success());
    let words: Vec<&str> = summary.split_whitespace().collect();
    assert_eq!(
        words,
        [
            "requests",
            "2",
            "2",
            "crm.deal.add",
            "faults",
            "0",
            "records",
            "2",
            "deal",
            "duplicates",
            "1",
            "2",
            "deal",
            "with",
            "ORIGIN_ID",
            "A-1"
        ]
    );
}

#[tokio::test]
async fn a_bad_setting_is_a_message_and_a_failure() {
    for (arguments, message) in [
        (["--faults", "2"], "the share of faults must be from 0 to 1"),
        (["--time-scale", "0"], "the time scale must be above zero"),
        (["--secret", "a/b"], "a secret may hold"),
        (["--listen", "192.0.2.1:1"], "cannot start on 192.0.2.1:1"),
    ] {
        let output = program().args(arguments).output().await.expect("it runs");
        let shown = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && shown.contains(message), "{shown}");
    }
}
