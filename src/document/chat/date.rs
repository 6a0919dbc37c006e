//! Time stamps of chats as dates.

use crate::calendar;

/// Returns a date of an export as RFC 3339 where it is a number of seconds, with or without
/// microseconds, or of milliseconds; as written otherwise.
pub(super) fn shown_date(text: &str) -> String {
    let whole = text.split('.').next().unwrap_or_default();
    let Ok(number) = whole.parse::<u64>() else { return text.to_owned() };
    // Milliseconds have 13 digits since 2001, and seconds will have 11 in the year 5138.
    let seconds = if whole.len() > 11 { number / 1000 } else { number };
    match date_of_seconds(seconds) {
        Some(date) => date,
        None => text.to_owned(),
    }
}

/// Returns the date of a number of seconds since 1970 in UTC; `None` after the year 9999.
fn date_of_seconds(seconds: u64) -> Option<String> {
    const DAY_SECONDS: u64 = 24 * 60 * 60;
    let (year, month, day) = calendar::date(seconds / DAY_SECONDS);
    if year > 9999 {
        return None;
    }
    let time = seconds % DAY_SECONDS;
    let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60);
    Some(format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_stamps_are_dates() {
        for (text, date) in [
            ("0", "1970-01-01T00:00:00Z"),
            ("951782399", "2000-02-28T23:59:59Z"),
            ("951868799.000200", "2000-02-29T23:59:59Z"),
            ("1529893861.000149", "2018-06-25T02:31:01Z"),
            ("1735689599000", "2024-12-31T23:59:59Z"),
            ("4107542400", "2100-03-01T00:00:00Z"),
            ("2024-01-16T14:15:22", "2024-01-16T14:15:22"),
            ("99999999999999999999", "99999999999999999999"),
            ("", ""),
        ] {
            assert_eq!(shown_date(text), date, "{text}");
        }
    }
}
