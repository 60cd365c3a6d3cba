//! Renewals against a scripted token server, on paused time.

use std::time::Duration;

use tokio::task::JoinSet;

use super::*;
use crate::id::Id;
use crate::oauth::MemoryStore;
use crate::oauth::scripted::{START, Step, TokenEnd, clock, tokens};

fn client(server: &TokenEnd, store: &MemoryStore) -> Arc<Renewal> {
    let application = Application::new("local.1", "s3cr3t");
    Arc::new(Renewal::new(
        application,
        Arc::new(store.clone()),
        tokens("acc1", "ref1"),
        Box::new(server.clone()),
        clock(),
    ))
}

fn setting(script: impl IntoIterator<Item = Step>) -> (Arc<Renewal>, TokenEnd, MemoryStore) {
    let (server, store) = (TokenEnd::new(script), MemoryStore::new(tokens("acc1", "ref1")));
    (client(&server, &store), server, store)
}

async fn stored(store: &MemoryStore) -> (String, String) {
    let tokens = store.load().await.unwrap().unwrap();
    (tokens.access_token().to_owned(), tokens.refresh_token().to_owned())
}

async fn used(renewal: &Renewal) -> (String, u64) {
    let (tokens, generation) = renewal.tokens().await.unwrap();
    (tokens.access_token().to_owned(), generation)
}

fn pair(access: &str, refresh: &str) -> (String, String) {
    (access.to_owned(), refresh.to_owned())
}

/// So many callers who were refused with the first tokens, all at once.
async fn refused_together(renewal: &Arc<Renewal>, callers: usize) -> Vec<Outcome> {
    let mut all = JoinSet::new();
    for _ in 0..callers {
        let renewal = Arc::clone(renewal);
        all.spawn(async move { renewal.renew(1).await });
    }
    all.join_all().await
}

#[tokio::test(start_paused = true)]
async fn a_hundred_calls_on_an_expired_token_renew_it_once() {
    let lost = Step::answer(200, r#"{"access_token":"#);
    let page = Step::answer(502, "<html>bad gateway</html>");
    let down = Step::answer(503, r#"{"error":"overloaded"}"#);
    for (before, asked) in [(vec![], 1), (vec![Step::Lost, page], 3), (vec![Step::Silent, down], 3), (vec![lost], 2)] {
        let slow = Step::grant("acc2", "ref2").after(Duration::from_secs(9));
        let (renewal, server, store) = setting(before.into_iter().chain([slow]));
        assert_eq!(refused_together(&renewal, 100).await, vec![Ok(()); 100]);
        assert_eq!((server.refreshed(), server.most_open()), (vec!["ref1".to_owned(); asked], 1));
        assert_eq!((used(&renewal).await, stored(&store).await), (("acc2".to_owned(), 2), pair("acc2", "ref2")));
        // Who was slow to hear of the refusal finds the new tokens.
        assert_eq!(refused_together(&renewal, 100).await, vec![Ok(()); 100]);
        assert_eq!(server.refreshed().len(), asked);
    }
}

#[tokio::test(start_paused = true)]
async fn case_b66_a_dropped_caller_neither_loses_the_new_tokens_nor_makes_a_second_refresh() {
    let (renewal, server, store) = setting([Step::grant("acc2", "ref2")]);
    assert!(tokio::time::timeout(Duration::from_millis(10), renewal.renew(1)).await.is_err());
    let second = tokio::time::timeout(Duration::from_millis(10), renewal.renew(1));
    assert!(second.await.is_err());
    assert_eq!(renewal.renew(1).await, Ok(()));
    assert_eq!((used(&renewal).await.0, stored(&store).await), ("acc2".to_owned(), pair("acc2", "ref2")));
    assert_eq!(server.refreshed(), ["ref1"]);

    let (renewal, server, store) = setting([Step::grant("acc2", "ref2")]);
    assert!(tokio::time::timeout(Duration::from_millis(10), renewal.renew(1)).await.is_err());
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!((used(&renewal).await.0, stored(&store).await), ("acc2".to_owned(), pair("acc2", "ref2")));
    assert_eq!(server.refreshed(), ["ref1"]);
}

#[tokio::test(start_paused = true)]
async fn case_b66_a_token_server_that_stays_down_is_asked_within_bounds() {
    for step in [Step::answer(503, ""), Step::Lost, Step::Silent] {
        let time = clock();
        let started = time.now();
        let (renewal, server, _) = setting(vec![step; 3]);
        let ended = refused_together(&renewal, 100).await;
        assert!(ended.iter().all(|end| matches!(end, Err(TokenError::Unavailable { tries: 3, .. }))), "{:?}", ended[0]);
        assert!(time.now().at_most_since(started) < Duration::from_secs(40));
        assert_eq!(server.refreshed().len(), 3);
    }
}

#[tokio::test(start_paused = true)]
async fn a_refusal_is_told_to_all_and_not_asked_for_again() {
    for code in ["invalid_request", "invalid_client", "invalid_grant", "invalid_scope", "PAYMENT_REQUIRED", "NEW_CODE"]
    {
        let refusal = Step::answer(400, &format!(r#"{{"error":"{code}"}}"#));
        let (renewal, server, store) = setting([refusal, Step::grant("acc4", "ref4")]);
        let refused = Err(TokenError::Refused { code: code.into(), text: "".into(), after_loss: false });
        assert_eq!(refused_together(&renewal, 100).await, vec![refused.clone(); 100]);
        assert_eq!(renewal.renew(1).await, refused);
        assert_eq!(server.refreshed().len(), 1);

        // Somebody has authorised the application again.
        store.save(tokens("acc3", "ref3")).await.unwrap();
        assert_eq!(renewal.renew(1).await, Ok(()));
        assert_eq!((used(&renewal).await, server.refreshed().len()), (("acc3".to_owned(), 2), 1));
        assert_eq!(renewal.renew(2).await, Ok(()));
        assert_eq!(server.refreshed(), ["ref1", "ref3"]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_refusal_after_a_lost_answer_says_that_the_new_tokens_may_be_lost() {
    let refusal = Step::answer(400, r#"{"error":"invalid_grant"}"#);
    let (renewal, ..) = setting([Step::Lost, refusal.clone()]);
    assert!(renewal.renew(1).await.unwrap_err().to_string().contains("had no answer"));
    // Also if the answer was lost to a renewal before.
    let (renewal, ..) = setting([Step::Lost, Step::Lost, Step::Lost, refusal]);
    assert!(renewal.renew(1).await.unwrap_err().is_transient());
    assert!(renewal.renew(1).await.unwrap_err().to_string().contains("had no answer"));
}

#[tokio::test(start_paused = true)]
async fn tokens_of_another_account_are_not_used() {
    let held = || tokens("acc1", "ref1").with_user_id(Id(7)).with_member_id("m1");
    for (more, theirs) in [
        (r#","user_id":"8""#, tokens("acc3", "ref3").with_user_id(Id(8))),
        (r#","user_id":7,"member_id":"m2""#, tokens("acc3", "ref3").with_member_id("m2")),
    ] {
        let (renewal, server, store) = setting([Step::grant_with("acc2", "ref2", more)]);
        store.save(held()).await.unwrap();
        for _ in 0..3 {
            let error = renewal.renew(1).await.unwrap_err();
            assert!(matches!(error, TokenError::AnotherAccount { .. }), "{error}");
        }
        assert_eq!((used(&renewal).await.0, stored(&store).await), ("acc1".to_owned(), pair("acc1", "ref1")));
        assert_eq!(server.refreshed().len(), 1);

        // Nor are those that somebody else has put into the store.
        let store = MemoryStore::new(theirs);
        let server = TokenEnd::new([]);
        let application = Application::new("local.1", "s3cr3t");
        let renewal = Renewal::new(application, Arc::new(store), held(), Box::new(server), clock());
        assert!(matches!(renewal.renew(1).await, Err(TokenError::AnotherAccount { .. })));
        assert_eq!(used(&renewal).await.0, "acc1");
    }
}

#[tokio::test(start_paused = true)]
async fn case_b61_clients_that_share_a_store_renew_once() {
    let (first, server, store) = setting([Step::grant("acc2", "ref2")]);
    let second = client(&server, &store);
    let (one, other) = tokio::join!(refused_together(&first, 50), refused_together(&second, 50));
    assert_eq!([one, other].concat(), vec![Ok(()); 100]);
    assert_eq!((used(&first).await.0, used(&second).await.0), ("acc2".to_owned(), "acc2".to_owned()));
    assert_eq!(server.refreshed(), ["ref1"]);
}

#[tokio::test(start_paused = true)]
async fn tokens_that_another_client_renewed_and_that_have_ended_since_are_renewed() {
    let (first, server, store) = setting([Step::grant("acc2", "ref2"), Step::grant("acc3", "ref3")]);
    let second = client(&server, &store);
    assert_eq!(first.renew(1).await, Ok(()));
    tokio::time::sleep(Duration::from_secs(2 * 3600)).await;
    // With the stored ones it would only be refused again.
    let at = Arc::new(crate::clock::PausedClock::starting_at(START + Duration::from_secs(2 * 3600)));
    let late = Renewal::new(
        Application::new("local.1", "s3cr3t"),
        Arc::new(store.clone()),
        tokens("acc1", "ref1"),
        Box::new(server.clone()),
        at,
    );
    assert_eq!(late.renew(1).await, Ok(()));
    assert_eq!(
        (used(&late).await.0, server.refreshed()),
        ("acc3".to_owned(), vec!["ref1".to_owned(), "ref2".to_owned()])
    );
    assert_eq!(second.renew(1).await, Ok(()));
    assert_eq!((used(&second).await.0, server.refreshed().len()), ("acc3".to_owned(), 2));
}

#[tokio::test(start_paused = true)]
async fn an_empty_store_and_a_cut_off_renewal_are_named() {
    let (server, store) = (TokenEnd::new([]), MemoryStore::default());
    assert_eq!(client(&server, &store).renew(1).await, Err(TokenError::Missing));

    let (renewal, server, _) = setting([Step::Panics, Step::grant("acc2", "ref2")]);
    assert_eq!(refused_together(&renewal, 100).await, vec![Err(TokenError::CutOff); 100]);
    assert_eq!(renewal.renew(1).await, Ok(()));
    assert_eq!(server.refreshed().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn p5_a_lock_that_is_never_free_is_waited_for_within_bounds() {
    let (renewal, server, store) = setting([Step::grant("acc2", "ref2")]);
    let held = store.lock().await.unwrap();
    let time = clock();
    let started = time.now();
    assert!(matches!(renewal.renew(1).await, Err(TokenError::StoreBusy { .. })));
    assert!(time.now().at_most_since(started) <= Duration::from_secs(41));
    assert!(server.refreshed().is_empty());
    drop(held);
    assert_eq!(renewal.renew(1).await, Ok(()));
}
