//! What a verifier says about the effect of a write.

mod change;
mod gone;
mod key;
mod marker;

use std::borrow::Cow;

pub use change::Change;
pub use gone::{Existing, Gone, NotSeen};
pub use key::{Key, KeyRow};

use crate::page::Page;

const FILTER_IGNORED: &str =
    "rows came back that do not carry the key: the filter was ignored (is its field spelt as the method wants it?)";
const GOES_ON: &str = "the list goes on after this page: narrow the filter or read it to its end";

/// What reading a write back has shown.
///
/// `T` is what the write itself returns: a found effect becomes the result of the write.
///
/// | the write | the verifier |
/// |---|---|
/// | creates a record with a key of ours in its fields | [`Key`] |
/// | leaves a marker in a text under a known parent | [`by_text`](Self::by_text), over the whole list: [`Page::whole_by_id`], [`Page::whole_by_start`] |
/// | updates a record | [`Change`] |
/// | deletes a record | [`Existing`] and [`Gone`] |
/// | anything else | [`by_key`](Self::by_key), [`by_marker`](Self::by_marker), or a comparison of your own |
///
/// **A read-back proves nothing** where the caller may not see what it creates (lists leave it out without a word), where a list has a
/// window of its own (`calendar.event.get` shows one month back and three ahead unless it is told from and to), where it shows what
/// is running only (`bizproc.workflow.instances`), where it is a search over an index, and where its pages are not read to the end.
/// `Unreliable` is the answer then. The [proof](crate::Proof) of each verifier shows the most common of these.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadBack<T> {
    /// The effect is there, once.
    Found(T),
    /// The portal answered, and the effect is not there. Whether that is proof depends on when the check began; the loop sees to it.
    Absent,
    /// More than one record carries the key.
    Multiple(Vec<T>),
    /// The answer proves nothing, and why: the filter was ignored, the page was not complete, the row may be hidden.
    Unreliable(Cow<'static, str>),
}

impl<T> ReadBack<T> {
    /// Judges a list that was asked for with an *exact filter on the key*.
    ///
    /// `matching` compares the key of each row and returns what the write would have returned. No rows in a complete page are `Absent`, one
    /// match is `Found`, different ones are `Multiple`. Rows of which none has the key mean that the filter was ignored (a misspelt
    /// field, most often), and a page that goes on shows not all: both are `Unreliable`. The same match twice counts once.
    ///
    /// ```
    /// use retry_runtime::{Id, Page, ReadBack};
    ///
    /// let page = Page::new(vec![("A-1", Id(17))]);
    /// let found = ReadBack::by_key(page, |(key, id)| (key == "A-1").then_some(id));
    /// assert_eq!(found, ReadBack::Found(Id(17)));
    /// ```
    pub fn by_key<R>(page: Page<R>, matching: impl FnMut(R) -> Option<T>) -> Self
    where
        T: PartialEq,
    {
        let mut others = 0;
        let mut matching = matching;
        let judged = Self::matches(page, |row| {
            let hit = matching(row);
            others += usize::from(hit.is_none());
            hit
        });
        let blind = others > 0 && matches!(judged, Self::Absent | Self::Unreliable(_));
        if blind { Self::Unreliable(FILTER_IGNORED.into()) } else { judged }
    }

    /// Judges a *whole listing under a known parent* in which the write leaves a marker, such as the comments of a deal.
    ///
    /// As [`by_key`](Self::by_key), but rows without the marker are to be expected: a complete page without a match is `Absent`.
    pub fn by_marker<R>(page: Page<R>, matching: impl FnMut(R) -> Option<T>) -> Self
    where
        T: PartialEq,
    {
        Self::matches(page, matching)
    }

    fn matches<R>(page: Page<R>, matching: impl FnMut(R) -> Option<T>) -> Self
    where
        T: PartialEq,
    {
        let complete = page.is_complete();
        let mut found: Vec<T> = Vec::new();
        for hit in page.rows.into_iter().filter_map(matching) {
            if !found.contains(&hit) {
                found.push(hit);
            }
        }
        if !complete && found.len() < 2 {
            return Self::Unreliable(GOES_ON.into());
        }
        match found.pop() {
            None => Self::Absent,
            Some(only) if found.is_empty() => Self::Found(only),
            Some(last) => {
                found.push(last);
                Self::Multiple(found)
            }
        }
    }

    /// The same verdict about something made of what was found.
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> ReadBack<U> {
        let mut change = change;
        match self {
            Self::Found(found) => ReadBack::Found(change(found)),
            Self::Absent => ReadBack::Absent,
            Self::Multiple(found) => ReadBack::Multiple(found.into_iter().map(change).collect()),
            Self::Unreliable(why) => ReadBack::Unreliable(why),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(row: (&str, u32)) -> Option<u32> {
        (row.0 == "k").then_some(row.1)
    }

    fn is_unreliable<T>(verdict: &ReadBack<T>) -> bool {
        matches!(verdict, ReadBack::Unreliable(_))
    }

    #[test]
    fn by_key_believes_no_rows_only_if_the_filter_was_obeyed() {
        assert_eq!(ReadBack::by_key(Page::new(vec![]), key), ReadBack::Absent);
        assert_eq!(ReadBack::by_key(Page::new(vec![("k", 1)]), key), ReadBack::Found(1));
        assert_eq!(ReadBack::by_key(Page::new(vec![("k", 1), ("k", 2)]), key), ReadBack::Multiple(vec![1, 2]));
        assert!(is_unreliable(&ReadBack::by_key(Page::new(vec![("other", 1)]), key)));
    }

    #[test]
    fn by_marker_expects_other_rows() {
        assert_eq!(ReadBack::by_marker(Page::new(vec![("other", 1)]), key), ReadBack::Absent);
        assert_eq!(ReadBack::by_marker(Page::new(vec![("other", 1), ("k", 2)]), key), ReadBack::Found(2));
    }

    #[test]
    fn case_b50_the_same_record_twice_is_one_match() {
        assert_eq!(ReadBack::by_key(Page::new(vec![("k", 1), ("k", 1)]), key), ReadBack::Found(1));
    }

    #[test]
    fn an_incomplete_page_is_never_absent_and_never_found() {
        let cut = |rows| Page { next: Some(50), ..Page::new(rows) };
        for rows in [vec![], vec![("other", 1)], vec![("k", 1)]] {
            assert!(is_unreliable(&ReadBack::by_key(cut(rows.clone()), key)));
            assert!(is_unreliable(&ReadBack::by_marker(cut(rows), key)));
        }
        assert_eq!(ReadBack::by_marker(cut(vec![("k", 1), ("k", 2)]), key), ReadBack::Multiple(vec![1, 2]));
    }
}
