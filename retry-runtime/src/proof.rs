//! Whether verifiers are put to the proof.

/// Whether a verifier has to find what its own write has made before its word counts.
///
/// A key that the portal drops because its name is misspelt, a filter that asks for another field, a row that the caller may not see: the
/// write succeeds, and its verifier finds nothing, for ever. Each lost answer would then be "proved absent" and sent again, and each
/// resend would be a duplicate. So the first success of a stub in a client is read back at once: *that very record* must be found, with
/// the value that the write has returned (compared as `Debug` shows it). If it is not there, the verifier looks again after the list lag
/// and after list lag and margin of the [settle time](crate::Settle), 5 s and 15 s by default. One that has still not found it is
/// distrusted for as long as the client lives: what it finds is believed, but its `Absent` counts as `Unreliable`, so that a lost write ends
/// in doubt and `ensure` sends nothing. A WARN event and [`Observer::distrusted`](crate::Observer::distrusted) say so.
///
/// The proof never changes the result of the call. Its price is one more read for each stub and client, and for a record that is not found
/// up to 15 s before the first success is handed over; it takes 25 s at the most (our choice), and no longer than the deadline. A read that
/// fails, a verifier that can't tell, or a caller that goes away decides nothing: the next success is the next try. What a read-back finds
/// after a lost answer is proof too.
///
/// ```
/// use retry_runtime::{Client, Proof};
///
/// let client =
///     Client::builder().webhook("https://acme.bitrix24.com/rest/1/abcdefgh12345678/").proof(Proof::Demanded).build()?;
/// # Ok::<(), retry_runtime::BuildError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Proof {
    /// No: the first success costs no read, and every verifier is believed.
    Off,
    /// With the first success. Until then a verifier is believed. After three tries that decided nothing there is no further one (our choice).
    #[default]
    AfterFirst,
    /// The same, and no `Absent` allows another send before the verifier has found a record of its own. Tries do not run out.
    ///
    /// The look that `ensure` takes before the first send is allowed to find nothing: no earlier send is in doubt then, and without a first
    /// send nothing could ever be found.
    Demanded,
}
