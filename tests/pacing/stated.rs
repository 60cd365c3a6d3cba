//! Two clients of one portal that state their rate limits.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use retry_runtime::{Client, RateLimit};

#[derive(Debug, Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What is warned of while clients of one portal are made that state these limits.
fn warnings(portal: &str, limits: &[RateLimit]) -> String {
    let log = Log::default();
    let writer = log.clone();
    let lines = tracing_subscriber::fmt().with_ansi(false).with_max_level(tracing::Level::WARN);
    // With one subscriber alone, an event that another thread meets first counts as unheard in all threads.
    let _another = tracing::Dispatch::new(tracing_subscriber::registry());
    let guard = tracing::subscriber::set_default(lines.with_writer(move || writer.clone()).finish());
    let url = format!("https://{portal}.bitrix24.com/rest/1/abcdefgh12345678/");
    let clients = limits.iter().map(|limit| Client::builder().webhook(&url).rate_limit(*limit).build().unwrap());
    let clients: Vec<_> = clients.collect();
    drop((guard, clients));
    String::from_utf8(log.0.lock().unwrap().clone()).unwrap()
}

#[test]
fn a_contradiction_is_warned_of_and_nothing_else_is() {
    let (cloud, slow) = (RateLimit::cloud(), RateLimit::new(1, std::time::Duration::from_secs(1)));
    assert_eq!(warnings("stated-once", &[slow]), "");
    assert_eq!(warnings("stated-alike", &[slow, slow]), "");
    let text = warnings("stated-otherwise", &[cloud, slow]);
    assert!(text.contains("two clients of one portal state different rate limits"), "{text}");
}
