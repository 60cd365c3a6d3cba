//! P2 in the log: what a person has to look at is a warning, and nothing else is.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use retry_runtime::report::Ending;
use retry_runtime::{CallError, Client, Id};

use crate::support::{Fake, Judged, NewDeal, Says, Step, add_blind_deal, add_judged, ending};

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

/// The warnings of a call.
async fn warnings(step: Step, call: impl AsyncFnOnce(Client) -> Result<Id, CallError>) -> (Ending, String) {
    let log = Log::default();
    let writer = log.clone();
    let lines = tracing_subscriber::fmt().with_ansi(false).with_max_level(tracing::Level::WARN);
    // With one subscriber alone, an event that another thread meets first counts as unheard in all threads.
    let _another = tracing::Dispatch::new(tracing_subscriber::registry());
    let guard = tracing::subscriber::set_default(lines.with_writer(move || writer.clone()).finish());
    let result = call(Fake::new().on("crm.deal.add", [step]).client()).await;
    drop(guard);
    let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    (ending(&result), text)
}

async fn blind(client: Client) -> Result<Id, CallError> {
    add_blind_deal(&client, &NewDeal::of("A-1")).await
}

#[tokio::test(start_paused = true)]
async fn p2_what_a_person_has_to_look_at_is_a_warning() {
    let twice = async |client| add_judged(&client, &Judged::new("A-1", [Says::Multiple(vec![1, 2])])).await;
    let doubt = warnings(Step::lost(), blind).await;
    let business = warnings(Step::code("BITRIX_ERROR"), blind).await;
    let duplicated = warnings(Step::lost(), twice).await;
    for ((ended, text), expected) in
        [(doubt, Ending::InDoubt), (business, Ending::Refused), (duplicated, Ending::Duplicated)]
    {
        assert_eq!(ended, expected);
        assert!(text.contains("WARN") && text.contains("a person has to look"), "{ended:?}: {text}");
    }
}

#[tokio::test(start_paused = true)]
async fn p2_what_certainly_did_not_happen_is_no_warning() {
    let (ended, text) = warnings(Step::code("insufficient_scope"), blind).await;
    assert_eq!((ended, text.as_str()), (Ending::Refused, ""));
}
