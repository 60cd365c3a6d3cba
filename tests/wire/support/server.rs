//! A server whose every byte is the test's own, and that knows what it read.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};

/// What was read over each connection, in the order of their arrival.
pub(super) type Log = Arc<Mutex<Vec<Vec<u8>>>>;

/// The server. It ends with all its connections when it is dropped.
#[derive(Debug)]
pub(crate) struct Server {
    address: SocketAddr,
    log: Log,
    task: JoinHandle<()>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Server {
    /// Serves each connection by this.
    pub(crate) async fn start<F, S>(serve: F) -> Self
    where
        F: Fn(Conn<TcpStream>) -> S + Send + Sync + 'static,
        S: Future<Output = ()> + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let log = Log::default();
        let task = tokio::spawn({
            let log = Arc::clone(&log);
            async move {
                let mut open = JoinSet::new();
                while let Ok((stream, _)) = listener.accept().await {
                    let number = {
                        let mut log = log.lock().unwrap();
                        log.push(Vec::new());
                        log.len() - 1
                    };
                    open.spawn(serve(Conn { stream, number, log: Arc::clone(&log) }));
                }
            }
        });
        Self { address, log, task }
    }

    /// Reads one request on each connection, sends these bytes and closes.
    pub(crate) async fn answering(bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = bytes.into();
        Self::start(move |mut conn| {
            let bytes = bytes.clone();
            async move {
                if conn.request().await.is_some() {
                    conn.send(&bytes).await;
                }
            }
        })
        .await
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its webhook, by plain HTTP.
    pub(crate) fn webhook(&self) -> String {
        format!("http://{}/rest/1/abcdefgh12345678/", self.address)
    }

    /// The same by TLS.
    pub(crate) fn secure_webhook(&self) -> String {
        self.webhook().replace("http:", "https:")
    }

    /// What was read over each connection.
    pub(crate) fn read(&self) -> Vec<Vec<u8>> {
        self.log.lock().unwrap().clone()
    }

    /// How many connections there were.
    pub(crate) fn connections(&self) -> usize {
        self.log.lock().unwrap().len()
    }

    /// How many requests began to arrive, over all connections.
    pub(crate) fn requests(&self) -> usize {
        self.read().iter().map(|bytes| occurrences(bytes, b"POST /rest/1/")).sum()
    }
}

fn occurrences(bytes: &[u8], of: &[u8]) -> usize {
    bytes.windows(of.len()).filter(|window| *window == of).count()
}

/// One connection.
#[derive(Debug)]
pub(crate) struct Conn<S> {
    pub(crate) stream: S,
    /// 0 for the first one.
    pub(crate) number: usize,
    /// What is read through it is written down here.
    pub(super) log: Log,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Conn<S> {
    /// Reads what is there; `None` at the end of the connection.
    pub(crate) async fn part(&mut self) -> Option<Vec<u8>> {
        let mut part = vec![0; 16 * 1024];
        match self.stream.read(&mut part).await {
            Ok(0) | Err(_) => None,
            Ok(length) => {
                part.truncate(length);
                self.log.lock().unwrap()[self.number].extend_from_slice(&part);
                Some(part)
            }
        }
    }

    /// Reads one request, head and body; `None` if the connection ends before.
    pub(crate) async fn request(&mut self) -> Option<Vec<u8>> {
        let mut request = Vec::new();
        loop {
            request.extend(self.part().await?);
            if whole_length(&request).is_some_and(|length| request.len() >= length) {
                return Some(request);
            }
        }
    }

    /// Reads just so many bytes, and leaves the rest unread; whether there were so many.
    pub(crate) async fn exactly(&mut self, length: usize) -> bool {
        let mut read = vec![0; length];
        let whole = self.stream.read_exact(&mut read).await.is_ok();
        if whole {
            self.log.lock().unwrap()[self.number].extend_from_slice(&read);
        }
        whole
    }

    /// Reads until the client goes.
    pub(crate) async fn drain(&mut self) {
        while self.part().await.is_some() {}
    }

    /// Sends these bytes, if the client still takes them.
    pub(crate) async fn send(&mut self, bytes: &[u8]) {
        if self.stream.write_all(bytes).await.is_ok() {
            let _ = self.stream.flush().await;
        }
    }
}

impl Conn<TcpStream> {
    /// Ends it with RST.
    pub(crate) fn reset(self) {
        self.stream.set_zero_linger().unwrap();
    }
}

/// The length of a request by its own head, once that is there.
fn whole_length(request: &[u8]) -> Option<usize> {
    let head = request.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
    let text = String::from_utf8_lossy(&request[..head]).to_ascii_lowercase();
    let body = text.lines().find_map(|line| line.strip_prefix("content-length:")).unwrap_or("0");
    Some(head + body.trim().parse::<usize>().ok()?)
}

/// A plain success with this result.
pub(crate) fn answer(result: &str) -> Vec<u8> {
    let body = format!(r#"{{"result":{result},"time":{{"start":1796000000.1,"finish":1796000000.2}}}}"#);
    format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}", body.len()).into()
}
