//! Access tokens that expire and are renewed at any time: by a call, by its read-back, by somebody else.

use proptest::proptest;

use crate::luck::{Topic, stories};
use crate::run::{config, holds};

proptest! {
    #![proptest_config(config("tests/properties/proptest-regressions/tokens.txt"))]

    #[test]
    fn p1_p2_p3_p5_p6_while_tokens_are_renewed(story in stories(&[Topic::Tokens])) {
        holds(&story)?;
    }
}
