//! Files of concatenated messages: all dialects of mbox (RFC 4155 and older ones).
//!
//! A message starts at a line `From sender date` with a valid date, because lines of text may start
//! with that word, too. mboxo and mboxrd prefix those with `>`. mboxcl and mboxcl2 store the length
//! of a message, which counts only if a message starts at its end. The search for the end is linear
//! in the message, and nothing is copied.

use std::ops::ControlFlow;

use std::sync::LazyLock;

use memchr::{memchr, memmem};

use super::format::Sniff;
use super::mail::{self, BOM, Header, InlineFiles, KnownMessage, Scratch};
use super::{EventSink, Format, Source};
use crate::decode::starts_inline_file;
use crate::offset_map::{Layers, OffsetMap};
use crate::scan::{HeaderOutline, Kernel, MailLoops};
use crate::slice::SliceExt as _;
use crate::span::Span;
use crate::work_counter;

/// Static, because building a searcher costs as much as searching a short message.
static FROM: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new(b"From "));
static QUOTED: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new(b">From "));
static EMPTY: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new(b"\n\n"));
/// Finds `Content-Length` in the cases that occur.
static LENGTH: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new(b"ength"));

/// Length of the longest word that a search looks for.
const MAX_LENGTH: usize = "=ybegin ".len();

const LINE: usize = 1 << 10;

/// A message of an mbox. Spans refer to the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// The separator line; empty if the window does not start with one.
    pub envelope: Span,
    /// Span from its header to the next message.
    pub content: Span,
    /// Tells whether it may contain quoted lines.
    pub quotes: Quotes,
    /// Outline of its header, relative to the start of the message.
    outline: HeaderOutline,
    files: InlineFiles,
}

/// Tells whether a message may have lines that start with `>From `.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quotes {
    /// It has no such lines.
    #[default]
    None,
    /// It may have such lines.
    Possible,
}

/// Result of reading the next message in a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// A message that is entirely in the window.
    Message(Message),
    /// A message whose end is not in the window, so more bytes are needed. If the window has
    /// [`Format::LARGEST`] bytes, it may be searched as text up to the [`start`] of the next
    /// message.
    Unfinished,
    /// No more messages in the window.
    End,
}

pub use crate::finder::Rest;

/// Reads all messages of a mailbox that is in memory as a whole.
pub(crate) fn read_all(
    bytes: &[u8],
    scratch: &mut Scratch,
    sink: &mut dyn EventSink,
) -> ControlFlow<()> {
    let mut from = 0;
    while let Next::Message(message) = next(bytes, from, Rest::End) {
        from = message.content.end();
        message.read_with(bytes, scratch, sink)?;
    }
    ControlFlow::Continue(())
}

/// True if `head` starts an mbox.
///
/// ```
/// use urigrep::document::mbox;
/// assert!(mbox::is_mbox(b"From jim at a.example  Wed Mar  2 23:56:19 2005\nFrom: Jim\n"));
/// assert!(!mbox::is_mbox(b"From here it is not far.\n"));
/// ```
pub fn is_mbox(head: &[u8]) -> bool {
    let end = memchr(b'\n', head).unwrap_or(head.len());
    head.get(..end).is_some_and(is_envelope)
}

/// Recognizes an mbox by its first line.
pub(crate) fn sniff(head: &[u8], rest: Rest) -> Sniff {
    const START: &[u8] = b"From ";
    let head = head.strip_prefix(BOM).unwrap_or(head);
    let is_cut = memchr(b'\n', head).is_none();
    if rest == Rest::More && is_cut && (head.starts_with(START) || START.starts_with(head)) {
        Sniff::NeedMore
    } else if is_mbox(head) {
        Sniff::Yes
    } else {
        Sniff::No
    }
}

/// Returns the message that starts at `from`.
///
/// ```
/// use urigrep::document::mbox::{self, Next, Rest};
/// let mbox = b"From a@a.example Wed Mar  2 23:56:19 2005\nSubject: 1\n\nFrom here on\n\n\
///              From b@a.example Wed Mar  2 23:57:00 2005\nSubject: 2\n\n";
/// let (mut from, mut subjects) = (0, Vec::new());
/// while let Next::Message(message) = mbox::next(mbox, from, Rest::End) {
///     subjects.push(&mbox[message.content.start()..][..10]);
///     from = message.content.end();
/// }
/// assert_eq!(subjects, [b"Subject: 1", b"Subject: 2"]);
/// ```
pub fn next(window: &[u8], from: usize, rest: Rest) -> Next {
    Cursor::at(from).next(window, rest)
}

/// Iterates over messages in a growing window. For an unfinished message, only the header is read
/// again.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cursor {
    /// Start of the next message in the window.
    pub from: usize,
    /// Length of its separator line, if the previous search has found it.
    envelope: Option<usize>,
    seen: EndSearch,
}

#[derive(Clone, Copy, Debug, Default)]
struct EndSearch {
    until: usize,
    quotes: Quotes,
    files: InlineFiles,
}

impl Cursor {
    /// Starts with the message at `from`.
    ///
    /// ```
    /// use urigrep::document::mbox::{Cursor, Next, Rest};
    /// let window = b"the end\n\nFrom b@a.example Wed Mar  2 23:57:00 2005\nSubject: 2\n";
    /// assert!(matches!(Cursor::at(9).next(window, Rest::End), Next::Message(_)));
    /// ```
    pub fn at(from: usize) -> Self {
        Self { from, ..Self::default() }
    }

    /// Returns the next message; the window may have grown since the last call.
    pub fn next(&mut self, window: &[u8], rest: Rest) -> Next {
        let from = self.from;
        let Some(text) = window.get(from..).filter(|text| !text.is_empty()) else {
            return match rest {
                Rest::More => Next::Unfinished,
                Rest::End => Next::End,
            };
        };
        // The first line of a window need not be a separator: a caller may start within a file.
        let envelope = self.envelope.unwrap_or_else(|| {
            let line = memchr(b'\n', text).map_or(text.len(), |end| end + 1);
            if text.get(..line).is_some_and(is_envelope) { line } else { 0 }
        });
        let content = from + envelope;
        let outline = HeaderOutline::read(window.clamped(content..), 0);
        // Search from the end of the header: no header field looks like a separator line.
        let found = self.seen.search(window, content + outline.end, rest);
        let until = found.map_or(window.len(), |(at, _)| at);
        let end = match (declared(window, (content, outline), until, rest), found) {
            (Declared::At(end), _) | (Declared::Unknown, Some((end, _))) => end,
            (Declared::Beyond, _) => return Next::Unfinished,
            (Declared::Unknown, None) => match rest {
                Rest::More => return Next::Unfinished,
                Rest::End => window.len(),
            },
        };
        let (quotes, files) = match found {
            // A declared length reaches beyond the first separator, so the rest was not searched.
            Some((found, _)) if found < end => (Quotes::Possible, InlineFiles::Possible),
            _ => (self.seen.quotes, self.seen.files),
        };
        *self = Self {
            from: end,
            envelope: found.filter(|(at, _)| *at == end).map(|(_, line)| line),
            seen: EndSearch::default(),
        };
        Next::Message(Message {
            envelope: Span::new(from, content),
            content: Span::new(content, end),
            quotes,
            outline,
            files,
        })
    }

    /// Drops the first `count` bytes of the window, which must precede the next message.
    pub fn drop(&mut self, count: usize) {
        self.from = self.from.saturating_sub(count);
        self.seen.until = self.seen.until.saturating_sub(count);
    }
}

impl EndSearch {
    /// Like [`start`], but resumes the last search of this message. Also returns the length of the
    /// separator line.
    fn search(&mut self, window: &[u8], from: usize, rest: Rest) -> Option<(usize, usize)> {
        self.search_by(Kernel::Auto.loops().mail, window, from, rest)
    }

    fn search_by(
        &mut self,
        loops: Option<MailLoops>,
        window: &[u8],
        from: usize,
        rest: Rest,
    ) -> Option<(usize, usize)> {
        self.until = self.until.max(from);
        if loops.is_none() {
            self.files = InlineFiles::Possible;
        }
        loop {
            let at = match loops {
                Some(loops) => (loops.opening)(window, self.until),
                None => word(window, self.until.max(1)),
            };
            work_counter::add(at.saturating_sub(self.until));
            let line = window.clamped(at..);
            // The line may be incomplete, or a word may start in the last bytes. Search these again
            // with more input.
            if line.len() < MAX_LENGTH && rest == Rest::More {
                self.until = self.until.max(at.min(window.len().saturating_sub(MAX_LENGTH)));
                return None;
            }
            self.until = at;
            match (window.get(at.checked_sub(1)?)?, line) {
                (_, []) => return None,
                (b'>', [b'F', b'r', b'o', b'm', b' ', ..]) => self.quotes = Quotes::Possible,
                (b'\n', [b'F', b'r', b'o', b'm', b' ', ..]) => {
                    let end = match (memchr(b'\n', line), rest) {
                        (Some(end), _) => end + 1,
                        (None, Rest::End) => line.len(),
                        (None, Rest::More) => return None,
                    };
                    if line.get(..end).is_some_and(is_envelope) {
                        return Some((at, end));
                    }
                }
                _ if starts_inline_file(line) => self.files = InlineFiles::Possible,
                _ => {}
            }
            self.until = at + 1;
        }
    }
}

fn word(window: &[u8], from: usize) -> usize {
    let found = window.get(from..).and_then(|text| FROM.find(text));
    found.map_or(window.len(), |found| from + found)
}

/// Returns the start of the next message, after a line break at or after `from`.
///
/// ```
/// use urigrep::document::mbox::{self, Rest};
/// let window = b"... and so on\n\nFrom b@a.example Wed Mar  2 23:57:00 2005\nSubject: 2\n";
/// assert_eq!(mbox::start(window, 0, Rest::More), Some(15));
/// ```
pub fn start(window: &[u8], from: usize, rest: Rest) -> Option<usize> {
    let found = EndSearch::default().search(window, from, rest);
    found.map(|(at, _)| at)
}

/// End of a message according to its `Content-Length`.
enum Declared {
    At(usize),
    Beyond,
    Unknown,
}

fn declared(
    window: &[u8],
    (content, outline): (usize, HeaderOutline),
    found: usize,
    rest: Rest,
) -> Declared {
    let text = window.part(content..found);
    let after = text.clamped(outline.end..);
    let is_whole = matches!(after, [b'\n', ..] | [b'\r', b'\n', ..]);
    // Fast path: the outline covers the whole header and has no `Content-` field.
    if is_whole && outline.content.is_none() {
        return Declared::Unknown;
    }
    let blank = EMPTY.find(text).map(|at| at + 2);
    let blank_crlf = || memmem::find(text, b"\n\r\n").map(|at| at + 3);
    let Some(body) = blank.or_else(blank_crlf) else {
        return Declared::Unknown;
    };
    let header = text.part(..body);
    if LENGTH.find(header).is_none() {
        return Declared::Unknown;
    }
    let field = Header::new(header).field("Content-Length");
    let length = field.and_then(|field| std::str::from_utf8(field.value).ok()?.parse().ok());
    let Some(end) = length.and_then(|length: usize| (content + body).checked_add(length)) else {
        return Declared::Unknown;
    };
    // Trust the length only if a message starts there, after empty lines, or the file ends.
    let after = window.clamped(end..);
    let gap = after.iter().take_while(|&&byte| byte == b'\n' || byte == b'\r').count();
    let starts_line = gap > 0 || window.get(end.wrapping_sub(1)) == Some(&b'\n');
    let next = after.clamped(gap..);
    let is_cut = || next.len() < LINE && memchr(b'\n', next).is_none();
    match (next, rest) {
        ([], Rest::End) if end <= window.len() => Declared::At(end + gap),
        (_, Rest::More) if end.saturating_sub(content) < Format::LARGEST && is_cut() => {
            Declared::Beyond
        }
        (next, _) if starts_line && is_mbox(next) => Declared::At(end + gap),
        _ => Declared::Unknown,
    }
}

/// True for `From sender Www Mmm dd hh:mm:ss yyyy`. A zone may precede or follow the year, and the
/// sender is arbitrary.
fn is_envelope(line: &[u8]) -> bool {
    // A file may start with a byte order mark.
    let line = line.strip_prefix(BOM).unwrap_or(line);
    let Some(rest) = line.strip_prefix(b"From ") else {
        return false;
    };
    // Real separator lines are shorter.
    let Some(rest) = rest.get(..rest.len().min(LINE)) else {
        return false;
    };
    if ends_in_date(rest) {
        return true;
    }
    let words = || rest.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let is_date = |at: usize| {
        let mut words = words().skip(at);
        let mut word = || words.next().unwrap_or_default();
        is_day(word())
            && is_month(word())
            && matches!(word(), [b'0'..=b'9'] | [b'0'..=b'3', b'0'..=b'9'])
            && is_time(word())
            && (is_year(word()) || is_year(word()) || is_year(word()))
    };
    // Without a valid date, `From here on` in a text would split a message, as it does with
    // mail-parser (docs/decisions/0006).
    let days = words().enumerate().filter(|(_, word)| is_day(word));
    // A sender may contain the name of a day, but not often.
    days.take(4).any(|(at, _)| is_date(at))
}

/// Fast path: true for `… Www Mmm dd hh:mm:ss yyyy` with single spaces, as most have it. The text
/// before it is then the sender.
fn ends_in_date(line: &[u8]) -> bool {
    let Some(&date) = line.trim_ascii_end().last_chunk::<25>() else {
        return false;
    };
    #[rustfmt::skip]
    let [b' ', d1, d2, d3, b' ', m1, m2, m3, b' ', ten, one, b' ',
        h1, h2, b':', n1, n2, b':', s1, s2, b' ', century, y2, y3, y4] = date
    else {
        return false;
    };
    let digits = [one, h1, h2, n1, n2, s1, s2, y2, y3, y4];
    digits.iter().all(u8::is_ascii_digit)
        && matches!(ten, b' ' | b'0'..=b'3')
        && matches!(century, b'1' | b'2')
        && is_day(&[d1, d2, d3])
        && is_month(&[m1, m2, m3])
}

fn is_day(word: &[u8]) -> bool {
    matches!(word, b"Mon" | b"Tue" | b"Wed" | b"Thu" | b"Fri" | b"Sat" | b"Sun")
}

#[rustfmt::skip]
fn is_month(word: &[u8]) -> bool {
    matches!(
        word,
        b"Jan" | b"Feb" | b"Mar" | b"Apr" | b"May" | b"Jun"
            | b"Jul" | b"Aug" | b"Sep" | b"Oct" | b"Nov" | b"Dec"
    )
}

fn is_time(word: &[u8]) -> bool {
    let is_field = |field: &[u8]| field.len() <= 2 && field.iter().all(u8::is_ascii_digit);
    let mut fields = word.split(|&byte| byte == b':');
    let count = word.iter().filter(|&&byte| byte == b':').count();
    (1..=2).contains(&count) && fields.all(|field| !field.is_empty() && is_field(field))
}

fn is_year(word: &[u8]) -> bool {
    matches!(word, [b'1' | b'2', rest @ ..] if rest.len() == 3 && rest.iter().all(u8::is_ascii_digit))
}

/// Removes one `>` from each line that starts with `>From `, `>>From `, … This is correct for
/// mboxrd; in mboxo, the text may have contained such lines itself. Returns false, and appends
/// nothing, if there is no such line.
///
/// ```
/// use urigrep::document::mbox::unquote;
/// use urigrep::offset_map::OffsetMap;
/// use urigrep::Span;
/// let (mut text, mut map) = (Vec::new(), OffsetMap::new());
/// assert!(unquote(b"Hello.\n>From here on\n", &mut text, &mut map));
/// assert_eq!(text, b"Hello.\nFrom here on\n");
/// assert_eq!(map.source(Span::new(7, 11)), Span::new(8, 12));
/// ```
pub fn unquote(message: &[u8], text: &mut Vec<u8>, map: &mut OffsetMap) -> bool {
    work_counter::add(message.len());
    let mut kept = 0;
    for found in QUOTED.find_iter(message) {
        let before = message.part(..found);
        let marks = before.iter().rev().take_while(|&&byte| byte == b'>').count();
        let line = found - marks;
        if !matches!(message.get(line.wrapping_sub(1)), None | Some(b'\n')) {
            continue;
        }
        let bytes = message.part(kept..line);
        text.extend_from_slice(bytes);
        map.copy(bytes.len(), kept);
        kept = line + 1;
    }
    if kept == 0 {
        return false;
    }
    let bytes = message.clamped(kept..);
    text.extend_from_slice(bytes);
    map.copy(bytes.len(), kept);
    true
}

impl Message {
    /// Reads the message from its window. Offsets of parts refer to the window.
    ///
    /// The text is copied only if it has quoted lines.
    pub fn read(&self, window: &[u8], sink: &mut dyn EventSink) -> ControlFlow<()> {
        self.read_with(window, &mut Scratch::default(), sink)
    }

    /// Like [`read`](Self::read), with reused buffers.
    pub fn read_with(
        &self,
        window: &[u8],
        scratch: &mut Scratch,
        sink: &mut dyn EventSink,
    ) -> ControlFlow<()> {
        let bytes = window.part(self.content.range());
        let below = Layers::copied(self.content.start());
        if self.quotes == Quotes::Possible {
            let (mut text, mut map) = (Vec::new(), OffsetMap::new());
            if unquote(bytes, &mut text, &mut map) {
                let layers = below.under(&map);
                return mail::read_known(Source::inside(&text, &layers), None, scratch, sink);
            }
        }
        let known = KnownMessage { outline: self.outline, files: self.files };
        mail::read_known(Source::inside(bytes, &below), Some(known), scratch, sink)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn loops_find_what_words_do(pieces in prop::collection::vec(0usize..8, 0..40), cut in 0usize..60) {
            let lines = [
                "From a@a.example Wed Mar  2 23:56:19 2005\n", "From here\n", ">From b\n", "x From c\n", "begin 6\n",
                "=ybegin \n", "Fr", "\n",
            ];
            let text: String = pieces.iter().map(|&piece| lines[piece]).collect();
            let text = text.part(..text.len().saturating_sub(cut)).as_bytes();
            for rest in [Rest::More, Rest::End] {
                for from in 0..text.len().min(50) {
                    let (mut loops, mut words) = (EndSearch::default(), EndSearch::default());
                    let found = loops.search_by(Kernel::Auto.loops().mail, text, from, rest);
                    prop_assert_eq!(found, words.search_by(None, text, from, rest));
                    let until = found.map_or(text.len(), |(at, _)| at);
                    let looked = &text[from.max(1)..until];
                    if found.is_some() || rest == Rest::End {
                        prop_assert_eq!(loops.quotes, words.quotes);
                        let files = memmem::find(looked, b"\nbegin ").or(memmem::find(looked, b"\n=ybegin "));
                        prop_assert!(files.is_none() || loops.files == InlineFiles::Possible);
                    }
                }
            }
        }
    }
}
