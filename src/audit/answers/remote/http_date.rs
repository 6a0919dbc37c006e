//! Dates of HTTP: [`seconds`].

use crate::calendar;

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Returns the seconds since 1970 of a date in one of the three forms that a recipient must read
/// (RFC 9110 section 5.6.7):
/// `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT`, `Sun Nov  6 08:49:37 1994`.
pub(super) fn seconds(text: &str) -> Option<u64> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (year, month, day, time) = match words.as_slice() {
        [name, day, month, year, time, "GMT"] if name.ends_with(',') => {
            (number(year, 4)?, *month, number(day, 2)?, *time)
        }
        [name, date, time, "GMT"] if name.ends_with(',') => {
            let mut parts = date.split('-');
            let (day, month, year) = (parts.next()?, parts.next()?, parts.next()?);
            // Nothing of the web is older than 1970.
            let year = number(year, 2)?;
            let year = if year < 70 { 2000 + year } else { 1900 + year };
            (year, month, number(day, 2)?, *time)
        }
        [_, month, day, time, year] => (number(year, 4)?, *month, number(day, day.len())?, *time),
        _ => return None,
    };
    let month = MONTHS.iter().position(|name| *name == month)? as u64 + 1;
    if year < 1970 || !(1..=calendar::days_in(year, month)).contains(&day) {
        return None;
    }
    let mut parts = time.split(':').map(|part| number(part, 2));
    let (hour, minute, second) = (parts.next()??, parts.next()??, parts.next()??);
    if parts.next().is_some() || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    Some(((calendar::days(year, month, day) * 24 + hour) * 60 + minute) * 60 + second)
}

/// Returns the value of exactly this many digits.
fn number(text: &str, digits: usize) -> Option<u64> {
    let is_number = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_servers() {
        for (text, expected) in [
            ("Thu, 01 Jan 1970 00:00:00 GMT", Some(0)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(784_111_777)),
            ("Thu, 29 Feb 2024 23:59:60 GMT", Some(1_709_251_200)),
            ("Fri, 01 Mar 2024 00:00:00 GMT", Some(1_709_251_200)),
            ("Fri, 31 Dec 9999 23:59:59 GMT", Some(253_402_300_799)),
            ("Sunday, 06-Nov-94 08:49:37 GMT", Some(784_111_777)),
            ("Thursday, 26-Nov-26 10:00:00 GMT", Some(1_795_687_200)),
            ("Sun Nov  6 08:49:37 1994", Some(784_111_777)),
            ("Sun Nov 16 08:49:37 1994", Some(784_975_777)),
            ("Sunday, 06-Nov-1994 08:49:37 GMT", None),
            ("Tue, 30 Feb 2024 08:49:37 GMT", None),
            ("Sun, 06 Nov 1994 24:49:37 GMT", None),
            ("Sun, 06 Nov 1994 08:49:37 CET", None),
            ("Sun, 00 Nov 1994 08:49:37 GMT", None),
            ("Sun, 06 Növ 1994 08:49:37 GMT", None),
            ("120", None),
            ("", None),
        ] {
            assert_eq!(seconds(text), expected, "{text}");
        }
    }
}
