//! The names of the states, in the order in which a person wants to see them.

/// Those a person has to look at, those that machines still work on, and those that are closed.
pub(crate) const NAMES: [&str; 6] = ["manual", "sending", "unknown", "not applied", "rejected", "applied"];

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use retry_runtime::journal::{How, State};

    use super::*;

    #[test]
    fn every_state_has_its_name_in_the_list_once() {
        let why: Box<str> = "why".into();
        let states = [
            State::Manual { why: why.clone() },
            State::Sending,
            State::Unknown { why: why.clone() },
            State::Ready { why: why.clone() },
            State::Rejected { why },
            State::Applied { how: How::Answer, result: Bytes::new() },
        ];
        assert_eq!(states.map(|state| state.as_str()), NAMES);
    }
}
