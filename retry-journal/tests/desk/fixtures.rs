//! The intents that the tests look at.

use bytes::Bytes;
use retry_journal::Shown;
use retry_runtime::journal::{Digest, Epoch, Event, EventKind, How, Intent, IntentId, State};
use retry_runtime::transport::Version;

use crate::memory::{MemoryDesk, at};

/// What nobody may get to see as it is: it would steer a terminal, and run in a browser.
pub(crate) const EVIL: &str = "\u{1b}[2J\u{9b}31m<script>alert(1)</script>\"'&\u{202e}\ttab\nline";

fn intent(number: u64, method: &str, key: &str, state: State, began: u64) -> Intent {
    let is_open = state.is_open();
    Intent {
        number,
        id: IntentId { portal: "acme.bitrix24.com:443".into(), method: method.into(), key: key.into() },
        stub: "shop::add_deal".into(),
        version: Version::Two,
        arguments: Some(Bytes::from_static(br#"{"fields":{"TITLE":"Private title","PHONE":"+100"}}"#)),
        digest: Digest::of(b"{}"),
        idempotency_key: None,
        state,
        attempt: 1,
        epoch: Epoch(number + 100),
        owner: is_open.then(|| "import 4242 on till-2".into()),
        began: at(began),
        sent: at(began),
        closed: (!is_open).then(|| at(began - 60)),
    }
}

fn event(ago: u64, kind: EventKind, text: &str, detail: &str) -> Event {
    Event { at: at(ago), kind, text: text.into(), detail: detail.into() }
}

/// Two that wait for a person, two open ones, and three closed ones: 1 to 7.
pub(crate) fn journal() -> MemoryDesk {
    let deal = "crm.deal.add";
    let applied = State::Applied { how: How::Answer, result: Bytes::from_static(b"4690") };
    let unknown = State::Unknown { why: "the answer was lost: the connection was reset after the request".into() };
    let ready = State::Ready { why: "not there by two read-backs after the settle time".into() };
    let rejected = State::Rejected { why: "ACCESS_DENIED: Access denied.".into() };
    let manual = State::Manual { why: "two deals carry this key: 4711, 4712".into() };
    let evil = State::Manual { why: EVIL.into() };
    let mut rows = vec![
        (
            intent(1, deal, "ORDER-1001", applied, 90_000),
            vec![event(90_000, EventKind::Attempt, "sent and answered", r#"{"status":200,"milliseconds":140}"#)],
        ),
        (intent(2, deal, "ORDER-1002", manual, 14_400), doubtful_story()),
        (intent(3, "crm.contact.add", "c-77", rejected, 9_000), Vec::new()),
        (intent(4, deal, "ORDER-1003", ready, 7_200), Vec::new()),
        (
            intent(5, EVIL, EVIL, evil, 3_600),
            vec![event(
                3_600,
                EventKind::Person,
                EVIL,
                &format!("{{{}: {}, \"candidates\": [{}]}}", json(EVIL), json(EVIL), json(EVIL)),
            )],
        ),
        (
            intent(6, "tasks.task.add", "task-9", unknown, 240),
            vec![event(240, EventKind::Attempt, "sent; the connection was reset", "{}")],
        ),
        (intent(7, deal, "ORDER-1004", State::Sending, 5), Vec::new()),
    ];
    rows[4].0.id.portal = EVIL.into();
    rows[4].0.stub = EVIL.into();
    rows[4].0.idempotency_key = Some(EVIL.into());
    MemoryDesk::new(rows.into_iter().map(|(intent, story)| Shown { intent, story }).collect())
}

fn doubtful_story() -> Vec<Event> {
    vec![
        event(
            14_400,
            EventKind::Attempt,
            "attempt 1 was sent; no answer came within 30 s",
            r#"{"attempt":1,"milliseconds":30000,"outcome":"timeout"}"#,
        ),
        event(14_310, EventKind::Change, "the settle time of 90 s is over: read back next", "{}"),
        event(
            14_309,
            EventKind::Check,
            "read back by ORIGIN_ID: two deals are there",
            r#"{"request_id":"5f1c2a90-11ee","candidates":[4711,4712],"status":200}"#,
        ),
        event(14_309, EventKind::Change, "two deals carry this key: a person has to look", "{}"),
    ]
}

/// A text as JSON writes it.
pub(crate) fn json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
