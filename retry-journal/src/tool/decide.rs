//! `adopt`, `reject`, `allow-once`, `verify` and `trust`.

use retry_runtime::journal::Epoch;

use super::Ended;
use super::choices::Choice;
use super::options::{Decide, Sign};
use super::output::Output;
use super::plain::plain;
use super::show::headline;
use crate::desk::{Decided, Decision, Desk, Signature};

impl Choice {
    /// The decision it stands for; the record is only asked for where it belongs.
    pub(crate) fn decision(self, record: &str) -> Decision {
        match self {
            Self::Adopt => Decision::Adopt(record.trim().into()),
            Self::Reject => Decision::Reject,
            Self::AllowOnce => Decision::AllowOnce,
            Self::Verify => Decision::Verify,
        }
    }
}

pub(crate) async fn decide(
    desk: &dyn Desk,
    choice: Choice,
    options: &Decide,
    record: &str,
    output: &mut Output<'_>,
) -> Result<(), Ended> {
    let by = signature(&options.sign)?;
    let number = options.number;
    let seen = desk.show(number).await?.intent;
    headline(&seen, output)?;
    if let Some(why) = seen.state.why() {
        writeln!(output.out, "  why {}", plain(why))?;
    }
    let epoch = options.epoch.map_or(seen.epoch, Epoch);
    match desk.decide(number, epoch, &choice.decision(record), &by).await? {
        Decided::Yes(intent) => {
            writeln!(output.out, "Decided by {}: it is {}.", plain(by.name()), choice.done())?;
            headline(&intent, output)?;
            Ok(())
        }
        Decided::Changed(intent) => Err(Ended::NotDone(format!(
            "nothing was decided: intent {number} has changed since epoch {}. It is {} now, in epoch {}. Look at it again: bitrix-journal show {number}",
            epoch.0,
            intent.state.as_str(),
            intent.epoch.0
        ))),
        Decided::NotNow(intent) => {
            let choices = Choice::for_state(&intent.state);
            let names: Vec<&str> = choices.iter().map(|choice| choice.name()).collect();
            let instead = if names.is_empty() {
                "nothing is to be decided".to_owned()
            } else {
                format!("possible: {}", names.join(", "))
            };
            Err(Ended::NotDone(format!(
                "nothing was decided: intent {number} is {}, which `{}` does not fit; {instead}",
                intent.state.as_str(),
                choice.name()
            )))
        }
    }
}

pub(crate) async fn trust(desk: &dyn Desk, sign: &Sign, output: &mut Output<'_>) -> Result<(), Ended> {
    let by = signature(sign)?;
    let Some(why) = desk.suspicion().await? else {
        writeln!(output.out, "The journal is under no suspicion.")?;
        return Ok(());
    };
    writeln!(output.out, "The journal was under suspicion: {}", plain(&why))?;
    desk.trust(&by).await?;
    writeln!(output.out, "Ended by {}: what is not on record counts as never sent.", plain(by.name()))?;
    Ok(())
}

fn signature(sign: &Sign) -> Result<Signature, Ended> {
    Signature::new(&sign.name, &sign.note).map_err(|error| Ended::Usage(error.to_string()))
}
