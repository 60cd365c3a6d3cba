//! Calls with idempotency keys on thousands of random schedules, judged by the truth of a portal that stores each success in one step
//! with its effect.
//!
//! A failure names its seed; `SCHEDULE=seed cargo test --test loops replay_schedules` runs that one alone.

use std::time::Duration;

use fastrand::Rng;
use retry_runtime::{CallError, Client, Effect, Id, Policy};
use tokio::runtime::Builder;
use tokio::time::{sleep, timeout};

use crate::support::{Fake, NewTask, Received, Step, add_sought_task, add_task, millis, once, secs};

const ADD: &str = "tasks.task.add";
const LIST: &str = "tasks.task.list";
const SCHEDULES: u64 = 3_000;

fn up_to(rng: &mut Rng, seconds: u64) -> Duration {
    millis(if rng.bool() { rng.u64(..=seconds * 1_000) } else { rng.u64(..=seconds * 50) })
}

/// The effect comes before the answer, never, or as late as the page of the answer lets one fear.
fn with_effect(rng: &mut Rng, step: Step, at_most: Duration) -> Step {
    match rng.u8(..4) {
        0 => step,
        1 => step.applied(),
        2 => step.applied_late(at_most),
        _ => step.applied_late(at_most.mul_f64(rng.f64())),
    }
}

/// What a write meets. With `errors_do_nothing` an error never had an effect: calls that share a key rely on it, as an error is not
/// stored and the next call runs.
fn write_step(rng: &mut Rng, errors_do_nothing: bool) -> Step {
    let takes = up_to(rng, 60);
    let lost_at_most = secs(90).saturating_sub(takes);
    let code = |rng: &mut Rng, codes: &[&str], at_most| {
        let step = Step::code(codes[rng.usize(..codes.len())]);
        if errors_do_nothing { step } else { with_effect(rng, step, at_most) }
    };
    let step = match rng.u8(..20) {
        0..=3 => Step::honest(),
        4 => Step::code(["QUERY_LIMIT_EXCEEDED", "RATE_LIMITED"][rng.usize(..2)]),
        5 => Step::not_sent(),
        6 => Step::code("ACCESS_DENIED"),
        7 => code(rng, &["ERROR_CORE", "BITRIX_ERROR"], secs(0)),
        8 => code(rng, &["BITRIX_TIMEOUT", "NEVER_HEARD_OF"], lost_at_most),
        9 => code(rng, &["INTERNAL_SERVER_ERROR", "OPERATION_TIME_LIMIT"], secs(15)),
        10 => Step::token_renewed(),
        11 => Step::no_token(rng.bool()),
        12 => with_effect(rng, Step::html(), lost_at_most),
        13 => with_effect(rng, Step::silence(), secs(20).min(lost_at_most)),
        _ => with_effect(rng, Step::lost(), lost_at_most),
    };
    if rng.u8(..8) == 0 { step.takes(takes).waits(up_to(rng, 20)) } else { step.takes(takes) }
}

fn read_step(rng: &mut Rng) -> Step {
    match rng.u8(..6) {
        0 => Step::lost(),
        1 => Step::code("ACCESS_DENIED"),
        2 => Step::page(&serde_json::json!([{"ID": "9999", "title": "of another"}]), None, None),
        3 => Step::page(&serde_json::json!([]), Some(50), None),
        _ => Step::honest(),
    }
}

struct Call {
    order: String,
    result: Option<Result<Id, CallError>>,
}

/// Makes a call of this order, which its caller may abandon.
async fn call(client: Client, order: String, sought: bool, wait: Duration, patience: Option<Duration>) -> Call {
    sleep(wait).await;
    let (task, key) = (NewTask::of(&order), once(&order));
    let adding = async {
        if sought { add_sought_task(&client, &task, &key).await } else { add_task(&client, &task, &key).await }
    };
    let result = match patience {
        Some(patience) => timeout(patience, adding).await.ok(),
        None => Some(adding.await),
    };
    Call { order, result }
}

async fn play(seed: u64) -> (Fake, Vec<Call>) {
    let mut rng = Rng::with_seed(seed);
    let rng = &mut rng;
    let shared = rng.bool();
    let portal = Fake::new();
    portal.then(ADD, (0..rng.usize(1..10)).map(|_| write_step(rng, shared)).collect::<Vec<_>>());
    portal.then(LIST, (0..rng.usize(..12)).map(|_| read_step(rng)).collect::<Vec<_>>());
    if rng.bool() {
        portal.use_credentials(1);
    }
    let policy = Policy::new().attempts(rng.u32(1..=5)).deadline(secs([5, 95, 300, 1_000][rng.usize(..4)]));
    let budget = [1, 100, 100][rng.usize(..3)];
    let client = portal.builder().policy(policy).retry_budget(budget).seed(seed).build().unwrap();
    if rng.u8(..3) == 0 {
        let (clock, after, by) = (portal.clock().clone(), up_to(rng, 200), up_to(rng, 100_000));
        tokio::spawn(async move {
            sleep(after).await;
            clock.set_forward(by);
        });
    }
    let calls: Vec<_> = (0..rng.usize(1..5))
        .map(|number| {
            let order = if shared { "shared".to_owned() } else { format!("own-{number}") };
            let patience = (rng.u8(..4) == 0).then(|| up_to(rng, 250));
            tokio::spawn(call(client.clone(), order, rng.bool(), up_to(rng, 120), patience))
        })
        .collect();
    let mut ended = Vec::new();
    for call in calls {
        ended.push(call.await.unwrap());
    }
    sleep(secs(2_000)).await;
    (portal, ended)
}

fn judge(portal: &Fake, calls: &[Call]) -> Result<(), String> {
    for Call { order, result } in calls {
        let key = Some(once(order).to_string());
        let sends: Vec<Received> = portal.received().into_iter().filter(|sent| sent.idempotency_key == key).collect();
        let mut records = portal.records();
        records.retain(|record| record.arguments["fields"]["title"] == order.as_str());
        let made: Vec<u64> = records.iter().map(|record| record.id).collect();
        if made.len() > 1 {
            return Err(format!("P1: {order} has {} effects", made.len()));
        }
        for pair in sends.windows(2) {
            // What is there has been applied: a verifier that has seen it need not wait.
            let seen = records.iter().any(|record| record.visible < pair[1].at);
            if !seen && pair[0].settled.is_none_or(|settled| pair[1].at < settled) {
                return Err(format!("P3: {order} was sent while a send of it could still be applied"));
            }
            if pair[0].bytes != pair[1].bytes {
                return Err(format!("{order} was sent with other bytes"));
            }
        }
        match result {
            Some(Ok(id)) if made != [id.0] => return Err(format!("{order} is said to be {id:?}, and is {made:?}")),
            // Of calls that share a key another one may have made it.
            Some(Err(error)) if error.effect() == Effect::Absent && order != "shared" && !made.is_empty() => {
                return Err(format!("P6: {order} is said to be absent, and is {made:?}: {error}"));
            }
            Some(Err(error)) if error.effect() == Effect::Present && made.is_empty() => {
                return Err(format!("P6: {order} is said to be present: {error}"));
            }
            Some(Ok(_) | Err(_)) | None => {}
        }
    }
    Ok(())
}

/// The requests and what they did, for a failure.
fn told(portal: &Fake) -> String {
    let sent = portal.received().into_iter().enumerate().map(|(number, sent)| {
        format!("request {number}: {} at {:?}, settled at {:?}\n", sent.method, sent.at, sent.settled)
    });
    let made = portal
        .records()
        .into_iter()
        .map(|record| format!("record {} of request {:?}, there at {:?}\n", record.id, record.request, record.visible));
    sent.chain(made).collect()
}

fn run(seed: u64) {
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    let (portal, calls) = runtime.block_on(play(seed));
    if let Err(why) = judge(&portal, &calls) {
        panic!("seed {seed}: {why}\n{}", told(&portal));
    }
}

#[test]
fn p1_p3_p6_hold_for_keys_on_random_schedules() {
    if let Ok(seed) = std::env::var("SCHEDULE") {
        return run(seed.parse().unwrap());
    }
    (0..SCHEDULES).for_each(run);
}
