//! `show`.

use std::io;
use std::time::SystemTime;

use anstyle::{AnsiColor, Style};
use retry_runtime::journal::{Event, Intent};

use super::choices::{Choice, STILL_OPEN};
use super::facts::facts;
use super::output::{FAINT, Output, STRONG, colour};
use super::plain::plain;
use super::times::{fine_stamp, readable};
use super::{Ended, detail, now};
use crate::desk::{Desk, Shown};

const LINK: Style = AnsiColor::Blue.on_default().underline();

pub(crate) async fn show(desk: &dyn Desk, number: u64, output: &mut Output<'_>) -> Result<(), Ended> {
    let shown = desk.show(number).await?;
    let stats = desk.stats().await?;
    write(&shown, now(&stats), output)?;
    if output.is_terminal {
        hints(&shown.intent, output)?;
    }
    Ok(())
}

/// One line that says which intent it is and where it is.
pub(crate) fn headline(intent: &Intent, output: &mut Output<'_>) -> io::Result<()> {
    let name = intent.state.as_str();
    let (strong, state) = (output.style(STRONG), output.style(colour(name).on_default().bold()));
    let what = plain(&intent.id.to_string());
    writeln!(output.out, "{strong}Intent {}{strong:#}: {state}{name}{state:#}: {what}", intent.number)
}

fn write(shown: &Shown, now: SystemTime, output: &mut Output<'_>) -> io::Result<()> {
    headline(&shown.intent, output)?;
    let (faint, link_style) = (output.style(FAINT), output.style(LINK));
    for fact in facts(shown, now) {
        write!(output.out, "  {faint}{:<15}{faint:#} {}", fact.name, fact.text)?;
        match fact.link {
            Some(link) => writeln!(output.out, "  {link_style}{link}{link_style:#}")?,
            None => writeln!(output.out)?,
        }
    }
    let strong = output.style(STRONG);
    writeln!(output.out, "\n{strong}Story{strong:#}")?;
    if shown.story.is_empty() {
        writeln!(output.out, "  nothing is told of it yet")?;
    }
    shown.story.iter().try_for_each(|event| told(event, output))
}

fn told(event: &Event, output: &mut Output<'_>) -> io::Result<()> {
    let (faint, strong) = (output.style(FAINT), output.style(STRONG));
    let at = readable(&fine_stamp(event.at));
    let kind = event.kind.as_str();
    writeln!(output.out, "  {faint}{at}{faint:#}  {strong}{kind:<7}{strong:#}  {}", plain(&event.text))?;
    for (name, value) in detail::pairs(event) {
        writeln!(output.out, "  {:27}  {:7}  {faint}{name}:{faint:#} {value}", "", "")?;
    }
    Ok(())
}

/// What can be done now, as it is typed.
fn hints(intent: &Intent, output: &mut Output<'_>) -> io::Result<()> {
    let choices = Choice::for_state(&intent.state);
    let strong = output.style(STRONG);
    if choices.is_empty() {
        return writeln!(output.out, "\nNothing is to be decided about it.");
    }
    writeln!(output.out, "\n{strong}What you can decide{strong:#} (with --note, and --name if you are not $USER)")?;
    if intent.state.is_open() {
        writeln!(output.out, "  {STILL_OPEN}")?;
    }
    for choice in choices {
        let record = match choice {
            Choice::Adopt => " RECORD",
            Choice::Reject | Choice::AllowOnce | Choice::Verify => "",
        };
        let typed = format!("{} {}{record} --epoch {}", choice.name(), intent.number, intent.epoch.0);
        writeln!(output.out, "  {typed:<32}  {}", choice.meaning())?;
    }
    Ok(())
}
