//! The buttons.

use axum::Form;
use axum::extract::rejection::{FormRejection, PathRejection};
use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use retry_runtime::journal::Epoch;

use super::problem::Problem;
use super::{Here, story};
use crate::desk::{Decided, Signature};
use crate::tool::choices::Choice;

#[derive(serde::Deserialize)]
pub(super) struct Filled {
    form: String,
    epoch: u64,
    name: String,
    note: String,
    #[serde(default)]
    record: String,
}

pub(super) async fn decide(
    State(shared): Here,
    address: Result<Path<(u64, String)>, PathRejection>,
    filled: Result<Form<Filled>, FormRejection>,
) -> Result<Response, Problem> {
    let Path((number, name)) = address.map_err(|_| Problem::NoSuchIntent)?;
    let choice = Choice::of(&name).ok_or(Problem::NoSuchPage)?;
    let Form(filled) = filled.map_err(|_| Problem::OldForm)?;
    if !shared.secrets.is_form(&filled.form) {
        return Err(Problem::OldForm);
    }
    let by = Signature::new(&filled.name, &filled.note)?;
    let record = filled.record.trim();
    let is_record = !record.is_empty() && record.chars().count() <= 500;
    if choice == Choice::Adopt && !is_record {
        return Err(Problem::Filled(
            "To adopt it, name the record on the portal: its id, of up to 500 letters.".to_owned(),
        ));
    }
    match shared.desk.decide(number, Epoch(filled.epoch), &choice.decision(record), &by).await? {
        Decided::Yes(_) => Ok(Redirect::to(&format!("/intents/{number}?done={name}")).into_response()),
        Decided::Changed(intent) => {
            let state = intent.state.as_str();
            let (was, is) = (filled.epoch, intent.epoch.0);
            let why = format!(
                "The intent has changed since you loaded this page (epoch {was}): it is {state} now (epoch {is}). Below is how it is; decide again if it still needs it."
            );
            story::undecided(&shared, number, &why).await
        }
        Decided::NotNow(intent) => {
            let why = format!("It is {}, which “{name}” does not fit.", intent.state.as_str());
            story::undecided(&shared, number, &why).await
        }
    }
}
