//! The suspicion of the journal, and its end.

use axum::Form;
use axum::extract::State;
use axum::extract::rejection::FormRejection;
use axum::response::Redirect;
use maud::{Markup, html};

use super::Here;
use super::problem::Problem;
use crate::desk::Signature;
use crate::tool::plain::plain;

#[derive(serde::Deserialize)]
pub(super) struct Filled {
    form: String,
    name: String,
    note: String,
}

pub(super) async fn trust(
    State(shared): Here,
    filled: Result<Form<Filled>, FormRejection>,
) -> Result<Redirect, Problem> {
    let Form(filled) = filled.map_err(|_| Problem::OldForm)?;
    if !shared.secrets.is_form(&filled.form) {
        return Err(Problem::OldForm);
    }
    shared.desk.trust(&Signature::new(&filled.name, &filled.note)?).await?;
    Ok(Redirect::to("/"))
}

pub(super) fn banner(why: &str, form: &str) -> Markup {
    html! {
        section.card.doubt {
            h2 { "The journal is under suspicion" }
            p { (plain(why)) }
            p { "Writes may have been sent that are not on record. Until a person ends this, each new write is waited for and read back before its first send." }
            details.decision {
                summary { b { "Trust it" } " " span { "You have made sure that nothing is missing." } }
                form method="post" action="/trust" {
                    input type="hidden" name="form" value=(form);
                    label { "Your name" input name="name" required maxlength="500" autocomplete="name"; }
                    label { "Note: how do you know?" textarea name="note" required maxlength="500" rows="2" {} }
                    button type="submit" { "Trust the journal" }
                }
            }
        }
    }
}
