//! Whether verifiers are put to the proof, and what the client knows of this one before the call.

use retry_runtime::{Client, Policy, Proof};
use serde_json::json;

use crate::run::{Stub, call};
use crate::support::{Fake, Seen, Step, Told};

/// What came of the proof at an earlier call of the same stub.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Past {
    /// There was none.
    Nothing,
    Proven,
    Distrusted,
}

/// The setting, and what came before.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Trust {
    setting: Proof,
    past: Past,
}

impl Trust {
    /// Every verifier is believed.
    pub(crate) const BLIND: Self = Self::new(Proof::Off, Past::Nothing);

    /// All others that differ: without the setting nothing is learned, and once proven nothing is asked.
    pub(crate) const ALL: [Self; 5] = [
        Self::new(Proof::AfterFirst, Past::Nothing),
        Self::new(Proof::AfterFirst, Past::Distrusted),
        Self::new(Proof::Demanded, Past::Nothing),
        Self::new(Proof::Demanded, Past::Proven),
        Self::new(Proof::Demanded, Past::Distrusted),
    ];

    const fn new(setting: Proof, past: Past) -> Self {
        Self { setting, past }
    }

    pub(crate) const fn setting(self) -> Proof {
        self.setting
    }

    /// Whether an absence that the verifier states may allow another send.
    pub(crate) fn absence_counts(self) -> bool {
        match self.past {
            Past::Nothing => self.setting != Proof::Demanded,
            Past::Proven => true,
            Past::Distrusted => false,
        }
    }

    /// Makes the earlier call, for another order.
    pub(crate) async fn begin(self, stub: Stub, client: &Client, portal: &Fake, observer: &Seen) {
        match self.past {
            Past::Nothing => return,
            Past::Proven => {}
            Past::Distrusted => {
                // One before the send with `ensure`, and three looks after the success.
                let looks = if stub == Stub::Ensured { 4 } else { 3 };
                for method in ["crm.deal.list", "tasks.task.list"] {
                    portal.then(method, vec![Step::page(&json!([]), None, None); looks]);
                }
            }
        }
        call(stub, &client.with_policy(Policy::new()), "1016").await.unwrap();
        let distrusted = observer.told().contains(&Told::Distrusted);
        assert_eq!(distrusted, self.past == Past::Distrusted, "the earlier call went otherwise");
    }
}
