//! A marker of ours in a text.

use super::ReadBack;
use crate::page::Page;

impl<T> ReadBack<T> {
    /// Judges a *whole listing under a known parent* for a marker in a text, such as `[delivery 7]` in the comments of a deal.
    ///
    /// `text` gives the text of a row, if it has one, and what the write would have returned. As [`by_marker`](Self::by_marker), and
    /// a marker that is a part of a longer word or number does not count: `A-7` is not found in `A-71` nor in `BA-7`. An empty
    /// marker and a row without its text (the `select` does not name it, most often) are `Unreliable`.
    ///
    /// **It proves nothing** for a text that the portal rewrites: use letters, digits, spaces and brackets, nothing that HTML or BB codes
    /// would escape. People can edit or delete a text.
    ///
    /// ```
    /// use retry_runtime::{Id, Page, ReadBack};
    ///
    /// let page = Page::new(vec![("Packed [delivery 71]", Id(5)), ("Handed over [delivery 7]", Id(9))]);
    /// let found = ReadBack::by_text(page, "[delivery 7]", |(text, id)| (Some(text.to_owned()), id));
    /// assert_eq!(found, ReadBack::Found(Id(9)));
    /// ```
    pub fn by_text<R, S>(page: Page<R>, marker: &str, text: impl FnMut(R) -> (S, T)) -> Self
    where
        S: Into<Option<String>>,
        T: PartialEq,
    {
        if marker.trim().is_empty() {
            return Self::Unreliable("the marker is empty: every text would have it".into());
        }
        let (mut text, mut without) = (text, false);
        let judged = Self::by_marker(page, |row| {
            let (text, result) = text(row);
            let text = text.into();
            without |= text.is_none();
            text.is_some_and(|text| carries(&text, marker)).then_some(result)
        });
        if without {
            return Self::Unreliable("rows came back without the text that the marker is in".into());
        }
        judged
    }
}

/// Whether the marker is in the text, as a whole.
fn carries(text: &str, marker: &str) -> bool {
    let joins =
        |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || matches!(letter, '-' | '_'));
    let (first, last) = (marker.chars().next(), marker.chars().next_back());
    text.match_indices(marker).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let behind = text.get(at + marker.len()..).and_then(|behind| behind.chars().next());
        let is_a_part = (joins(first) && joins(before)) || (joins(last) && joins(behind));
        !is_a_part
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(rows: Vec<(Option<&str>, u32)>, marker: &str) -> ReadBack<u32> {
        ReadBack::by_text(Page::new(rows), marker, |(text, id)| (text.map(str::to_owned), id))
    }

    #[test]
    fn a_marker_is_found_as_a_whole() {
        for text in ["A-7", "order A-7.", "(A-7)", "A-71, then A-7", "Ё A-7"] {
            assert!(carries(text, "A-7"), "{text}");
        }
        for text in ["", "A-71", "BA-7", "A-7-1", "A-7_", "ЁA-7", "a-7"] {
            assert!(!carries(text, "A-7"), "{text}");
        }
        assert!(carries("x[A-7]y", "[A-7]"), "brackets close a marker by themselves");
    }

    #[test]
    fn p3_texts_that_can_not_be_read_are_no_absence() {
        assert_eq!(judged(vec![], "A-7"), ReadBack::Absent);
        assert_eq!(judged(vec![(Some("of others"), 1)], "A-7"), ReadBack::Absent);
        assert_eq!(judged(vec![(Some("A-7"), 1), (Some("A-7"), 2)], "A-7"), ReadBack::Multiple(vec![1, 2]));
        for rows in [vec![(None, 1)], vec![(Some("A-7"), 1), (None, 2)]] {
            assert!(matches!(judged(rows, "A-7"), ReadBack::Unreliable(why) if why.contains("without the text")));
        }
        for marker in ["", "  "] {
            assert!(matches!(judged(vec![(Some("x"), 1)], marker), ReadBack::Unreliable(why) if why.contains("empty")));
        }
    }
}
