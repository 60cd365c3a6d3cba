//! Calls that travel together, and what becomes of them when a batch or some of its calls go wrong.

use proptest::proptest;

use crate::luck::{Topic, stories};
use crate::run::{config, holds};

proptest! {
    #![proptest_config(config("tests/properties/proptest-regressions/batched.txt"))]

    #[test]
    fn p1_p2_p3_p5_p6_of_calls_in_batches(story in stories(&[Topic::Batched])) {
        holds(&story)?;
    }
}

proptest! {
    #![proptest_config(config("tests/properties/proptest-regressions/batched.txt"))]

    #[test]
    fn p1_p2_p3_p5_p6_of_paced_batches_from_two_clients(story in stories(&[Topic::TwoClients, Topic::Batched, Topic::Paced, Topic::Tokens])) {
        holds(&story)?;
    }
}
