//! Parses dates of messages (RFC 5322 §3.3 and §4.3, asctime, ISO 8601) and formats them as RFC
//! 3339.

use std::fmt;

/// A date and time with a zone.
///
/// ```
/// use urigrep::document::mail::Date;
/// let date = |text: &str| Date::parse(text).map(|date| date.to_string());
/// assert_eq!(date("Thu, 3 Mar 2005 09:56:19 +1100").unwrap(), "2005-03-03T09:56:19+11:00");
/// assert_eq!(date("3 Mar 05 9:56 EST (later)").unwrap(), "2005-03-03T09:56:00-05:00");
/// assert_eq!(date("Thu Mar  3 09:56:19 2005").unwrap(), "2005-03-03T09:56:19-00:00");
/// assert_eq!(date("3 Mar 2005 9:56PM").unwrap(), "2005-03-03T21:56:00-00:00");
/// assert_eq!(date("3 Mar 2005 12:05 am").unwrap(), "2005-03-03T00:05:00-00:00");
/// assert_eq!(date("yesterday"), None);
/// ```
///
/// Displays as RFC 3339 with the original offset; `-00:00` means an unknown one (RFC 3339 §4.3).
// Not a time stamp: the zone in which the author wrote is part of the output, and libraries such as
// mailparse lose it (docs/decisions/0006).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
    hour: u8,
    minute: u8,
    second: u8,
    offset: Option<i16>,
}

const MONTHS: &[u8; 36] = b"janfebmaraprmayjunjulaugsepoctnovdec";

#[derive(Default)]
struct DateWords {
    year: Option<u16>,
    month: Option<u8>,
    day: Option<u8>,
    time: Option<[u8; 3]>,
    offset: Option<i16>,
}

impl Date {
    /// Parses a date; `None` if day, month, year, or time are missing or impossible.
    pub fn parse(text: &str) -> Option<Self> {
        // Words are recognized by their form and not by their place: six forms of dates are in use
        // (docs/decisions/0006).
        let mut said = DateWords::default();
        let mut depth = 0u32;
        // Replace comments with spaces (RFC 5322 §3.2.2).
        let outside = |c: char| {
            let inside = depth > 0 || c == '(';
            match c {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if inside { ' ' } else { c }
        };
        // A date with its comment is far shorter; a hostile header need not be.
        let text: String = text.chars().take(256).map(outside).collect();
        for word in text.split([' ', ',', '\t', '\r', '\n']) {
            said.word(word);
        }
        let [hour, minute, second] = said.time?;
        let date = Self {
            year: said.year?,
            month: said.month?,
            day: said.day?,
            hour,
            minute,
            second,
            offset: said.offset,
        };
        let valid = (1..=12).contains(&date.month)
            && (1..=31).contains(&date.day)
            && hour < 24
            && minute < 60
            // RFC 5322 §3.3 allows a leap second.
            && second <= 60;
        valid.then_some(date)
    }
}

impl DateWords {
    fn word(&mut self, word: &str) {
        let bytes = word.as_bytes();
        if let Some(month) = month(bytes) {
            self.month = self.month.or(Some(month));
        } else if word.contains(':') && bytes.first().is_some_and(u8::is_ascii_digit) {
            self.iso_or_time(word);
        } else if let ("AM" | "PM", Some(time)) = (&*word.to_ascii_uppercase(), &mut self.time) {
            set_half(time, word);
        } else if let Some(minutes) = zone(bytes) {
            self.offset = self.offset.or(minutes);
        } else if bytes.iter().all(u8::is_ascii_digit) {
            self.number(word);
        } else {
            self.dashes(word);
        }
    }

    /// Reads a day or a year. The day comes first, unless the number looks like a year.
    fn number(&mut self, word: &str) {
        let Ok(number) = word.parse::<u16>() else {
            return;
        };
        // In all forms that have a plain number for the day, the year follows it.
        if word.len() <= 2 && self.day.is_none() {
            self.day = u8::try_from(number).ok();
        } else if self.year.is_none() {
            self.year = match word.len() {
                // Two and three digits as in RFC 5322 §4.3.
                1 | 2 if number < 50 => Some(2000 + number),
                1..=3 => Some(1900 + number),
                4 => Some(number),
                _ => None,
            };
        }
    }

    /// Reads `2005-03-01` or `1-Mar-2005`.
    fn dashes(&mut self, word: &str) {
        let mut parts = word.split('-');
        let (Some(first), Some(middle), Some(last), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return;
        };
        if first.len() == 4 {
            self.year = self.year.or(first.parse().ok());
            self.month = self.month.or(middle.parse().ok());
            self.day = self.day.or(last.parse().ok());
        } else if let Some(month) = month(middle.as_bytes()) {
            self.month = self.month.or(Some(month));
            self.number(first);
            self.number(last);
        }
    }

    /// Reads `09:56:19`, perhaps within an ISO 8601 date.
    fn iso_or_time(&mut self, word: &str) {
        let mut rest = word;
        if let Some((date, time)) = word.split_once('T') {
            self.dashes(date);
            rest = time;
        }
        let end = rest.find(['+', '-', 'Z']).unwrap_or(rest.len());
        let (time, offset) = rest.split_at(end);
        if let Some(Some(minutes)) = zone(offset.as_bytes()) {
            self.offset = self.offset.or(Some(minutes));
        }
        let digits = time.split(['.', 'A', 'a', 'P', 'p']).next().unwrap_or_default();
        let mut fields = digits.split(':').map(str::parse::<u8>);
        if let (Some(Ok(hour)), Some(Ok(minute))) = (fields.next(), fields.next()) {
            let second = match fields.next() {
                Some(Ok(second)) => second,
                Some(Err(_)) => return,
                None => 0,
            };
            let mut found = [hour, minute, second];
            set_half(&mut found, time.trim_start_matches(|c: char| !c.is_ascii_alphabetic()));
            self.time = self.time.or(Some(found));
        }
    }
}

/// Moves a time of twelve hours to the half of the day that `mark` names, `AM` or `pm`.
fn set_half([hour, _, _]: &mut [u8; 3], mark: &str) {
    match mark.as_bytes() {
        [b'A' | b'a', b'M' | b'm'] if *hour == 12 => *hour = 0,
        [b'P' | b'p', b'M' | b'm'] if *hour < 12 => *hour += 12,
        _ => {}
    }
}

/// Parses the name of a month by its first three letters.
fn month(word: &[u8]) -> Option<u8> {
    let head = word.get(..3)?.to_ascii_lowercase();
    if !word.iter().all(|&byte| byte.is_ascii_alphabetic() || byte == b'.') {
        return None;
    }
    let index = MONTHS.chunks(3).position(|month| month == head)?;
    u8::try_from(index + 1).ok()
}

/// Parses a zone to minutes east of UTC: `+0100`, `+01:00`, `EST` (RFC 5322 §4.3); `Some(None)` for
/// an unknown zone.
fn zone(word: &[u8]) -> Option<Option<i16>> {
    let named = |hours: i16| Some(Some(hours * 60));
    match word.to_ascii_uppercase().as_slice() {
        // The names of RFC 5322 §4.3. Its letters for military zones were once defined the wrong
        // way round, so they say nothing.
        b"UT" | b"GMT" | b"UTC" | b"Z" => named(0),
        b"EST" => named(-5),
        b"EDT" => named(-4),
        b"CST" => named(-6),
        b"CDT" => named(-5),
        b"MST" => named(-7),
        b"MDT" => named(-6),
        b"PST" => named(-8),
        b"PDT" => named(-7),
        [sign @ (b'+' | b'-'), digits @ ..] => {
            let digits: Vec<u8> = digits.iter().copied().filter(|&byte| byte != b':').collect();
            let number: i16 = std::str::from_utf8(&digits).ok()?.parse().ok()?;
            let (hours, minutes) = match digits.len() {
                4 => (number / 100, number % 100),
                1 | 2 => (number, 0),
                _ => return None,
            };
            // Parsing a number accepts a second sign, `+-100`.
            if hours > 23 || minutes > 59 || digits.first() == Some(&b'-') {
                return None;
            }
            match (sign, hours * 60 + minutes) {
                // RFC 5322 §3.3: `-0000` is UTC from an author whose own zone is not known.
                (b'-', 0) => Some(None),
                (b'-', minutes) => Some(Some(-minutes)),
                (_, minutes) => Some(Some(minutes)),
            }
        }
        _ => None,
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { year, month, day, .. } = self;
        let Self { hour, minute, second, .. } = self;
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")?;
        // `-00:00` means that the zone is not known (RFC 3339 §4.3).
        let sign = match self.offset {
            Some(0..) => '+',
            _ => '-',
        };
        let minutes = self.offset.unwrap_or(0).unsigned_abs();
        write!(f, "{sign}{:02}:{:02}", minutes / 60, minutes % 60)
    }
}
