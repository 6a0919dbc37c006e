//! Dates of HTTP: [`seconds`].

use crate::calendar;

/// Returns the seconds since 1970 of a date as servers must send it:
/// `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 section 5.6.7). The two obsolete forms are not read.
pub(super) fn seconds(text: &str) -> Option<u64> {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let (_, date) = text.trim().split_once(", ")?;
    let day = date.get(..2)?.parse::<u64>().ok().filter(|day| (1..=31).contains(day))?;
    let month = date.get(3..6)?;
    let month = MONTHS.iter().position(|name| *name == month)? as u64 + 1;
    let (year, time) = (date.get(7..11)?, date.get(12..)?);
    let year = year.parse::<u64>().ok().filter(|year| *year >= 1970)?;
    let time = time.strip_suffix(" GMT")?;
    let mut parts = time.split(':').map(|part| part.parse::<u64>().ok());
    let (hour, minute, second) = (parts.next()??, parts.next()??, parts.next()??);
    if parts.next().is_some() || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    Some(((calendar::days(year, month, day) * 24 + hour) * 60 + minute) * 60 + second)
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
            ("Sunday, 06-Nov-94 08:49:37 GMT", None),
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
