//! What goes wrong, by chance: each class of answer, with effects that come before it, never, or late.

use std::time::Duration;

use fastrand::Rng;

/// What a request meets.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fault {
    pub(crate) reply: Reply,
    pub(crate) effect: When,
    /// How long the answer takes.
    pub(crate) takes: Duration,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Reply {
    /// As it should be.
    Honest,
    Code(&'static str),
    /// A code, and the wish to wait.
    Wait(&'static str, Duration),
    Html,
    /// A success that is no id and no list.
    Strange,
    NotSent,
    Lost,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum When {
    Before,
    Never,
    /// So long after it was sent.
    Late(Duration),
}

/// How long after its sending a lost request can be applied at the most: the settle time of the cloud is 90 s.
const LATEST: u64 = 89_999;

fn millis(rng: &mut Rng, most: u64) -> Duration {
    Duration::from_millis(rng.u64(20..=most))
}

impl Fault {
    /// No fault.
    pub(crate) fn none(rng: &mut Rng) -> Self {
        Self { reply: Reply::Honest, effect: When::Before, takes: millis(rng, 300) }
    }

    /// What a write meets.
    pub(crate) fn of_a_write(rng: &mut Rng) -> Self {
        let takes = millis(rng, 3_000);
        let (reply, effect) = match rng.u8(..17) {
            0 => (Reply::Lost, When::Before),
            1 => (Reply::Lost, When::Never),
            2 => (Reply::Lost, When::in_doubt(rng)),
            3 => (Reply::Code("BITRIX_TIMEOUT"), When::in_doubt(rng)),
            4 => (Reply::Code("INTERNAL_SERVER_ERROR"), When::with_its_answer(rng)),
            5 => (Reply::Wait("RATE_LIMITED", millis(rng, 500)), When::Never),
            6 => (Reply::Code("QUEUE_OVERFLOW"), When::Never),
            7 => (Reply::NotSent, When::Never),
            8 => (Reply::Code("ACCESS_DENIED"), When::Never),
            9 => (Reply::Code("ERROR_CORE"), When::with_its_answer(rng)),
            10 => (Reply::Html, When::in_doubt(rng)),
            11 => (Reply::Code("NEVER_HEARD_OF"), When::in_doubt(rng)),
            12 => (Reply::Strange, When::Before),
            13 => return Self { reply: Reply::Lost, effect: When::in_doubt(rng), takes: Duration::from_secs(65) },
            _ => (Reply::Lost, When::with_its_answer(rng)),
        };
        Self { reply, effect, takes }
    }

    /// What a list meets. It does not lie about a row.
    pub(crate) fn of_a_read(rng: &mut Rng) -> Self {
        let reply = match rng.u8(..8) {
            0 | 1 => Reply::Lost,
            2 => Reply::Html,
            3 => Reply::Wait("RATE_LIMITED", millis(rng, 500)),
            4 => Reply::Code("BITRIX_TIMEOUT"),
            5 => Reply::Code("ACCESS_DENIED"),
            6 => Reply::NotSent,
            _ => Reply::Strange,
        };
        Self { reply, effect: When::Never, takes: millis(rng, 3_000) }
    }

    /// What a batch meets as a whole.
    pub(crate) fn of_a_batch(rng: &mut Rng) -> Self {
        let reply = match rng.u8(..6) {
            0 | 1 => Reply::Lost,
            2 => Reply::Html,
            3 => Reply::Code("INTERNAL_SERVER_ERROR"),
            4 => return Self { reply: Reply::Code("QUEUE_OVERFLOW"), effect: When::Never, takes: millis(rng, 300) },
            _ => return Self { reply: Reply::NotSent, effect: When::Never, takes: millis(rng, 300) },
        };
        Self { reply, effect: When::Before, takes: millis(rng, 3_000) }
    }
}

impl When {
    fn in_doubt(rng: &mut Rng) -> Self {
        match rng.u8(..3) {
            0 => Self::Before,
            1 => Self::Never,
            _ => Self::Late(Duration::from_millis(rng.u64(3_000..=LATEST))),
        }
    }

    fn with_its_answer(rng: &mut Rng) -> Self {
        if rng.bool() { Self::Before } else { Self::Never }
    }
}
