//! How the state of an intent is written into columns. All stores write it alike.

use bytes::Bytes;
use retry_runtime::journal::{How, State};

/// The columns of a state. Open states are below 10.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Columns {
    pub(crate) state: i16,
    pub(crate) how: Option<i16>,
    pub(crate) result: Option<Bytes>,
    pub(crate) why: Option<Box<str>>,
}

/// The columns of no state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("state {state} with how {how:?} is none")]
pub(crate) struct NoState {
    state: i16,
    how: Option<i16>,
}

impl Columns {
    pub(crate) fn of(state: &State) -> Self {
        let (code, how, result, why) = match state {
            State::Sending => (1, None, None, None),
            State::Unknown { why } => (2, None, None, Some(why)),
            State::Ready { why } => (10, None, None, Some(why)),
            State::Rejected { why } => (11, None, None, Some(why)),
            State::Manual { why } => (12, None, None, Some(why)),
            State::Applied { how, result } => (13, Some(how_code(*how)), Some(result.clone()), None),
        };
        Self { state: code, how, result, why: why.cloned() }
    }

    pub(crate) fn state(self) -> Result<State, NoState> {
        let Self { state, how, result, why } = self;
        let why = why.unwrap_or_default();
        match (state, how) {
            (1, None) => Ok(State::Sending),
            (2, None) => Ok(State::Unknown { why }),
            (10, None) => Ok(State::Ready { why }),
            (11, None) => Ok(State::Rejected { why }),
            (12, None) => Ok(State::Manual { why }),
            (13, Some(how)) => match how_of(how) {
                Some(how) => Ok(State::Applied { how, result: result.unwrap_or_default() }),
                None => Err(NoState { state, how: Some(how) }),
            },
            (state, how) => Err(NoState { state, how }),
        }
    }
}

const fn how_code(how: How) -> i16 {
    match how {
        How::Answer => 1,
        How::ReadBack => 2,
        How::Person => 3,
    }
}

fn how_of(code: i16) -> Option<How> {
    [How::Answer, How::ReadBack, How::Person].into_iter().find(|how| how_code(*how) == code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_reads_back_as_it_was_written() {
        let why: Box<str> = "why".into();
        let result = Bytes::from_static(b"17");
        let states = [
            State::Sending,
            State::Unknown { why: why.clone() },
            State::Ready { why: why.clone() },
            State::Rejected { why: why.clone() },
            State::Manual { why },
            State::Applied { how: How::Answer, result: result.clone() },
            State::Applied { how: How::ReadBack, result: result.clone() },
            State::Applied { how: How::Person, result },
        ];
        for state in states {
            let columns = Columns::of(&state);
            assert_eq!(columns.state < 10, state.is_open());
            assert_eq!(columns.state(), Ok(state));
        }
    }

    #[test]
    fn columns_that_are_no_state_are_refused() {
        for (state, how) in [(0, None), (1, Some(1)), (13, None), (13, Some(9)), (14, None)] {
            assert!(Columns { state, how, result: None, why: None }.state().is_err());
        }
    }
}
