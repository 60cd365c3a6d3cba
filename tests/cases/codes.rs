//! B: codes, statuses, bodies, as the loops see them.

use retry_runtime::report::Ending;
use retry_runtime::{CallError, Client, Code, Effect, ReadBack, Reader, bitrix_method};
use serde_json::{Value, json};

use crate::noted::Noted;
use crate::support::{Fake, NewDeal, OriginKey, Step, add_blind_deal, add_deal, ending, list_deals, millis, secs};

/// Pauses a task.
#[bitrix_method(name = "tasks.task.pause", kind = write, verify = is_paused)]
async fn pause_task(client: &Client, #[param(name = "taskId")] task: u64) -> Result<Value, CallError>;

/// Gets a task.
#[bitrix_method(name = "tasks.task.get", kind = read)]
async fn get_task(reader: &Reader, #[param(name = "taskId")] task: u64) -> Result<Value, CallError>;

async fn is_paused(reader: &Reader, task: u64) -> Result<ReadBack<Value>, CallError> {
    let task = get_task(reader, task).await?;
    Ok(if task["status"] == "paused" { ReadBack::Found(task) } else { ReadBack::Absent })
}

#[tokio::test(start_paused = true)]
async fn case_b19_a_refusal_that_a_method_documents_is_not_repeated() {
    let refusal = Step::code("1048582").status(400).says("Action not available");
    let running = Step::result(&json!({"status": "running"}));
    let portal = Fake::new().on("tasks.task.pause", [refusal.clone()]).on("tasks.task.get", [running.clone()]);
    let result = pause_task(&portal.client(), 5).await;
    assert_eq!((ending(&result), portal.sends("tasks.task.pause")), (Ending::Refused, 1));
    let error = result.unwrap_err();
    assert_eq!(error.code().map(Code::as_str), Some("1048582"));
    let text = error.to_string();
    assert!(text.contains("1048582: Action not available") && !text.contains("used up"), "{text}");

    // After a lost answer the task is paused: done, and the code of a later attempt would be no error of ours.
    let paused = Step::result(&json!({"status": "paused"}));
    let portal = Fake::new().on("tasks.task.pause", [Step::lost().applied()]).on("tasks.task.get", [paused.clone()]);
    pause_task(&portal.client(), 5).await.unwrap();
    assert_eq!(portal.sends("tasks.task.pause"), 1);
    let portal = Fake::new().on("tasks.task.pause", [refusal.clone()]).on("tasks.task.get", [paused.clone()]);
    pause_task(&portal.client(), 5).await.unwrap();

    // The same in one call: its first send has paused the task, which shows so late that it was sent again.
    let mut sends = [Step::lost().applied(), refusal].into_iter();
    let portal = Fake::new().choosing(move |method| match method {
        "tasks.task.pause" => sends.next(),
        _ => Some(if sends.len() == 0 { paused.clone() } else { running.clone() }),
    });
    pause_task(&portal.client(), 5).await.unwrap();
    assert_eq!(portal.sends("tasks.task.pause"), 2);
}

#[tokio::test(start_paused = true)]
async fn case_b21_the_queue_names_its_own_wait_and_the_same_status_may_mean_the_opposite() {
    let portal = Fake::new().on("crm.deal.add", [Step::code("QUEUE_TIMEOUT").status(504).asks_to_wait(secs(7))]);
    add_deal(&portal.client(), &NewDeal::of("k")).await.unwrap();
    assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (2, 1));
    assert!(portal.times("crm.deal.add")[1] >= secs(7));

    let portal = Fake::new().on("crm.deal.add", [Step::code("BITRIX_TIMEOUT").status(504).applied()]);
    add_deal(&portal.client(), &NewDeal::of("k")).await.unwrap();
    assert_eq!((portal.sends("crm.deal.add"), portal.sends("crm.deal.list")), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn case_b22_a_code_that_is_a_number_is_a_code_and_the_request_holds_what_was_given() {
    /// Lists types.
    #[bitrix_method(name = "crm.type.list", kind = read)]
    async fn list_types(reader: &Reader, filter: &Value, order: Option<&str>) -> Result<Value, CallError>;

    let portal = Fake::new().on("crm.type.list", [Step::code("100").status(400)]);
    let result = list_types(&portal.client(), &json!({"title": "x"}), None).await;
    assert_eq!((ending(&result), portal.received().len()), (Ending::Refused, 1));
    assert_eq!(result.unwrap_err().code().map(Code::as_str), Some("100"));
    assert_eq!(portal.received()[0].arguments, json!({"filter": {"title": "x"}}));
}

/// Deletes a deal; whether it was seen before is noted.
#[bitrix_method(name = "crm.deal.delete", kind = write, verify = is_gone)]
async fn delete_deal(client: &Client, id: u64, seen: Noted<bool>) -> Result<Value, CallError>;

/// Gets a deal.
#[bitrix_method(name = "crm.deal.get", kind = read)]
async fn get_deal(reader: &Reader, id: u64) -> Result<Value, CallError>;

async fn is_gone(reader: &Reader, id: u64, seen: Noted<bool>) -> Result<ReadBack<Value>, CallError> {
    match get_deal(reader, id).await {
        Ok(_) => Ok(ReadBack::Absent),
        Err(error) if error.code().is_some_and(|code| code.as_str().is_empty()) => Ok(if seen.0 {
            ReadBack::Found(json!(true))
        } else {
            ReadBack::Unreliable("nobody saw it before: it may never have been there".into())
        }),
        Err(error) => Err(error),
    }
}

#[tokio::test(start_paused = true)]
async fn case_b23_an_empty_code_is_an_error_and_no_success() {
    let gone = || Step::code("").status(400).says("Not found");
    let portal = Fake::new().on("crm.deal.get", [gone()]);
    let result = get_deal(&portal.client(), 404).await;
    assert_eq!((ending(&result), portal.received().len()), (Ending::Refused, 1));
    let error = result.unwrap_err();
    assert_eq!(error.code().map(Code::as_str), Some(""));
    assert!(error.to_string().contains("code \"\": Not found"), "{error}");

    for (seen, ends) in [(true, Ending::Done), (false, Ending::InDoubt)] {
        let portal = Fake::new().on("crm.deal.delete", [Step::lost().applied()]).on("crm.deal.get", [gone()]);
        let result = delete_deal(&portal.client(), 404, Noted(seen)).await;
        assert_eq!((ending(&result), portal.sends("crm.deal.delete")), (ends, 1));
    }
    // An empty code on the write itself proves nothing.
    let portal = Fake::new().on("crm.deal.delete", [gone()]).on("crm.deal.get", [gone()]);
    let result = delete_deal(&portal.client(), 404, Noted(false)).await;
    assert_eq!((ending(&result), result.unwrap_err().effect()), (Ending::Refused, Effect::Unknown));
}

#[tokio::test(start_paused = true)]
async fn case_b24_the_caller_has_code_text_status_method_and_id() {
    let step = Step::code("ERROR_CORE").status(400).says("Field TITLE is required");
    let portal = Fake::new().on("crm.deal.add", [step]);
    let error = add_blind_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap_err();
    let attempt = &error.report().attempts()[0];
    assert_eq!((attempt.status, attempt.request_id.as_deref()), (Some(400), Some("req-1")));
    let text = error.to_string();
    for part in ["crm.deal.add", "ERROR_CORE", "Field TITLE is required", "HTTP 400", "X-Request-Id req-1"] {
        assert!(text.contains(part), "`{part}` is not in:\n{text}");
    }
}

#[tokio::test(start_paused = true)]
async fn case_b25_a_page_of_html_is_no_answer_whatever_its_status() {
    let portal = Fake::new().on("crm.deal.list", [Step::html().status(200)]);
    list_deals(&portal.client(), &OriginKey::of("A-1")).await.unwrap();
    assert_eq!(portal.sends("crm.deal.list"), 2);

    let portal = Fake::new().on("crm.deal.add", [Step::html().status(200).applied()]);
    add_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap();
    assert_eq!((portal.sends("crm.deal.add"), portal.sends("crm.deal.list")), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn case_b27_reads_wait_a_limit_out_within_bounds_and_a_bare_429_proves_nothing() {
    let limit = || Step::code("OPERATION_TIME_LIMIT").status(429);
    let portal = Fake::new().on("crm.deal.list", [limit().asks_to_wait(secs(3))]);
    list_deals(&portal.client(), &OriginKey::of("A-1")).await.unwrap();
    assert!(portal.elapsed() >= secs(3));

    let portal = Fake::new().on("crm.deal.list", vec![limit(); 100]);
    let result = list_deals(&portal.client(), &OriginKey::of("A-1")).await;
    assert_eq!((ending(&result), portal.sends("crm.deal.list")), (Ending::Exhausted, 4));
    let error = result.unwrap_err();
    assert!(error.report().attempts().iter().all(|attempt| attempt.sent_at.is_some() && attempt.request_id.is_some()));

    let portal = Fake::new().on("crm.deal.add", [Step::html().status(429).applied()]);
    add_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap();
    assert_eq!((portal.sends("crm.deal.add"), portal.sends("crm.deal.list")), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn case_b33_an_error_without_a_text_is_decided_by_its_code() {
    let portal = Fake::new().on("crm.deal.add", [Step::code("NOT_FOUND").says("")]);
    let result = add_blind_deal(&portal.client(), &NewDeal::of("A-1")).await;
    assert_eq!((ending(&result), portal.sends("crm.deal.add")), (Ending::Refused, 1));
    assert!(result.unwrap_err().to_string().contains("code NOT_FOUND\n"));

    // An unknown code with a hint: the hint permits nothing.
    let portal = Fake::new().on("crm.deal.add", [Step::code("X").says("").asks_to_wait(secs(3)).applied()]);
    add_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap();
    assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn case_b42_nothing_beside_the_result_is_needed() {
    let portal = Fake::new().on("crm.deal.add", [Step::result(&json!(5)).takes(millis(1))]);
    assert_eq!(add_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap().0, 5);
    assert_eq!((portal.sends("crm.deal.add"), portal.received().len()), (1, 1));
}
