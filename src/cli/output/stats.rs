//! `--stats`: the numbers of the run, for people.

use std::io::Write;

use super::Summary;
use super::sketch::DistinctCount;

pub fn stats(summary: &Summary, out: &mut Vec<u8>) {
    let Summary { stats, unique, errors, elapsed } = summary;
    let some = |number: u64| Some(number).filter(|number| *number > 0);
    let (about, unique) = match *unique {
        Some(DistinctCount::About(number)) => ("about ", Some(number)),
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
    out.push(b'\n');
    // Writing to a vector does not fail.
    for (number, [one, many]) in lines {
        if let Some(number) = number {
            let about = if one == "different URI" { about } else { "" };
            drop(writeln!(out, "{about}{number} {}", if number == 1 { one } else { many }));
        }
    }
    drop(writeln!(out, "{:.6} seconds", elapsed.as_secs_f64()));
}
