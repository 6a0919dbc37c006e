//! Ends URIs in the cells of a table: columns between bars, and comma-separated fields (D2.3,
//! D4.11).

use crate::memmem;

use super::text_view::TextView;
use super::wrapper::WrapperContext;
use crate::slice::SliceExt;
use crate::work_counter;

/// Bytes of a line that are read.
const MAX_LINE_LENGTH: usize = 1024;
/// Fewer commas than these belong to a sentence or to the URI itself.
const FEWEST_COMMAS: usize = 4;

/// Characters that separate columns.
const BARS: [&str; 5] = ["|", "¦", "│", "┃", "║"];

/// True if `before`, which ends where a URI starts, has a bar in the same line that separates
/// columns.
pub(super) fn has_bar(before: &[u8]) -> bool {
    let line = last_line(before);
    // As bytes: the look-back may cut a character in two.
    BARS.iter().any(|bar| memmem::find(line, bar.as_bytes()).is_some())
}

/// D2.3: returns whether the bar at `bar` of the view separates columns although none precedes the
/// URI in its line, and how far this read: a line next to it has as many bars, at least two.
pub(super) fn is_in_rows(
    view: &TextView<'_>,
    bar: usize,
    context: &WrapperContext<'_>,
) -> (bool, usize) {
    let rest = view.from(bar).clamped(..2 * MAX_LINE_LENGTH);
    let line = first_line(rest);
    let bars = |line: &[u8]| memchr::memchr_iter(b'|', line).count();
    let count = bars(line);
    work_counter::add(line.len());
    if count < 2 {
        return (false, bar + line.len());
    }
    let (above, _) = split_last_line(context.before);
    if bars(last_line(above)) == count {
        return (true, bar + line.len());
    }
    let next = first_line(rest.clamped(line.len() + 1..));
    work_counter::add(next.len());
    (bars(next) == count, bar + line.len() + 1 + next.len())
}

/// D4.11: returns whether the comma at `comma` of the view, the first of its URI, ends a field, and
/// how far this read.
///
/// A list of URIs that contain commas looks alike. So a URI that starts its line needs more
/// evidence: an adjacent line with as many commas, or a field that is empty or contains a space.
pub(super) fn ends_field(
    view: &TextView<'_>,
    comma: usize,
    context: &WrapperContext<'_>,
) -> (bool, usize) {
    let (above, before) = split_last_line(context.before);
    if !matches!(before.last(), None | Some(b',')) {
        return (false, comma);
    }
    let rest = view.from(comma).clamped(..2 * MAX_LINE_LENGTH);
    let line = first_line(rest);
    // Counting stops at the threshold, so a line of many URIs is not read to its end for each of
    // them.
    let (after, seen) = unquoted_commas(line, FEWEST_COMMAS);
    let around = unquoted_commas(before, FEWEST_COMMAS).0 + after;
    if around < FEWEST_COMMAS {
        return in_short_rows(line, rest, context, comma);
    }
    if !before.is_empty() {
        return (true, comma + seen);
    }
    let ends_line = comma + line.len();
    // D4.11: no URI has an empty item between commas, and none has a space.
    if line.windows(2).any(|w| w == b",,") || line.contains(&b' ') {
        return (true, ends_line);
    }
    let (commas, _) = unquoted_commas(line, usize::MAX);
    // D4.11: this line has no space, so a line of prose cannot be a row of its table.
    let is_alike = |other| unquoted_commas(other, usize::MAX).0 == commas && !is_prose(other);
    if is_alike(last_line(above)) {
        return (true, ends_line);
    }
    let next = first_line(rest.clamped(line.len() + 1..));
    (is_alike(next), ends_line + 1 + next.len())
}

/// Decides the same for rows with few commas: three adjacent rows must have the same number. If the
/// URI starts its row and all other rows start alike, further evidence must show that this is not a
/// list of URIs.
fn in_short_rows(
    line: &[u8],
    rest: &[u8],
    context: &WrapperContext<'_>,
    comma: usize,
) -> (bool, usize) {
    let (above, before) = split_last_line(context.before);
    let commas = unquoted_commas(before, usize::MAX).0 + unquoted_commas(line, usize::MAX).0;
    let next = rest.clamped(line.len() + 1..);
    let lines_after = [first_line(next), first_line(next.clamped(first_line(next).len() + 1..))];
    let (further_above, line_above) = split_last_line(above);
    let lines_before = [line_above, last_line(further_above)];
    let is_spaced = is_prose(before) || is_prose(line);
    let is_row = |line: &&[u8]| {
        !line.is_empty()
            && line.len() < MAX_LINE_LENGTH
            // D4.11: a line of prose is a row only where this one has such spaces, too.
            && (is_spaced || !is_prose(line))
            && unquoted_commas(line, usize::MAX).0 == commas
    };
    let rows_before = lines_before.iter().take_while(|line| is_row(line)).count();
    let heads = |lines: &[&[u8]]| {
        let mut rows = lines.iter().filter(|line| is_row(line));
        rows.any(|line| !line.windows(3).any(|w| w == b"://") && !is_prose(line))
    };
    // Three lines of URIs with one comma each are a list of URIs. A header or a note without a URI
    // shows that they are rows.
    let is_told = !before.is_empty() || commas > 1 || heads(&lines_before);
    // The rows above decide, so a stream need not wait for the rows below.
    if rows_before == 2 && is_told {
        return (true, comma + line.len());
    }
    let rows_after = lines_after.iter().take_while(|line| is_row(line)).count();
    let is_field = rows_after + rows_before >= 2 && (is_told || heads(&lines_after));
    // The second line matters if the first is a row, or if it may be the header.
    let [first, second] = lines_after;
    let seen = comma + line.len() + 1 + first.len();
    let asks_second = rows_after > 0 || rows_before == 2 && !is_told;
    (is_field, if asks_second { seen + 1 + second.len() } else { seen })
}

/// True for a line with a comma as prose has it: before a space, or at the end.
fn is_prose(line: &[u8]) -> bool {
    let line = line.trim_ascii_end();
    line.ends_with(b",") || line.windows(2).any(|pair| pair == b", ")
}

/// Returns the lines above the last one, without the line feed between, and the last one.
fn split_last_line(text: &[u8]) -> (&[u8], &[u8]) {
    match memchr::memrchr(b'\n', text) {
        Some(at) => (text.part(..at), text.part(at + 1..)),
        None => (&[], text),
    }
}

fn last_line(text: &[u8]) -> &[u8] {
    split_last_line(text).1
}

fn first_line(text: &[u8]) -> &[u8] {
    let near = text.clamped(..MAX_LINE_LENGTH);
    memchr::memchr(b'\n', near).map_or(near, |at| near.part(..at))
}

/// Counts up to `most` commas of `line` outside quoted fields; also returns how many bytes that
/// took.
fn unquoted_commas(line: &[u8], most: usize) -> (usize, usize) {
    let (mut commas, mut seen, mut is_quoted, mut starts_field) = (0, 0, false, true);
    for &byte in line {
        if commas == most {
            break;
        }
        match byte {
            b'"' if is_quoted => is_quoted = false,
            // RFC 4180 §2: a field is quoted only if the mark is its first character.
            b'"' if starts_field => is_quoted = true,
            b',' if !is_quoted => commas += 1,
            _ => {}
        }
        starts_field = byte == b',';
        seen += 1;
    }
    work_counter::add(seen);
    (commas, seen)
}

#[cfg(test)]
mod tests {
    use super::has_bar;

    #[test]
    fn a_bar_follows_a_character_that_is_cut() {
        let line = "文│ ".as_bytes();
        assert!(has_bar(line) && has_bar(&line[1..]) && has_bar(b"\xe4 | "));
        assert!(!has_bar("│\n文 ".as_bytes()));
    }
}
