//! How far one part of a name is from another: `deals` from `deal`, `create` from `add`.

use super::words;

/// Parts that are longer are compared for equality alone.
const LONG: usize = 48;

/// One part of the name that was given.
#[derive(Clone, Copy, Default)]
pub(super) struct Part<'n> {
    text: &'n str,
    meanings: u8,
}

impl<'n> Part<'n> {
    pub(super) fn new(text: &'n str) -> Self {
        Self { text, meanings: words::meanings(text) }
    }

    /// Two for each letter to change, one for a plural; `None` if they are different words.
    pub(super) fn distance(self, known: &str) -> Option<u8> {
        let given = self.text;
        if given.eq_ignore_ascii_case(known) {
            return Some(0);
        }
        if plural(given, known) || plural(known, given) {
            return Some(1);
        }
        let meanings = if self.meanings == 0 { 0 } else { words::meanings(known) };
        if self.meanings & meanings != 0 {
            return Some(2);
        }
        if begins(given, known) || begins(known, given) {
            return Some(3);
        }
        // A verb is meant as it stands: `set` is no typing error for `get`.
        if meanings != 0 { None } else { misspelt(given, known) }
    }
}

fn misspelt(given: &str, known: &str) -> Option<u8> {
    let most = match given.len().max(known.len()) {
        0..=2 => return None,
        3..=5 => 1,
        6..=8 => 2,
        _ => 3,
    };
    if given.len().abs_diff(known.len()) > usize::from(most) {
        return None;
    }
    changes(given, known).filter(|changes| *changes <= most).map(|changes| 2 * changes)
}

/// Whether `many` is the plural of `one`.
fn plural(one: &str, many: &str) -> bool {
    let stem = |end: &str| many.len().checked_sub(end.len()).and_then(|at| many.split_at_checked(at));
    let ends = |end: &str, instead: &str| {
        stem(end).is_some_and(|(stem, tail)| {
            tail.eq_ignore_ascii_case(end)
                && one.len() == stem.len() + instead.len()
                && one
                    .split_at_checked(stem.len())
                    .is_some_and(|(begin, last)| begin.eq_ignore_ascii_case(stem) && last.eq_ignore_ascii_case(instead))
        })
    };
    ends("s", "") || ends("es", "") || ends("ies", "y")
}

/// Whether `long` begins with the word `short`: `uploadFile` with `upload`.
fn begins(short: &str, long: &str) -> bool {
    short.len() >= 3
        && long.split_at_checked(short.len()).is_some_and(|(begin, rest)| {
            begin.eq_ignore_ascii_case(short) && rest.starts_with(|letter: char| letter.is_ascii_uppercase())
        })
}

/// The edit distance, case ignored, in which two swapped neighbours count as one change.
fn changes(a: &str, b: &str) -> Option<u8> {
    if a.len() > LONG || b.len() > LONG {
        return None;
    }
    let letter = |text: &str, at: usize| text.as_bytes()[at].to_ascii_lowercase();
    // The rows of the last two letters of `a`, and the one that is being filled.
    let mut rows = [[u8::MAX; LONG + 1]; 3];
    for (cost, j) in rows[1].iter_mut().zip(0..) {
        *cost = j;
    }
    for i in 0..a.len() {
        let [before, last, row] = &mut rows;
        row[0] = last[0].saturating_add(1);
        for j in 0..b.len() {
            let other = u8::from(letter(a, i) != letter(b, j));
            row[j + 1] = last[j].saturating_add(other).min(last[j + 1].saturating_add(1)).min(row[j].saturating_add(1));
            if i > 0 && j > 0 && letter(a, i) == letter(b, j - 1) && letter(a, i - 1) == letter(b, j) {
                row[j + 1] = row[j + 1].min(before[j - 1].saturating_add(1));
            }
        }
        rows.rotate_left(1);
    }
    Some(rows[1][b.len()])
}

#[cfg(test)]
mod tests {
    use super::{Part, changes};

    fn distance(given: &str, known: &str) -> Option<u8> {
        Part::new(given).distance(known)
    }

    #[test]
    fn a_swap_is_one_change() {
        assert_eq!(changes("dael", "deal"), Some(1));
        assert_eq!(changes("", "deal"), Some(4));
        assert_eq!(changes("deal", ""), Some(4));
        assert_eq!(changes("Contact", "contact"), Some(0));
        assert_eq!(changes("laed", "deal"), Some(3));
    }

    #[test]
    fn plurals_and_other_verbs_are_near() {
        assert_eq!(distance("deals", "deal"), Some(1));
        assert_eq!(distance("task", "tasks"), Some(1));
        assert_eq!(distance("Companies", "company"), Some(1));
        assert_eq!(distance("statuses", "status"), Some(1));
        assert_eq!(distance("create", "add"), Some(2));
        assert_eq!(distance("upload", "uploadFile"), Some(3));
    }

    #[test]
    fn another_word_is_not_near() {
        assert_eq!(distance("lead", "deal"), None);
        assert_eq!(distance("set", "get"), None);
        assert_eq!(distance("im", "ai"), None);
        assert_eq!(distance("message", "manager"), None);
        assert_eq!(distance(&"long".repeat(20), &"long".repeat(21)), None);
    }

    #[test]
    fn letters_of_other_scripts_are_only_different_letters() {
        assert_eq!(distance("сделка", "deal"), None);
        assert_eq!(distance("déal", "deal"), None);
        assert_eq!(distance("contаct", "contact"), Some(4), "the Cyrillic letter has two bytes");
    }
}
