//! Hits of files as columns, for the batches of `scan`.

use arrow_array::RecordBatch;
use urigrep::search::OwnedHit;

use super::ColumnsError;
use super::table::{Values, structs};

/// Hits of files, one row per hit.
pub struct HitTable {
    path: Values,
    stream: Values,
    line: Values,
    column: Values,
    start: Values,
    end: Values,
    uri: Values,
    scheme: Values,
    host: Values,
    kind: Values,
    flags: Values,
    role: Values,
    identifier: Values,
    message_id: Values,
    date: Values,
    sender: Values,
    subject: Values,
}

impl HitTable {
    pub fn new() -> Self {
        let (texts, numbers) = (Values::texts, Values::numbers);
        Self {
            path: texts(),
            stream: texts(),
            line: numbers(),
            column: numbers(),
            start: numbers(),
            end: numbers(),
            uri: texts(),
            scheme: texts(),
            host: texts(),
            kind: texts(),
            flags: Values::text_lists(),
            role: texts(),
            identifier: texts(),
            message_id: texts(),
            date: texts(),
            sender: texts(),
            subject: texts(),
        }
    }

    /// Appends a hit. Names that are not UTF-8 are replaced as in display.
    pub fn push(&mut self, hit: &OwnedHit) {
        let parsed = hit.parsed();
        let mail = hit.mail();
        let envelope = mail.map(|mail| mail.envelope());
        let of = |part: fn(&urigrep::search::Envelope) -> Option<&str>| envelope.and_then(part);
        self.path.push_text(Some(&String::from_utf8_lossy(hit.input().file_path())));
        self.stream.push_text(hit.input().stream().map(String::from_utf8_lossy).as_deref());
        self.line.push_number(hit.line());
        self.column.push_number(hit.column());
        self.start.push_number(hit.start());
        self.end.push_number(hit.end());
        self.uri.push_text(Some(hit.uri()));
        let scheme = parsed.and_then(|uri| uri.scheme());
        self.scheme.push_text(scheme.map(str::to_ascii_lowercase).as_deref());
        self.host.push_text(parsed.and_then(|uri| uri.host()));
        self.kind.push_text(Some(hit.kind().name()));
        self.flags.push_texts(hit.flags().iter().map(urigrep::Flag::name));
        self.role.push_text(hit.role().map(|role| role.name()));
        let identifier = parsed.and_then(|uri| uri.to_uri()?.identifier());
        self.identifier.push_text(identifier.as_ref().map(urigrep::Identifier::canonical));
        self.message_id.push_text(of(|envelope| envelope.message_id.as_deref()));
        self.date.push_text(of(|envelope| envelope.date.as_deref()));
        self.sender.push_text(of(|envelope| envelope.from.as_deref()));
        self.subject.push_text(of(|envelope| envelope.subject.as_deref()));
    }

    pub fn finish(self) -> Result<RecordBatch, ColumnsError> {
        let columns = [
            ("path", self.path),
            ("stream", self.stream),
            ("line", self.line),
            ("column", self.column),
            ("start", self.start),
            ("end", self.end),
            ("uri", self.uri),
            ("scheme", self.scheme),
            ("host", self.host),
            ("kind", self.kind),
            ("flags", self.flags),
            ("role", self.role),
            ("message_id", self.message_id),
            ("date", self.date),
            ("sender", self.sender),
            ("subject", self.subject),
            ("identifier", self.identifier),
        ];
        Ok(RecordBatch::from(structs(columns)?))
    }
}
