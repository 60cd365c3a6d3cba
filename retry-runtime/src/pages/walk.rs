//! The walk over one list: what it asks for next, and what it takes from each page.

use std::collections::VecDeque;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::Value;
use tracing::Instrument as _;

use super::By;
use super::answer::{Parts, RawPage};
use super::asked::{Api, Asked};
use super::batch::{self, BatchLine};
use super::place::{After, Place, Taken};
use crate::api::excerpt;
use crate::call::{Call, read, unexpected};
use crate::client::Reader;
use crate::decode::FromAnswer;
use crate::error::{CallError, Failure};
use crate::report::Outcome;

/// How much is shown of why a row could not be read, in bytes.
const SHOWN: usize = 300;

/// A batch whose answers were all lost becomes so many times smaller: 50, 7, 1. Our choice.
const SHRINKS_BY: u64 = 7;

/// One list on its way to its end.
pub(super) struct Walk {
    reader: Reader,
    call: Call,
    asked: Asked,
    place: Place,
    /// What has come and is not taken yet.
    window: VecDeque<RawPage>,
    /// Whether the next page to be taken is the first of its request: the one whose place the portal did not have to
    /// find.
    first: bool,
    /// Whether the portal has found the place of a page by its reference once; offsets need none.
    finds_places: bool,
    /// How many pages may travel together.
    most: u64,
    over: bool,
    /// The number of rows in all as the server counts them.
    pub(super) total: Option<u64>,
}

/// What comes next.
pub(super) enum Turn<T> {
    Rows(Vec<T>),
    /// Another request.
    Ask,
    Over,
}

impl Walk {
    pub(super) fn new(reader: Reader, call: Call, asked: Asked) -> Self {
        let place = Place::new(&asked);
        let most = if asked.api == Api::Rest2 { batch::MOST } else { 1 };
        let finds_places = asked.by == By::Start;
        Self {
            reader,
            call,
            asked,
            place,
            window: VecDeque::new(),
            first: true,
            finds_places,
            most,
            over: false,
            total: None,
        }
    }

    /// Makes the next request.
    pub(super) async fn fetch(mut self: Box<Self>) -> Result<Box<Self>, CallError> {
        self.first = true;
        let arguments = Value::Object(self.asked.page(&self.place.from())).to_string();
        let call = self.call.with(Ok(arguments.into()));
        while let Some(commands) = self.commands() {
            let line = BatchLine::new(self.reader.shared.exit(), commands);
            let reader = Reader { transport: Arc::new(line), ..self.reader.clone() };
            match read_within_span::<Parts>(&reader, call.again()).await {
                Ok(parts) => {
                    self.window = parts.into_pages().collect();
                    return Ok(self);
                }
                // It may be the batch that is refused: the page by itself will tell.
                Err(CallError::Refused(_) | CallError::Undecodable(_)) => self.most = 1,
                // So many pages may be too much for the time limit of one request.
                Err(CallError::Exhausted(failure)) if was_cut(&failure) => self.most /= SHRINKS_BY,
                Err(error) => return Err(error),
            }
        }
        let page = read_within_span::<RawPage>(&self.reader, call).await?;
        self.window.push_back(page);
        Ok(self)
    }

    /// The commands of the next request, if it is to be a batch.
    fn commands(&mut self) -> Option<Vec<String>> {
        if self.most <= 1 || !self.place.allows_a_batch() {
            return None;
        }
        let commands = self.place.commands(self.call.method(), &self.asked, self.total, self.most);
        if commands.is_none() {
            self.most = 1;
        }
        commands
    }

    /// Takes the next page. A page that the portal had to find itself is asked for again if anything is wrong with it.
    pub(super) fn turn<T: DeserializeOwned>(&mut self) -> Result<Turn<T>, CallError> {
        if self.over {
            return Ok(Turn::Over);
        }
        let Some(page) = self.window.pop_front() else { return Ok(Turn::Ask) };
        let first = std::mem::replace(&mut self.first, false);
        self.total = page.total.filter(|total| *total > 0).or(self.total);
        match self.place.take(&self.asked, page) {
            // One that found no place may answer with no rows as well.
            Ok(Taken { rows, .. }) if !first && rows.is_empty() && !self.finds_places => {
                self.window.clear();
                self.most = 1;
                Ok(Turn::Ask)
            }
            Ok(Taken { rows, after }) => {
                self.finds_places |= !first;
                self.over = after == After::Over;
                if after == After::Elsewhere {
                    self.window.clear();
                }
                Ok(Turn::Rows(rows))
            }
            Err(_) if !first => {
                self.window.clear();
                self.most = 1;
                Ok(Turn::Ask)
            }
            Err(why) => {
                let why = excerpt(&self.reader.shared.secrets.strike(&why), SHOWN);
                Err(unexpected(&self.reader, self.call.again(), why))
            }
        }
    }
}

async fn read_within_span<T: FromAnswer>(reader: &Reader, call: Call) -> Result<T, CallError> {
    let span = call.span();
    read(reader, call).instrument(span).await
}

/// Whether the last send went out and no answer came.
fn was_cut(failure: &Failure) -> bool {
    failure.report().attempts.last().is_some_and(|attempt| match attempt.outcome {
        Outcome::Lost { .. } | Outcome::NoEnvelope { .. } => true,
        Outcome::Success
        | Outcome::Code { .. }
        | Outcome::Moved { .. }
        | Outcome::TokenRenewed
        | Outcome::NoToken { .. }
        | Outcome::Unsendable { .. }
        | Outcome::NotInBatch
        | Outcome::NotSent { .. } => false,
    })
}
