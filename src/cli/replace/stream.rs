//! Standard input that is plain text: changed and printed as it arrives.

use std::io::{self, Read, StdinLock};

use urigrep::change::{MAX_CHANGED_BYTES, TextDivider};
use urigrep::finder::Rest;
use urigrep::internal::catch_panic;
use urigrep::search::{Input, Problem, ProblemKind, TextShape, describe};

use super::ReplaceOutput;
use super::files::{ChangedInput, Replacer, Trials, too_large};

/// Bytes that are read at once, if they have arrived.
const READ_SIZE: usize = 64 << 10;

/// Up to this size, the text that is held back is searched again for every line that arrives.
const RESCAN_LIMIT: usize = 64 << 10;

/// Standard input, and the part that was read but is not printed yet.
struct HeldText {
    stdin: StdinLock<'static>,
    text: Vec<u8>,
}

impl HeldText {
    /// Reads the bytes that have arrived; waits for at least one.
    fn read(&mut self) -> io::Result<Rest> {
        let held = self.text.len();
        self.text.resize(held + READ_SIZE, 0);
        let read = loop {
            match self.stdin.read(self.text.get_mut(held..).unwrap_or_default()) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        self.text.truncate(held + *read.as_ref().unwrap_or(&0));
        Ok(if read? == 0 { Rest::End } else { Rest::More })
    }
}

/// Changes standard input. `lines` changes a text by its lines; what is read as a whole is changed
/// by `whole`.
pub fn change_stdin(
    whole: &Replacer,
    lines: &Replacer,
    divider: TextDivider,
    output: &mut ReplaceOutput<'_>,
) {
    let mut held = HeldText { stdin: io::stdin().lock(), text: Vec::new() };
    let mut rest = Rest::More;
    loop {
        match whole.search.text_shape(&held.text, rest) {
            TextShape::Lines => break,
            TextShape::NeedMore if rest == Rest::More => match held.read() {
                Ok(more) => rest = more,
                Err(error) => return fail(&describe(&error), output),
            },
            TextShape::Whole | TextShape::NeedMore => {
                let HeldText { stdin, text } = held;
                drop(stdin);
                let changed = catch_panic(|| whole.change_stdin(&Input::stdin(), text));
                return take(changed, output);
            }
        }
    }
    change_lines(lines, divider, held, rest, output);
}

fn change_lines(
    replacer: &Replacer,
    divider: TextDivider,
    mut held: HeldText,
    mut rest: Rest,
    output: &mut ReplaceOutput<'_>,
) {
    let (mut before, mut offset, mut enough) = (Vec::new(), 0, 0_usize);
    loop {
        let end = match rest {
            Rest::End => Some(held.text.len()),
            Rest::More if held.text.len() < enough => None,
            Rest::More => divider.end(&held.text, held.text.len()),
        };
        if let Some(end) = end {
            let part: Vec<u8> = held.text.drain(..end).collect();
            change_part(replacer, divider, &mut before, StreamPart { text: &part, offset }, output);
            offset += end as u64;
            enough = 0;
        } else if held.text.len() as u64 > MAX_CHANGED_BYTES {
            return fail(&too_large(), output);
        } else if held.text.len() > RESCAN_LIMIT {
            // The buffer grows by half, so that all attempts together take time linear in
            // the bytes.
            enough = enough.max(held.text.len() + held.text.len() / 2);
        }
        if rest == Rest::End || output.stdout.is_closed() {
            return;
        }
        rest = match held.read() {
            Ok(more) => more,
            Err(error) => {
                fail(&describe(&error), output);
                Rest::End
            }
        };
    }
}

/// A part of a text.
#[derive(Clone, Copy)]
struct StreamPart<'t> {
    text: &'t [u8],
    /// Where the part starts in the input.
    offset: u64,
}

/// Changes a part after `before`, which becomes what the next part may depend on. If some edit
/// cannot be written, its halves change on their own: the edits that are tried together, and how
/// often, must not depend on how much arrived at once.
fn change_part(
    replacer: &Replacer,
    divider: TextDivider,
    before: &mut Vec<u8>,
    part: StreamPart<'_>,
    output: &mut ReplaceOutput<'_>,
) {
    let mut ranges: Vec<_> = std::iter::once(0..part.text.len()).collect();
    // The ranges come in the order of the text.
    while let Some(range) = ranges.pop() {
        let text = part.text.get(range.clone()).unwrap_or_default();
        let offset = part.offset + range.start as u64;
        let half = divider.half(text);
        let trials = if half.is_some() { Trials::Whole } else { Trials::Parts };
        let changed = catch_panic(|| replacer.change_part(before, offset, text, trials));
        match (changed.transpose(), half) {
            (Some(changed), _) => {
                take(changed, output);
                before.extend_from_slice(text);
                *before = TextDivider::context(before);
            }
            (None, Some(half)) => {
                let middle = range.start + half;
                ranges.extend([middle..range.end, range.start..middle]);
            }
            // Only what has halves is tried as a whole.
            (None, None) => {}
        }
    }
}

fn take(changed: Result<ChangedInput, String>, output: &mut ReplaceOutput<'_>) {
    match changed {
        Ok(changed) => output.take(changed),
        Err(message) => {
            let input = Input::stdin();
            let problem = Problem::new(ProblemKind::Panic, input.display_path(), message);
            output.diagnostics.report(&problem);
        }
    }
}

fn fail(message: &str, output: &mut ReplaceOutput<'_>) {
    let input = Input::stdin();
    output.diagnostics.report(&Problem::new(ProblemKind::Read, input.display_path(), message));
}
