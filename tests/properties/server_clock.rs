//! Servers whose clock is hours ahead or behind ask to wait, in seconds or until a date, while our own clock is turned.

use proptest::proptest;

use crate::luck::{Topic, stories};
use crate::run::{config, holds};

proptest! {
    #![proptest_config(config("tests/properties/proptest-regressions/server_clock.txt"))]

    #[test]
    fn p1_p2_p3_p5_p6_whatever_the_clock_of_the_server_shows(story in stories(&[Topic::ServerClock])) {
        holds(&story)?;
    }
}

proptest! {
    #![proptest_config(config("tests/properties/proptest-regressions/server_clock.txt"))]

    #[test]
    fn p1_p2_p3_p5_p6_while_our_clock_is_turned_beside_it(story in stories(&[Topic::ServerClock, Topic::Clocks])) {
        holds(&story)?;
    }
}
