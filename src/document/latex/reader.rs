//! Reads the commands and comments of LaTeX.

use std::ops::ControlFlow;

use memchr::{memchr, memchr2, memmem};

use super::commands::{Command, Environment};
use crate::delimit::{self, EscapeMeaning};
use crate::document::writer::{BareUris, PartWriter, assume, trimmed};
use crate::document::{EventSink, NameSpace, Role, Scope, Source};
use crate::hash::HashSet;
use crate::offset_map::{DerivedText, RunOrigin};
use crate::slice::{ByteRuns as _, SliceExt as _, lossy};
use crate::span::Span;
use crate::work_counter;

/// Longest argument. The bound keeps time linear where a brace is never closed.
const MAX_BYTES: usize = 2048;

/// After this many verbatim environments without an end, no other one is looked for: each look
/// takes as long as the rest of the document.
const MAX_UNCLOSED: usize = 8;

/// A reference to a label, checked at the end.
struct Reference {
    name: String,
    kind: ReferenceKind,
    whole: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReferenceKind {
    Label,
    Citation,
}

pub(super) struct LatexReader<'d, 's> {
    writer: PartWriter<'d, 's>,
    bytes: &'d [u8],
    names: HashSet<String>,
    references: Vec<Reference>,
    /// True if the document has a class, so it is not a part of another one.
    is_main: bool,
    /// True if other files may define names.
    is_open: bool,
    /// True if the document has a list of its sources.
    has_sources: bool,
    /// Environments whose end was searched for and not found.
    unclosed: Vec<Environment>,
    /// End of the last body of a command.
    body_end: usize,
    at: usize,
}

impl<'d, 's> LatexReader<'d, 's> {
    pub fn new(source: Source<'d>, sink: &'s mut dyn EventSink) -> Self {
        Self {
            writer: PartWriter::new(source, sink, BareUris::Shown).with_plain(plain),
            bytes: source.bytes,
            names: HashSet::default(),
            references: Vec::new(),
            is_main: false,
            is_open: false,
            has_sources: false,
            unclosed: Vec::new(),
            body_end: 0,
            at: 0,
        }
    }

    pub fn read(mut self) -> ControlFlow<()> {
        while let Some(found) = memchr2(b'\\', b'%', self.bytes.clamped(self.at..)) {
            let mark = self.at + found;
            work_counter::add(found);
            match self.bytes.clamped(mark..) {
                [b'%', ..] if self.is_in_uri(mark) => self.at = mark + 1,
                [b'%', ..] => self.comment(mark)?,
                [_, byte, ..] if byte.is_ascii_alphabetic() => self.command(mark)?,
                // An escaped character.
                _ => self.at = mark + 2,
            }
        }
        self.finish();
        self.writer.prose(self.bytes.len())
    }

    /// True for a percent sign within a bare URI: a command of the document's own may read its
    /// argument verbatim, so `%20` there is not a comment.
    fn is_in_uri(&self, at: usize) -> bool {
        let is_digits = self
            .bytes
            .get(at + 1..at + 3)
            .is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        let before = self.bytes.clamped(self.writer.done()..at).tail(MAX_BYTES.min(512));
        let token = before.len() - before.trailing(|byte| !byte.is_ascii_whitespace());
        is_digits && before.clamped(token..).contains(&b':')
    }

    fn comment(&mut self, at: usize) -> ControlFlow<()> {
        let rest = self.bytes.clamped(at..);
        let end = at + memchr(b'\n', rest).unwrap_or(rest.len());
        self.at = end;
        self.writer.prose(at)?;
        self.writer.emit_to(end, Role::Comment)
    }

    fn command(&mut self, at: usize) -> ControlFlow<()> {
        let rest = self.bytes.clamped(at + 1..);
        let length = rest.leading(|byte| byte.is_ascii_alphabetic());
        let name = rest.clamped(..length);
        let after = at + 1 + length;
        self.at = after;
        let Some(command) = Command::named(name) else { return ControlFlow::Continue(()) };
        // A star changes the look only.
        let star = usize::from(self.bytes.get(after) == Some(&b'*'));
        let after = after + star;
        match command {
            Command::Verb => return self.verb(after, name),
            Command::Begin => return self.begin(after),
            Command::Class => self.is_main = true,
            Command::Macro => {
                self.body_end = self.body_end.max(self.body(after));
                return ControlFlow::Continue(());
            }
            _ => {}
        }
        let Some(argument) = self.argument(after) else { return ControlFlow::Continue(()) };
        let text = self.writer.at(argument);
        // The body of a command has parameters, `\url{#1}`, `\href{https://a.example/#1}{…}`. Only
        // the text that replaces them makes a URI (D4.8).
        let has_parameter =
            text.windows(2).any(|pair| matches!(pair, [b'#', digit] if digit.is_ascii_digit()));
        if has_parameter && (text.starts_with(b"#") || at < self.body_end) {
            return ControlFlow::Continue(());
        }
        match command {
            Command::Url | Command::LinkWithText => {
                let destination = self.uri(argument, command)?;
                if command == Command::LinkWithText
                    && let Some(text) = self.argument(argument.end() + 1)
                {
                    self.writer.label(text, destination);
                }
            }
            Command::Path => {
                self.writer.prose(argument.start())?;
                self.writer.emit_to(argument.end(), Role::Code)?;
                self.at = argument.end();
            }
            Command::Image => self.file(argument, "image", "")?,
            Command::Include(extension) => {
                self.is_open = true;
                self.file(argument, "include", extension)?;
            }
            Command::Includes(extension) => self.files(argument, extension)?,
            Command::Define => {
                self.has_sources |= name == b"bibitem";
                let label = lossy(text).trim().to_owned();
                self.writer.anchor(&label, argument);
                self.writer.define(NameSpace::Label, &label, argument);
                self.names.insert(label);
            }
            Command::Refer => self.refer(argument, ReferenceKind::Label),
            Command::Cite => self.refer(argument, ReferenceKind::Citation),
            Command::Heading(level) => {
                let title = lossy(text);
                self.writer.heading(level.into(), &title, argument);
            }
            Command::Verb | Command::Begin | Command::Class | Command::Macro => {}
        }
        ControlFlow::Continue(())
    }

    /// Returns the end of the body of a command whose definition continues at `at`, with its name.
    fn body(&self, at: usize) -> usize {
        let start = self.argument(at).map_or(at, |name| name.end() + 1);
        let head = self.bytes.clamped(start..).clamped(..MAX_BYTES);
        // The name without braces, the number of parameters, `#1#2`.
        let open = head.leading(|byte| !matches!(byte, b'{' | b'}' | b'%'));
        let open = start + open;
        let body = (self.bytes.get(open) == Some(&b'{')).then(|| self.braces(open)).flatten();
        body.map_or(at, |body| body.end())
    }

    /// Returns the span in the next braces, after optional arguments in brackets.
    fn argument(&self, at: usize) -> Option<Span> {
        let mut at = at;
        // `\cite[see][5]{a}` has two of them. The bound keeps time linear in a row of brackets.
        for _ in 0..4 {
            let rest = self.bytes.clamped(at..).clamped(..MAX_BYTES);
            at += rest.leading(|byte| byte.is_ascii_whitespace());
            match self.bytes.get(at)? {
                b'{' => return self.braces(at),
                b'[' => {
                    let inside = self.bytes.clamped(at..).clamped(..MAX_BYTES);
                    work_counter::add(inside.len());
                    at += memchr(b']', inside)? + 1;
                }
                _ => return None,
            }
        }
        None
    }

    /// Returns the span between the brace at `open` and the one that closes it.
    fn braces(&self, open: usize) -> Option<Span> {
        let inside = self.bytes.clamped(open + 1..).clamped(..MAX_BYTES);
        let (mut depth, mut is_escaped) = (0_usize, false);
        for (at, byte) in inside.iter().enumerate() {
            match byte {
                // `\\{` is a line break and a brace that counts; `\{` is a character.
                b'\\' => {
                    is_escaped = !is_escaped;
                    continue;
                }
                b'{' if !is_escaped => depth += 1,
                b'}' if !is_escaped && depth == 0 => {
                    work_counter::add(at);
                    return Some(Span::new(open + 1, open + 1 + at));
                }
                b'}' if !is_escaped => depth -= 1,
                _ => {}
            }
            is_escaped = false;
        }
        work_counter::add(inside.len());
        None
    }

    /// Emits a URI without the escapes of TeX, and without the white space that `\url` leaves out.
    fn uri(&mut self, argument: Span, command: Command) -> ControlFlow<(), Span> {
        let span = trimmed(self.bytes, argument);
        self.at = argument.end();
        let text = self.writer.at(span);
        // Without a scheme, it is a host or an address that is only shown.
        if !text.contains(&b':') {
            self.writer.value(span, Role::Destination, Some("link"), None)?;
            return ControlFlow::Continue(span);
        }
        // Between two URLs in one argument, only the white space says where the first ends.
        let is_one = memchr::memmem::find_iter(text, b"://").count() == 1;
        self.writer.link_with(span, "link", |piece| {
            if command == Command::Url && is_one {
                unescape_words(text, span.start(), piece)
            } else {
                unescape(text, span.start(), piece)
            }
        })
    }

    /// Emits the name of a file, to which TeX adds an extension.
    ///
    /// TeX looks for files from the directory of the main document. It also tries the extensions of
    /// pictures, and its own directories. Names that depend on any of that are not references.
    fn file(
        &mut self,
        argument: Span,
        element: &'static str,
        extension: &'static str,
    ) -> ControlFlow<()> {
        let span = trimmed(self.bytes, argument);
        let text = self.writer.at(span);
        self.at = argument.end();
        let name = text.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
        let has_extension = name.contains(&b'.');
        let is_known = has_extension || !extension.is_empty();
        if !self.is_main || !is_known || text.iter().any(|byte| b"\\#{} ".contains(byte)) {
            return self.writer.value(span, Role::Attribute, Some(element), None);
        }
        self.writer.link_with(span, element, |piece| {
            piece.copy(text, span.start());
            if !has_extension {
                assume(piece, extension.as_bytes(), span.end());
            }
        })?;
        ControlFlow::Continue(())
    }

    fn files(&mut self, argument: Span, extension: &'static str) -> ControlFlow<()> {
        // The sources are in these files, so the document no longer holds all of them.
        self.has_sources = false;
        let mut start = argument.start();
        for name in self.writer.at(argument).split(|&byte| byte == b',') {
            let end = start + name.len();
            self.file(Span::new(start, end), "include", extension)?;
            start = end + 1;
        }
        self.at = argument.end();
        ControlFlow::Continue(())
    }

    fn refer(&mut self, argument: Span, kind: ReferenceKind) {
        if !self.writer.wants_names() {
            return;
        }
        for name in self.writer.at(argument).split(|&byte| byte == b',') {
            let name = lossy(name.trim_ascii()).into_owned();
            // Only TeX knows the name that a command or a parameter stands for.
            if !name.is_empty() && !name.contains(['\\', '#', '{']) {
                self.references.push(Reference { name, kind, whole: argument });
            }
        }
    }

    /// Reads `\verb|…|` and `\lstinline[…]|…|`.
    fn verb(&mut self, at: usize, name: &[u8]) -> ControlFlow<()> {
        let mut at = at;
        if name != b"verb" && self.bytes.get(at) == Some(&b'[') {
            let inside = self.bytes.clamped(at..).clamped(..MAX_BYTES);
            at += memchr(b']', inside).map_or(0, |end| end + 1);
        }
        if name == b"mintinline" {
            at = self.argument(at).map_or(at, |language| language.end() + 1);
        }
        let Some(&mark) = self.bytes.get(at) else { return ControlFlow::Continue(()) };
        if mark.is_ascii_whitespace() || mark.is_ascii_alphanumeric() {
            return ControlFlow::Continue(());
        }
        let line = self.bytes.clamped(at + 1..).clamped(..MAX_BYTES);
        // LaTeX also refuses a `\verb` whose end is in another line.
        let line = line.clamped(..memchr(b'\n', line).unwrap_or(line.len()));
        let inside = match mark {
            b'{' => self.braces(at),
            _ => memchr(mark, line).map(|end| Span::new(at + 1, at + 1 + end)),
        };
        let Some(inside) = inside else { return ControlFlow::Continue(()) };
        self.at = inside.end() + 1;
        self.writer.prose(inside.start())?;
        self.writer.emit_to(inside.end(), Role::Code)
    }

    /// Reads an environment whose content is verbatim.
    fn begin(&mut self, at: usize) -> ControlFlow<()> {
        let Some(argument) = self.argument(at) else { return ControlFlow::Continue(()) };
        let name = self.writer.at(argument);
        let Some(environment) = Environment::named(name) else {
            return ControlFlow::Continue(());
        };
        if self.unclosed.len() > MAX_UNCLOSED {
            return ControlFlow::Continue(());
        }
        let start = argument.end() + 1;
        let end = [&b"\\end{"[..], name, b"}"].concat();
        // Without an end, it is not an environment: the rest must not become code.
        let Some(length) = memmem::find(self.bytes.clamped(start..), &end) else {
            self.unclosed.push(environment);
            return ControlFlow::Continue(());
        };
        self.at = start + length;
        self.writer.prose(start)?;
        self.writer.emit_to(
            start + length,
            match environment {
                Environment::Code => Role::Code,
                Environment::Comment => Role::Comment,
            },
        )
    }

    /// Reports references to labels that a complete document does not define.
    fn finish(&mut self) {
        // A part of a document, or one that includes others, need not define the labels that it
        // refers to.
        if !self.is_main || self.is_open {
            return;
        }
        let mut reported = HashSet::default();
        for reference in std::mem::take(&mut self.references) {
            let is_checked = reference.kind == ReferenceKind::Label || self.has_sources;
            if is_checked
                && !self.names.contains(&reference.name)
                && reported.insert(reference.name.clone())
            {
                self.writer.refer(&reference.name, Scope::Document, reference.whole);
            }
        }
    }
}

/// Returns the text of a link without commands and braces: `the \emph{site}` is `the site`.
fn plain(text: &[u8]) -> String {
    let mut spaced = text.to_vec();
    for at in memchr::memchr_iter(b'~', text) {
        // A space at which a line does not break, unless it is an accent.
        let is_accent = text.clamped(..at).ends_with(b"\\");
        if let Some(byte) = spaced.get_mut(at).filter(|_| !is_accent) {
            *byte = b' ';
        }
    }
    let mut piece = DerivedText::default();
    unescape(&spaced, 0, &mut piece);
    let mut plain = Vec::with_capacity(piece.text().len());
    let mut rest = piece.text();
    while let Some(at) = memchr::memchr3(b'\\', b'{', b'}', rest) {
        plain.extend_from_slice(rest.clamped(..at));
        let is_command = rest.get(at) == Some(&b'\\');
        rest = rest.clamped(at + 1..);
        if is_command {
            rest = rest.clamped(rest.leading(|byte| byte.is_ascii_alphabetic())..);
        }
    }
    plain.extend_from_slice(rest);
    lossy(plain.trim_ascii()).into_owned()
}

/// Appends a URI without the escapes that TeX needs in an argument.
pub(in crate::document) fn unescape(text: &[u8], at: usize, piece: &mut DerivedText) {
    let is_mark = |byte: &u8| matches!(byte, b'\\' | b'%' | b'$' | b'{');
    let mut from = 0;
    while let Some(found) = text.clamped(from..).iter().position(is_mark) {
        let mark = from + found;
        piece.copy(text.clamped(from..mark), at + from);
        let rest = text.clamped(mark..);
        let mut utf8 = [0; 4];
        let (plain, length) = match delimit::tex_character(rest)
            .or_else(|| delimit::tex_group(rest))
            .or_else(|| in_argument(rest))
        {
            Some(EscapeMeaning::Char { char, width }) => {
                (char.encode_utf8(&mut utf8).as_bytes(), width)
            }
            Some(EscapeMeaning::Nothing { width }) => (&b""[..], width),
            _ => {
                piece.copy(rest.clamped(..1), at + mark);
                from = mark + 1;
                continue;
            }
        };
        piece.replace(plain, Span::new(at + mark, at + mark + length), RunOrigin::Decoded);
        from = mark + length;
    }
    piece.copy(text.clamped(from..), at + from);
}

/// Reads what would not be safe to decode in running text: a percent sign at the end of a line,
/// which joins it with the next one, and any other mark after a backslash.
fn in_argument(text: &[u8]) -> Option<EscapeMeaning> {
    match text {
        [b'%', b'\n' | b'\r', ..] => {
            let width = 1 + text.clamped(1..).leading(|byte| byte.is_ascii_whitespace());
            Some(EscapeMeaning::Nothing { width })
        }
        [b'\\', mark, ..] if mark.is_ascii_punctuation() => {
            Some(EscapeMeaning::Char { char: char::from(*mark), width: 2 })
        }
        _ => None,
    }
}

/// The same, without white space (the package url, "Spaces": they are ignored).
fn unescape_words(text: &[u8], at: usize, piece: &mut DerivedText) {
    let mut from = 0;
    for word in text.split(u8::is_ascii_whitespace) {
        let after = from + word.len();
        // A percent sign at the end of a line starts a comment without text.
        let is_comment = word.ends_with(b"%")
            && !word.ends_with(b"\\%")
            && matches!(text.get(after), Some(b'\n' | b'\r'));
        unescape(word.part(..word.len() - usize::from(is_comment)), at + from, piece);
        from = after + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_links() {
        for (text, expected) in [
            (r"the \emph{site}~a \& \textbf{b {c}}\\", "the site a & b c"),
            (r"\includegraphics{a.png}", "a.png"),
            (r"50\% \LaTeX{}", "50%"),
        ] {
            assert_eq!(plain(text.as_bytes()), expected);
        }
    }

    #[test]
    fn escapes_of_tex() {
        for (text, expected) in [
            (r"http://a.example/\%20\_b\#c\&d", "http://a.example/%20_b#c&d"),
            (r"http://a.example/\~{}me/$\sim$you", "http://a.example/~me/~you"),
            ("http://a.example/%\n  b", "http://a.example/b"),
            (r"http://a.example/\textasciitilde{}a%20b", "http://a.example/~a%20b"),
            (r"http://a.example/a{\_}b{\%}20{\~{}}c", "http://a.example/a_b%20~c"),
            (r"http://a.example/\$\sim\$d/$\tilde{}$e", "http://a.example/~d/~e"),
            (r"http://a.example/a\textunderscore b", "http://a.example/a_b"),
            (r"http://a.example/{id}/{\sf x}", r"http://a.example/{id}/{\sf x}"),
        ] {
            let mut piece = DerivedText::default();
            unescape(text.as_bytes(), 7, &mut piece);
            assert_eq!(String::from_utf8_lossy(piece.text()), expected);
        }
    }
}
