//! Dates as Bitrix24 writes them: ISO 8601 with the offset of the server.

/// The portal's server stands at UTC+3.
const OFFSET: i64 = 3 * 3600;
const DAY: i64 = 86_400;
/// Days from 1 January of year 1 to 1 January 1970.
const EPOCH_DAYS: i64 = 719_162;

/// `2026-03-01T12:00:05+03:00`.
pub(crate) fn iso(unix: i64) -> String {
    let local = unix.saturating_add(OFFSET);
    let (year, month, day) = date_of(local.div_euclid(DAY));
    let second = local.rem_euclid(DAY);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}+03:00", second / 3600, second / 60 % 60, second % 60)
}

/// `2026-03-01T09:00:05.000Z`, as the gateway writes it.
pub(crate) fn utc(unix: i64) -> String {
    let (year, month, day) = date_of(unix.div_euclid(DAY));
    let second = unix.rem_euclid(DAY);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.000Z")
}

/// A date without a time, as old methods show it: three in the morning, which is midnight at UTC.
pub(crate) fn iso_date(unix: i64) -> String {
    let (year, month, day) = date_of(unix.saturating_add(OFFSET).div_euclid(DAY));
    format!("{year:04}-{month:02}-{day:02}T03:00:00+03:00")
}

/// Seconds since 1970 of `YYYY-MM-DD`, `YYYY-MM-DD hh:mm[:ss]`, the same with `T` and an offset, or `DD.MM.YYYY[
/// hh:mm:ss]`. Without an offset it is the server's time.
pub(crate) fn parse(text: &str) -> Option<i64> {
    let text = text.trim();
    let (date, rest) = text.split_at_checked(10)?;
    let days = days_of(date)?;
    let rest = rest.trim_start_matches(['T', ' ']);
    let (time, offset) = split_offset(rest)?;
    let second = second_of(time)?;
    Some(days * DAY + second - offset)
}

fn days_of(date: &str) -> Option<i64> {
    let (year, month, day) = if date.as_bytes().get(2) == Some(&b'.') {
        let mut parts = date.split('.');
        let (day, month, year) = (parts.next()?, parts.next()?, parts.next()?);
        (year, month, day)
    } else {
        let mut parts = date.split('-');
        (parts.next()?, parts.next()?, parts.next()?)
    };
    let (year, month, day) = (number(year)?, number(month)?, number(day)?);
    let lengths = month_lengths(year);
    let length = *lengths.get(usize::try_from(month.checked_sub(1)?).ok()?)?;
    if !(1..=9999).contains(&year) || !(1..=length).contains(&day) {
        return None;
    }
    let before: i64 = lengths.iter().take(usize::try_from(month - 1).ok()?).sum();
    Some(days_before(year) + before + day - 1 - EPOCH_DAYS)
}

fn second_of(time: &str) -> Option<i64> {
    if time.is_empty() {
        return Some(0);
    }
    let mut parts = time.split(':');
    let hour = number(parts.next()?)?;
    let minute = number(parts.next()?)?;
    let second = match parts.next() {
        None => 0,
        Some(text) => number(text.split('.').next()?)?,
    };
    let fits = hour < 24 && minute < 60 && second < 60 && parts.next().is_none();
    fits.then_some(hour * 3600 + minute * 60 + second)
}

/// The time and the offset in seconds.
fn split_offset(text: &str) -> Option<(&str, i64)> {
    if let Some(time) = text.strip_suffix(['Z', 'z']) {
        return Some((time, 0));
    }
    let Some(at) = text.find(['+', '-']) else { return Some((text, OFFSET)) };
    let (time, offset) = text.split_at(at);
    let (sign, digits) = offset.split_at(1);
    let digits: String = digits.chars().filter(|digit| *digit != ':').collect();
    let (hours, minutes) = digits.split_at_checked(2)?;
    let minutes = if minutes.is_empty() { 0 } else { number(minutes)? };
    let seconds = number(hours)? * 3600 + minutes * 60;
    Some((time, if sign == "-" { -seconds } else { seconds }))
}

fn number(text: &str) -> Option<i64> {
    (!text.is_empty() && text.len() <= 4 && text.bytes().all(|digit| digit.is_ascii_digit()))
        .then(|| text.parse().ok())?
}

fn leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn month_lengths(year: i64) -> [i64; 12] {
    [31, if leap(year) { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
}

/// Days from 1 January of year 1 to 1 January of this year.
fn days_before(year: i64) -> i64 {
    let years = year - 1;
    365 * years + years / 4 - years / 100 + years / 400
}

fn date_of(days_since_epoch: i64) -> (i64, i64, i64) {
    let days = days_since_epoch.saturating_add(EPOCH_DAYS).clamp(0, days_before(10_000) - 1);
    // 366 underestimates, so the year is at or after this one, and never far.
    let mut year = days / 366 + 1;
    while days_before(year + 1) <= days {
        year += 1;
    }
    let mut left = days - days_before(year);
    let mut month = 1;
    for length in month_lengths(year) {
        if left < length {
            break;
        }
        left -= length;
        month += 1;
    }
    (year, month, left + 1)
}

#[cfg(test)]
mod tests {
    use super::{iso, iso_date, parse};

    #[test]
    fn a_moment_is_written_with_the_offset_of_the_server() {
        assert_eq!(iso(0), "1970-01-01T03:00:00+03:00");
        assert_eq!(iso(951_782_399), "2000-02-29T02:59:59+03:00");
        assert_eq!(iso(1_788_430_853), "2026-09-03T13:20:53+03:00");
        assert_eq!(iso_date(1_788_430_853), "2026-09-03T03:00:00+03:00");
    }

    #[test]
    fn every_documented_form_is_read() {
        let noon = parse("2026-03-01T12:00:05+03:00");
        assert_eq!(noon, Some(1_772_355_605));
        for form in ["2026-03-01 12:00:05", "2026-03-01T09:00:05Z", "01.03.2026 12:00:05", "2026-03-01T10:00:05+0100"] {
            assert_eq!(parse(form), noon, "{form}");
        }
        assert_eq!(parse("2026-03-01"), parse("2026-03-01 00:00"));
    }

    #[test]
    fn what_is_no_date_is_none() {
        for text in
            ["", "soon", "2026-02-30", "2026-13-01", "2026-03-01 25:00", "ящщщщщ-01-01", "0000-01-01", "2026-03-01T1"]
        {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_written_can_be_read() {
        for day in (-700_000..2_000).step_by(17) {
            let unix = day * 86_400 + 17;
            assert_eq!(parse(&iso(unix)), Some(unix));
        }
    }
}
