//! Lists that are read to their end.

use super::Page;
use crate::error::CallError;
use crate::id::Id;

/// At most so many pages make one list (our choice): 5,000 rows with pages of 50.
const PAGES: usize = 100;

impl<T> Page<T> {
    /// Reads a list to its end, from each id to the next: the only way that no change of the list in between can disturb.
    ///
    /// `fetch` asks for the rows with an id above the one it is given, in ascending order of ids: `filter: {">ID": after}`,
    /// `order: {"ID": "ASC"}`, `start: -1`. `id` takes the id of a row. An empty page is the end, whatever the size of a page is.
    ///
    /// The result [is complete](Self::is_complete) only if the end was reached. It is not after 100 pages (our choice), where the server
    /// says that rows are missing, and where the ids do not grow from row to row: filter or order were ignored then.
    ///
    /// ```no_run
    /// use retry_runtime::{CallError, Id, Page, Reader, bitrix_method};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Serialize)]
    /// struct After {
    ///     #[serde(rename = ">ID")]
    ///     id: Id,
    /// }
    ///
    /// #[derive(Serialize)]
    /// struct ById {
    ///     #[serde(rename = "ID")]
    ///     id: &'static str,
    /// }
    ///
    /// #[derive(Deserialize)]
    /// struct Deal {
    ///     #[serde(rename = "ID")]
    ///     id: Id,
    /// }
    ///
    /// #[bitrix_method(name = "crm.deal.list", kind = read)]
    /// async fn list_deals(reader: &Reader, filter: After, order: ById, start: i32) -> Result<Page<Deal>, CallError>;
    ///
    /// async fn all_deals(reader: &Reader) -> Result<Page<Deal>, CallError> {
    ///     Page::whole_by_id(|deal: &Deal| deal.id, |after| list_deals(reader, After { id: after }, ById { id: "ASC" }, -1)).await
    /// }
    /// ```
    ///
    /// # Errors
    /// Those of `fetch`; what was read until then is lost.
    pub async fn whole_by_id<F>(id: impl Fn(&T) -> Id, fetch: impl FnMut(Id) -> F) -> Result<Self, CallError>
    where
        F: Future<Output = Result<Self, CallError>>,
    {
        let mut fetch = fetch;
        let mut rows: Vec<T> = Vec::new();
        let mut after = Id(0);
        for _ in 0..PAGES {
            let page = fetch(after).await?;
            if page.rows.is_empty() {
                return Ok(Self::whole(rows, page.is_complete()));
            }
            let grows = page.rows.iter().all(|row| {
                let before = std::mem::replace(&mut after, id(row));
                before < after
            });
            let partial = page.partial;
            rows.extend(page.rows);
            if partial || !grows {
                break;
            }
        }
        Ok(Self::whole(rows, false))
    }

    /// Reads a list to its end page by page, for lists that can't be filtered by id: the comments of a record.
    ///
    /// `fetch` asks for the page at the `start` it is given. The result is complete only if the last page names no next one and the server has
    /// counted, on each page alike, as many rows as came; a single page will do if it is not full. A row that is deleted between two pages
    /// moves the others up, and one is missed: the count shows it, unless another has been added meanwhile. After 100 pages (our choice)
    /// the list is not complete either.
    ///
    /// # Errors
    /// Those of `fetch`; what was read until then is lost.
    pub async fn whole_by_start<F>(fetch: impl FnMut(u64) -> F) -> Result<Self, CallError>
    where
        F: Future<Output = Result<Self, CallError>>,
    {
        let mut fetch = fetch;
        let first = fetch(0).await?;
        let Some(mut start) = first.next else { return Ok(first) };
        let (total, mut steady) = (first.total, !first.partial && start > 0);
        let mut rows = first.rows;
        for _ in 1..PAGES {
            if !steady {
                break;
            }
            let page = fetch(start).await?;
            steady = !page.partial && page.total == total && page.next.is_none_or(|next| next > start);
            rows.extend(page.rows);
            let Some(next) = page.next else {
                let counted = total == Some(rows.len() as u64);
                return Ok(Self::whole(rows, steady && counted));
            };
            start = next;
        }
        Ok(Self::whole(rows, false))
    }

    fn whole(rows: Vec<T>, to_its_end: bool) -> Self {
        Self { to_its_end, partial: !to_its_end, ..Self::new(rows) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::ready;

    /// A list whose pages have three rows.
    fn listed(ids: &[u64], after: Id) -> Page<Id> {
        Page::new(ids.iter().map(|id| Id(*id)).filter(|id| *id > after).take(3).collect())
    }

    async fn by_id(mut fetch: impl FnMut(Id) -> Page<Id>) -> (usize, bool) {
        let page = Page::whole_by_id(|id| *id, |after| ready(Ok(fetch(after)))).await.unwrap();
        (page.rows.len(), page.is_complete())
    }

    async fn by_start(pages: &[(u64, Option<u64>, Option<u64>)]) -> (usize, bool) {
        let mut pages = pages.iter();
        let page = Page::whole_by_start(|_| {
            let (rows, next, total) = *pages.next().unwrap();
            ready(Ok(Page { next, total, ..Page::new((0..rows).collect()) }))
        });
        let page = page.await.unwrap();
        (page.rows.len(), page.is_complete())
    }

    #[tokio::test]
    async fn a_list_is_read_from_id_to_id_until_nothing_is_left() {
        for count in [0, 1, 3, 7, 60, 150] {
            let ids: Vec<u64> = (1..=count).collect();
            assert_eq!(by_id(|after| listed(&ids, after)).await, (ids.len(), true));
        }
    }

    #[tokio::test]
    async fn p3_a_list_that_ignores_the_filter_or_the_order_is_not_complete() {
        let mut asked = 0;
        let same = by_id(|_| {
            asked += 1;
            listed(&[1, 2, 3], Id(0))
        });
        assert_eq!((same.await, asked), ((6, false), 2), "the filter was ignored");
        assert_eq!(
            by_id(|after| if after == Id(0) { Page::new(vec![Id(9), Id(8)]) } else { Page::new(vec![]) }).await,
            (2, false)
        );
    }

    #[tokio::test]
    async fn p3_a_list_with_rows_missing_is_not_complete() {
        assert_eq!(by_id(|after| Page { partial: true, ..listed(&[1, 2], after) }).await, (2, false));
        let cut = |after| Page { partial: after == Id(2), ..listed(&[1, 2], after) };
        assert_eq!(by_id(cut).await, (2, false));
        let hidden = |after| Page { total: Some(5), ..listed(&[1, 2], after) };
        assert_eq!(by_id(hidden).await, (2, false));
    }

    #[tokio::test]
    async fn p5_a_list_without_an_end_is_given_up_and_not_complete() {
        let mut last = 0;
        let endless = |_| {
            last += 1;
            Page::new(vec![Id(last)])
        };
        assert_eq!(by_id(endless).await, (PAGES, false));
        let mut start = 0;
        let page = Page::whole_by_start(|_| {
            start += 50;
            ready(Ok(Page { next: Some(start), ..Page::new(vec![0; 50]) }))
        });
        let page = page.await.unwrap();
        assert_eq!((page.rows.len(), page.is_complete()), (50 * PAGES, false));
    }

    #[tokio::test]
    async fn pages_are_a_whole_list_if_each_counts_what_came() {
        assert_eq!(by_start(&[(7, None, None)]).await, (7, true));
        assert_eq!(by_start(&[(50, None, Some(50))]).await, (50, false), "a full page may go on without saying so");
        assert_eq!(by_start(&[(50, Some(50), Some(57)), (7, None, Some(57))]).await, (57, true));
        assert_eq!(by_start(&[(50, Some(50), Some(100)), (50, None, Some(100))]).await, (100, true));
        assert_eq!(by_start(&[(50, Some(50), None), (7, None, None)]).await, (57, false), "nobody has counted");
        assert_eq!(by_start(&[(50, Some(50), Some(58)), (7, None, Some(57))]).await, (57, false), "a row has gone");
        assert_eq!(by_start(&[(50, Some(50), Some(58)), (7, None, Some(58))]).await, (57, false), "a row was missed");
        assert_eq!(by_start(&[(50, Some(50), Some(99)), (50, Some(50), Some(99))]).await, (100, false), "no way on");
        assert_eq!(by_start(&[(50, Some(0), Some(99))]).await, (50, false), "no way on");
    }
}
