//! One line for all clients of a portal in the process. Time is real here, and nothing is measured but that it ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use retry_runtime::clock::{Clock, SystemClock};
use retry_runtime::transport::{Answer, BoxFuture, Heard, Loss, Request, Success, Transport, Wire};
use retry_runtime::{CallError, Client, ClientBuilder, Effect, Policy, RateLimit, Settle};

use crate::support::{OriginKey, list_deals, millis, secs};

/// Answers at once.
#[derive(Debug, Clone, Default)]
struct Quick(Arc<AtomicUsize>);

impl Transport for Quick {
    fn send<'a>(&'a self, _: &'a Request, wire: &'a Arc<Wire>) -> BoxFuture<'a, Result<Answer, Loss>> {
        Box::pin(async move {
            let now = SystemClock.now();
            if !wire.claim(now) {
                return Err(Loss::NotSent { why: "withdrawn".into() });
            }
            self.0.fetch_add(1, Ordering::Relaxed);
            Ok(Answer::new(Heard::Success(Success::new("[]")), now))
        })
    }
}

impl Quick {
    fn builder(&self) -> ClientBuilder {
        Client::builder().transport(self.clone()).settle(Settle::cloud())
    }

    fn webhook(&self, url: &str, limit: RateLimit) -> Client {
        self.builder().webhook(url).rate_limit(limit).build().unwrap()
    }

    fn vibe(&self, key: &str, limit: RateLimit) -> Client {
        self.builder().vibe(key).rate_limit(limit).build().unwrap()
    }
}

/// Two at once, of which one is kept back, and then nothing for hours.
fn slow() -> RateLimit {
    RateLimit::new(2, secs(36_000))
}

/// Makes a call unless there is no turn for it in the five minutes of its deadline.
async fn list(client: &Client) -> Result<(), CallError> {
    list_deals(client, &OriginKey::of("none")).await.map(|_| ())
}

#[tokio::test]
async fn clients_of_one_portal_wait_in_one_line_whatever_their_webhooks() {
    let quick = Quick::default();
    let one = quick.webhook("https://one.bitrix24.com/rest/1/abcdefgh12345678/", slow());
    let same = quick.webhook("https://one.bitrix24.com/rest/7/zyxwvuts87654321/", slow());
    let other = quick.webhook("https://two.bitrix24.com/rest/1/abcdefgh12345678/", slow());
    let port = quick.webhook("https://one.bitrix24.com:8443/rest/1/abcdefgh12345678/", slow());
    list(&one).await.unwrap();
    list(&same).await.unwrap_err();
    list(&other).await.unwrap();
    list(&port).await.unwrap();
    assert_eq!(quick.0.load(Ordering::Relaxed), 3);
}

#[tokio::test]
async fn at_the_gateway_each_key_has_a_line_of_its_own_and_shows_itself_nowhere() {
    let quick = Quick::default();
    let one = quick.vibe("vibe_api_one", slow());
    list(&one).await.unwrap();
    list(&quick.vibe("vibe_api_one", slow())).await.unwrap_err();
    list(&quick.vibe("vibe_api_two", slow())).await.unwrap();
    let error = list(&one).await.unwrap_err();
    for text in [format!("{one:?}"), format!("{error:?}"), error.to_string()] {
        assert!(!text.contains("vibe_api_one"), "{text}");
    }
}

#[tokio::test]
async fn a_client_made_anew_for_each_call_is_paced_like_one_that_stays() {
    let quick = Quick::default();
    let client = || quick.webhook("https://anew.bitrix24.com/rest/1/abcdefgh12345678/", slow());
    list(&client()).await.unwrap();
    list(&client()).await.unwrap_err();
}

#[tokio::test]
async fn the_last_limit_that_was_stated_counts_and_what_was_sent_goes_on_counting() {
    let quick = Quick::default();
    let client = |limit| quick.webhook("https://stated.bitrix24.com/rest/1/abcdefgh12345678/", limit);
    let first = client(slow());
    list(&first).await.unwrap();
    list(&first).await.unwrap_err();
    let second = client(RateLimit::new(4, secs(36_000)));
    list(&first).await.unwrap();
    list(&second).await.unwrap();
    list(&first).await.unwrap_err();
    list(&second).await.unwrap_err();
}

#[tokio::test]
async fn clients_with_a_clock_of_their_own_share_nothing() {
    let quick = Quick::default();
    let client = || {
        let clocked = quick.builder().webhook("https://own.bitrix24.com/rest/1/abcdefgh12345678/").clock(SystemClock);
        clocked.rate_limit(slow()).build().unwrap()
    };
    list(&client()).await.unwrap();
    list(&client()).await.unwrap();
}

/// Makes so many calls at once through each of these clients; how many had a turn before their deadline.
async fn went_through(clients: [&Client; 2], each: usize) -> usize {
    let calls: Vec<_> = clients
        .into_iter()
        .flat_map(|client| std::iter::repeat_n(client.clone(), each))
        .map(|client| tokio::spawn(async move { list(&client).await }))
        .collect();
    let mut through = 0;
    for call in calls {
        match call.await.unwrap() {
            Ok(()) => through += 1,
            Err(error) => assert_eq!(error.effect(), Effect::Absent, "{error}"),
        }
    }
    through
}

#[tokio::test]
async fn case_b78_two_clients_of_one_portal_stay_within_its_bucket_together() {
    let quick = Quick::default();
    // The bucket of the cloud, of which nothing leaks away while the test runs.
    let client = |url| quick.webhook(url, RateLimit::new(50, secs(36_000)));
    let one = client("https://both.bitrix24.com/rest/1/abcdefgh12345678/");
    let same = client("https://both.bitrix24.com/rest/7/zyxwvuts87654321/");
    let through = went_through([&one, &same], 100).await;
    assert!((40..=50).contains(&through), "{through} of 200");
    assert_eq!(quick.0.load(Ordering::Relaxed), through, "what had no turn was not sent");

    // Two portals have a bucket each.
    let third = client("https://third.bitrix24.com/rest/1/abcdefgh12345678/");
    let fourth = client("https://fourth.bitrix24.com/rest/1/abcdefgh12345678/");
    assert_eq!(went_through([&third, &fourth], 100).await, 2 * through);
}

/// Makes calls until `count` have gone through, on a runtime and a thread of its own.
fn on_its_own_thread(client: Client, count: usize) -> std::thread::JoinHandle<()> {
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async move {
            let calls: Vec<_> = (0..count)
                .map(|_| {
                    let client = client.clone();
                    tokio::spawn(async move { list(&client).await })
                })
                .collect();
            for call in calls {
                call.await.unwrap().unwrap();
            }
        });
    })
}

#[test]
fn a_line_shared_by_two_runtimes_does_not_stall_when_one_is_not_driven() {
    let quick = Quick::default();
    let limit = RateLimit::new(5, millis(2));
    let client = || {
        let patient = Policy::new().deadline(secs(3_600));
        quick.builder().webhook("https://runtimes.bitrix24.com/rest/1/abcdefgh12345678/").policy(patient)
    };
    let stalled = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let waiting: Vec<_> = stalled.block_on(async {
        let client = client().rate_limit(limit).build().unwrap();
        let calls = (0..40).map(|_| {
            let client = client.clone();
            tokio::spawn(async move { list(&client).await })
        });
        let calls: Vec<_> = calls.collect();
        // All of them stand in the line, and then their runtime stands still.
        tokio::task::yield_now().await;
        calls
    });
    let threads = [200, 200].map(|count| on_its_own_thread(client().rate_limit(limit).build().unwrap(), count));
    for thread in threads {
        thread.join().unwrap();
    }
    assert!(quick.0.load(Ordering::Relaxed) >= 400);
    stalled.block_on(async {
        for call in waiting {
            call.await.unwrap().unwrap();
        }
    });
    assert_eq!(quick.0.load(Ordering::Relaxed), 440);
}
