//! The batch cases of other clients' bug reports.

use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use retry_runtime::clock::{Clock as _, PausedClock};
use retry_runtime::report::{Ending, Outcome};
use retry_runtime::transport::{Answer, BoxFuture, Heard, Loss, Request, Success, Transport, Wire};
use retry_runtime::{Client, Code, Id, Settle};
use serde_json::Value;

use super::calls::{add_all, all, one_record_each, order, sizes, start_lists};
use crate::support::{Fake, NewDeal, START, Seen, Step, add_blind_deal, ending, secs};

#[tokio::test(start_paused = true)]
async fn case_b27_a_limit_of_a_batch_of_reads_is_waited_out_within_bounds() {
    let limit = || Step::code("OPERATION_TIME_LIMIT").status(429).asks_to_wait(secs(3));
    let portal = Fake::new().on("batch", [limit()]);
    for number in 0..20 {
        portal.insert_deal(&order(number));
    }
    let found = all(start_lists(&portal.client().batched(), 0..20)).await;
    assert!((1..).zip(found).all(|(id, found)| found.unwrap() == [Id(id)]));
    assert!(portal.elapsed() >= secs(3));

    let portal = Fake::new().on("batch", vec![limit(); 100]).on("crm.deal.list", vec![limit(); 100]);
    for result in all(start_lists(&portal.client().batched(), 0..20)).await {
        assert_eq!(ending(&result), Ending::Exhausted);
        let error = result.unwrap_err();
        let attempts = error.report().attempts();
        assert_eq!(attempts.len(), 4, "{error}");
        assert!(attempts.iter().all(|attempt| attempt.sent_at.is_some() && attempt.request_id.is_some()), "{error}");
    }
}

/// Answers the commands of a batch in random order: the number of its order, times ten, or for every seventh an error with its name.
#[derive(Debug)]
struct Shuffled {
    clock: PausedClock,
    luck: Mutex<fastrand::Rng>,
    batches: Mutex<usize>,
}

impl Shuffled {
    fn answer(&self, request: &Request, wire: &Wire) -> Answer {
        let now = self.clock.now();
        assert!(wire.claim(now) && request.method == "batch");
        *self.batches.lock().unwrap() += 1;
        let body: Value = serde_json::from_slice(&request.arguments).unwrap();
        let (mut results, mut errors) = (Vec::new(), Vec::new());
        for (name, command) in body["cmd"].as_object().unwrap() {
            let number: u64 = command.as_str().unwrap().rsplit("A-").next().unwrap().parse().unwrap();
            if number.is_multiple_of(7) {
                errors.push(format!(r#""{name}":{{"error":"ERROR_CORE","error_description":"no A-{number}"}}"#));
            } else {
                results.push(format!(r#""{name}":{}"#, number * 10));
            }
        }
        let mut luck = self.luck.lock().unwrap();
        luck.shuffle(&mut results);
        luck.shuffle(&mut errors);
        let answer = format!(r#"{{"result":{{{}}},"result_error":{{{}}}}}"#, results.join(","), errors.join(","));
        Answer::new(Heard::Success(Success::new(answer)), now)
    }
}

/// The portal, for its client and for the test.
#[derive(Debug, Clone)]
struct Handle(Arc<Shuffled>);

impl Transport for Handle {
    fn send<'a>(&'a self, request: &'a Request, wire: &'a Arc<Wire>) -> BoxFuture<'a, Result<Answer, Loss>> {
        Box::pin(async move { Ok(self.0.answer(request, wire)) })
    }
}

#[tokio::test(start_paused = true)]
async fn case_b37_of_120_creates_in_three_batches_each_has_its_own_answer() {
    let clock = PausedClock::starting_at(SystemTime::UNIX_EPOCH + START);
    for seed in 0..10 {
        let luck = Mutex::new(fastrand::Rng::with_seed(seed));
        let portal = Handle(Arc::new(Shuffled { clock, luck, batches: Mutex::default() }));
        let builder = Client::builder().transport(portal.clone()).clock(clock).settle(Settle::cloud());
        let client = builder.build().unwrap().batched();
        let calls = (0..120).map(|number| {
            let client = client.clone();
            tokio::spawn(async move { add_blind_deal(&client, &NewDeal::of(&order(number))).await })
        });
        for (number, result) in (0..).zip(all(calls.collect()).await) {
            match result {
                Ok(id) => assert_eq!(id, Id(number * 10)),
                Err(error) => {
                    assert!(number.is_multiple_of(7), "{error}");
                    assert_eq!(error.code().map(Code::as_str), Some("ERROR_CORE"));
                    assert!(error.to_string().contains(&format!("ERROR_CORE: no A-{number}\n")), "{number}: {error}");
                }
            }
        }
        assert_eq!(*portal.0.batches.lock().unwrap(), 3);
    }
}

#[tokio::test(start_paused = true)]
async fn case_b39_a_batch_without_any_result_and_the_51st_call() {
    // The 51st is a request of its own, whose result is a list.
    let portal = Fake::new();
    for number in 0..51 {
        portal.insert_deal(&order(number));
    }
    let found = all(start_lists(&portal.client().batched(), 0..51)).await;
    assert!((1..).zip(found).all(|(id, found)| found.unwrap() == [Id(id)]));
    assert_eq!((sizes(&portal), portal.sends("crm.deal.list")), (vec![50], 51));

    // `[]` in the place of all results: nobody knows what became of the writes, and the reads are made again.
    let portal = Fake::new()
        .on("crm.deal.add", [Step::missing(), Step::passed_over(), Step::missing()])
        .on("crm.deal.list", [Step::missing(), Step::missing()]);
    let seen = Seen::default();
    let client = portal.builder().observer(seen.clone()).build().unwrap().batched();
    let lists = start_lists(&client, 90..92);
    let results = add_all(&client, 0..3).await;
    assert!(all(lists).await.into_iter().all(|found| found.unwrap().is_empty()));
    one_record_each(&portal, &results, 0);
    assert!(seen.all().iter().all(|(_, report)| matches!(report.attempts()[0].outcome, Outcome::NoEnvelope { .. })));
    let again = portal.times("crm.deal.add");
    assert!(again.len() == 4 && again[3] >= secs(90), "{again:?}");
}

#[tokio::test(start_paused = true)]
async fn case_b43_two_lists_of_one_batch_stay_apart() {
    let portal = Fake::new();
    for owner in [0, 1, 1, 0, 1] {
        portal.insert_deal(&order(owner));
    }
    let lists = all(start_lists(&portal.client().batched(), 0..3)).await;
    let ids: Vec<Vec<u64>> =
        lists.into_iter().map(|list| list.unwrap().into_iter().map(|Id(id)| id).collect()).collect();
    assert_eq!(ids, [vec![1, 4], vec![2, 3, 5], vec![]]);
    assert_eq!(sizes(&portal), [3]);
}
