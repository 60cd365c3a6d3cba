//! Scripts: the first request of a method, the second, and so on.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use super::{Fault, lateness};

/// What is left of each method's script, by the method's name in lower case.
#[derive(Debug, Default)]
pub(crate) struct Scripts {
    left: HashMap<String, VecDeque<Fault>>,
}

/// What the script of a method says about its next request.
#[derive(Debug, PartialEq)]
pub(crate) enum Scripted {
    /// The method never had a script.
    Never,
    /// The script has been used up.
    Over,
    Fault(Box<Fault>),
}

impl Scripts {
    /// Replaces what is left of the method's script.
    pub(crate) fn set(&mut self, method: &str, faults: impl IntoIterator<Item = Fault>) {
        self.left.insert(method.to_ascii_lowercase(), faults.into_iter().collect());
    }

    /// The longest time between the arrival of a request and its effect that is still to come, in portal time.
    pub(crate) fn max_lateness(&self, limit: Duration) -> Duration {
        self.left.values().flatten().map(|fault| lateness(fault, limit)).max().unwrap_or(Duration::ZERO)
    }

    /// Whether any of them makes work slow.
    pub(crate) fn may_be_slow(&self) -> bool {
        self.left.values().flatten().any(Fault::is_slow)
    }

    /// Whether the method, whose name is in lower case, ever had a script.
    pub(crate) fn knows(&self, method: &str) -> bool {
        self.left.contains_key(method)
    }

    /// Takes the next fault of the method, whose name is in lower case.
    pub(crate) fn next(&mut self, method: &str) -> Scripted {
        match self.left.get_mut(method).map(VecDeque::pop_front) {
            None => Scripted::Never,
            Some(None) => Scripted::Over,
            Some(Some(fault)) => Scripted::Fault(Box::new(fault)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Scripted, Scripts};
    use crate::{Answer, Fault};

    #[test]
    fn a_script_is_used_up_in_order_and_ignores_the_case_of_the_method() {
        let mut scripts = Scripts::default();
        scripts.set("crm.Deal.add", [Fault::never(Answer::Close), Fault::none()]);
        let close = Scripted::Fault(Box::new(Fault::never(Answer::Close)));
        assert_eq!(scripts.next("crm.deal.add"), close);
        assert_eq!(scripts.next("crm.deal.add"), Scripted::Fault(Box::new(Fault::none())));
        assert_eq!(scripts.next("crm.deal.add"), Scripted::Over);
        assert_eq!(scripts.next("crm.deal.get"), Scripted::Never);
    }
}
