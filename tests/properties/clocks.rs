//! Wall clocks that are set forward and back, and machines that are suspended, at any time.

use proptest::proptest;

use crate::luck::{Subject, stories};
use crate::run::{config, holds};

proptest! {
    #![proptest_config(config("tests/properties/proptest-regressions/clocks.txt"))]

    #[test]
    fn p1_p2_p3_p5_p6_while_clocks_are_turned(story in stories(Subject { turned: true, ..Subject::default() })) {
        holds(&story)?;
    }
}

proptest! {
    #![proptest_config(config("tests/properties/proptest-regressions/clocks.txt"))]

    #[test]
    fn p1_p2_p3_p5_p6_of_one_order_while_clocks_are_turned(story in stories(Subject { turned: true, tokens: true, one_order: true, ..Subject::default() })) {
        holds(&story)?;
    }
}
