//! A token server that plays a script, for the tests of this module.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use bytes::Bytes;

use super::grant::{Query, TokenServer};
use super::tokens::Tokens;
use crate::clock::{Clock, PausedClock};
use crate::transport::BoxFuture;

/// What comes of one request.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    /// This answer after this time.
    Answer(Duration, u16, String),
    /// The connection breaks.
    Lost,
    /// Nothing, ever.
    Silent,
    /// The server's code is wrong.
    Panics,
}

impl Step {
    pub(crate) fn answer(status: u16, body: &str) -> Self {
        Self::Answer(Duration::from_millis(50), status, body.to_owned())
    }

    pub(crate) fn grant(access: &str, refresh: &str) -> Self {
        Self::grant_with(access, refresh, "")
    }

    pub(crate) fn grant_with(access: &str, refresh: &str, more: &str) -> Self {
        let endpoint = "https://acme.bitrix24.com/rest/";
        let body = format!(
            r#"{{"access_token":"{access}","refresh_token":"{refresh}","expires_in":3600,"client_endpoint":"{endpoint}"{more}}}"#
        );
        Self::answer(200, &body)
    }

    pub(crate) fn after(self, time: Duration) -> Self {
        match self {
            Self::Answer(_, status, body) => Self::Answer(time, status, body),
            other @ (Self::Lost | Self::Silent | Self::Panics) => other,
        }
    }
}

/// The server's end. A clone is another handle of the same one.
#[derive(Debug, Clone)]
pub(crate) struct TokenEnd(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    script: Mutex<VecDeque<Step>>,
    queries: Mutex<Vec<Query>>,
    open: AtomicUsize,
    most_open: AtomicUsize,
}

impl TokenEnd {
    pub(crate) fn new(script: impl IntoIterator<Item = Step>) -> Self {
        Self(Arc::new(Inner {
            script: Mutex::new(script.into_iter().collect()),
            queries: Mutex::default(),
            open: AtomicUsize::new(0),
            most_open: AtomicUsize::new(0),
        }))
    }

    pub(crate) fn queries(&self) -> Vec<Query> {
        self.0.queries.lock().unwrap().clone()
    }

    /// The refresh tokens it was asked with.
    pub(crate) fn refreshed(&self) -> Vec<String> {
        self.queries().iter().map(|query| query.last().unwrap().1.clone()).collect()
    }

    pub(crate) fn most_open(&self) -> usize {
        self.0.most_open.load(Ordering::SeqCst)
    }

    async fn play(&self, query: Query) -> Result<(u16, Bytes), Box<str>> {
        let shown: Vec<_> = query.iter().map(|(_, value)| value.clone()).collect();
        self.0.queries.lock().unwrap().push(query);
        let step = self.0.script.lock().unwrap().pop_front().expect("no request beyond the script");
        match step {
            Step::Answer(after, status, body) => {
                tokio::time::sleep(after).await;
                Ok((status, body.into()))
            }
            Step::Lost => Err(format!("reset while asking for {}", shown.join("&")).into()),
            Step::Silent => std::future::pending().await,
            Step::Panics => panic!("the scripted server panics"),
        }
    }
}

/// A request that is being answered, until it is dropped.
struct Open<'a>(&'a Inner);

impl<'a> Open<'a> {
    fn new(inner: &'a Inner) -> Self {
        let open = inner.open.fetch_add(1, Ordering::SeqCst) + 1;
        inner.most_open.fetch_max(open, Ordering::SeqCst);
        Self(inner)
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::SeqCst);
    }
}

impl TokenServer for TokenEnd {
    fn ask<'a>(&'a self, _: &'a str, query: Query) -> BoxFuture<'a, Result<(u16, Bytes), Box<str>>> {
        Box::pin(async move {
            let _open = Open::new(&self.0);
            self.play(query).await
        })
    }
}

/// The wall time at which tests begin.
pub(crate) const START: SystemTime = SystemTime::UNIX_EPOCH;

pub(crate) fn clock() -> Arc<dyn Clock> {
    Arc::new(PausedClock::starting_at(START))
}

/// Tokens of the scripted portal that seem good for an hour more.
pub(crate) fn tokens(access: &str, refresh: &str) -> Tokens {
    Tokens::new(access, refresh, "https://acme.bitrix24.com/rest/")
        .unwrap()
        .with_expires(START + Duration::from_secs(3600))
}
