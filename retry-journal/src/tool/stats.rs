//! `stats`.

use std::time::Duration;

use super::Ended;
use super::options;
use super::output::{Output, STRONG, colour};
use super::plain::plain;
use super::times::rough;
use crate::desk::Desk;
use crate::states::NAMES;

pub(crate) async fn stats(desk: &dyn Desk, options: &options::Stats, output: &mut Output<'_>) -> Result<(), Ended> {
    let stats = desk.stats().await?;
    let suspicion = desk.suspicion().await?;
    let ages = [("oldest open", stats.oldest_open), ("oldest manual", stats.oldest_manual)];
    if output.is_terminal {
        for name in NAMES {
            let style = output.style(colour(name).on_default());
            writeln!(output.out, "{style}{name:<14}{style:#} {:>8}", stats.count(name))?;
        }
        for (name, age) in ages {
            writeln!(output.out, "{name:<14} {:>8}", age.map_or_else(|| "none".to_owned(), rough))?;
        }
        let strong = output.style(STRONG);
        if let Some(why) = &suspicion {
            writeln!(output.out, "\n{strong}The journal is under suspicion:{strong:#} {}", plain(why))?;
            writeln!(
                output.out,
                "Until a person ends it with `bitrix-journal trust`, each new write is waited for and read back first."
            )?;
        }
    } else {
        for name in NAMES {
            writeln!(output.out, "{name}\t{}", stats.count(name))?;
        }
        for (name, age) in ages {
            writeln!(output.out, "{name} seconds\t{}", age.map_or_else(String::new, seconds))?;
        }
        writeln!(output.out, "suspicion\t{}", suspicion.as_deref().map_or_else(String::new, plain))?;
    }
    let manual = stats.count("manual");
    if options.check && (manual > 0 || suspicion.is_some()) {
        let what = if manual > 0 {
            format!("a person is needed for {manual} of the intents: bitrix-journal list --state manual")
        } else {
            "a person is needed: the journal is under suspicion".to_owned()
        };
        return Err(Ended::PersonNeeded(what));
    }
    Ok(())
}

fn seconds(age: Duration) -> String {
    age.as_secs().to_string()
}
