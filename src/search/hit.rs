//! A finding and its place in its input.

use std::borrow::Cow;
use std::fmt;

use memchr::memmem;

use crate::document::mail::Header;
use crate::document::{Format, Place, Role};
use crate::finder::Step;
use crate::identifier::{may_identify, shared_key};
use crate::redact::redacted_text;
use crate::reference::Normalizer;
use crate::search::mail_context::MailContext;
use crate::search::source::text_source::SourceOffsets;
use crate::search::{DefangedHit, Envelope, HitKind, Input, Position, RedactedHit};
use crate::shorten::shortened_text;
use crate::{Finding, Flag, Flags, Span, Uri, UriRef, Wrapper};

/// A match or a rejected candidate, and its place in its input. It borrows everything;
/// [`Hit::to_owned_hit`] returns a copy that can be kept.
#[derive(Clone, Copy)]
pub struct Hit<'a> {
    pub(crate) input: &'a Input,
    pub(crate) finding: &'a Finding<'a>,
    /// The offset in the searched text that the finding's own offsets count from.
    pub(crate) base: u64,
    pub(crate) position: Option<Position>,
    pub(crate) offsets: &'a dyn SourceOffsets,
    pub(crate) document: Option<&'a HitDocument<'a>>,
    /// The URI that a relative reference resolves to, if there is a base and references are
    /// resolved.
    pub(crate) target: Option<&'a str>,
    /// The normal form, when it is known.
    pub(crate) normalized: Option<&'a str>,
    /// Displayed in place of the text if that holds secrets.
    pub(crate) redacted: Option<&'a [u8]>,
    /// The names displayed beside the hit, without secrets.
    pub(crate) surroundings: Option<&'a RedactedHit<'a>>,
    /// Printed in place of its texts so that nothing can be clicked.
    pub(crate) defanged: Option<&'a DefangedHit>,
}

impl fmt::Debug for Hit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hit")
            .field("path", &String::from_utf8_lossy(self.input.display_path()))
            .field("base", &self.base)
            .field("finding", self.finding)
            .finish_non_exhaustive()
    }
}

#[derive(Clone, Copy)]
pub(crate) struct HitDocument<'a> {
    pub format: Format,
    pub role: Role,
    pub place: Option<&'a Place<'a>>,
    pub label: Option<&'a str>,
    pub element: Option<&'a str>,
    pub attribute: Option<&'a str>,
    pub mail: Option<MailHit<'a>>,
}

/// The place of a hit in its message.
#[derive(Clone, Copy)]
pub struct MailHit<'a> {
    pub(crate) context: &'a MailContext,
    pub(crate) message: Header<'a>,
    pub(crate) parts: &'a [String],
    /// For a hit in a header: the name of the field if that is known, and the offset of the hit.
    pub(crate) header: Option<(Option<&'a str>, usize)>,
    pub(crate) redacted: Option<&'a RedactedHit<'a>>,
}

impl<'a> MailHit<'a> {
    /// The envelope in the header of the message.
    pub fn envelope(&self) -> &'a Envelope {
        match self.redacted {
            Some(_) => self.context.redacted_envelope(self.message),
            None => self.context.envelope(self.message),
        }
    }

    /// The numbers of the parts that hold it, such as `1.2`, if the sink needs them; empty for a
    /// header.
    pub fn parts(&self) -> &'a [String] {
        self.parts
    }

    /// The name of the header field that holds the hit. A long name is shortened to its start and
    /// end.
    pub fn header(&self) -> Option<Cow<'a, str>> {
        if let Some(name) = self.redacted.and_then(|redacted| redacted.header.as_deref()) {
            return Some(shortened_text(name));
        }
        self.whole_header().map(shortened_text)
    }

    /// Returns the full field name, including secrets. Redaction needs all of it: half a secret is
    /// not recognized.
    pub(crate) fn whole_header(&self) -> Option<&'a str> {
        let (name, offset) = self.header?;
        name.or_else(|| self.context.field_at(self.message, offset))
    }
}

impl<'a> Hit<'a> {
    /// A hit outside of documents.
    #[inline(always)]
    pub(crate) fn new(
        input: &'a Input,
        finding: &'a Finding<'a>,
        base: u64,
        position: Option<Position>,
        offsets: &'a dyn SourceOffsets,
    ) -> Self {
        Self {
            input,
            finding,
            base,
            position,
            offsets,
            document: None,
            target: None,
            normalized: None,
            redacted: None,
            surroundings: None,
            defanged: None,
        }
    }

    /// Returns the input.
    pub fn input(&self) -> &'a Input {
        self.surroundings.and_then(|redacted| redacted.input.as_ref()).unwrap_or(self.input)
    }

    /// Returns the finding; its own offsets are those of the text that was searched, not of the
    /// input.
    pub fn finding(&self) -> &'a Finding<'a> {
        self.finding
    }

    /// Returns the span in the bytes of the input: the first offset, and one past the last.
    pub fn bytes(&self) -> [u64; 2] {
        self.bytes_of(self.finding.span())
    }

    /// Converts another span of the searched text to bytes of the input.
    pub fn bytes_of(&self, span: Span) -> [u64; 2] {
        let end = self.offsets.source_end(self.base + span.end() as u64);
        [self.start_of(span), end]
    }

    /// Returns the offset in the input of the first byte.
    pub fn start(&self) -> u64 {
        self.start_of(self.finding.span())
    }

    fn start_of(&self, span: Span) -> u64 {
        self.offsets.source(self.base + span.start() as u64)
    }

    fn text_range(&self) -> [u64; 2] {
        let span = self.finding.span();
        [span.start(), span.end()].map(|at| self.base + at as u64)
    }

    /// Returns the line and column of the first byte, if the sink needs them.
    pub fn position(&self) -> Option<Position> {
        self.position
    }

    /// Returns the ranges of the input that make up the finding, if there are several.
    pub fn ranges(&self) -> Vec<[u64; 2]> {
        let whole = [self.finding.span()];
        let ranges = self.finding.ranges();
        if ranges.is_empty() && self.offsets.has_one_range() {
            return Vec::new();
        }
        let ranges = if ranges.is_empty() { &whole } else { ranges };
        let of = |range: &Span| {
            let [start, end] = [range.start(), range.end()].map(|at| self.base + at as u64);
            self.offsets.ranges(start, end)
        };
        let all: Vec<_> = ranges.iter().flat_map(of).collect();
        // A single range says no more than `bytes`.
        if all.len() > 1 { all } else { Vec::new() }
    }

    /// Returns the kind of a match; `None` for a rejected candidate.
    pub fn kind(&self) -> Option<HitKind> {
        match self.finding {
            Finding::Match(m) => Some(HitKind::Uri(m.kind())),
            Finding::Relative(_) => Some(HitKind::Reference),
            Finding::Rejected(_) => None,
        }
    }

    /// Returns the URI. For a relative reference, this is its [`target`](Self::target), or the
    /// reference as written if it is not resolved. Empty for a rejected candidate.
    pub fn uri(&self) -> Cow<'a, str> {
        match (self.finding, self.target) {
            (Finding::Match(m), _) => m.uri(),
            (Finding::Relative(_), Some(target)) => Cow::Borrowed(target),
            (Finding::Relative(relative), None) => Cow::Borrowed(relative.reference().as_str()),
            (Finding::Rejected(_), _) => Cow::Borrowed(""),
        }
    }

    /// Returns the components of [`Hit::uri`]; `None` for a rejected candidate.
    pub fn parsed(&self) -> Option<UriRef<'a>> {
        match self.finding {
            Finding::Match(m) => Some(m.parsed().into()),
            Finding::Relative(relative) => {
                let target = self.target.and_then(|target| UriRef::parse(target).ok());
                Some(target.unwrap_or_else(|| relative.reference()))
            }
            Finding::Rejected(_) => None,
        }
    }

    /// Returns the delimiters around a match; `None` for a rejected candidate.
    pub fn wrapper(&self) -> Option<Wrapper> {
        self.finding.wrapper()
    }

    /// Returns the IRI, if the match is one.
    pub fn iri(&self) -> Option<Cow<'a, str>> {
        match self.finding {
            Finding::Match(m) => m.iri().map(Cow::Borrowed),
            Finding::Relative(relative) => {
                (relative.kind() == crate::Kind::Iri).then(|| relative.intended())
            }
            Finding::Rejected(_) => None,
        }
    }

    /// Returns the text of the input after decoding, before rejoining and repair; without secrets
    /// after [redaction](crate::redact).
    pub fn text(&self) -> Cow<'a, [u8]> {
        match (self.finding, self.redacted) {
            (Finding::Match(m), _) if self.defanged.is_none() => m.text(),
            (_, Some(redacted)) => Cow::Borrowed(redacted),
            (finding, None) => Cow::Borrowed(finding.as_bytes()),
        }
    }

    /// Returns the bytes of the input, without decoding.
    pub fn source(&self) -> &'a [u8] {
        let [start, end] = self.text_range();
        let bytes = self.offsets.source_bytes(start, end);
        bytes.unwrap_or(self.finding.as_bytes())
    }

    /// Returns the text displayed in place of the text and of [`Hit::source`] if they hold secrets.
    pub fn redacted(&self) -> Option<&'a [u8]> {
        self.redacted
    }

    /// Returns its flags; [`Flag::Decoded`] also when it was decoded from other bytes of the input.
    pub fn flags(&self) -> Flags {
        let flags = self.finding.flags();
        let [start, end] = self.text_range();
        if self.offsets.is_verbatim(start, end) || self.is_completed_address() {
            flags
        } else {
            // The finder saw only the decoded text, so it cannot set this flag itself.
            flags.with(Flag::Decoded)
        }
    }

    /// True for `<a@b.example>` of Markdown, before which the reader puts the scheme: nothing was
    /// decoded.
    fn is_completed_address(&self) -> bool {
        self.finding.as_bytes().strip_prefix(b"mailto:") == Some(self.source())
    }

    /// Returns the role of the document part that holds the hit; `None` if the input is not a
    /// document.
    pub fn role(&self) -> Option<Role> {
        Some(self.document?.role)
    }

    /// Returns the element that the part belongs to, in lower case.
    pub fn element(&self) -> Option<&'a str> {
        let element = self.document?.element?;
        Some(self.surroundings.and_then(|redacted| redacted.element.as_deref()).unwrap_or(element))
    }

    /// Returns the attribute whose value the part is, in lower case.
    pub fn attribute(&self) -> Option<&'a str> {
        let attribute = self.document?.attribute?;
        Some(
            self.surroundings
                .and_then(|redacted| redacted.attribute.as_deref())
                .unwrap_or(attribute),
        )
    }

    /// Returns the format of the document; `None` if the input is not a document.
    pub fn format(&self) -> Option<Format> {
        Some(self.document?.format)
    }

    /// Returns the place in the document, in formats that have names for places.
    pub fn place(&self) -> Option<&'a Place<'a>> {
        let place = self.document?.place?;
        Some(self.surroundings.and_then(|redacted| redacted.place.as_ref()).unwrap_or(place))
    }

    /// Returns the text of the link that the hit is the destination of, in formats that have such
    /// texts. A sink that shows it asks for all of them with
    /// [`Needs::labels`](crate::search::Needs::labels). A long text is shortened to its start and
    /// end.
    pub fn label(&self) -> Option<Cow<'a, str>> {
        let label = self.document?.label?;
        let redacted = self.surroundings.and_then(|redacted| redacted.label.as_deref());
        Some(shortened_text(redacted.unwrap_or(label)))
    }

    /// Returns the full text of the link, including secrets.
    pub(crate) fn whole_label(&self) -> Option<&'a str> {
        self.document?.label
    }

    /// Returns the place of the hit in its message; `None` outside of mail.
    pub fn mail(&self) -> Option<MailHit<'a>> {
        let mail = self.document?.mail?;
        Some(MailHit { redacted: self.surroundings, ..mail })
    }

    /// Returns the URI that a relative reference resolves to, if there is a base and references are
    /// [resolved](crate::search::References::Resolved). `None` for a URI.
    pub fn target(&self) -> Option<&'a str> {
        self.target
    }

    /// Returns the normal form that identifies a match. A relative reference without a base is its
    /// own normal form. Returns `None` for a rejected candidate.
    pub fn normalized(&self, normalizer: &Normalizer) -> Option<Cow<'a, str>> {
        if let Some(normalized) = self.normalized {
            return Some(Cow::Borrowed(normalized));
        }
        match (self.finding, self.target) {
            (Finding::Match(m), _) => Some(normalizer.normalize(m.parsed())),
            (Finding::Relative(_), Some(target)) => Some(match Uri::parse(target) {
                Ok(uri) => normalizer.normalize(uri),
                Err(_) => Cow::Borrowed(target),
            }),
            (Finding::Relative(relative), None) => {
                Some(Cow::Borrowed(relative.reference().as_str()))
            }
            (Finding::Rejected(_), _) => None,
        }
    }

    /// Returns the key that distinguishes a match from others, usually its normal form. For a
    /// relative reference without a base, a NUL and the path of its document follow, because the
    /// same reference leads elsewhere in another document. Returns `None` for a rejected candidate.
    pub fn identity(&self, normalizer: &Normalizer) -> Option<Cow<'a, str>> {
        let normalized = self.normalized(normalizer)?;
        match (self.finding, self.target) {
            (Finding::Relative(_), None) => {
                let path = String::from_utf8_lossy(self.input().display_path());
                // NUL can occur in neither a reference nor a path, so the two parts stay distinct.
                Some(Cow::Owned(format!("{normalized}\0{path}")))
            }
            _ => Some(normalized),
        }
    }

    /// Returns the key that all spellings of one [`Identifier`](crate::Identifier) share;
    /// `identity` is the [identity](Hit::identity) of this hit, and its key if it identifies
    /// nothing.
    pub fn unique_key<'i>(&self, identity: &'i str) -> Cow<'i, str> {
        match self.parsed().and_then(|uri| uri.to_uri()) {
            Some(uri) if may_identify(uri) => shared_key(identity),
            _ => Cow::Borrowed(identity),
        }
    }

    /// Returns the normal form, if [`Hit::with_normalized`] has set it.
    pub fn known_normalized(&self) -> Option<&'a str> {
        self.normalized
    }

    /// Returns the hit with a known normal form, which saves computing it again.
    #[must_use]
    pub fn with_normalized<'n>(&self, normalized: &'n str) -> Hit<'n>
    where
        'a: 'n,
    {
        Hit { normalized: Some(normalized), ..*self }
    }

    /// Returns the hit with the normal form taken from its [identity](Hit::identity).
    #[must_use]
    pub fn with_identity<'n>(&self, identity: &'n str) -> Hit<'n>
    where
        'a: 'n,
    {
        self.with_normalized(
            identity.split_once('\0').map_or(identity, |(normalized, _)| normalized),
        )
    }

    /// Returns the hit with a finding, target, and text that hold no secrets.
    #[must_use]
    pub fn with_redacted<'n>(
        &self,
        finding: &'n Finding<'n>,
        target: Option<&'n str>,
        text: Option<&'n [u8]>,
    ) -> Hit<'n>
    where
        'a: 'n,
    {
        // A normal form that was set before still holds the secrets.
        Hit { finding, target, redacted: text, normalized: None, ..*self }
    }

    /// Returns the hit without secrets in it or beside it; `redacted` was made from it.
    #[must_use]
    pub fn without_secrets<'n>(&self, redacted: &'n RedactedHit<'n>) -> Hit<'n>
    where
        'a: 'n,
    {
        let finding = redacted.finding.as_ref().unwrap_or(self.finding);
        let hit = self.with_redacted(finding, redacted.target.as_deref(), redacted.text.as_deref());
        Hit { surroundings: Some(redacted), ..hit }
    }

    /// Returns the hit with texts to print that can't be clicked on.
    #[must_use]
    pub fn with_defanged<'n>(&self, defanged: &'n DefangedHit) -> Hit<'n>
    where
        'a: 'n,
    {
        Hit {
            defanged: Some(defanged),
            redacted: Some(defanged.text()),
            normalized: defanged.normalized(),
            ..*self
        }
    }

    /// Returns the texts that are printed in place of its own, if any.
    pub fn defanged(&self) -> Option<&'a DefangedHit> {
        self.defanged
    }

    /// Returns the text of a step of [`crate::Finder::explain`], unless it holds secrets that must
    /// not be displayed.
    pub fn step_text<'t>(&'t self, step: &Step<'t>) -> &'t [u8] {
        let span = self.finding.span();
        match self.redacted {
            // A step may show text around the finding, which can hold a secret of its own.
            _ if self.surroundings.is_some() && redacted_text(step.text).is_some() => b"REDACTED",
            Some(redacted) if step.span == span => redacted,
            Some(redacted)
                if step.span.start() < span.end()
                    && span.start() < step.span.end()
                    && memmem::find(redacted, step.text).is_none() =>
            {
                b"REDACTED"
            }
            _ => step.text,
        }
    }
}
