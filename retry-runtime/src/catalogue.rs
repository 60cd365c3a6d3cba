//! What the documentation says of the portal's methods: which of them write, what a second send does, how a write is read back.
//!
//! [`bitrix_method`](crate::bitrix_method) asks this very table at compile time. Here it is for programs: a log viewer that marks writes,
//! a gateway that lets reads through only, a check of one's own list of methods.
//!
//! ```
//! use retry_runtime::OperationKind;
//! use retry_runtime::catalogue::{all, kind_of, lookup};
//!
//! assert_eq!(kind_of("crm.deal.list"), Some(OperationKind::Read));
//! // It deletes what it returns; case does not matter.
//! assert_eq!(kind_of("Event.Offline.Get"), Some(OperationKind::Write));
//! // Not in the documentation: a typing error, or a self-hosted portal's own method. Take it for a write.
//! assert_eq!(kind_of("crm.deals.create"), None);
//!
//! let add = lookup("crm.contact.add").expect("it is in the table");
//! assert_eq!(add.read_with, Some("crm.contact.list"));
//! assert_eq!(add.keys, "ORIGINATOR_ID, ORIGIN_ID");
//!
//! let without_a_way_back = all().filter(|method| method.strength == Some(retry_runtime::catalogue::Strength::Nothing));
//! println!("{} methods can't be read back", without_a_way_back.count());
//! ```
//!
//! It holds the documented methods of REST 2 and REST 3.0 (August 2026). Where the documentation leaves it open, or the arguments decide,
//! the kind is [`Write`](OperationKind::Write). For people there is `cargo run -p retry-explain -- crm.deal.add`, which shows a row and
//! the stub to paste.

pub use retry_catalogue::{Action, Helper, Kind, Method, Outdated, Replay, Strength, Versions, all, lookup, nearest};

use crate::effect::OperationKind;

/// Whether the method of this name reads or writes; `None` if the documentation has no such method. Case does not matter.
///
/// ```
/// use retry_runtime::OperationKind;
/// use retry_runtime::catalogue::kind_of;
///
/// assert_eq!(kind_of("tasks.task.add"), Some(OperationKind::Write));
/// ```
pub fn kind_of(name: &str) -> Option<OperationKind> {
    lookup(name).map(|method| method.kind.into())
}

impl From<Kind> for OperationKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Read => Self::Read,
            Kind::Write => Self::Write,
        }
    }
}
