//! `import_deals --journal`, killed at any moment and run again until its file is through.
//!
//! `KILLS=1000 cargo test --test programs killed -- --nocapture` kills it so often; 25 times by default. `SEED=2` takes other moments and other faults.

mod file;
mod truth;

use std::env;
use std::time::Duration;

use fastrand::Rng;
use tokio::task::JoinSet;

use self::file::Times;
use self::truth::Count;

/// How many files are imported at a time, each with a portal and a journal of its own.
const LANES: u64 = 8;

fn number(name: &str, default: u64) -> u64 {
    env::var(name).map_or(default, |text| text.parse().unwrap())
}

/// Imports files until the imports were killed so often, and counts what there is at the end.
async fn kill(kills: u64, times: Times) -> Count {
    let mut seeds = Rng::with_seed(number("SEED", 1));
    let mut lanes = JoinSet::new();
    for lane in 0..LANES {
        let left = kills / LANES + u64::from(lane < kills % LANES);
        let mut luck = seeds.fork();
        lanes.spawn(async move {
            let mut count = Count::default();
            while count.kills < left {
                let left = left - count.kills;
                count.add(file::import(left, times, &mut luck).await);
            }
            count
        });
    }
    let mut all = Count::default();
    while let Some(count) = lanes.join_next().await {
        all.add(count.unwrap());
    }
    println!("{all}");
    all
}

#[tokio::test(flavor = "multi_thread")]
async fn p1_p2_a_killed_import_that_is_run_again_makes_each_record_once() {
    let times = Times { portal: 0.02, stated: 0.02, latest_kill: Duration::from_secs(8) };
    let kills = number("KILLS", 25);
    let all = kill(kills, times).await;
    assert_eq!((all.kills, all.duplicates, &all.wrong), (kills, 0, &Vec::new()), "{all}");
    assert!(all.open > 0, "no kill came while a write was under way: {all}");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes two minutes, and is about the test above"]
async fn with_a_settle_time_that_is_too_short_the_kills_make_duplicates() {
    // An effect comes up to 25 s after its request, and the import is told that none comes after some hundredths of a second, and adds its margins of 3 s.
    let times = Times { portal: 0.5, stated: 0.001, latest_kill: Duration::from_secs(8) };
    let all = kill(number("KILLS", 25), times).await;
    assert!(all.duplicates > 0, "{all}");
}
