//! Wall clocks that are set forward and back, and machines that are suspended, at any time.

use proptest::proptest;

use crate::luck::{Topic, stories};
use crate::run::{config, holds};

proptest! {
    #![proptest_config(config("tests/properties/proptest-regressions/clocks.txt"))]

    #[test]
    fn p1_p2_p3_p5_p6_while_clocks_are_turned(story in stories(&[Topic::Clocks])) {
        holds(&story)?;
    }
}

proptest! {
    #![proptest_config(config("tests/properties/proptest-regressions/clocks.txt"))]

    #[test]
    fn p1_p2_p3_p5_p6_of_one_order_while_clocks_are_turned(story in stories(&[Topic::OneOrder, Topic::Tokens, Topic::Clocks])) {
        holds(&story)?;
    }
}
