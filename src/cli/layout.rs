//! The prefix of a match: its path and numbers.

use super::flags::SearchFlags;
use super::flags::output::OutputFlags;
use super::output::{Layout, LineField, PathPlace};

/// The number of files that a search may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputCount {
    OnlyStdin,
    One,
    Many,
}

/// Returns the layout of the prefix of each match.
pub fn layout(flags: &SearchFlags, number: InputCount, on_terminal: bool) -> Layout {
    let place = match path_place(&flags.output, number, on_terminal) {
        // With `--unique`, records that follow each other may come from any file, so each line has
        // its path.
        PathPlace::Heading if flags.modes.unique => PathPlace::EachLine,
        place => place,
    };
    Layout { place, fields: fields(&flags.output, place, number, on_terminal) }
}

fn path_place(output: &OutputFlags, number: InputCount, on_terminal: bool) -> PathPlace {
    let shown = output.with_filename || output.vimgrep || number == InputCount::Many;
    if !shown || (output.no_filename && !output.vimgrep) {
        return PathPlace::Nowhere;
    }
    // As in grep and ripgrep: people read files below their name, programs one record per line.
    let heading = match (output.heading, output.no_heading) {
        (true, _) => true,
        (_, true) => false,
        _ => on_terminal,
    };
    if heading && !output.vimgrep { PathPlace::Heading } else { PathPlace::EachLine }
}

/// Returns the numbers before a match: a line number on a terminal, and wherever there is a path.
fn fields(
    output: &OutputFlags,
    place: PathPlace,
    number: InputCount,
    on_terminal: bool,
) -> Vec<LineField> {
    let line = match (output.line_number || output.vimgrep, output.no_line_number) {
        (true, _) => true,
        (_, true) => false,
        _ => {
            // A column is useless without its line.
            output.column
                || place != PathPlace::Nowhere
                // Standard input has no file in which a reader could look up the line.
                || (on_terminal && number != InputCount::OnlyStdin)
        }
    };
    let fields = [
        (line, LineField::Line),
        (output.column || output.vimgrep, LineField::Column),
        (output.byte_offset, LineField::Offset),
    ];
    fields.into_iter().filter(|(shown, _)| *shown).map(|(_, field)| field).collect()
}
