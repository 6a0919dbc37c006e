//! `--stats`: the numbers of the run, for people.

use std::io::Write;

use super::Summary;

/// Appends a line a number.
pub fn stats(summary: &Summary, out: &mut Vec<u8>) {
    let Summary {
        tally,
        errors,
        elapsed,
    } = summary;
    let lines = [
        (tally.matches, "matches"),
        (tally.matched, "files with matches"),
        (tally.files, "files searched"),
        (tally.skipped, "binary or special files skipped"),
        (tally.bytes, "bytes searched"),
        (tally.rejected, "candidates rejected (see --invalid)"),
        (*errors, "errors"),
    ];
    out.push(b'\n');
    // Writing to a vector does not fail.
    for (number, what) in lines {
        drop(writeln!(out, "{number} {what}"));
    }
    drop(writeln!(out, "{:.6} seconds", elapsed.as_secs_f64()));
}
