//! HTTP as it is on the wire, so that a test can say what no client would.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(':'));
        lines.filter(|(header, _)| header.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim()).next()
    }

    /// The value of the hidden field of this name.
    pub(crate) fn field(&self, name: &str) -> String {
        let marked = format!("name=\"{name}\" value=\"");
        let after = self.body.split_once(&marked).unwrap_or_else(|| panic!("no {name} in {}", self.body)).1;
        after.split_once('"').unwrap().0.to_owned()
    }
}

/// One request, with exactly these headers and `Connection: close`.
pub(crate) fn send(address: &str, line: &str, headers: &[(&str, &str)], body: &str) -> Answer {
    let mut text = format!("{line} HTTP/1.1\r\nConnection: close\r\n");
    let length = body.len().to_string();
    let of_body = [("Content-Type", "application/x-www-form-urlencoded"), ("Content-Length", &*length)];
    let of_body = if body.is_empty() { &[][..] } else { &of_body };
    for (name, value) in headers.iter().chain(of_body) {
        text.extend([name, ": ", value, "\r\n"]);
    }
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(format!("{text}\r\n{body}").as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{answer}"));
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Answer { status, head: head.to_owned(), body: body.to_owned() }
}

pub(crate) fn get(address: &str, path: &str) -> Answer {
    send(address, &format!("GET {path}"), &[("Host", address)], "")
}

pub(crate) fn post(address: &str, path: &str, fields: &[(&str, &str)]) -> Answer {
    send(address, &format!("POST {path}"), &[("Host", address)], &form(fields))
}

pub(crate) fn form(fields: &[(&str, &str)]) -> String {
    let encoded =
        |text: &str| percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string();
    fields.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect::<Vec<_>>().join("&")
}
