//! "Did you mean …": the names that an unknown one was probably meant to be.

mod segment;
mod words;

use crate::table::names;
use segment::Part;

/// Up to three names that `name` was probably meant to be, the likeliest first; none rather than one that is far off.
///
/// Typing errors, plurals, other verbs (`create` for `add`), a forgotten or added part and a few usual confusions are seen
/// through. Case does not matter. A name that is in the table is nearest to itself.
///
/// ```
/// use retry_catalogue::nearest;
///
/// let near = |name: &str| nearest(name).collect::<Vec<_>>();
/// assert_eq!(near("task.task.add"), ["tasks.task.add"]);
/// assert_eq!(near("deal.add"), ["crm.deal.add"]);
/// assert_eq!(near("crm.stage.list"), ["crm.status.list"]);
/// assert!(near("crm.rocket.launch").is_empty());
/// ```
pub fn nearest(name: &str) -> impl Iterator<Item = &'static str> + use<> {
    let mut best = Best::default();
    for meant in words::meant(name) {
        best.offer(meant, 0);
    }
    if best.found == 0 {
        let given = Given::new(name);
        for known in names() {
            if let Some(changes) = given.distance(known) {
                best.offer(known, changes);
            }
        }
    }
    best.names()
}

const MOST: usize = 3;

/// What is further off is another name.
const FAR: u8 = 6;

/// A part that one has and the other has not.
const PART: u8 = 4;

/// No name of the table has more parts.
const PARTS: usize = 8;

/// The name that was given, taken apart once.
struct Given<'n> {
    name: &'n str,
    parts: [Part<'n>; PARTS],
    /// How many parts it has. If they are too many, it is compared by its letters alone.
    count: usize,
}

impl<'n> Given<'n> {
    fn new(name: &'n str) -> Self {
        let mut parts = [Part::default(); PARTS];
        for (part, text) in parts.iter_mut().zip(name.split('.')) {
            *part = Part::new(text);
        }
        Self { name, parts, count: name.split('.').count() }
    }

    /// How far off `known` is, if it is near at all.
    fn distance(&self, known: &str) -> Option<u8> {
        if squeezed(self.name).eq(squeezed(known)) {
            return Some(0);
        }
        let parts = self.parts.get(..self.count)?;
        let count = known.split('.').count();
        if count > PARTS || parts.len().abs_diff(count) > usize::from(FAR / PART) {
            return None;
        }
        // row[k] is what it costs to make the first k parts of `known` out of the given ones that were looked at.
        let mut row = [u8::MAX; PARTS + 1];
        for (cost, parts) in row.iter_mut().zip(0..) {
            *cost = parts * PART;
        }
        for given in parts {
            let mut corner = row[0];
            row[0] = corner.saturating_add(PART);
            for (k, known) in known.split('.').enumerate() {
                let replaced = given.distance(known).map_or(u8::MAX, |changes| corner.saturating_add(changes));
                corner = row[k + 1];
                row[k + 1] = replaced.min(corner.saturating_add(PART)).min(row[k].saturating_add(PART));
            }
        }
        (row[count] <= FAR).then_some(row[count])
    }
}

/// Its letters and digits: what is left of `crm_deal_add` and of `calendar.event.getNearest` is the same as of the name.
fn squeezed(name: &str) -> impl Iterator<Item = u8> {
    name.bytes().filter(u8::is_ascii_alphanumeric).map(|byte| byte.to_ascii_lowercase())
}

/// The names that are nearest so far, each as near as the others.
#[derive(Default)]
struct Best {
    changes: u8,
    names: [Option<&'static str>; MOST],
    /// How many there are, those that found no place included.
    found: usize,
}

impl Best {
    fn offer(&mut self, name: &'static str, changes: u8) {
        if self.found == 0 || changes < self.changes {
            *self = Self { changes, ..Self::default() };
        }
        if changes == self.changes {
            if let Some(place) = self.names.get_mut(self.found) {
                *place = Some(name);
            }
            self.found += 1;
        }
    }

    /// If more are equally near than can be named, each of them would be a guess.
    fn names(self) -> impl Iterator<Item = &'static str> {
        let clear = self.found <= MOST;
        self.names.into_iter().flatten().filter(move |_| clear)
    }
}
