//! A report of people who do this job: two programs on one portal.

use retry_runtime::RateLimit;
use tokio::task::JoinSet;

use crate::strict::{Counts, Strict};
use crate::support::{NewDeal, add_blind_deal, millis, secs};

#[tokio::test(start_paused = true)]
async fn case_b78_what_another_process_uses_is_made_up_for_by_a_lower_pace() {
    // Half of the bucket is taken.
    let portal = Strict::new(Counts::bucket(50, millis(500)), millis(0));
    (0..25).for_each(|_| portal.by_others());
    let client = portal.builder(RateLimit::cloud()).build().unwrap();
    let mut tasks = JoinSet::new();
    for number in 0..100 {
        let client = client.clone();
        tasks.spawn(async move { add_blind_deal(&client, &NewDeal::of(&number.to_string())).await });
    }
    while let Some(done) = tasks.join_next().await {
        done.unwrap().unwrap();
    }
    // Each was carried out once: whatever was sent more often had been refused.
    let left = portal.left();
    assert_eq!(left.len() - portal.refused(), 100);
    assert!(portal.refused() > 0 && portal.refused() <= 25, "{}", portal.refused());
    // Afterwards four leave in the time in which the portal forgets three.
    let later: Vec<_> = left.iter().map(|left| left.at).filter(|at| *at > secs(20)).collect();
    let fastest = later.windows(4).map(|four| four[3].checked_sub(four[0]).unwrap()).min().unwrap();
    assert!(fastest >= millis(1_400), "four requests within {fastest:?}");
}
