//! How properties are run.

use proptest::test_runner::{Config, FileFailurePersistence, RngSeed, TestCaseError};

use crate::play::play;
use crate::story::Story;
use crate::{asked, judge, together};

/// The stories of each property, unless `PROPTEST_CASES` says otherwise: the whole file takes a few seconds then.
const CASES: u32 = 200;
const SEED: u64 = 24;

/// The same stories each time, and nothing is kept.
pub(crate) fn fixed() -> Config {
    Config { rng_seed: RngSeed::Fixed(SEED), failure_persistence: None, ..Config::default() }
}

/// The same stories each time, unless more are asked for. What has failed before comes first.
pub(crate) fn config(kept: &'static str) -> Config {
    let mut config = Config { max_shrink_iters: 20_000, ..Config::default() };
    config.failure_persistence = Some(Box::new(FileFailurePersistence::Direct(kept)));
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = CASES;
        if let RngSeed::Random = config.rng_seed {
            config.rng_seed = RngSeed::Fixed(SEED);
        }
    }
    config
}

/// All promises hold for each call, and what is stated of several with one key.
pub(crate) fn holds(story: &Story) -> Result<(), TestCaseError> {
    let played = play(story);
    let verdict = judge::judge(story, &played)
        .and_then(|()| together::judge(story, &played))
        .and_then(|()| asked::judge(story, &played));
    verdict.map_err(|why| TestCaseError::fail(format!("{why}\n{played}")))
}
