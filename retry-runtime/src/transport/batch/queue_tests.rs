//! How a queue counts: who works on it, whose turn is next, what is over.

use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::time::timeout;

use super::item::{Item, Ticket};
use super::queue::{MOST_BYTES, Queue};
use super::tests::{batched, request};
use super::worker::envelope;
use super::{BatchLimits, Lane};
use crate::api::BatchForm;
use crate::clock::{Clock, Moment, SystemClock};
use crate::effect::OperationKind;
use crate::transport::{Loss, Request, Wire};

const LIMITS: BatchLimits = BatchLimits { window: Duration::from_secs(60), most: 2, in_flight: 2 };

const fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// Puts a call there that has so long to be sent.
fn push(queue: &mut Queue, now: Moment, time: Duration, read_back: bool) -> (Ticket, Arc<Wire>) {
    let request = Request { read_back, ..request(now, time) };
    let (item, ticket, wire) = item(now, &request, "\"a\"");
    queue.push(item, &LIMITS);
    (ticket, wire)
}

fn item(now: Moment, request: &Request, piece: &str) -> (Item, Ticket, Arc<Wire>) {
    let wire = Arc::new(Wire::new(now));
    let station = &batched().0;
    let (item, ticket) =
        Item::new(station, Handle::current().id(), request, &wire, BatchForm::Rest2, &Arc::from(piece));
    (item, ticket, wire)
}

#[tokio::test(start_paused = true)]
async fn no_worker_is_taken_on_for_what_another_will_take() {
    let (mut queue, now) = (Queue::default(), SystemClock.now());
    let mut tickets = vec![push(&mut queue, now, secs(9), false), push(&mut queue, now, secs(9), false)];
    assert!(queue.needs_worker(&LIMITS) && !queue.needs_worker(&LIMITS));
    tickets.push(push(&mut queue, now, secs(9), false));
    assert!(queue.needs_worker(&LIMITS), "a second batch");
    tickets.extend([push(&mut queue, now, secs(9), false), push(&mut queue, now, secs(9), false)]);
    assert!(!queue.needs_worker(&LIMITS), "no more than may be in flight");
}

#[tokio::test(start_paused = true)]
async fn a_batch_is_open_until_it_is_full() {
    let (mut queue, now) = (Queue::default(), SystemClock.now());
    let _first = push(&mut queue, now, secs(9), false);
    assert_eq!(queue.open_until(&LIMITS).map(|(until, _)| until), Some(now.instant() + LIMITS.window));
    let _second = push(&mut queue, now, secs(9), false);
    assert!(queue.open_until(&LIMITS).is_none());
}

#[tokio::test(start_paused = true)]
async fn the_turn_is_that_of_a_read_back_if_one_waits() {
    let (mut queue, now) = (Queue::default(), SystemClock.now());
    assert!(queue.next_turn().is_none());
    let _call = push(&mut queue, now, secs(9), false);
    assert!(matches!(queue.next_turn(), Some((Lane::Ordinary, ..))));
    let _read_back = push(&mut queue, now, secs(5), true);
    let (lane, send_by, _) = queue.next_turn().unwrap();
    assert!(matches!(lane, Lane::ReadBack));
    assert_eq!(send_by, now.after(secs(9)), "as long as it is of use to anyone");
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_comes_too_late_ends_those_for_whom_it_does() {
    let (mut queue, now) = (Queue::default(), SystemClock.now());
    let (over, _) = push(&mut queue, now, secs(10), false);
    let (at_the_turn, _) = push(&mut queue, now, secs(20), false);
    let _later = push(&mut queue, now, secs(21), false);
    queue.too_late(now.after(secs(20)), "no turn before");
    assert_eq!(queue.len(), 1);
    for ticket in [over, at_the_turn] {
        let told = ticket.wait(now.after(secs(1))).await;
        assert!(matches!(told, Some(Err(Loss::OutOfTime { why })) if &*why == "no turn before"));
    }
}

#[tokio::test(start_paused = true)]
async fn few_that_went_away_are_not_tidied_and_neither_are_fewer_than_half() {
    let (mut queue, now) = (Queue::default(), SystemClock.now());
    let mut waiting: Vec<_> = (0..200).map(|_| push(&mut queue, now, secs(9), false)).collect();
    let mut go = |queue: &mut Queue, number: usize| {
        for (_, wire) in waiting.drain(..number) {
            assert!(wire.withdraw());
            queue.left();
        }
    };
    go(&mut queue, 100);
    assert_eq!(queue.len(), 200);
    go(&mut queue, 1);
    assert_eq!(queue.len(), 99, "more than half of them");
    go(&mut queue, 63);
    assert_eq!(queue.len(), 99, "fewer than 64 are not worth it");
    go(&mut queue, 1);
    assert_eq!(queue.len(), 35);
}

#[tokio::test(start_paused = true)]
async fn what_had_to_leave_before_now_stays_behind() {
    let (mut queue, now) = (Queue::default(), SystemClock.now());
    let (over, _) = push(&mut queue, now, secs(10), false);
    let _in_time = push(&mut queue, now, secs(20), false);
    assert_eq!(queue.load(&LIMITS, now.after(secs(20)), &mut |_| true).len(), 1);
    assert!(matches!(over.wait(now.after(secs(1))).await, Some(Err(Loss::OutOfTime { .. }))));
    assert_eq!(queue.len(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_batch_holds_so_many_bytes_and_not_one_more() {
    for (more, taken) in [(0, 2), (1, 1)] {
        let (mut queue, now) = (Queue::default(), SystemClock.now());
        let around = BatchForm::room("");
        let tickets = [10, MOST_BYTES - 10 - 2 * around + more].map(|length| {
            let (item, ticket, _) = item(now, &request(now, secs(9)), &"x".repeat(length));
            queue.push(item, &LIMITS);
            ticket
        });
        assert_eq!(queue.load(&LIMITS, now, &mut |_| true).len(), taken);
        drop(tickets);
    }
}

#[tokio::test(start_paused = true)]
async fn an_envelope_is_a_write_if_one_of_its_calls_is() {
    let now = SystemClock.now();
    let read = item(now, &request(now, secs(9)), "\"a\"").0;
    let write = item(now, &Request { kind: OperationKind::Write, ..request(now, secs(5)) }, "\"b\"").0;
    let reads = [read];
    let sent = envelope(&reads[0], &reads);
    assert_eq!((sent.kind, sent.send_by), (OperationKind::Read, now.after(secs(9))));
    let [read] = reads;
    let both = [read, write];
    let sent = envelope(&both[0], &both);
    assert_eq!((sent.kind, sent.send_by), (OperationKind::Write, now.after(secs(5))));
}

#[tokio::test(start_paused = true)]
async fn a_worker_is_told_of_a_full_batch_and_not_before() {
    let (mut queue, now) = (Queue::default(), SystemClock.now());
    let _first = push(&mut queue, now, secs(9), false);
    let (_, _, signals) = queue.next_turn().unwrap();
    assert!(timeout(secs(1), signals.full.notified()).await.is_err());
    let _second = push(&mut queue, now, secs(9), false);
    assert!(timeout(secs(1), signals.full.notified()).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_call_that_has_left_is_waited_for_and_one_that_is_handed_back_has_no_answer() {
    let now = SystemClock.now();
    let (left, ticket, wire) = item(now, &request(now, secs(9)), "\"a\"");
    assert!(wire.claim(now));
    let hears = tokio::spawn(ticket.wait(now.after(secs(1))));
    tokio::time::sleep(secs(5)).await;
    left.answer(Err(Loss::NotSent { why: "closed".into() }));
    assert!(matches!(hears.await.unwrap(), Some(Err(Loss::NotSent { why })) if &*why == "closed"));
    let (back, ticket, _) = item(now, &request(now, secs(9)), "\"a\"");
    back.hand_back();
    assert!(ticket.wait(now.after(secs(60))).await.is_none());
}

#[tokio::test]
async fn a_batched_transport_shows_the_line_and_the_limits() {
    let shown = format!("{:?}", batched());
    assert!(shown.contains("line: Closed") && shown.contains("limits"), "{shown}");
}
