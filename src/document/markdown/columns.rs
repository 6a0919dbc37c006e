//! Columns of indentation, changed so that CommonMark reads no code or HTML where a dialect has
//! none. Lines keep their length.

/// Looks like white space, but CommonMark does not count it as indentation.
pub(super) const FORM_FEED: u8 = 0x0C;

/// Columns of indented code (CommonMark §4.4), and of the content of a Python-Markdown block.
pub(super) const CODE_COLUMNS: usize = 4;

/// Returns the columns and bytes of a line's indentation.
pub(super) fn indentation(line: &[u8]) -> (usize, usize) {
    let mut columns = 0;
    for (at, byte) in line.iter().enumerate() {
        columns += match byte {
            b' ' => 1,
            // A tab reaches to the next of the stops, which are four columns apart (CommonMark
            // §2.2).
            b'\t' => CODE_COLUMNS - columns % CODE_COLUMNS,
            _ => return (columns, at),
        };
    }
    (columns, line.len())
}

/// Ends the indentation of a line before it is deep enough for code.
pub(super) fn unindent(line: &mut [u8]) {
    let mut columns = 0;
    for byte in line.iter_mut() {
        columns += match byte {
            b' ' => 1,
            b'\t' => CODE_COLUMNS - columns % CODE_COLUMNS,
            _ => return,
        };
        if columns >= CODE_COLUMNS {
            *byte = FORM_FEED;
            return;
        }
    }
}

/// Turns a line that is only a tag into text: the `>` at its end makes room before it.
pub(super) fn hide_tag(line: &mut [u8]) {
    line.rotate_right(1);
    if let Some(first) = line.first_mut() {
        *first = FORM_FEED;
    }
}
