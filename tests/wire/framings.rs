//! Where a body ends, and what it is encoded in: lengths, chunks, trailers, encodings, bytes after the end.

use crate::support::{
    CALLS, Case, Conn, End, Means, NewDeal, OriginKey, Server, add_blind_deal, all_hold, answer, client, list_deals,
};
use Means::{Success, Unknown};
use retry_runtime::CallError;
use tokio::net::TcpStream;

/// `{"result":17}`, packed.
const PACKED: &[u8] = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xab\x56\x2a\x4a\x2d\x2e\xcd\x29\x51\xb2\x32\x34\xaf\x05\x00\xd5\xab\x75\x79\x0d\x00\x00\x00";

/// The first bytes of 64 KiB of zeros, packed; the rest of the 96 bytes is zeros up to the last ten.
const BOMB: (&[u8], usize, &[u8]) = (
    b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xed\xc1\x01\x01\x00\x00\x00\x80\x90\xfe\xaf\xee\x08\x0a",
    62,
    b"\x6a\xeb\x8e\x97\xd7\x00\x00\x01\x00",
);

/// How the bytes go on when they are sent.
async fn each_holds(end: End, rows: impl Fn(&str) -> Vec<(&'static str, Means, String)>) {
    let cases = CALLS.into_iter().flat_map(|call| {
        let rows = rows(call.result()).into_iter();
        rows.map(move |(name, means, rest)| Case {
            name: name.into(),
            call,
            bytes: format!("HTTP/1.1 200 OK\r\n{rest}").into_bytes(),
            end,
            means: Some(means),
        })
    });
    all_hold(cases.collect()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn p2_a_length_that_is_not_the_one_of_the_body_is_a_loss() {
    each_holds(End::Close, |result| {
        let body = format!(r#"{{"result":{result}}}"#);
        let n = body.len();
        let of = |name, means, headers: String| (name, means, format!("{headers}\r\n{body}"));
        vec![
            of("as it is", Success, format!("Content-Length: {n}\r\n")),
            of("twice the same", Success, format!("Content-Length: {n}\r\nContent-Length: {n}\r\n")),
            of("twice the same in one line", Success, format!("Content-Length: {n}, {n}\r\n")),
            of("twice, not the same", Unknown, format!("Content-Length: {n}\r\nContent-Length: {}\r\n", n + 1)),
            of("twice in one line, not the same", Unknown, format!("Content-Length: {n}, 1\r\n")),
            of("negative", Unknown, "Content-Length: -1\r\n".into()),
            of("with a plus", Unknown, format!("Content-Length: +{n}\r\n")),
            of("hexadecimal", Unknown, format!("Content-Length: 0x{n:x}\r\n")),
            of("empty", Unknown, "Content-Length:\r\n".into()),
            of("a word", Unknown, "Content-Length: all\r\n".into()),
            of("a fraction", Unknown, format!("Content-Length: {n}.0\r\n")),
            of("one less", Unknown, format!("Content-Length: {}\r\n", n - 1)),
            of("one more", Unknown, format!("Content-Length: {}\r\n", n + 1)),
            of("zero", Unknown, "Content-Length: 0\r\n".into()),
            of("more than memory", Unknown, "Content-Length: 999999999999999\r\n".into()),
            of("the largest", Unknown, format!("Content-Length: {}\r\n", u64::MAX)),
            of("the largest but what is special", Unknown, format!("Content-Length: {}\r\n", u64::MAX - 3)),
            of("larger than any", Unknown, "Content-Length: 99999999999999999999999999\r\n".into()),
        ]
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn p2_chunks_that_are_none_are_a_loss() {
    each_holds(End::Close, |result| {
        let body = format!(r#"{{"result":{result}}}"#);
        let n = body.len();
        let headed = |name, means, headers: &str, rest: String| (name, means, format!("{headers}\r\n{rest}"));
        let of = |name, means, rest| headed(name, means, "Transfer-Encoding: chunked\r\n", rest);
        let chunk = |size: String| format!("{size}\r\n{body}\r\n0\r\n\r\n");
        let whole = chunk(format!("{n:x}"));
        let last = |rest: &str| format!("{n:x}\r\n{body}\r\n{rest}");
        vec![
            of("as they are", Success, whole.clone()),
            of("a size in capitals with zeros", Success, chunk(format!("000{n:X}"))),
            of("an extension", Success, chunk(format!("{n:x};name=\"value\""))),
            of("extensions that are too long", Unknown, chunk(format!("{n:x};{}", "x".repeat(100_000)))),
            of("a size that is too small", Unknown, chunk(format!("{:x}", n - 1))),
            of("a size that is too large", Unknown, chunk(format!("{:x}", n + 1))),
            of("a size of no end", Unknown, chunk("7fffffffffffffff".into())),
            of("the largest size", Unknown, chunk("ffffffffffffffff".into())),
            of("a size above the largest", Unknown, chunk("ffffffffffffffff1".into())),
            of("a size that begins again at zero", Unknown, chunk(format!("1000000000000000{n:x}"))),
            of("a negative size", Unknown, chunk("-1".into())),
            of("a size of no figures", Unknown, chunk("xyz".into())),
            of("a size with 0x", Unknown, chunk(format!("0x{n:x}"))),
            of("no size", Unknown, chunk(String::new())),
            of("no line end after a chunk", Unknown, format!("{n:x}\r\n{body}0\r\n\r\n")),
            of("a body that is in no chunk", Unknown, body.clone()),
            of("no last chunk", Unknown, last("")),
            of("half a last chunk", Unknown, last("0\r\n")),
            of("trailers", Success, last("0\r\nX-One: 1\r\nX-Two: 2\r\n\r\n")),
            of(
                "trailers that say other lengths",
                Success,
                last("0\r\nContent-Length: 1\r\nTransfer-Encoding: gzip\r\n\r\n"),
            ),
            of("trailers without an end", Unknown, last("0\r\nX-One: 1\r\n")),
            of("trailers that are none", Unknown, last("0\r\nnonsense\r\n\r\n")),
            of("too many trailers", Unknown, last(&format!("0\r\n{}\r\n", "X: y\r\n".repeat(20_000)))),
            of("trailers that are too long", Unknown, last(&format!("0\r\nX: {}\r\n\r\n", "x".repeat(1_000_000)))),
            headed(
                "a length beside them",
                Success,
                "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n",
                whole.clone(),
            ),
            headed(
                "a length that is none beside them",
                Unknown,
                "Content-Length: -1\r\nTransfer-Encoding: chunked\r\n",
                body.clone(),
            ),
            headed("not the last encoding", Unknown, "Transfer-Encoding: chunked, identity\r\n", whole.clone()),
            headed("an encoding that nobody knows", Unknown, "Transfer-Encoding: xchunked\r\n", whole.clone()),
            headed("twice", Unknown, "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", body.clone()),
        ]
    })
    .await;
}

/// Bytes after the end are nobody's. The connection stays open, so that only the framing says where the end is.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn p2_bytes_after_the_end_of_an_answer_are_not_part_of_it() {
    each_holds(End::Stay, |result| {
        let body = format!(r#"{{"result":{result}}}"#);
        let n = body.len();
        let more = |name, more: &str| (name, Success, format!("Content-Length: {n}\r\n\r\n{body}{more}"));
        vec![
            more("nothing", ""),
            more("line ends", "\r\n\r\n"),
            more("a brace", "}"),
            more("an error", r#"{"error":"QUERY_LIMIT_EXCEEDED"}"#),
            more("another answer", "HTTP/1.1 500 x\r\nContent-Length: 0\r\n\r\n"),
            more("much", &"x".repeat(100_000)),
            (
                "after the last chunk",
                Success,
                format!("Transfer-Encoding: chunked\r\n\r\n{n:x}\r\n{body}\r\n0\r\n\r\n{body}"),
            ),
        ]
    })
    .await;
}

/// They do not answer the next call either.
#[tokio::test]
async fn p2_bytes_after_the_end_do_not_answer_the_next_call() {
    for more in ["}", "\r\nHTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n{\"result\":18}"] {
        let server = Server::start(move |mut conn: Conn<TcpStream>| async move {
            while conn.request().await.is_some() {
                let said = answer(if conn.number == 0 { "17" } else { "19" });
                conn.send(&[&said, more.as_bytes()].concat()).await;
            }
        })
        .await;
        let client = client(&server.webhook()).build().unwrap();
        assert_eq!(add_blind_deal(&client, &NewDeal::of("x")).await.unwrap().0, 17);
        assert_eq!(add_blind_deal(&client, &NewDeal::of("y")).await.unwrap().0, 19);
        assert_eq!((server.connections(), server.requests()), (2, 2));
    }
}

/// A body in this encoding.
fn encoded(encoding: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 200 OK\r\nContent-Encoding: {encoding}\r\nContent-Length: {}\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

#[tokio::test]
async fn p2_an_encoding_that_nobody_asked_for_is_not_undone() {
    let (packed, broken) = (PACKED, [&PACKED[..20], &[0xff; 13]].concat());
    let bombs = [BOMB.0, &vec![0; BOMB.1], BOMB.2].concat().repeat(2_000);
    let bodies = [
        ("gzip", packed),
        ("gzip", &broken),
        ("x-gzip", packed),
        ("gzip, gzip", packed),
        ("br", packed),
        ("gzip", &bombs),
    ];
    for (encoding, body) in bodies {
        let server = Server::answering(encoded(encoding, body)).await;
        // 128 MiB unpacked would be above the limit.
        let client = client(&server.webhook()).answer_limit(1_000_000).build().unwrap();
        let error = add_blind_deal(&client, &NewDeal::of("x")).await.unwrap_err();
        assert!(matches!(error, CallError::InDoubt(_)), "{error}");
        assert!(error.to_string().contains(&format!("{} bytes that are no answer", body.len())), "{error}");
        let request = String::from_utf8(server.read().concat()).unwrap().to_ascii_lowercase();
        assert!(!request.contains("accept-encoding") && !request.contains("\r\nte:"), "{request}");
        assert_eq!(server.requests(), 1);
    }
    // Packed in transit, as no proxy may.
    let head = format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n{:x}\r\n", PACKED.len());
    let server = Server::answering([head.as_bytes(), PACKED, b"\r\n0\r\n\r\n"].concat()).await;
    let error = add_blind_deal(&client(&server.webhook()).build().unwrap(), &NewDeal::of("x")).await.unwrap_err();
    assert!(matches!(error, CallError::InDoubt(_)), "{error}");
    // A label that is not true changes nothing.
    let server = Server::answering(encoded("gzip", br#"{"result":[]}"#)).await;
    list_deals(&client(&server.webhook()).build().unwrap(), &OriginKey::of("x")).await.unwrap();
}
