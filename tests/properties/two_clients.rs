//! One order from two clients that know nothing of each other, as two processes do: the promises hold for each call, two records
//! are possible, and whoever looks when both show is told.

use proptest::proptest;

use crate::luck::{Topic, stories};
use crate::run::{config, holds};

proptest! {
    #![proptest_config(config("tests/properties/proptest-regressions/two_clients.txt"))]

    #[test]
    fn p1_p2_p3_p5_p6_of_one_order_through_one_client(story in stories(&[Topic::OneOrder])) {
        holds(&story)?;
    }
}

proptest! {
    #![proptest_config(config("tests/properties/proptest-regressions/two_clients.txt"))]

    #[test]
    fn p1_p2_p3_p5_p6_of_one_order_through_two_clients(story in stories(&[Topic::TwoClients, Topic::OneOrder])) {
        holds(&story)?;
    }
}
