//! Heads of answers that no honest server writes: status lines, interim answers, headers, other protocols.

use crate::support::{CALLS, Case, Conn, End, Means, NewDeal, Server, add_blind_deal, all_hold, client, secs};
use Means::{Success, Unknown};
use tokio::net::TcpStream;

type Row = (&'static str, Means, Vec<u8>);

/// Each answer meets each call, and the connection is closed after it.
async fn each_holds(rows: impl Fn(&str) -> Vec<Row>) {
    let cases = CALLS.into_iter().flat_map(|call| {
        let rows = rows(call.result()).into_iter();
        rows.map(move |(name, means, bytes)| Case {
            name: name.into(),
            call,
            bytes,
            end: End::Close,
            means: Some(means),
        })
    });
    all_hold(cases.collect()).await;
}

/// A success below this head.
fn below(head: &str, result: &str) -> Vec<u8> {
    let body = format!(r#"{{"result":{result}}}"#);
    format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn p2_a_status_line_that_is_none_is_a_loss() {
    each_holds(|result| {
        let of = |name, means, head: &str| (name, means, below(head, result));
        vec![
            ("HTTP/0.9: a body alone", Unknown, format!(r#"{{"result":{result}}}"#).into_bytes()),
            ("an empty line alone", Unknown, b"\r\n".to_vec()),
            ("empty lines alone", Unknown, b"\r\n".repeat(10_000)),
            of("empty lines before it", Success, "\r\n\r\nHTTP/1.1 200 OK\r\n"),
            of("HTTP/1.0", Success, "HTTP/1.0 200 OK\r\n"),
            of("HTTP/1.2", Unknown, "HTTP/1.2 200 OK\r\n"),
            of("HTTP/2", Unknown, "HTTP/2 200\r\n"),
            of("HTTP/2.0", Unknown, "HTTP/2.0 200 OK\r\n"),
            of("HTTP/3", Unknown, "HTTP/3 200 OK\r\n"),
            of("another protocol", Unknown, "ICY 200 OK\r\n"),
            of("lower case", Unknown, "http/1.1 200 OK\r\n"),
            of("no reason", Success, "HTTP/1.1 200\r\n"),
            of("line ends without CR", Success, "HTTP/1.1 200 OK\nX: y\n"),
            of("a long reason", Success, &format!("HTTP/1.1 200 {}\r\n", "x".repeat(10_000))),
            of("a reason with signs", Unknown, "HTTP/1.1 200 a\0b\r\n"),
            of("two digits", Unknown, "HTTP/1.1 20 OK\r\n"),
            of("four digits", Unknown, "HTTP/1.1 2000 OK\r\n"),
            of("no digits", Unknown, "HTTP/1.1 abc OK\r\n"),
            of("below 100", Unknown, "HTTP/1.1 099 OK\r\n"),
            of("zero", Unknown, "HTTP/1.1 000 OK\r\n"),
            of("minus", Unknown, "HTTP/1.1 -20 OK\r\n"),
            of("above 599", Success, "HTTP/1.1 999 OK\r\n"),
            of("no space", Unknown, "HTTP/1.1200 OK\r\n"),
            of("a request", Unknown, "POST /rest/1/x HTTP/1.1\r\n"),
        ]
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn p4_interim_answers_are_not_the_answer() {
    each_holds(|result| {
        let whole = below("HTTP/1.1 200 OK\r\n", result);
        let after = |interim: &str| [interim.as_bytes(), &whole].concat();
        vec![
            ("100", Success, after("HTTP/1.1 100 Continue\r\n\r\n")),
            ("102", Success, after("HTTP/1.1 102 Processing\r\n\r\n")),
            ("103", Success, after("HTTP/1.1 103 Early Hints\r\nLink: </x>; rel=preload\r\n\r\n")),
            ("199", Success, after("HTTP/1.1 199 Odd\r\n\r\n")),
            ("many", Success, after(&"HTTP/1.1 100 Continue\r\n\r\n".repeat(5_000))),
            (
                "one with a length, whose body is none",
                Unknown,
                after("HTTP/1.1 100 Continue\r\nContent-Length: 5\r\n\r\nhello"),
            ),
            ("alone", Unknown, b"HTTP/1.1 100 Continue\r\n\r\n".to_vec()),
            ("cut", Unknown, b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 20".to_vec()),
            ("101 without an upgrade", Unknown, after("HTTP/1.1 101 Switching Protocols\r\n\r\n")),
            (
                "101 with one",
                Unknown,
                after("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n"),
            ),
        ]
    })
    .await;
}

#[tokio::test]
async fn p5_endless_interim_answers_are_bounded_by_the_attempt_timeout() {
    let server = Server::start(async |mut conn: Conn<TcpStream>| {
        conn.request().await;
        let many = b"HTTP/1.1 102 Processing\r\n\r\n".repeat(200);
        while tokio::io::AsyncWriteExt::write_all(&mut conn.stream, &many).await.is_ok() {}
    })
    .await;
    let client = client(&server.webhook()).attempt_timeout(secs(1)).build().unwrap();
    let error = add_blind_deal(&client, &NewDeal::of("x")).await.unwrap_err();
    assert!(error.to_string().contains("answer lost: timeout"), "{error}");
    assert_eq!((server.connections(), server.requests()), (1, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn p5_headers_of_any_kind_and_number_end_the_attempt_and_not_the_program() {
    each_holds(|result| {
        let with = |name, means, headers: &str| (name, means, below(&format!("HTTP/1.1 200 OK\r\n{headers}"), result));
        vec![
            with("as many as are usual", Success, &"X-Flood: xxxxxxxxxxxxxxxxxxxx\r\n".repeat(50)),
            with("too many", Unknown, &"X-Flood: xxxxxxxxxxxxxxxxxxxx\r\n".repeat(5_000)),
            with("too many empty ones", Unknown, &"X:\r\n".repeat(50_000)),
            with("a long one", Success, &format!("X: {}\r\n", "x".repeat(100_000))),
            with("one that is too long", Unknown, &format!("X: {}\r\n", "x".repeat(2_000_000))),
            with("a name that is too long", Unknown, &format!("{}: x\r\n", "x".repeat(100_000))),
            with("no colon", Unknown, "nonsense\r\n"),
            with("no name", Unknown, ": x\r\n"),
            with("a space before the colon", Unknown, "X : y\r\n"),
            with("folded", Unknown, "X: y\r\n z\r\n"),
            with("a zero byte", Unknown, "X: a\0b\r\n"),
            with("letters of no alphabet", Success, "X: \u{1f4a5}\r\n"),
            with("pauses of no kind", Success, "Retry-After: -1\r\nRetry-After: 1e99\r\nDate: yesterday\r\n"),
            with(
                "figures of no kind",
                Success,
                "X-RateLimit-Remaining: -1\r\nX-RateLimit-Reset: 99999999999999999999\r\n",
            ),
        ]
    })
    .await;
}

/// A frame of HTTP/2.
fn frame(kind: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    [&length[1..], &[kind, 0], &stream.to_be_bytes(), payload].concat()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn p2_answers_of_other_protocols_are_a_loss() {
    let settings = frame(4, 0, &[]);
    let reset = |code: u8| frame(3, 1, &[0, 0, 0, code]);
    let goaway = |last: u8, code: u8| frame(7, 0, &[0, 0, 0, last, 0, 0, 0, code]);
    let preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
    let upgraded = b"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n".to_vec();
    each_holds(|result| {
        let whole = below("HTTP/1.1 200 OK\r\n", result);
        vec![
            ("HTTP/2: settings", Unknown, settings.clone()),
            ("HTTP/2: preface", Unknown, preface.clone()),
            ("HTTP/2: GOAWAY that has seen nothing", Unknown, [settings.clone(), goaway(0, 0)].concat()),
            ("HTTP/2: GOAWAY that has seen it", Unknown, [settings.clone(), goaway(1, 0)].concat()),
            ("HTTP/2: GOAWAY, HTTP_1_1_REQUIRED", Unknown, [settings.clone(), goaway(0, 13)].concat()),
            ("HTTP/2: REFUSED_STREAM", Unknown, [settings.clone(), reset(7)].concat()),
            ("HTTP/2: REFUSED_STREAM alone", Unknown, reset(7)),
            ("HTTP/2: INTERNAL_ERROR", Unknown, [settings.clone(), reset(2)].concat()),
            (
                "HTTP/2 by an upgrade that nobody asked for",
                Unknown,
                [upgraded.clone(), settings.clone(), reset(7)].concat(),
            ),
            ("HTTP/2 before an answer", Unknown, [settings.clone(), whole].concat()),
            ("a TLS alert: not TLS where plain HTTP was spoken", Unknown, vec![21, 3, 3, 0, 2, 2, 80]),
            ("SSH", Unknown, b"SSH-2.0-OpenSSH_9.6\r\n".to_vec()),
            ("SMTP", Unknown, b"220 mail.example ESMTP\r\n502 unimplemented\r\n".to_vec()),
        ]
    })
    .await;
}
