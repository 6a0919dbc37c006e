//! Triggers of candidates other than colons (D7): a dot in a host, an `@`.
//!
//! If only colons are searched for, [`colon`] decides instead. The bytes directly around a trigger
//! identify it. So a window must contain only [`Triggers::width`] bytes from the first byte of a
//! trigger on.

use super::colon::{self, may_start, may_start_fanged, may_start_opaque};
use super::trigger_set::TriggerSet;
use crate::options::{Abbreviated, Detection, Email, Identifiers, Options, Refang, full_only};
use crate::slice::{ByteRuns, SliceExt};

/// Position of a possible match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub at: usize,
    pub trigger: Trigger,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trigger {
    /// A `:` that a scheme may precede (D1.1).
    Colon,
    /// The `:` of `http://` or `https://`, and the start of its scheme.
    Web(usize),
    /// A `.` between two labels of a host; with [`TriggerBytes::Links`] also a full stop of another
    /// script.
    Dot,
    At,
    /// The `.` of `10.1000`, which starts a DOI.
    Doi,
    /// The last letter of `ISBN`, `PMID`, and the like.
    Label,
    /// The bracket of `[.]` or `[at]`.
    Fang,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Triggers {
    bytes: TriggerBytes,
    refang: Refang,
    identifiers: Identifiers,
    opaque: OpaqueSchemes,
}

/// Schemes that may be matched without `//`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OpaqueSchemes {
    BuiltIn,
    /// Any scheme, because the program added recognizers.
    Any,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TriggerBytes {
    Colons,
    ColonsAndDots,
    ColonsAndAts,
    All,
    /// All triggers, and the full stops that IDNA maps to `.` (UTS #58, UTS #46 §4.5).
    Links,
}

impl Triggers {
    pub const COLONS: Self = Self {
        bytes: TriggerBytes::Colons,
        refang: Refang::Reject,
        identifiers: Identifiers::Skip,
        opaque: OpaqueSchemes::BuiltIn,
    };

    pub fn for_options(options: &Options) -> Self {
        let bytes = match (options.detection(), options.abbreviated, options.email) {
            (Detection::Uts58, ..) => TriggerBytes::Links,
            (_, Abbreviated::Skip, Email::Skip) => TriggerBytes::Colons,
            (_, Abbreviated::Report, Email::Skip) => TriggerBytes::ColonsAndDots,
            (_, Abbreviated::Skip, Email::Report) => TriggerBytes::ColonsAndAts,
            (_, Abbreviated::Report, Email::Report) => TriggerBytes::All,
        };
        Self {
            bytes,
            refang: options.refang(),
            identifiers: match options.detection() {
                Detection::Rules => options.identifiers(),
                Detection::Uts58 => Identifiers::Skip,
            },
            opaque: if options.recognizers.is_empty() {
                OpaqueSchemes::BuiltIn
            } else {
                OpaqueSchemes::Any
            },
        }
    }

    fn refang(self) -> Refang {
        full_only(self.refang)
    }

    fn identifiers(self) -> Identifiers {
        full_only(self.identifiers)
    }

    /// True if only colons start a candidate, and none of them is in a bracket.
    pub fn are_plain_colons(self) -> bool {
        self.are_colons() && self.opaque == OpaqueSchemes::BuiltIn
    }

    /// True if only colons start a candidate.
    pub fn are_colons(self) -> bool {
        self.bytes == TriggerBytes::Colons && !self.has_shapes()
    }

    /// True if a longer shape of text starts a candidate too, not only single bytes.
    fn has_shapes(self) -> bool {
        (self.refang(), self.identifiers()) != (Refang::Reject, Identifiers::Skip)
    }

    /// D7: true if a host without a scheme needs a known top-level domain, or `www`.
    pub(super) fn have_tlds(self) -> bool {
        self.bytes != TriggerBytes::Links
    }

    fn have_dots(self) -> bool {
        use TriggerBytes::{All, ColonsAndDots, Links};
        matches!(self.bytes, ColonsAndDots | All | Links)
    }

    fn have_ats(self) -> bool {
        use TriggerBytes::{All, ColonsAndAts, Links};
        matches!(self.bytes, ColonsAndAts | All | Links)
    }

    /// Returns how many bytes after the first byte of a trigger decide whether it is a candidate.
    pub fn width(self) -> usize {
        match self.refang() {
            // The longest shape, `[dot] `
            Refang::Read => "[dot] ".len(),
            Refang::Reject if self.bytes == TriggerBytes::Links => 3,
            Refang::Reject => 2,
        }
    }

    /// Returns the bytes to search for. They must include every trigger.
    pub(super) fn leads(self) -> TriggerSet {
        let byte = |wanted, byte| if wanted { byte } else { b':' };
        let dots = self.have_dots();
        let ats = self.have_ats();
        TriggerSet {
            plain_colons: self.refang() == Refang::Reject && self.opaque == OpaqueSchemes::BuiltIn,
            hosts: dots,
            dot: byte(dots || self.identifiers() != Identifiers::Skip, b'.'),
            // `doi.10.1000`: the dot of a DOI is not the first of its word
            later_dots: self.identifiers() != Identifiers::Skip,
            at: byte(ats, b'@'),
            brackets: self.refang() == Refang::Read,
            labels: self.identifiers() == Identifiers::All,
            other_dots: self.bytes == TriggerBytes::Links,
        }
    }

    // Without the attribute, the compiler inlines it or not as code elsewhere changes. That made a
    // difference of 6 % of the instructions on source code.
    #[inline(always)]
    fn colon(self, haystack: &[u8], at: usize) -> bool {
        let may_start = match self.refang() {
            Refang::Reject => may_start(haystack, at),
            Refang::Read => may_start_fanged(haystack, at),
        };
        may_start || self.opaque == OpaqueSchemes::Any && may_start_opaque(haystack, at)
    }
}

/// Labels of identifiers.
const LABELS: [&[u8]; 7] = [b"isbn", b"issn", b"pmid", b"pmcid", b"orcid", b"arxiv", b"pmc"];

/// True if one of the labels ends `text`.
fn ends_with_label(text: &[u8]) -> bool {
    LABELS.iter().any(|label| text.ends_with_ignore_case(label))
}

/// True if the first letter of `rest` is the last one of a word, but for the `s` of a plural.
fn is_end_of_word(rest: &[u8]) -> bool {
    let ends = |at: usize| rest.get(at).is_some_and(|byte| !byte.is_ascii_alphabetic());
    ends(1) || matches!(rest.get(1), Some(b's' | b'S')) && ends(2)
}

/// Returns the trigger at `at`, if there is one.
#[inline(always)]
pub(super) fn at(haystack: &[u8], at: usize, triggers: Triggers) -> Option<Trigger> {
    let rest = haystack.get(at..)?;
    let before = |test: fn(u8) -> bool| {
        let before = haystack.part(..at);
        before.last().is_some_and(|&byte| test(byte))
    };
    let after = |width: usize, test: fn(u8) -> bool| rest.get(width).is_some_and(|&b| test(b));
    let trigger = match rest.first()? {
        b':' => match colon::web(haystack, at) {
            Some(start) => Trigger::Web(start),
            None if triggers.colon(haystack, at) => Trigger::Colon,
            None => return None,
        },
        // The dot of a DOI is also one between two labels, so this arm must come first.
        b'.' if triggers.identifiers() != Identifiers::Skip
            && haystack.part(..at).ends_with(b"10")
            && after(1, |b| b.is_ascii_digit()) =>
        {
            Trigger::Doi
        }
        b'.' if triggers.have_dots()
            && before(is_at_edge_of_label)
            && after(1, is_at_edge_of_label) =>
        {
            Trigger::Dot
        }
        b'[' | b'(' | b'{'
            if triggers.refang() == Refang::Read
                && (before(ends_local) || before(|b| b == b' ') && is_spaced(rest))
                && after(1, |b| b".@dDaA".contains(&b)) =>
        {
            Trigger::Fang
        }
        b'n' | b'N' | b'd' | b'D' | b'v' | b'V' | b'c' | b'C'
            if triggers.identifiers() == Identifiers::All
                && is_end_of_word(rest)
                && ends_with_label(haystack.part(..=at)) =>
        {
            Trigger::Label
        }
        b'@' if triggers.have_ats() && before(ends_local) && after(1, is_at_edge_of_label) => {
            Trigger::At
        }
        0xE3 | 0xEF if triggers.bytes == TriggerBytes::Links => {
            // U+3002, U+FF0E, and U+FF61 in UTF-8.
            let other_dot = matches!(
                rest,
                [0xE3, 0x80, 0x82, ..] | [0xEF, 0xBC, 0x8E, ..] | [0xEF, 0xBD, 0xA1, ..]
            );
            if !(other_dot && before(is_at_edge_of_label) && after(3, is_at_edge_of_label)) {
                return None;
            }
            Trigger::Dot
        }
        _ => return None,
    };
    Some(trigger)
}

/// True if `rest` starts with a defanged dot or `@` followed by a space: `[at] `.
fn is_spaced(rest: &[u8]) -> bool {
    let inside = rest.part(1..);
    let length = inside.clamped(..4).leading(|b| b.is_ascii_alphabetic() || b == b'.' || b == b'@');
    matches!(inside.part(length..), [b']' | b')' | b'}', b' ', ..])
}

/// True for a byte with which a label of a host may start or end.
fn is_at_edge_of_label(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte >= 0x80
}

/// True for a byte that may end a local part. The rules refuse quoted local parts later.
fn ends_local(byte: u8) -> bool {
    byte.is_ascii_graphic() && !matches!(byte, b'@' | b'.') || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::super::dotted_name::DottedName;
    use super::super::portable;
    use super::super::{Kernel, Scanner};
    use super::*;
    use proptest::prelude::*;

    const ALL: [TriggerBytes; 5] = [
        TriggerBytes::Colons,
        TriggerBytes::ColonsAndDots,
        TriggerBytes::ColonsAndAts,
        TriggerBytes::All,
        TriggerBytes::Links,
    ];

    fn triggers(bytes: TriggerBytes, refang: Refang) -> Triggers {
        let identifiers = Identifiers::Skip;
        Triggers { bytes, refang, identifiers, opaque: OpaqueSchemes::BuiltIn }
    }

    fn naive(haystack: &[u8], from: usize, triggers: Triggers) -> Option<Candidate> {
        let candidate = |at| Some(Candidate { at, trigger: super::at(haystack, at, triggers)? });
        (from..haystack.len()).find_map(candidate)
    }

    /// Returns all candidates from `from` on.
    fn all(
        from: usize,
        mut next: impl FnMut(usize) -> Option<Candidate>,
    ) -> impl Iterator<Item = Candidate> {
        let mut from = from;
        std::iter::from_fn(move || {
            let found = next(from)?;
            from = found.at + 1;
            Some(found)
        })
    }

    /// Returns the triggers of each option, alone and combined.
    fn all_triggers() -> impl Iterator<Item = Triggers> {
        ALL.into_iter().flat_map(|bytes| {
            let plain = [Refang::Reject, Refang::Read].map(|refang| triggers(bytes, refang));
            plain.into_iter().flat_map(|plain| {
                let identifiers = [Identifiers::Skip, Identifiers::Doi, Identifiers::All];
                let opaque = [OpaqueSchemes::BuiltIn, OpaqueSchemes::Any];
                identifiers.into_iter().flat_map(move |identifiers| {
                    opaque.map(|opaque| Triggers { identifiers, opaque, ..plain })
                })
            })
        })
    }

    /// Returns false for a dot that a kernel may skip. Either it is not the first one of its word.
    /// Or the last label starts with a digit or has one letter, and no other script follows.
    fn is_worthy(text: &[u8], Candidate { at, trigger }: Candidate) -> bool {
        if trigger != Trigger::Dot {
            return true;
        }
        let is_edge = |at: usize| text.get(at).is_none_or(|&byte| is_at_edge_of_label(byte));
        let in_name = |at: &usize| match text.get(*at) {
            Some(b'.') => *at > 0 && is_edge(at - 1) && is_edge(at + 1),
            Some(&byte) => byte.is_ascii_alphanumeric() || byte == b'-',
            None => false,
        };
        if (0..at).rev().take_while(in_name).any(|at| text[at] == b'.') {
            return false;
        }
        let end = (at + 1..=text.len()).find(|at| !in_name(at)).unwrap_or_default();
        let label = text[at + 1..end].rsplit(|&byte| byte == b'.').next().unwrap_or_default();
        match (text.get(end), label) {
            (None, _) | (_, []) => true,
            (Some(byte), [_]) => !byte.is_ascii(),
            (Some(byte), [first, ..]) => first.is_ascii_alphabetic() || !byte.is_ascii(),
        }
    }

    fn check(text: &[u8], from: usize) {
        for triggers in all_triggers().filter(|triggers| !triggers.are_plain_colons()) {
            let mut name = DottedName::default();
            let expected: Vec<_> = all(from, |from| naive(text, from, triggers))
                .filter(|Candidate { at, trigger }| {
                    *trigger != Trigger::Dot
                        || !triggers.have_tlds()
                        || name.may_start(text, *at, &portable::LOOPS)
                })
                .filter(|candidate| !triggers.have_tlds() || is_worthy(text, *candidate))
                .collect();
            for kernel in [Kernel::Portable, Kernel::Avx2, Kernel::Avx512] {
                let mut scanner = Scanner::new(triggers, kernel.loops());
                let mut name = DottedName::default();
                let found: Vec<_> = all(from, |from| scanner.next(text, from))
                    .filter(|candidate| !triggers.have_tlds() || is_worthy(text, *candidate))
                    // The kernel that examines words leaves this to the rules.
                    .filter(|Candidate { at, trigger }| {
                        kernel != Kernel::Avx512
                            || *trigger != Trigger::Dot
                            || !triggers.have_tlds()
                            || name.may_start(text, *at, &portable::LOOPS)
                    })
                    .collect();
                assert_eq!(found, expected, "{triggers:?} {kernel:?}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 4 } else { 256 }))]
        #[test]
        fn fast_equals_naive(text in "([a.@:\\[/ \n<é。．]|10\\.1|ISBN|issn|orcid |arxiv|PmId|pmcid:|PMC1|git@a.com:|1.2.3.4:5|https?://a|[a-z ]{0,90}){0,80}", from in 0usize..90) {
            check(text.as_bytes(), from);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 4 } else { 512 }))]
        /// Tries words that are hosts and words that are not, of all lengths and at all positions
        /// of a vector.
        #[test]
        fn words(text in "((www|com|org|xn--a|jo|From|x1|7|7é|b|吧|10|isbn|PMCID|PMC|git|[a-z]{1,70})(\\.|\\.|-|_|@|:|/|//|://| at | |\n|\\.\\.| at|: |\\+)){0,200}") {
            check(text.as_bytes(), 0);
        }
    }

    /// Tries more words than a block has room for.
    #[test]
    fn many_words() {
        for word in ["a.com:", "::", "a.com ", "@", "ab.cd.com@a.com:", "a.com.", "www.a:b@c.d"] {
            for before in 0..if cfg!(miri) { 1 } else { 70 } {
                let text = " ".repeat(before) + &word.repeat(if cfg!(miri) { 9 } else { 500 });
                check(text.as_bytes(), 0);
            }
        }
    }

    /// Tries each pair of bytes around each trigger, at the edges of a step, and more triggers than
    /// a batch can hold.
    #[test]
    fn every_neighbour() {
        let bytes: Vec<u8> =
            if cfg!(miri) { b"a:\xe3\x80 ".to_vec() } else { (0..=u8::MAX).collect() };
        for lead in [
            &b":"[..],
            b".",
            b"@",
            b"[",
            b"(",
            b"{",
            b"isbn",
            b"arXiv",
            b"\xe3\x80\x82",
            b"\xef\xbd\xa1",
            b"10.1",
        ] {
            let around = |byte: &u8| [&b"ab"[..], &[*byte], lead, &[*byte], b"/"].concat();
            let text: Vec<u8> = bytes.iter().flat_map(around).collect();
            check(&text, 0);
            check(&lead.repeat(if cfg!(miri) { 3 } else { 300 }), 0);
        }
    }

    #[test]
    fn triggers_stand_between_labels() {
        let at = |text: &str, bytes| {
            let mut scanner = Scanner::new(triggers(bytes, Refang::Reject), Kernel::Auto.loops());
            scanner.next(text.as_bytes(), 0).map(|c| c.at)
        };
        assert_eq!(at("End. a.b", TriggerBytes::ColonsAndDots), Some(6));
        assert_eq!(at("@x a@ a@b", TriggerBytes::ColonsAndAts), Some(7));
        assert_eq!(at("a。b", TriggerBytes::Links), Some(1));
        assert_eq!(at("a。b", TriggerBytes::All), None);
        assert_eq!(at("a.b@c", TriggerBytes::Colons), None);
    }
}
