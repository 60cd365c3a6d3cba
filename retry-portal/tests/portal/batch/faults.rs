//! Faults inside a batch and around it.

use std::time::Duration;

use retry_portal::{Answer, Coded, Fault, Outcome, Portal};
use serde_json::json;

use super::{batch, creates, effects, lost, made, start};
use crate::client::Ended;

#[tokio::test]
async fn each_command_meets_the_script_of_its_method() {
    let script = [
        Fault::none(),
        Fault::before(Answer::Coded(Coded::new(500, "INTERNAL_SERVER_ERROR").description("oh"))),
        Fault::never(Answer::Coded(Coded::of("QUERY_LIMIT_EXCEEDED").retry_after_in_body(2))),
        Fault::before(Answer::Reset),
        Fault::never(Answer::Html(502)),
    ];
    let portal = start(Portal::builder().script("crm.deal.add", script)).await;
    let seen = batch(&portal, creates(6)).await;
    assert_eq!(made(&portal), ["0", "1", "3", "5"]);
    assert_eq!(
        seen["result"].as_object().map(|map| map.keys().cloned().collect()),
        Some(vec!["0".to_owned(), "5".to_owned()])
    );
    assert_eq!(
        seen["result_error"],
        json!({
            "1": {"error": "INTERNAL_SERVER_ERROR", "error_description": "oh"},
            "2": {"error": "QUERY_LIMIT_EXCEEDED", "error_description": "", "retryAfter": 2},
        })
    );
    let (done, never) = (Outcome::Before, Outcome::Never);
    assert_eq!(effects(&portal), [done, done, never, done, never, done]);
    let commands = &portal.requests()[0].commands;
    let answered: Vec<bool> = commands.iter().map(|command| command.answered).collect();
    assert_eq!(answered, [true, true, true, false, false, true]);
    assert_eq!(commands[3].fault, Some(Fault::before(Answer::Reset)));
    assert!(portal.refused().is_empty(), "a fault is no refusal of the portal");
}

#[tokio::test]
async fn a_batch_is_cut_after_the_kth_command() {
    let cuts = [
        Fault::after_commands(3, Answer::Reset),
        Fault::after_commands(0, Answer::Close),
        Fault::after_commands(1, Answer::Html(504)),
        Fault::after_commands(2, Answer::Coded(Coded::new(500, "INTERNAL_SERVER_ERROR"))),
        Fault::after_commands(1, Answer::Normal),
    ];
    let portal = start(Portal::builder().script("batch", cuts)).await;
    let reset = lost(&portal, creates(5)).await;
    assert_eq!((reset.ended, reset.bytes.len()), (Ended::Reset, 0));
    assert_eq!(made(&portal), ["0", "1", "2"]);
    let (done, not) = (Outcome::Before, Outcome::NotRun);
    assert_eq!(effects(&portal), [done, done, done, not, not]);
    assert_eq!(lost(&portal, creates(2)).await.bytes.len(), 0);
    assert_eq!((made(&portal).len(), effects(&portal)), (3, vec![not, not]));
    assert_eq!(lost(&portal, creates(2)).await.status(), 504);
    assert_eq!((made(&portal).len(), effects(&portal)), (4, vec![done, not]));
    let coded = lost(&portal, creates(3)).await;
    assert_eq!((coded.status(), &coded.json()["error"]), (500, &json!("INTERNAL_SERVER_ERROR")));
    assert_eq!((made(&portal).len(), effects(&portal)), (6, vec![done, done, not]));
    assert_eq!(batch(&portal, creates(3)).await["result"], json!([7]));
    assert_eq!(batch(&portal, creates(3)).await["result"], json!([8, 9, 10]), "the script is over");
    assert_eq!(portal.requests()[0].fault, Some(Fault::after_commands(3, Answer::Reset)));
}

#[tokio::test]
async fn the_effect_of_an_envelope_is_that_of_all_its_commands() {
    let script = [
        Fault::before(Answer::Close),
        Fault::never(Answer::Close),
        Fault::never(Answer::Normal),
        Fault::late(Duration::from_secs(20), Answer::Reset),
    ];
    let portal = start(Portal::builder().time_scale(0.01).script("batch", script)).await;
    assert_eq!(lost(&portal, creates(2)).await.bytes.len(), 0);
    assert_eq!((made(&portal).len(), effects(&portal)), (2, vec![Outcome::Before; 2]));
    lost(&portal, creates(2)).await;
    assert_eq!((made(&portal).len(), effects(&portal)), (2, vec![Outcome::NotRun; 2]));
    assert_eq!(batch(&portal, creates(2)).await["result"], json!([3, 4]), "what it would have been");
    assert_eq!((made(&portal).len(), effects(&portal)), (2, vec![Outcome::Never; 2]));
    lost(&portal, creates(2)).await;
    assert_eq!(effects(&portal), [Outcome::Pending; 2]);
    portal.settled().await;
    assert_eq!(made(&portal).len(), 4);
    assert!(effects(&portal).iter().all(|effect| matches!(effect, Outcome::Late(_))));
}

#[tokio::test]
async fn a_late_command_leaves_the_others_alone() {
    let late = [Fault::none(), Fault::late(Duration::from_secs(20), Answer::Close)];
    let portal = start(Portal::builder().time_scale(0.01).script("crm.deal.add", late)).await;
    assert_eq!(batch(&portal, creates(3)).await["result"], json!({"0": 1, "2": 3}));
    assert_eq!((made(&portal), effects(&portal)[1]), (vec!["0".to_owned(), "2".to_owned()], Outcome::Pending));
    portal.settled().await;
    assert_eq!(made(&portal), ["0", "1", "2"]);
}

#[tokio::test]
async fn slow_commands_add_up_to_the_execution_limit() {
    let slow = Fault::before(Answer::Slow(Duration::from_secs(25)));
    let portal = start(Portal::builder().time_scale(0.01).script("crm.deal.add", vec![slow; 5])).await;
    let cut = lost(&portal, creates(5)).await;
    assert_eq!((cut.ended, cut.bytes.len()), (Ended::Closed, 0));
    // The third one is interrupted at 60 s, after its effect.
    assert_eq!(made(&portal), ["0", "1", "2"]);
    assert_eq!(effects(&portal)[2..], [Outcome::Before, Outcome::NotRun, Outcome::NotRun]);
    assert_eq!(portal.max_lateness(), Duration::from_millis(900), "60 s of work, and 30 s in the gateway's queue");
}

#[tokio::test]
async fn a_slow_envelope_works_at_its_end() {
    let slow =
        [Fault::before(Answer::Slow(Duration::from_secs(10))), Fault::before(Answer::Slow(Duration::from_secs(90)))];
    let portal = start(Portal::builder().time_scale(0.01).script("batch", slow)).await;
    assert_eq!(batch(&portal, creates(2)).await["result"], json!([1, 2]));
    assert_eq!(lost(&portal, creates(2)).await.bytes.len(), 0);
    assert_eq!(made(&portal).len(), 4);
}
