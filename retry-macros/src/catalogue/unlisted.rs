//! Names that the catalogue does not have: what a name looks like, and which can't be a read.

/// First words of a last segment that no read of Bitrix24 begins with.
///
/// Words that are nouns as well (`read`, `post`, `answer`, `log`, `open`) are left out: a wrong "this is a write" can't
/// be overruled.
const WRITING: &str = "\
    activate add approve archive attach bind cancel change clear clone close commit complete conduct confirm \
    copy create deactivate defer delegate delete detach disable disapprove edit enable execute expose finish \
    forward hide import install intercept invite join kill leave mark merge modify move mute notify pause pay \
    pin publish recall register remove rename renew reset restore resume save send set share start stop \
    subscribe terminate transfer unbind unconfirm uninstall unmute unpay unpin unregister unset unsubscribe \
    update upload upsert vote";

/// The word of `method` that says it writes.
pub(super) fn writing_word(method: &str) -> Option<&'static str> {
    let last = method.rsplit('.').next()?;
    writing(&first_word(last))
}

/// `word`, if it is one of those that say a method writes.
pub(super) fn writing(word: &str) -> Option<&'static str> {
    WRITING.split(' ').find(|writing| *writing == word)
}

/// `upload` of `uploadFile`, `add` of `AddFile`.
fn first_word(segment: &str) -> String {
    let end = segment
        .char_indices()
        .skip(1)
        .find(|(_, letter)| letter.is_uppercase() || *letter == '_')
        .map_or(segment.len(), |(at, _)| at);
    segment[..end].to_lowercase()
}

/// Whether `method` could be the name of a method, or why not.
pub(super) fn form(method: &str) -> Result<(), String> {
    if method.is_empty() {
        return Err("it is empty".to_owned());
    }
    if let Some(other) =
        method.chars().find(|letter| !(letter.is_ascii_alphanumeric() || *letter == '.' || *letter == '_'))
    {
        return Err(format!("{other:?} is no letter, digit, underscore or dot"));
    }
    let segments: Vec<&str> = method.split('.').collect();
    if segments.iter().any(|segment| segment.is_empty()) {
        return Err("a dot needs something on both sides".to_owned());
    }
    if let Some(segment) =
        segments.iter().find(|segment| !segment.starts_with(|letter: char| letter.is_ascii_alphabetic()))
    {
        return Err(format!("`{segment}` does not begin with a letter"));
    }
    match segments.as_slice() {
        // The few methods without a dot are in the catalogue.
        [_] => Err("it has only one segment".to_owned()),
        [.., format @ ("json" | "xml")] => Err(format!("`.{format}` belongs to the address, not to the name")),
        _ => Ok(()),
    }
}
