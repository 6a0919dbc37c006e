//! Days of the Gregorian calendar. Years start in March here, so that the leap day is the last day
//! of a year.

/// Days of 400 years, after which the calendar repeats.
const CYCLE_DAYS: u64 = 146_097;
/// Days from the start of the year 0, its 1 March, to 1970-01-01.
const EPOCH: u64 = 719_468;

/// Returns the number of days in a month; 0 if there is no such month.
pub(crate) fn days_in(year: u64, month: u64) -> u64 {
    let is_leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    match month {
        2 => 28 + u64::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    }
}

/// Returns the days from 1970-01-01 to a date since then.
#[cfg(any(feature = "online", test))]
pub(crate) fn days(year: u64, month: u64, day: u64) -> u64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year / 4 - year / 100 + year / 400;
    year * 365 + leap_days + (month * 153 + 2) / 5 + day - 1 - EPOCH
}

/// Returns the year, month, and day that are this number of days after 1970-01-01.
pub(crate) fn date(days: u64) -> (u64, u64, u64) {
    let days = days + EPOCH;
    let (cycle, day) = (days / CYCLE_DAYS, days % CYCLE_DAYS);
    // Each term takes out leap days, until all years have 365.
    let year = (day - day / 1460 + day / 36_524 - day / (CYCLE_DAYS - 1)) / 365;
    let day = day - (year * 365 + year / 4 - year / 100);
    let month = (day * 5 + 2) / 153;
    let day = day - (month * 153 + 2) / 5 + 1;
    let year = cycle * 400 + year;
    if month < 10 { (year, month + 3, day) } else { (year + 1, month - 9, day) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_dates_agree() {
        let mut count = 0;
        for year in 1970..2470 {
            for month in 1..=12 {
                for day in 1..=days_in(year, month) {
                    assert_eq!(date(count), (year, month, day));
                    assert_eq!(days(year, month, day), count);
                    count += 1;
                }
            }
        }
    }
}
