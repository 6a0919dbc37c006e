//! `--stats`: the counts of the run, for people.

use std::io::Write;

use super::Summary;
use super::sketch::DistinctCount;
use crate::cli::progress::size;

pub fn stats(summary: &Summary, out: &mut Vec<u8>) {
    let Summary { stats, unique, errors, elapsed } = summary;
    let some = |number: u64| Some(number).filter(|number| *number > 0);
    let (about, unique) = match *unique {
        Some(DistinctCount::Estimated(number)) => ("about ", Some(number)),
        Some(DistinctCount::Exact(number)) => ("", Some(number)),
        None => ("", None),
    };
    let lines = [
        (Some(stats.matches), ["match", "matches"]),
        (unique, ["different URI", "different URIs"]),
        (Some(stats.matched), ["file with matches", "files with matches"]),
        (Some(stats.files), ["file searched", "files searched"]),
        (
            Some(stats.skipped),
            ["binary or special file skipped", "binary or special files skipped"],
        ),
        (
            // Most runs have none of these, and a line with 0 would make readers look for a
            // problem.
            some(stats.unread),
            [
                "of them is in a format without a reader (--files --unread lists it)",
                "of them are in formats without a reader (--files --unread lists them)",
            ],
        ),
        (
            some(stats.skipped_parts.encrypted),
            ["encrypted part of mail skipped", "encrypted parts of mail skipped"],
        ),
        (
            some(stats.skipped_parts.binary),
            ["binary part of mail skipped", "binary parts of mail skipped"],
        ),
        (Some(stats.bytes), ["byte searched", "bytes searched"]),
        (
            Some(stats.rejected),
            ["candidate rejected (see --invalid)", "candidates rejected (see --invalid)"],
        ),
        (Some(*errors), ["error", "errors"]),
    ];
    let lines: Vec<_> = lines
        .into_iter()
        .filter_map(|(number, [one, many])| {
            let number = number?;
            let about = if one == "different URI" { about } else { "" };
            let noun = if number == 1 { one } else { many };
            // Many bytes are easier to read as a rounded size.
            let size = if one == "byte searched" && number >= 1 << 20 {
                format!(" ({})", size(number as f64))
            } else {
                String::new()
            };
            Some((format!("{about}{}", grouped(number)), format!("{noun}{size}")))
        })
        .collect();
    let width = lines.iter().map(|(number, _)| number.len()).max().unwrap_or_default();
    out.push(b'\n');
    // Writing to a vector does not fail.
    for (number, noun) in lines {
        drop(writeln!(out, "{number:>width$} {noun}"));
    }
    drop(writeln!(out, "{:>width$.3} seconds", elapsed.as_secs_f64()));
}

/// Formats a number with a comma between groups of three digits.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn groups() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
    }
}
