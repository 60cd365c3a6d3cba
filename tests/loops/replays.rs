//! Idempotency keys: when a lost write is sent again under its key, and when it is not.

use retry_runtime::report::{Ending, MayBeApplied, Outcome};
use retry_runtime::{CallError, Effect, Id};

use crate::support::{Fake, NewTask, Received, Seen, Step, Told, about, add_sought_task, add_task, ending, once, secs};

const ADD: &str = "tasks.task.add";

fn sends(portal: &Fake) -> Vec<Received> {
    portal.received().into_iter().filter(|received| received.method == ADD).collect()
}

async fn add(portal: &Fake) -> Result<Id, CallError> {
    add_task(&portal.client(), &NewTask::of("A-1"), &once("A-1")).await
}

#[tokio::test(start_paused = true)]
async fn a_lost_answer_is_asked_for_again_with_the_same_key_and_bytes_after_the_settle_time() {
    for lost in [Step::lost(), Step::html(), Step::silence(), Step::html().status(504)] {
        for lost in [lost.clone(), lost.clone().applied(), lost.applied_late(secs(20))] {
            let portal = Fake::new().on(ADD, [lost.clone()]);
            assert_eq!(add(&portal).await.unwrap(), Id(1), "{lost:?}");
            let sent = sends(&portal);
            assert_eq!((sent.len(), portal.effects(ADD)), (2, 1), "{lost:?}");
            assert!(about(sent[1].at, 90), "{lost:?}: {:?}", sent[1].at);
            assert_eq!(sent[0].bytes, sent[1].bytes);
            let key = Some(once("A-1").to_string());
            assert_eq!((&sent[0].idempotency_key, &sent[1].idempotency_key), (&key, &key));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn the_report_shows_which_answer_is_a_stored_one() {
    for (lost, replayed) in [(Step::lost().applied(), true), (Step::lost(), false)] {
        let portal = Fake::new().on(ADD, [lost]);
        let seen = Seen::default();
        let client = portal.builder().observer(seen.clone()).build().unwrap();
        add_task(&client, &NewTask::of("A-1"), &once("A-1")).await.unwrap();
        let report = seen.only(Told::Finished);
        assert_eq!((report.ending(), report.may_be_applied()), (Ending::Done, MayBeApplied::No));
        assert_eq!(report.idempotency_key(), Some(&once("A-1")));
        let shown: Vec<bool> = report.attempts().iter().map(|attempt| attempt.replayed).collect();
        assert_eq!(shown, [false, replayed]);
        assert!(report.attempts()[1].pause.is_none() && report.attempts()[0].pause.is_some());
    }
}

#[tokio::test(start_paused = true)]
async fn never_two_sends_with_one_key_are_on_their_way() {
    let portal = Fake::new().on(ADD, vec![Step::silence().applied_late(secs(20)); 3]);
    add(&portal).await.unwrap();
    for pair in sends(&portal).windows(2) {
        assert!(pair[1].at >= pair[0].settled.unwrap(), "{pair:?}");
    }
    assert_eq!(portal.effects(ADD), 1);
}

#[tokio::test(start_paused = true)]
async fn an_answer_with_an_unclear_code_is_never_asked_for_again() {
    let codes = ["BITRIX_TIMEOUT", "INTERNAL_SERVER_ERROR", "OPERATION_TIME_LIMIT", "NEVER_HEARD_OF", "BH_APP_TIMEOUT"];
    for code in codes {
        for step in [Step::code(code), Step::code(code).applied()] {
            let portal = Fake::new().on(ADD, [step.clone()]);
            let result = add(&portal).await;
            assert_eq!(ending(&result), Ending::InDoubt, "{step:?}");
            assert_eq!((result.unwrap_err().effect(), portal.sends(ADD)), (Effect::Unknown, 1), "{step:?}");
            assert!(portal.elapsed() < secs(1));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_first_send_that_was_not_applied_is_no_replay() {
    for step in [Step::code("QUERY_LIMIT_EXCEEDED"), Step::not_sent()] {
        let portal = Fake::new().on(ADD, [step.clone()]);
        add(&portal).await.unwrap();
        assert!(portal.elapsed() < secs(2), "{step:?}: nothing to wait for");
        assert_eq!(portal.effects(ADD), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn a_refusal_of_the_first_send_is_a_refusal() {
    let portal = Fake::new().on(ADD, [Step::code("ACCESS_DENIED")]);
    let result = add(&portal).await;
    assert_eq!(ending(&result), Ending::Refused);
    assert_eq!((result.unwrap_err().effect(), portal.sends(ADD)), (Effect::Absent, 1));
}

#[tokio::test(start_paused = true)]
async fn a_replay_that_is_answered_with_an_error_ends_in_doubt() {
    for code in ["ACCESS_DENIED", "ERROR_CORE", "BITRIX_TIMEOUT", "NEVER_HEARD_OF", "expired_token"] {
        for lost in [Step::lost(), Step::lost().applied()] {
            let portal = Fake::new().on(ADD, [lost, Step::code(code)]);
            let result = add(&portal).await;
            assert_eq!(ending(&result), Ending::InDoubt, "{code}");
            let error = result.unwrap_err();
            assert_eq!((error.effect(), portal.sends(ADD)), (Effect::Unknown, 2), "{code}");
            assert_eq!(error.code().map(retry_runtime::Code::as_str), Some(code));
            assert!(error.to_string().contains("does not store under a key"), "{error}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_replay_that_was_not_applied_is_made_again() {
    for step in [Step::code("QUERY_LIMIT_EXCEEDED"), Step::not_sent(), Step::lost(), Step::html()] {
        let portal = Fake::new().on(ADD, [Step::lost().applied(), step.clone()]);
        assert_eq!(add(&portal).await.unwrap(), Id(1), "{step:?}");
        assert_eq!(portal.effects(ADD), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn case_b81_a_key_that_another_body_has_used_is_refused_and_proves_nothing() {
    let portal = Fake::new();
    let client = portal.client();
    add_task(&client, &NewTask::of("A-1"), &once("A-1")).await.unwrap();
    let result = add_task(&client, &NewTask::of("B-1"), &once("A-1")).await;
    assert_eq!(ending(&result), Ending::Refused);
    assert_eq!((result.unwrap_err().effect(), portal.sends(ADD), portal.effects(ADD)), (Effect::Unknown, 2, 1));
}

#[tokio::test(start_paused = true)]
async fn a_reused_key_on_a_replay_leaves_the_call_in_doubt() {
    let portal = Fake::new().on(ADD, [Step::lost(), Step::code("IDEMPOTENCYKEYREUSEDEXCEPTION")]);
    let result = add(&portal).await;
    assert_eq!(ending(&result), Ending::InDoubt);
    assert_eq!((result.unwrap_err().effect(), portal.sends(ADD)), (Effect::Unknown, 2));
}

#[tokio::test(start_paused = true)]
async fn a_stored_answer_that_does_not_fit_is_undecodable_and_not_sent_again() {
    let strange = serde_json::json!({"strange": true});
    let portal = Fake::new().on(ADD, [Step::lost().applied(), Step::result(&strange)]);
    let result = add(&portal).await;
    assert_eq!(ending(&result), Ending::Undecodable);
    assert_eq!((result.unwrap_err().effect(), portal.sends(ADD)), (Effect::Present, 2));
}

#[tokio::test(start_paused = true)]
async fn changed_credentials_are_not_sent() {
    let portal = Fake::new().on(ADD, [Step::lost().applied()]);
    portal.use_credentials(7);
    let client = portal.client();
    let call = tokio::spawn(async move { add_task(&client, &NewTask::of("A-1"), &once("A-1")).await });
    tokio::time::sleep(secs(30)).await;
    portal.use_credentials(8);
    let result = call.await.unwrap();
    assert_eq!(ending(&result), Ending::InDoubt);
    let error = result.unwrap_err();
    assert_eq!((error.effect(), portal.sends(ADD)), (Effect::Unknown, 1), "{error}");
    let last = error.report().attempts().last().unwrap();
    assert!(matches!(last.outcome, Outcome::Unsendable { .. }) && last.sent_at.is_none(), "{error}");
    assert!(error.to_string().contains("same bytes"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn the_same_credentials_are_sent_again() {
    let portal = Fake::new().on(ADD, [Step::lost().applied()]);
    portal.use_credentials(7);
    assert_eq!(add(&portal).await.unwrap(), Id(1));
    assert_eq!((portal.sends(ADD), portal.effects(ADD)), (2, 1));
}

#[tokio::test(start_paused = true)]
async fn a_token_that_is_renewed_during_a_replay_leaves_the_call_in_doubt() {
    let portal = Fake::new().on(ADD, [Step::lost(), Step::token_renewed()]);
    portal.use_credentials(7);
    let result = add(&portal).await;
    assert_eq!(ending(&result), Ending::InDoubt);
    assert_eq!((result.unwrap_err().effect(), portal.sends(ADD)), (Effect::Unknown, 2));
}

#[tokio::test(start_paused = true)]
async fn credentials_may_change_where_nothing_was_applied() {
    // The absence is proved first, so that the second send need not have the bytes of the first.
    let portal = Fake::new().on(ADD, [Step::lost()]);
    portal.use_credentials(7);
    let client = portal.client();
    let call = tokio::spawn(async move { add_sought_task(&client, &NewTask::of("A-1"), &once("A-1")).await });
    tokio::time::sleep(secs(30)).await;
    portal.use_credentials(8);
    call.await.unwrap().unwrap();
    assert_eq!((portal.sends(ADD), portal.effects(ADD)), (2, 1));
}

#[tokio::test(start_paused = true)]
async fn a_verifier_is_asked_first_and_what_it_finds_is_the_result() {
    let portal = Fake::new().on(ADD, [Step::lost().applied_late(secs(10))]);
    add_sought_task(&portal.client(), &NewTask::of("A-1"), &once("A-1")).await.unwrap();
    assert_eq!((portal.sends(ADD), portal.effects(ADD)), (1, 1));
    assert!(portal.elapsed() < secs(60));
}

#[tokio::test(start_paused = true)]
async fn a_verifier_that_proves_absence_makes_a_replay_needless() {
    let portal = Fake::new().on(ADD, [Step::lost()]);
    add_sought_task(&portal.client(), &NewTask::of("A-1"), &once("A-1")).await.unwrap();
    assert!(about(portal.times(ADD)[1], 90));
    assert!(portal.sends("tasks.task.list") > 2);
}

#[tokio::test(start_paused = true)]
async fn where_a_verifier_proves_nothing_the_key_settles_it() {
    let others = serde_json::json!([{"ID": "5", "title": "of another"}]);
    let unreliable = vec![Step::page(&others, None, None)];
    let failing = vec![Step::code("ACCESS_DENIED"); 50];
    for (why, looks) in [("unreliable", unreliable), ("failed late", failing)] {
        for lost in [Step::lost(), Step::lost().applied(), Step::lost().applied_late(secs(80))] {
            let portal = Fake::new().on(ADD, [lost.clone()]).on("tasks.task.list", looks.clone());
            let id = add_sought_task(&portal.client(), &NewTask::of("A-1"), &once("A-1")).await;
            assert_eq!(id.unwrap(), Id(1), "{why}: {lost:?}");
            assert_eq!((portal.sends(ADD), portal.effects(ADD)), (2, 1), "{why}: {lost:?}");
            assert!(portal.times(ADD)[1] >= secs(90), "{why}: {lost:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn where_a_verifier_proves_nothing_a_code_still_is_no_reason_for_a_replay() {
    let others = serde_json::json!([{"ID": "5", "title": "of another"}]);
    let portal = Fake::new()
        .on(ADD, [Step::code("BITRIX_TIMEOUT").applied()])
        .on("tasks.task.list", [Step::page(&others, None, None)]);
    let result = add_sought_task(&portal.client(), &NewTask::of("A-1"), &once("A-1")).await;
    assert_eq!(ending(&result), Ending::InDoubt);
    assert_eq!((result.unwrap_err().effect(), portal.sends(ADD)), (Effect::Unknown, 1));
}
