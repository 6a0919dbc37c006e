//! `--stats`: the numbers of the run, for people.

use std::io::Write;

use super::Summary;

/// Appends a line a number.
pub fn stats(summary: &Summary, out: &mut Vec<u8>) {
    let Summary { stats, unique, errors, elapsed } = summary;
    let some = |number: u64| Some(number).filter(|number| *number > 0);
    let lines = [
        (Some(stats.matches), "matches"),
        (*unique, "different URIs"),
        (Some(stats.matched), "files with matches"),
        (Some(stats.files), "files searched"),
        (Some(stats.skipped), "binary or special files skipped"),
        (some(stats.skipped_parts.encrypted), "encrypted parts of mail skipped"),
        (some(stats.skipped_parts.binary), "binary parts of mail skipped"),
        (Some(stats.bytes), "bytes searched"),
        (Some(stats.rejected), "candidates rejected (see --invalid)"),
        (Some(*errors), "errors"),
    ];
    out.push(b'\n');
    // Writing to a vector does not fail.
    for (number, what) in lines {
        if let Some(number) = number {
            drop(writeln!(out, "{number} {what}"));
        }
    }
    drop(writeln!(out, "{:.6} seconds", elapsed.as_secs_f64()));
}
