//! What is known of the verifiers of a client.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use crate::proof::Proof;
use crate::report::utc;

/// So many tries that decide nothing are enough, unless the proof is demanded (our choice).
const TRIES: u8 = 3;

/// A write stub: its method, and the name that the compiler gives to the call of its verifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Stub {
    method: &'static str,
    verifier: &'static str,
}

impl Stub {
    pub(crate) const fn new(method: &'static str, verifier: &'static str) -> Self {
        Self { method, verifier }
    }

    pub(crate) const fn method(self) -> &'static str {
        self.method
    }

    /// The path of the stub, for people: without the closures that its code is made of.
    pub(crate) fn path(self) -> &'static str {
        self.verifier.split("::{{closure}}").next().unwrap_or(self.verifier)
    }
}

#[derive(Debug, Clone)]
enum Trust {
    Unproven { tries: u8 },
    Trying { tries: u8 },
    Proven,
    Distrusted { why: Arc<str> },
}

/// The verifiers of a client.
#[derive(Debug, Default)]
pub(crate) struct Verifiers {
    setting: Proof,
    by_stub: Mutex<HashMap<Stub, Trust>>,
}

impl Verifiers {
    pub(crate) fn new(setting: Proof) -> Self {
        Self { setting, by_stub: Mutex::default() }
    }

    /// Whether the verifier is to be put to the proof now. The others go on meanwhile.
    pub(crate) fn claim(&self, stub: Stub) -> bool {
        if self.setting == Proof::Off {
            return false;
        }
        let mut verifiers = self.lock();
        let trust = verifiers.entry(stub).or_insert(Trust::Unproven { tries: 0 });
        match *trust {
            Trust::Unproven { tries } if tries < TRIES || self.setting == Proof::Demanded => {
                *trust = Trust::Trying { tries };
                true
            }
            Trust::Unproven { .. } | Trust::Trying { .. } | Trust::Proven | Trust::Distrusted { .. } => false,
        }
    }

    /// Lets go of a claim that came to no look with a finding.
    pub(crate) fn give_back(&self, stub: Stub) {
        self.unclaim(stub, 0);
    }

    /// Lets go of a claim whose look decided nothing.
    pub(crate) fn undecided(&self, stub: Stub) {
        self.unclaim(stub, 1);
    }

    fn unclaim(&self, stub: Stub, spent: u8) {
        if let Some(trust) = self.lock().get_mut(&stub)
            && let Trust::Trying { tries } = *trust
        {
            *trust = Trust::Unproven { tries: tries.saturating_add(spent) };
        }
    }

    /// The verifier has found what its write has made. Distrust stays: it may find some and not others.
    pub(crate) fn found(&self, stub: Stub) {
        if self.setting == Proof::Off {
            return;
        }
        let mut verifiers = self.lock();
        let trust = verifiers.entry(stub).or_insert(Trust::Proven);
        match trust {
            Trust::Unproven { .. } | Trust::Trying { .. } => *trust = Trust::Proven,
            Trust::Proven | Trust::Distrusted { .. } => {}
        }
    }

    /// The verifier has not found what its write made then. Gives back what is said about it from now on.
    pub(crate) fn distrust(&self, stub: Stub, made: SystemTime) -> Arc<str> {
        let why: Arc<str> = format!(
            "this verifier did not find what {} made at {} (does the portal know each name in the fields and in the filter as it is spelt, \
             and may this user see the record?)",
            stub.method,
            utc(made)
        )
        .into();
        self.lock().insert(stub, Trust::Distrusted { why: Arc::clone(&why) });
        why
    }

    /// Why no absence that this verifier states counts at all.
    pub(crate) fn distrusted(&self, stub: Stub) -> Option<Arc<str>> {
        match self.lock().get(&stub)? {
            Trust::Distrusted { why } => Some(Arc::clone(why)),
            Trust::Unproven { .. } | Trust::Trying { .. } | Trust::Proven => None,
        }
    }

    /// Whether a proof is demanded that the verifier has not given yet.
    pub(crate) fn lacks_proof(&self, stub: Stub) -> bool {
        self.setting == Proof::Demanded && !matches!(self.lock().get(&stub), Some(Trust::Proven))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Stub, Trust>> {
        self.by_stub.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STUB: Stub = Stub::new("crm.deal.add", "shop::deals::add_deal::{{closure}}::{{closure}}");

    #[test]
    fn the_path_of_a_stub_is_shown_without_its_closures() {
        assert_eq!(STUB.path(), "shop::deals::add_deal");
    }

    #[test]
    fn one_proof_is_made_at_a_time_and_none_after_it() {
        let verifiers = Verifiers::new(Proof::AfterFirst);
        assert!(verifiers.claim(STUB));
        assert!(!verifiers.claim(STUB), "it is under way");
        verifiers.give_back(STUB);
        assert!(verifiers.claim(STUB));
        verifiers.found(STUB);
        assert!(!verifiers.claim(STUB));
        assert!(verifiers.claim(Stub::new("crm.lead.add", STUB.verifier)), "another stub has its own");
    }

    #[test]
    fn tries_run_out_unless_the_proof_is_demanded() {
        for (setting, more) in [(Proof::AfterFirst, false), (Proof::Demanded, true)] {
            let verifiers = Verifiers::new(setting);
            for _ in 0..TRIES {
                assert!(verifiers.claim(STUB));
                verifiers.undecided(STUB);
            }
            assert_eq!(verifiers.claim(STUB), more);
        }
        assert!(!Verifiers::new(Proof::Off).claim(STUB));
    }

    #[test]
    fn p3_distrust_is_for_ever() {
        let verifiers = Verifiers::new(Proof::Demanded);
        assert!(verifiers.lacks_proof(STUB) && verifiers.distrusted(STUB).is_none());
        verifiers.distrust(STUB, SystemTime::UNIX_EPOCH);
        verifiers.found(STUB);
        assert!(verifiers.distrusted(STUB).unwrap().contains("1970-01-01T00:00:00.000Z"));
        assert!(!verifiers.claim(STUB));
    }
}
