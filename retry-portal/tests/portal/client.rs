//! A client of a few lines that hides nothing: it shows each byte and how the connection ended.

use std::io;
use std::time::Duration;

use retry_portal::Portal;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// How the connection ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    /// A FIN.
    Closed,
    /// An RST.
    Reset,
    /// Neither, for as long as we listened.
    StillOpen,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) bytes: Vec<u8>,
    pub(crate) ended: Ended,
}

impl Seen {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    pub(crate) fn status(&self) -> u16 {
        self.text().split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status line")
    }

    pub(crate) fn header(&self, name: &str) -> Option<String> {
        let text = self.text();
        let head = text.split("\r\n\r\n").next()?;
        let line = head
            .lines()
            .find(|line| line.to_ascii_lowercase().starts_with(&format!("{}:", name.to_ascii_lowercase())))?;
        line.split_once(':').map(|(_, value)| value.trim().to_owned())
    }

    pub(crate) fn body(&self) -> Vec<u8> {
        let at = self.bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("a whole head");
        self.bytes[at + 4..].to_vec()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body()).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }
}

/// The bytes of a request to a method.
pub(crate) fn request(portal: &Portal, verb: &str, method: &str, content_type: &str, body: &str) -> String {
    let url = portal.webhook_url();
    let path = url.split_once("/rest/").map(|(_, path)| path.to_owned()).expect("a webhook");
    let length = body.len();
    format!(
        "{verb} /rest/{path}{method} HTTP/1.1\r\nHost: portal\r\nConnection: close\r\nContent-Type: {content_type}\r\nContent-Length: {length}\r\n\r\n{body}"
    )
}

/// The bytes of any request: headers are lines without their ends.
pub(crate) fn raw(verb: &str, path: &str, headers: &[&str], body: &str) -> String {
    let headers: String = headers.iter().flat_map(|line| [*line, "\r\n"]).collect();
    let length = body.len();
    format!(
        "{verb} {path} HTTP/1.1\r\nHost: portal\r\nConnection: close\r\n{headers}Content-Length: {length}\r\n\r\n{body}"
    )
}

/// Sends any request and waits for its answer.
pub(crate) async fn call(portal: &Portal, verb: &str, path: &str, headers: &[&str], body: &str) -> Seen {
    send(portal, raw(verb, path, headers, body), LONG).await
}

/// The path of one of the portal's URLs.
pub(crate) fn path_of(portal: &Portal, url: &str) -> String {
    url.strip_prefix(&format!("http://{}", portal.address())).expect("a URL of this portal").to_owned()
}

/// Sends these bytes over a connection of their own and listens for at most so long.
pub(crate) async fn send(portal: &Portal, bytes: impl AsRef<[u8]>, listen: Duration) -> Seen {
    let mut stream = TcpStream::connect(portal.address()).await.expect("the portal listens");
    stream.write_all(bytes.as_ref()).await.expect("the portal reads");
    hear(&mut stream, listen).await
}

/// Reads until the connection ends, at most for so long.
pub(crate) async fn hear(stream: &mut TcpStream, listen: Duration) -> Seen {
    let mut bytes = Vec::new();
    let mut part = [0; 4096];
    let listening = async {
        loop {
            match stream.read(&mut part).await {
                Ok(0) => return Ended::Closed,
                Ok(read) => bytes.extend_from_slice(&part[..read]),
                Err(error) if error.kind() == io::ErrorKind::ConnectionReset => return Ended::Reset,
                Err(error) => panic!("neither FIN nor RST: {error}"),
            }
        }
    };
    let ended = timeout(listen, listening).await.unwrap_or(Ended::StillOpen);
    Seen { bytes, ended }
}

/// Longer than anything here takes.
pub(crate) const LONG: Duration = Duration::from_secs(20);

/// Calls a method with JSON.
pub(crate) async fn post(portal: &Portal, method: &str, params: &Value) -> Seen {
    send(portal, request(portal, "POST", method, "application/json", &params.to_string()), LONG).await
}

/// Calls a method that must succeed, and gives the whole body.
pub(crate) async fn envelope(portal: &Portal, method: &str, params: &Value) -> Value {
    let seen = post(portal, method, params).await;
    assert_eq!(seen.status(), 200, "{}", seen.text());
    seen.json()
}

/// Calls a method that must succeed, and gives its result.
pub(crate) async fn result(portal: &Portal, method: &str, params: &Value) -> Value {
    envelope(portal, method, params).await.get("result").cloned().expect("a result")
}

/// Calls a method that must be refused: status, code and text.
pub(crate) async fn refusal(portal: &Portal, method: &str, params: &Value) -> (u16, Value, String) {
    let seen = post(portal, method, params).await;
    let body = seen.json();
    assert!(body.get("result").is_none(), "{body}");
    let description = body["error_description"].as_str().unwrap_or_default().to_owned();
    (seen.status(), body["error"].clone(), description)
}

/// The parameters of a create.
pub(crate) fn deal(origin: &str) -> Value {
    json!({"fields": {"TITLE": "Order", "ORIGIN_ID": origin}})
}

/// The origin keys of all deals.
pub(crate) fn origins(portal: &Portal) -> Vec<String> {
    portal.records("deal").iter().filter_map(|deal| deal.text("ORIGIN_ID").map(str::to_owned)).collect()
}
