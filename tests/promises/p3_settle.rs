//! P3: a write is never sent again while an earlier send of it may still be applied. How long that is.

use std::time::Duration;

use retry_runtime::{CallError, Effect, Policy, Settle};

use crate::support::{Fake, Judged, NewDeal, Says, Step, about, add_deal, add_judged, secs};

/// When the second send began, after a first one that was not applied and met this.
async fn second_send(first: Step, settle: Settle) -> Duration {
    let portal = Fake::new().on("crm.deal.add", [first]);
    let client = portal.builder().settle(settle).policy(Policy::new().deadline(secs(3_600))).build().unwrap();
    add_deal(&client, &NewDeal::of("A-1")).await.unwrap();
    assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (2, 1));
    portal.times("crm.deal.add")[1]
}

#[tokio::test(start_paused = true)]
async fn p3_absence_is_believed_only_after_the_settle_time_and_then_the_write_is_sent_again() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost()]);
    add_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap();
    assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (2, 1));
    let second = portal.times("crm.deal.add")[1];
    assert!(about(second, 90), "{second:?}");
    let checks = portal.times("crm.deal.list");
    assert!(checks[0] < secs(1), "the first check is immediate");
    assert!(*checks.last().unwrap() >= secs(90), "the proof began when nothing could be applied any more");
}

#[tokio::test(start_paused = true)]
async fn p3_a_late_effect_is_found_while_the_loop_waits() {
    for late in [1, 30, 60, 89] {
        let portal = Fake::new().on("crm.deal.add", [Step::lost().applied_late(secs(late))]);
        add_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap();
        assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (1, 1), "late by {late} s");
    }
}

#[tokio::test(start_paused = true)]
async fn p3_the_settle_time_is_the_sum_of_its_parts() {
    let cloud = Settle::cloud();
    let cases = [
        (cloud, 90),
        (cloud.tcp(secs(20)), 100),
        (cloud.gateway_queue(secs(30)), 120),
        (cloud.list_lag(secs(6)), 91),
        (cloud.margin(secs(0)), 80),
        (Settle::self_hosted(secs(300)), 330),
        (Settle::self_hosted(Duration::ZERO).tcp(Duration::ZERO).list_lag(Duration::ZERO).margin(Duration::ZERO), 5),
    ];
    for (settle, seconds) in cases {
        let second = second_send(Step::lost(), settle).await;
        assert!(about(second, seconds), "{settle:?}: {second:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn p3_after_an_answer_that_ended_the_request_only_lag_and_margin_count() {
    for code in ["OPERATION_TIME_LIMIT", "INTERNAL_SERVER_ERROR", "ERROR_UNEXPECTED_ANSWER"] {
        // The answer comes after 40 s, and the 15 s count from it.
        let second = second_send(Step::code(code).takes(secs(40)), Settle::cloud()).await;
        assert!(about(second, 55), "{code}: {second:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn p3_silence_counts_from_the_last_byte_and_not_from_the_timeout() {
    let second = second_send(Step::silence(), Settle::cloud()).await;
    assert!(about(second, 90), "{second:?}");
}

#[tokio::test(start_paused = true)]
async fn p3_a_hosted_app_has_no_bound_unless_one_is_stated() {
    for code in ["BH_APP_STARTING", "BH_APP_TIMEOUT"] {
        let portal = Fake::new().on("crm.deal.add", [Step::code(code)]);
        let error = add_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap_err();
        assert!(matches!(error, CallError::InDoubt(_)), "{error}");
        assert_eq!((error.effect(), portal.sends("crm.deal.add")), (Effect::Unknown, 1));
        let second = second_send(Step::code(code), Settle::cloud().hosted_app(secs(100))).await;
        assert!(about(second, 190), "{code}: {second:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn p3_without_a_settle_time_nothing_is_ever_sent_again() {
    for step in [Step::lost(), Step::html(), Step::code("BITRIX_TIMEOUT"), Step::code("NEVER_HEARD_OF")] {
        let portal = Fake::new().on("crm.deal.add", [step]);
        let client =
            portal.builder().settle(Settle::unbounded()).policy(Policy::new().deadline(secs(100_000))).build().unwrap();
        let error = add_deal(&client, &NewDeal::of("A-1")).await.unwrap_err();
        assert_eq!((portal.sends("crm.deal.add"), error.effect()), (1, Effect::Unknown), "{error}");
        assert!(error.to_string().contains("absence can't be proved on this portal"), "{error}");
    }
}

#[tokio::test(start_paused = true)]
async fn p3_a_transport_of_ones_own_has_no_settle_time_until_it_is_given() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost()]);
    let client =
        retry_runtime::Client::builder().transport(portal.clone()).clock(portal.clock().clone()).build().unwrap();
    add_deal(&client, &NewDeal::of("A-1")).await.unwrap_err();
    assert_eq!(portal.sends("crm.deal.add"), 1);
}

#[tokio::test(start_paused = true)]
async fn p3_an_absence_from_a_check_that_began_too_early_is_no_proof_however_long_it_took() {
    let portal = Fake::new().on("crm.deal.add", [Step::lost().applied_late(secs(80))]);
    let deal = Judged::new("A-1", [Says::AbsentAfter(secs(120))]);
    add_judged(&portal.client(), &deal).await.unwrap();
    assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (1, 1));
    assert_eq!(deal.asked(), 2);
}

#[tokio::test(start_paused = true)]
async fn p3_a_further_send_needs_room_for_its_settle_time_and_a_read_back() {
    // After the proof at 90 s another 90 s and 10 s for a read-back have to fit in; the pause before it is at most 0.5 s.
    for (deadline, sends) in [(189, 1), (192, 2)] {
        let portal = Fake::new().on("crm.deal.add", [Step::lost()]);
        let client = portal.client().with_policy(Policy::new().deadline(secs(deadline)));
        let result = add_deal(&client, &NewDeal::of("A-1")).await;
        assert_eq!(portal.sends("crm.deal.add"), sends, "deadline {deadline} s");
        if sends == 1 {
            let error = result.unwrap_err();
            assert!(matches!(error, CallError::Exhausted(_)), "{error}");
            assert_eq!(error.effect(), Effect::Absent, "the proof stands");
        }
    }
    // The same after a refusal by rate.
    for (deadline, sends) in [(99, 1), (102, 2)] {
        let portal = Fake::new().on("crm.deal.add", [Step::code("RATE_LIMITED")]);
        let client = portal.client().with_policy(Policy::new().deadline(secs(deadline)));
        let _ = add_deal(&client, &NewDeal::of("A-1")).await;
        assert_eq!(portal.sends("crm.deal.add"), sends, "deadline {deadline} s");
    }
}

#[tokio::test(start_paused = true)]
async fn p3_a_transport_that_panics_late_could_put_bytes_on_the_wire_until_then() {
    // A large body may leave until the panic at 60 s, so that it may be applied until 60 + 85 s.
    let portal = Fake::new().on("crm.deal.add", [Step::panics().takes(secs(60)).applied_late(secs(84))]);
    add_deal(&portal.client(), &NewDeal::of("A-1")).await.unwrap();
    assert_eq!((portal.sends("crm.deal.add"), portal.effects("crm.deal.add")), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn p3_endless_settle_times_prove_nothing_and_do_not_overflow() {
    let endless = [
        Settle::self_hosted(Duration::MAX),
        Settle::cloud().tcp(Duration::MAX).gateway_queue(Duration::MAX).list_lag(Duration::MAX),
        Settle::cloud().margin(Duration::MAX).hosted_app(Duration::MAX),
    ];
    for settle in endless {
        for step in [Step::lost(), Step::code("BITRIX_TIMEOUT"), Step::code("BH_APP_TIMEOUT")] {
            let portal = Fake::new().on("crm.deal.add", [step.clone()]);
            let client = portal.builder().settle(settle).build().unwrap();
            let error = add_deal(&client, &NewDeal::of("A-1")).await.unwrap_err();
            assert!(matches!(error, CallError::InDoubt(_)), "{error}");
            assert_eq!((error.effect(), portal.sends("crm.deal.add")), (Effect::Unknown, 1));
        }
    }
}
