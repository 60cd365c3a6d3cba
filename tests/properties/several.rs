//! Several calls at once through one client: all stubs, with keys of their own and with one that they share.

use proptest::proptest;

use crate::luck::stories;
use crate::run::{config, holds};

proptest! {
    #![proptest_config(config("tests/properties/proptest-regressions/several.txt"))]

    #[test]
    fn p1_p2_p3_p5_p6_of_several_calls(story in stories(&[])) {
        holds(&story)?;
    }
}
