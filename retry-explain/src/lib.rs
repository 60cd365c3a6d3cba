//! What there is to know of a method or a code of Bitrix24, as text for a terminal.
//!
//! ```text
//! cargo run -p retry-explain -- crm.deal.add       whether it writes, how it is read back, and the stub to paste
//! cargo run -p retry-explain -- BITRIX_TIMEOUT     what it means, what a read and a write do after it
//! ```
//!
//! The rows come from [`retry_runtime::catalogue`], the decisions from [`retry_runtime::decide`]: nothing is known here that the
//! library does not go by, but for the shapes of arguments and results, which only the stubs need.

mod code;
mod lines;
mod method;
mod stub;

use std::fmt;

use retry_runtime::catalogue::{lookup, nearest};

pub use code::code;
pub use method::method;
pub use stub::stub;

/// A method that the documentation does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    name: String,
    nearest: Vec<&'static str>,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not among the documented methods of Bitrix24", self.name)?;
        if !self.nearest.is_empty() {
            write!(f, "; the nearest: {}", self.nearest.join(", "))?;
        }
        Ok(())
    }
}

impl std::error::Error for Unknown {}

/// Explains a method, or a code. Case does not matter.
///
/// A method has a dot in its name, but for a few such as `batch`; whatever else is not known is a code, as every code that
/// nobody documents is decided the same way.
///
/// # Errors
///
/// [`Unknown`], if it looks like a method and the catalogue does not have it.
///
/// ```
/// let text = retry_explain::explain("crm.deal.add")?;
/// assert!(text.contains("a second crm.deal.add makes a second deal"), "{text}");
/// assert!(retry_explain::explain("crm.deals.create").is_err());
/// # Ok::<(), retry_explain::Unknown>(())
/// ```
pub fn explain(word: &str) -> Result<String, Unknown> {
    match lookup(word) {
        Some(found) => Ok(method(&found)),
        None if word.contains('.') => Err(Unknown { name: word.to_owned(), nearest: nearest(word).collect() }),
        None => Ok(code(word)),
    }
}
