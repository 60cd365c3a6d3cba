//! The listener and its connections.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::exchange;
use crate::reply::{Reply, TakeOver};
use crate::state::Shared;
use crate::stream;

/// Takes connections until the portal is closed; then all of them end.
pub(crate) async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    let mut connections = JoinSet::new();
    let mut count = 0;
    loop {
        tokio::select! {
            () = shared.closed() => return,
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    count += 1;
                    connections.spawn(connection(stream, Arc::clone(&shared), count));
                }
                // Out of file descriptors, for example: what is open may close soon.
                Err(_) => tokio::time::sleep(Duration::from_millis(10)).await,
            },
            Some(_) = connections.join_next() => {}
        }
    }
}

/// What hyper polls: pinned on the heap, because hyper gives a socket back only from futures that can be moved.
type Exchange = Pin<Box<dyn Future<Output = Result<Response<Full<Bytes>>, TakenOver>> + Send>>;

/// The order by which a request takes the socket from hyper.
type Slot = Arc<Mutex<Option<TakeOver>>>;

async fn connection(stream: TcpStream, shared: Arc<Shared>, number: u64) {
    // Small answers leave at once.
    drop(stream.set_nodelay(true));
    let slot = Slot::default();
    let (busy, idle) = watch::channel(0_u64);
    let service = service_fn({
        let (shared, slot) = (Arc::clone(&shared), Arc::clone(&slot));
        move |request: Request<Incoming>| -> Exchange {
            let (slot, busy) = (Arc::clone(&slot), Busy::new(busy.clone()));
            // In a task of its own: what has reached the portal is carried out, whether or not the client is still
            // there.
            let task = tokio::spawn(exchange::answer(Arc::clone(&shared), number, request));
            Box::pin(async move {
                let reply = task.await;
                drop(busy);
                match reply {
                    Ok(Reply::Http(response)) => Ok(response),
                    Err(_) => Err(TakenOver),
                    Ok(Reply::Wire(order)) => {
                        *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(order);
                        Err(TakenOver)
                    }
                }
            })
        }
    });
    let mut http = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
    // An error is the client's or our own `TakenOver`: either way hyper is done with this socket.
    tokio::select! {
        ended = poll_fn(|cx| http.poll_without_shutdown(cx)) => drop(ended),
        () = idle_too_long(idle, shared.settings.idle_limit) => {}
    }
    let mut stream = http.into_parts().io.into_inner();
    let order = slot.lock().unwrap_or_else(PoisonError::into_inner).take();
    match order {
        Some(order) => stream::carry_out(order, stream).await,
        None => drop(stream.shutdown().await),
    }
}

/// Comes when no request has been under way for so long.
async fn idle_too_long(mut requests: watch::Receiver<u64>, limit: Option<Duration>) {
    let Some(limit) = limit else { return std::future::pending().await };
    loop {
        // The sender lives in the service as long as hyper does.
        if requests.wait_for(|count| *count == 0).await.is_err() {
            return;
        }
        if tokio::time::timeout(limit, requests.changed()).await.is_err() {
            return;
        }
    }
}

/// One request under way on this connection.
struct Busy(watch::Sender<u64>);

impl Busy {
    fn new(requests: watch::Sender<u64>) -> Self {
        requests.send_modify(|count| *count += 1);
        Self(requests)
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count -= 1);
    }
}

/// Tells hyper to leave the socket to us.
#[derive(Debug)]
struct TakenOver;

impl std::fmt::Display for TakenOver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the portal answers this request by itself")
    }
}

impl std::error::Error for TakenOver {}
