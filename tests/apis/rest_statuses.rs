//! The status of an answer decides nothing on the direct API either: REST 2 and REST 3.0, each code under every status, in both shapes.

use std::collections::BTreeSet;

use retry_portal::{Answer, Coded, Fault, Portal, Shape};
use retry_runtime::report::Ending;
use retry_runtime::{CallError, Client, Decision, Effect, Id, IdempotencyKey, Policy};

use crate::setting::{portal, scaled};
use crate::stubs::{NewTask, PlainDeal, add_plain_deal, add_task, get_deal, get_task};

use Decision::{Fix, ReadBack, Retry};

const STATUSES: [u16; 15] = [200, 201, 400, 401, 402, 403, 404, 409, 422, 429, 500, 502, 503, 504, 530];

/// How a single send ends, by its kind.
const GIVEN_UP: (Ending, Effect) = (Ending::Exhausted, Effect::Absent);
const REFUSED: (Ending, Effect) = (Ending::Refused, Effect::Absent);
const BUSINESS: (Ending, Effect) = (Ending::Refused, Effect::Unknown);
const DOUBT: (Ending, Effect) = (Ending::InDoubt, Effect::Unknown);

/// Both decisions, and how a write ends that nobody can look for.
type Row = (&'static str, Decision, Decision, (Ending, Effect));

const BOTH: [Row; 12] = [
    ("QUERY_LIMIT_EXCEEDED", Retry, Retry, GIVEN_UP),
    ("OPERATION_TIME_LIMIT", Retry, ReadBack, DOUBT),
    ("INTERNAL_SERVER_ERROR", Retry, ReadBack, DOUBT),
    ("ERROR_UNEXPECTED_ANSWER", Retry, ReadBack, DOUBT),
    ("NEVER_HEARD_OF", Retry, ReadBack, DOUBT),
    ("ACCESS_DENIED", Fix, Fix, REFUSED),
    ("OVERLOAD_LIMIT", Fix, Fix, REFUSED),
    ("expired_token", Fix, Fix, REFUSED),
    ("insufficient_scope", Fix, Fix, REFUSED),
    ("ERROR_CORE", Fix, Fix, BUSINESS),
    ("100", Fix, Fix, BUSINESS),
    ("", Fix, Fix, BUSINESS),
];

const REST_3: [Row; 8] = [
    ("BITRIX_REST_V3_EXCEPTION_ACCESSDENIEDEXCEPTION", Fix, Fix, REFUSED),
    ("BITRIX_REST_V3_EXCEPTION_ENTITYNOTFOUNDEXCEPTION", Fix, Fix, REFUSED),
    ("BITRIX_REST_V3_EXCEPTION_INVALIDIDEMPOTENCYKEYEXCEPTION", Fix, Fix, REFUSED),
    ("BITRIX_REST_V3_EXCEPTION_INVALIDJSONEXCEPTION", Fix, Fix, REFUSED),
    ("BITRIX_REST_V3_EXCEPTION_VALIDATION_REQUESTVALIDATIONEXCEPTION", Fix, Fix, REFUSED),
    ("BITRIX_REST_V3_REALISATION_EXCEPTION_FIELDNOTFOUNDEXCEPTION", Fix, Fix, REFUSED),
    ("BITRIX_REST_V3_EXCEPTION_IDEMPOTENCYKEYREUSEDEXCEPTION", Fix, Fix, BUSINESS),
    ("IDEMPOTENCYKEYREUSEDEXCEPTION", Fix, Fix, BUSINESS),
];

/// A call that met the code: what was decided, how it ended, and under which status.
fn told<T: std::fmt::Debug>(result: Result<T, CallError>) -> (Option<Decision>, (Ending, Effect), Option<u16>) {
    let error = result.unwrap_err();
    let attempt = &error.report().attempts()[0];
    (attempt.decision, (error.report().ending(), error.effect()), attempt.status)
}

/// Both kinds of call of one version, each of which meets the answer.
async fn calls(
    portal: &Portal,
    client: &Client,
    rest_3: bool,
    answer: &Answer,
) -> [(Option<Decision>, (Ending, Effect), Option<u16>); 2] {
    let methods = if rest_3 { ["tasks.task.get", "tasks.task.add"] } else { ["crm.deal.get", "crm.deal.add"] };
    for method in methods {
        portal.script(method, [Fault::never(answer.clone())]);
    }
    if rest_3 {
        let (task, key) = (NewTask::of("7"), IdempotencyKey::random());
        return [told(get_task(client, Id(1)).await), told(add_task(client, &task, &key).await)];
    }
    let deal = PlainDeal { title: "x".to_owned() };
    [told(get_deal(client, Id(1)).await), told(add_plain_deal(client, &deal).await)]
}

#[tokio::test]
async fn no_status_changes_a_decision_of_rest_2_or_rest_3() {
    let portal = portal().start().await.unwrap();
    let client =
        scaled(Client::builder().webhook(&portal.webhook_url())).policy(Policy::new().attempts(1)).build().unwrap();
    let rest_2 = BOTH.iter().map(|row| (row, false));
    let rest_3 = BOTH.iter().chain(&REST_3).map(|row| (row, true));
    for ((code, read, write, end), rest_3) in rest_2.chain(rest_3) {
        let mut ends = BTreeSet::new();
        for (status, shape) in
            STATUSES.into_iter().flat_map(|status| [Shape::Flat, Shape::Nested].map(|shape| (status, shape)))
        {
            let answer = Answer::Coded(Coded::new(status, *code).shape(shape));
            let [of_read, of_write] = calls(&portal, &client, rest_3, &answer).await;
            assert_eq!(
                (of_read.0, of_write.0),
                (Some(*read), Some(*write)),
                "{code} under {status}, {shape:?}, REST 3: {rest_3}"
            );
            assert_eq!(
                (of_write.1, of_write.2, of_read.2),
                (*end, Some(status), Some(status)),
                "{code} under {status}"
            );
            ends.insert(format!("{:?}", of_read.1));
        }
        assert_eq!(ends.len(), 1, "{code}: {ends:?}");
    }
    assert!(portal.records("deal").is_empty() && portal.records("task").is_empty());
}
