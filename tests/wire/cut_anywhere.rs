//! Answers that end at any byte, in each framing, by a close and by a reset: the last byte alone makes an answer.

use crate::support::{CALLS, Call, Case, End, Means, all_hold};

/// A body as Bitrix24 writes it.
fn body(result: &str) -> String {
    format!(
        r#"{{"result":{result},"time":{{"start":1796000000.1,"finish":1796000000.2,"duration":0.1,"processing":0.05}}}}"#
    )
}

const HEAD: &str = "HTTP/1.1 200 OK\r\nServer: nginx\r\nContent-Type: application/json; charset=utf-8\r\n";

fn with_length(result: &str) -> String {
    let body = body(result);
    format!("{HEAD}Content-Length: {}\r\n\r\n{body}", body.len())
}

/// In chunks of several sizes, with an extension and a trailer.
fn in_chunks(result: &str) -> String {
    let body = body(result);
    let (first, rest) = body.split_at(1);
    let (second, third) = rest.split_at(40);
    let chunk = |extension: &str, part: &str| format!("{:x}{extension}\r\n{part}\r\n", part.len());
    let chunks = [chunk("", first), chunk(";x=1", second), chunk("", third)].concat();
    format!("{HEAD}Transfer-Encoding: chunked\r\n\r\n{chunks}0\r\nX-Trailer: y\r\n\r\n")
}

/// Without a length: the end of the connection is the end of the body.
fn until_close(result: &str) -> String {
    format!("{HEAD}Connection: close\r\n\r\n{}", body(result))
}

/// The whole cut after each number of bytes from none to all.
fn cut_everywhere(name: &str, whole: fn(&str) -> String, end: End) -> Vec<Case> {
    let cut = |call: Call| {
        let whole = whole(call.result()).into_bytes();
        (0..=whole.len()).map(move |sent| {
            let means = match (sent == whole.len(), end) {
                (false, _) => Some(Means::Unknown),
                (true, End::Reset) => None,
                (true, End::Close | End::Stay) => Some(Means::Success),
            };
            let name = format!("{name}, {end:?} after {sent} of {} bytes", whole.len());
            Case { name, call, bytes: whole[..sent].to_vec(), end, means }
        })
    };
    CALLS.into_iter().flat_map(cut).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn p2_an_answer_with_a_length_that_ends_at_any_byte_is_a_loss() {
    for end in [End::Close, End::Reset] {
        all_hold(cut_everywhere("with a length", with_length, end)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn p2_an_answer_in_chunks_that_ends_at_any_byte_is_a_loss() {
    for end in [End::Close, End::Reset] {
        all_hold(cut_everywhere("in chunks", in_chunks, end)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn p2_an_answer_without_a_length_that_ends_at_any_byte_is_a_loss() {
    for end in [End::Close, End::Reset] {
        all_hold(cut_everywhere("without a length", until_close, end)).await;
    }
}
