//! Ranges of dates, which select mail.

use std::fmt;
use std::str::FromStr;

use crate::calendar;

/// A range of dates, both ends included: `2024`, `2024-05..`, `2024-01..2024-06-15`. A date is that
/// of the sender.
///
/// ```
/// use urigrep::search::DateRange;
/// let range: DateRange = "2024-02..2024-03".parse().unwrap();
/// assert!(range.contains("2024-03-31T23:59:59+00:00") && !range.contains("2024-04-01"));
/// assert!("yesterday".parse::<DateRange>().is_err() && "2024-13".parse::<DateRange>().is_err());
/// assert!("2024..2023".parse::<DateRange>().is_err()); // no date is in it
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DateRange {
    from: String,
    to: String,
}

/// A text that is not a range of dates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidDateRange;

impl fmt::Display for InvalidDateRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a range of dates is YEAR[-MONTH[-DAY]], or two of them with `..` between, the earlier first, such as 2024-01..2024-06")
    }
}

impl std::error::Error for InvalidDateRange {}

impl FromStr for DateRange {
    type Err = InvalidDateRange;

    fn from_str(text: &str) -> Result<Self, InvalidDateRange> {
        let (from, to) = text.split_once("..").unwrap_or((text, text));
        let is_valid = |date: &str| date.is_empty() || is_date(date);
        // The first day of the range, as exact as its end: `2024-05..2024` ends with 2024.
        let start = from.get(..to.len()).unwrap_or(from);
        let is_empty = to.is_empty() && from.is_empty() || !to.is_empty() && start > to;
        if is_valid(from) && is_valid(to) && !is_empty {
            Ok(Self { from: from.to_owned(), to: to.to_owned() })
        } else {
            Err(InvalidDateRange)
        }
    }
}

/// `YYYY`, `YYYY-MM`, or `YYYY-MM-DD`.
fn is_date(text: &str) -> bool {
    let number = |(index, part): (usize, &str)| {
        let digits = if index == 0 { 4 } else { 2 };
        let fits = part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit());
        fits.then(|| part.parse::<u64>().ok()).flatten()
    };
    let numbers: Option<Vec<u64>> = text.split('-').enumerate().map(number).collect();
    match numbers.as_deref() {
        Some([_]) => true,
        Some([_, month]) => (1..=12).contains(month),
        Some(&[year, month, day]) => (1..=calendar::days_in(year, month)).contains(&day),
        _ => false,
    }
}

impl DateRange {
    /// True if a date of RFC 3339 is in the range.
    pub fn contains(&self, date: &str) -> bool {
        // Dates in this form sort like their text. A shorter bound stands for all dates that start
        // with it.
        let start = date.get(..self.to.len()).unwrap_or(date);
        date >= self.from.as_str() && (self.to.is_empty() || start <= self.to.as_str())
    }
}
