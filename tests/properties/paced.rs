//! Calls that wait for their turn.

use proptest::proptest;
use proptest::test_runner::TestCaseError;

use crate::luck::{Topic, stories};
use crate::play::{Played, play};
use crate::run::{config, holds};
use crate::story::Story;

/// What a client sends never exceeds its rate: so many at once, and one more each time.
fn keeps_the_pace(story: &Story, played: &Played) -> Result<(), TestCaseError> {
    let Some((at_once, each)) = story.settings.pace else { return Ok(()) };
    let mut sent: Vec<_> = played.requests().map(|received| received.at).collect();
    sent.sort();
    for (first, from) in sent.iter().enumerate() {
        for (last, to) in sent.iter().enumerate().skip(first) {
            let allowed = f64::from(at_once) + to.saturating_sub(*from).as_secs_f64() / each.time().as_secs_f64();
            let count = u32::try_from(last - first + 1).unwrap_or(u32::MAX);
            if f64::from(count) > allowed + 0.01 {
                let why = format!("{count} requests from {from:?} to {to:?}, and {allowed} are allowed\n{played}");
                return Err(TestCaseError::fail(why));
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config("tests/properties/proptest-regressions/paced.txt"))]

    #[test]
    fn p1_p2_p3_p5_p6_of_calls_that_wait_for_their_turn(
        story in stories(&[Topic::Paced])
    ) {
        holds(&story)?;
    }

    #[test]
    fn no_client_exceeds_its_rate(story in stories(&[Topic::Batched, Topic::Paced])) {
        keeps_the_pace(&story, &play(&story))?;
    }
}
