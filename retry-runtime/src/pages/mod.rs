//! Lists that are read to their end, as a stream of rows.

mod answer;
mod asked;
mod batch;
mod place;
mod rows;
mod walk;

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::vec;

use futures_core::Stream;
use serde::de::DeserializeOwned;

use crate::call::{Call, unexpected};
use crate::client::Reader;
use crate::error::CallError;
use crate::transport::BoxFuture;
use asked::Asked;
use walk::{Turn, Walk};

/// What a list is walked by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// The ids of its rows, in this field.
    Id(&'static str),
    /// Offsets.
    Start,
}

/// All rows of a list, in order, each once: what a stub with `pages` returns.
///
/// It is a [`Stream`] of `Result<T, CallError>`; [`next`](Self::next) needs no further crate.
///
/// ```
/// use retry_portal::Portal;
/// use retry_runtime::{Client, Id, Pages, Reader, bitrix_method};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize)]
/// struct InStage<'a> {
///     #[serde(rename = "STAGE_ID")]
///     stage: &'a str,
/// }
///
/// #[derive(Deserialize)]
/// struct Deal {
///     #[serde(rename = "ID")]
///     id: Id,
/// }
///
/// /// Every deal in a stage.
/// #[bitrix_method(name = "crm.deal.list", kind = read, pages = "ID")]
/// fn all_deals(reader: &Reader, filter: &InStage<'_>, select: &[&str]) -> Pages<Deal>;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let portal = Portal::builder().start().await?;
/// # for _ in 0..3 {
/// #     portal.insert("deal", serde_json::json!({"STAGE_ID": "NEW"}))?;
/// # }
/// let client = Client::webhook(&portal.webhook_url())?;
/// let mut deals = all_deals(&client, &InStage { stage: "NEW" }, &["ID"]);
/// while let Some(deal) = deals.next().await {
///     println!("{}", deal?.id);
/// }
/// assert_eq!(deals.read(), 3);
/// # Ok(())
/// # }
/// ```
///
/// # How it goes
///
/// * `pages = "ID"`: by the ids of the rows in that field. Each page has the order `{"ID": "ASC"}` and, from the second
///   on, the filter `{">ID": last}` beside the stub's own; nothing is counted (`start = -1`). What is added or deleted
///   meanwhile moves no other row: none comes twice, and none that was there all the time is left out. This is the way
///   of choice.
/// * `pages = start`: by offsets, for lists that have no order or filter by id. If rows are added or deleted meanwhile,
///   others may come twice or be left out. Counts and ends of pages are the server's.
///
/// The first request is for one page. From then on a REST 2 list travels as a `batch` of up to 50 pages, a request for
/// 2,500 rows, and page by page where the arguments (`null`, a boolean, an empty list) can't travel so, or the portal
/// takes no batch. Lists of REST 3.0 are read by pages of 50, those of the gateway by pages of 500, or of 50 by offsets.
/// The page size of 50 is documented, the others are our choice.
///
/// The pages of one batch begin where those before them end (`$result[..]`), so the portal also runs the commands
/// behind the last page, up to 49; what they answer is passed over. A batch that is lost again and again becomes
/// smaller.
///
/// A list by ids is over with a page that is not full. One by offsets is over with a page that is not full and names no
/// next one, or that is empty, or with which the gateway has given as many as it counts.
///
/// # Bounds
///
/// The client's [`Policy`](crate::Policy) holds for each request, attempts and deadline included; nothing bounds the
/// whole. What has come and is not consumed is at most one request's rows; the next request is made when they are
/// consumed.
///
/// # Errors
///
/// An error is the last item: the rows before it are good, and the list may go on behind them.
///
/// * [`CallError::Invalid`]: the arguments say what the walk has to say (`order`, `start`, `>ID` in the filter), or the
///   `select` has not the id. Nothing was sent.
/// * [`CallError::Undecodable`]: a row does not read as `T` or has no id, or the portal follows neither the filter nor
///   the order by id (there is no endless loop), or rows are missing by the word of the gateway.
/// * All others are those of a read.
///
/// # Cancel safety
///
/// Nothing is sent before the first row is asked for. A dropped [`next`](Self::next) loses nothing: the request under
/// way is a part of the stream, and is there when the next row is asked for. With the stream its rows are dropped.
#[must_use = "nothing is read before a row is asked for"]
pub struct Pages<T> {
    rows: vec::IntoIter<T>,
    state: State,
    read: u64,
    total: Option<u64>,
}

enum State {
    Here(Box<Walk>),
    Asking(BoxFuture<'static, Result<Box<Walk>, CallError>>),
    Over,
}

/// No row is ever pinned.
impl<T> Unpin for Pages<T> {}

impl<T> Pages<T> {
    pub(crate) fn new(reader: &Reader, call: Call, by: By) -> Self {
        let reader = reader.clone();
        let state = match Asked::new(&reader, &call, by) {
            Ok(asked) => State::Here(Box::new(Walk::new(reader, call, asked))),
            Err(why) => State::Asking(Box::pin(async move {
                let call = call.with(Err(why.into()));
                Err(unexpected(&reader, call, String::new()))
            })),
        };
        Self { rows: Vec::new().into_iter(), state, read: 0, total: None }
    }

    /// How many rows have been given out.
    pub const fn read(&self) -> u64 {
        self.read
    }

    /// The number of rows in all as the server counts them, for a progress bar: some lists give the size of a page.
    ///
    /// `None` before the first page, and where nothing is counted, as in every list by ids.
    pub const fn total(&self) -> Option<u64> {
        self.total
    }
}

impl<T: DeserializeOwned> Pages<T> {
    /// The next row; `None` after the last one, and after an error.
    ///
    /// # Errors
    /// See [`Pages`].
    ///
    /// # Cancel safety
    /// Dropping the future loses nothing.
    pub async fn next(&mut self) -> Option<Result<T, CallError>> {
        poll_fn(|context| self.poll_row(context)).await
    }

    /// All rows from here on, in memory.
    ///
    /// # Errors
    /// See [`Pages`]. The rows before the error are dropped.
    pub async fn all(mut self) -> Result<Vec<T>, CallError> {
        let mut rows = Vec::new();
        while let Some(row) = self.next().await {
            rows.push(row?);
        }
        Ok(rows)
    }

    fn poll_row(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<T, CallError>>> {
        loop {
            if let Some(row) = self.rows.next() {
                self.read += 1;
                return Poll::Ready(Some(Ok(row)));
            }
            // Put back unless the stream is over.
            self.state = match std::mem::replace(&mut self.state, State::Over) {
                State::Over => return Poll::Ready(None),
                State::Here(mut walk) => match walk.turn()? {
                    Turn::Over => continue,
                    Turn::Ask => State::Asking(Box::pin(walk.fetch())),
                    Turn::Rows(rows) => {
                        self.rows = rows.into_iter();
                        self.total = walk.total;
                        State::Here(walk)
                    }
                },
                State::Asking(mut asking) => match asking.as_mut().poll(context) {
                    Poll::Ready(walk) => State::Here(walk?),
                    Poll::Pending => {
                        self.state = State::Asking(asking);
                        return Poll::Pending;
                    }
                },
            };
        }
    }
}

impl<T: DeserializeOwned> Stream for Pages<T> {
    type Item = Result<T, CallError>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut().poll_row(context)
    }
}

impl<T> fmt::Debug for Pages<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pages")
            .field("read", &self.read)
            .field("total", &self.total)
            .field("over", &matches!(self.state, State::Over))
            .finish_non_exhaustive()
    }
}
