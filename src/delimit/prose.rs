//! Recognizes where the sentence around a bare URI continues without a space (D2.2, D4.12).

use super::abbreviated::is_host_ending;
use super::byte_class::is_triplet;
use super::domain::{self, ScriptBoundary};
use super::email::is_top;
use super::run::{BracketRule, MarkRule, RunWalker};
use super::start::starts_uri;
use super::text_view::{first_char, last_char};
use super::trim::starts_optional;
use super::uri_rest::has_extension;
use super::wrapper::WrapperEdge;
use crate::grammar::table::is_uri_byte;
use crate::kind::Wrapper;
use crate::registry;
use crate::slice::{ByteRuns, SliceExt};
use crate::work_counter;

/// Marks that end a URI in prose, although a title or a name in a URI may contain them. Each comes
/// with its openers.
const MARKS: [(char, &str); 11] = [
    ('’', "‘‚"),
    ('”', "“„"),
    ('“', "„”"),
    ('»', "«"),
    ('«', "»"),
    ('›', "‹"),
    ('‹', "›"),
    ('—', ""),
    ('―', ""),
    ('•', ""),
    ('→', ""),
];

/// True if the URI may continue in `after` with such a mark and a letter. The mark closes nothing
/// that opened in `before`, and no other URI follows.
pub(super) fn continues(before: &[u8], after: &[u8]) -> bool {
    let Some((mark, length)) = first_char(after).filter(|(_, length)| *length > 1) else {
        return false;
    };
    let Some((_, openers)) = MARKS.iter().find(|(c, _)| *c == mark) else { return false };
    let rest = after.part(length..);
    let is_letter = first_char(rest).is_some_and(|(c, _)| c.is_alphabetic());
    let is_closed = openers.chars().any(|opener| {
        let mut bytes = [0; 4];
        crate::memmem::rfind(before, opener.encode_utf8(&mut bytes).as_bytes()).is_some()
    });
    // D2.2: a mark whose opener precedes the URI closes a quotation, and what follows it is the
    // sentence.
    is_letter && !is_closed && !starts_uri(rest)
}

/// D4.9: true for a dot of East Asian type before a letter or digit that is ASCII or that UTS #46
/// maps to ASCII, which divides labels as `.` does (UTS #46 §4). Elsewhere it is the full stop of a
/// sentence.
pub(super) fn is_wide_dot(c: char, after: &[u8]) -> bool {
    let becomes_ascii =
        |c: char| matches!(c, '\u{2460}'..='\u{24FF}' | '０'..='９' | 'Ａ'..='Ｚ' | 'ａ'..='ｚ');
    matches!(c, '．' | '。' | '｡')
        && first_char(after).is_some_and(|(c, _)| c.is_ascii_alphanumeric() || becomes_ascii(c))
}

/// D4.9: true if a `host` that ends before `after` may continue there: after a dot of East Asian
/// type, after a comma and a top-level domain, with an optional part of a template, or with a `=`
/// or `&`, which RFC 3986 allows in a name, although no host on the web has it.
pub(super) fn host_continues(before: &[u8], host: &[u8], after: &[u8]) -> bool {
    // `http://em&e.example`: the rest of a name
    let has_dotted_rest = || {
        let name = after.clamped(1..MAX_TOP_LENGTH);
        let (name, rest) = name.split_at(name.leading(|b| b.is_ascii_alphanumeric() || b == b'-'));
        !name.is_empty() && matches!(rest, [b'.', next, ..] if next.is_ascii_alphanumeric())
    };
    let continues = |(c, length): (char, usize)| {
        let rest = after.part(length..);
        let is_letter = first_char(rest).is_some_and(|(c, _)| c.is_alphanumeric());
        // A slash of full width, a hyphen that does not break
        is_wide_dot(c, rest) || matches!(c, '\u{FF0F}' | '\u{2010}' | '\u{2011}') && is_letter
    };
    match after {
        [b'=', next, ..] => next.is_ascii_alphanumeric(),
        [b'&', ..] if has_dotted_rest() => true,
        // RFC 3986 allows it in a name.
        [b'!', next, ..] => next.is_ascii_alphanumeric() && !has_top(host),
        // A comma typed for a dot: `http://www.example,com/x`
        [b',', top @ ..] if !has_top(host) => {
            let label = top.clamped(..MAX_TOP_LENGTH).leading(|b| b.is_ascii_alphabetic());
            top.get(label) == Some(&b'/') && is_top(top.part(..label))
        }
        // A parameter of a path or a query, unless settings or parameters are divided so
        [b';' | b'&', name @ ..] => {
            let length = name.clamped(..MAX_TOP_LENGTH).leading(|b| b.is_ascii_alphanumeric());
            length > 0 && name.get(length) == Some(&b'=') && before.last() != Some(&b'=')
        }
        _ => starts_optional(after) || first_char(after).is_some_and(continues),
    }
}

/// D2.4: true if `after` starts with a byte that is not UTF-8. In text of another encoding it is a
/// letter, and the URI continues.
pub(super) fn is_undecoded(after: &[u8]) -> bool {
    after.first().is_some_and(|&byte| byte >= 0x80) && first_char(after).is_none()
}

/// D4.12: true if a path that ends before CJK text or a picture may continue in it: after a `/`, or
/// where that text looks like a path itself.
pub(super) fn path_continues(before: &[u8], uri: &[u8], after: &[u8]) -> bool {
    let Some((c, _)) = first_char(after) else { return false };
    if is_picture(c) {
        return uri.last() == Some(&b'/');
    }
    if !is_cjk_letter(c) {
        return false;
    }
    match uri.last() {
        // In a path that is deeper than the root, the name of a directory may follow as well. No
        // sentence has a slash between its words.
        Some(b'/') => {
            !follows_prose(before)
                || uri.iter().filter(|&&b| b == b'/').count() > 3
                || memchr::memchr(b'/', rest_of_run(after)).is_some()
        }
        Some(last) => {
            last.is_ascii_alphanumeric()
                && (starts_title_of_wiki(uri) || looks_like_path(rest_of_run(after)))
        }
        None => false,
    }
}

/// Most bytes of CJK text that are read to decide whether a path continues in it.
const MAX_REST_LENGTH: usize = 256;

/// Fewest letters after a `/` that are taken for a clause and not for a name.
const MIN_CLAUSE_LENGTH: usize = 5;

/// Returns the characters that a path may have at the start of `text`, up to a closing mark.
fn rest_of_run(text: &[u8]) -> &[u8] {
    let near = text.clamped(..MAX_REST_LENGTH);
    let mut length = 0;
    while let Some((c, width)) = first_char(near.part(length..)) {
        let ends = match c {
            ')' | ']' | '}' => true,
            _ if c.is_ascii() => !is_uri_byte(c as u8),
            _ => is_cjk_punctuation(c) || c.is_whitespace(),
        };
        if ends {
            break;
        }
        length += width;
    }
    work_counter::add(length);
    near.part(..length)
}

fn has_triplet(text: &[u8]) -> bool {
    memchr::memchr_iter(b'%', text).any(|at| is_triplet(text.part(at..))) && !has_uri(text)
}

fn has_uri(text: &[u8]) -> bool {
    crate::memmem::find(text, b"://").is_some()
}

/// True for CJK text with a segment of a path, or with the extension of a file at its end.
fn looks_like_path(text: &[u8]) -> bool {
    let has_segment =
        || text.windows(2).any(|w| matches!(w, [b'/', next] if next.is_ascii_alphanumeric()));
    !has_uri(text) && (has_segment() || has_extension(text)) && !has_host(text)
}

/// True if a host without a scheme starts right after a letter beyond ASCII: `中国語example.com/x`.
/// The path is that of another URI (D7), and the name of a file is not a host: `下载setup.zip`.
fn has_host(text: &[u8]) -> bool {
    text.split(|byte| !byte.is_ascii()).any(|ascii| {
        domain::read(ascii, 0, ScriptBoundary::Splits).is_some_and(|name| {
            let ends = matches!(ascii.get(name.end), None | Some(b'/'));
            ends && is_host_ending(ascii.part(name.top..name.end))
        })
    })
}

/// True if the title of a page follows in the address of a wiki: after `/wiki/`, or in Wikipedia
/// after a variety of Chinese, `/zh-tw/`.
fn names_page_of_wiki(uri: &[u8]) -> bool {
    const VARIETIES: [&[u8]; 9] =
        [b"zh", b"zh-cn", b"zh-hans", b"zh-hant", b"zh-hk", b"zh-mo", b"zh-my", b"zh-sg", b"zh-tw"];
    let Some(path) = uri.strip_suffix(b"/") else { return false };
    let segment = path.tail(path.trailing(|b| b != b'/'));
    let is_variety =
        || VARIETIES.contains(&segment) && crate::memmem::find(uri, b".wikipedia.org/").is_some();
    segment == b"wiki" || is_variety()
}

/// True if the last segment of `uri` is the start of such a title.
fn starts_title_of_wiki(uri: &[u8]) -> bool {
    let near = uri.tail(MAX_REST_LENGTH);
    let title = near.trailing(|b| b != b'/');
    title < near.len() && names_page_of_wiki(uri.part(..uri.len() - title))
}

/// Longest top-level domain with its dot, in bytes.
const MAX_TOP_LENGTH: usize = 64;

impl RunWalker<'_, '_> {
    /// True if the sentence around the URI continues at `c`, a non-ASCII character after
    /// `previous`.
    pub(super) fn resumes_text(&mut self, c: char, previous: u8) -> bool {
        let context = self.plan.context;
        if context.edge == WrapperEdge::Exact {
            return false;
        }
        if is_cjk_punctuation(c) {
            return true;
        }
        // The string does not end after the URI, so it does not delimit it:
        // `"http://a.example/x에 가세요"`.
        let is_unclosed =
            self.plan.marks == MarkRule::End && matches!(self.plan.closers, ['"' | '\'']);
        let is_open = self.plan.brackets == BracketRule::Pair
            && (self.plan.closers.is_empty() || is_unclosed);
        let is_bare = is_unclosed
            || matches!(context.wrapper, Wrapper::None | Wrapper::Prefix | Wrapper::Emphasis);
        // The seam between ASCII and a script without spaces is what shows prose. A URI that has
        // such letters already has no seam.
        if !is_open || !previous.is_ascii() || self.first_non_ascii.is_some() {
            return false;
        }
        match previous {
            // The particle that marks the object in Japanese. This letter has no other use, so it
            // never belongs to a path.
            _ if c == 'を' => true,
            // Punctuation that lacks its space: `https://a.example/2.0/,速度很快`
            b',' | b';' | b'!' => {
                self.run.query.is_none() && self.run.fragment.is_none() && c.is_alphabetic()
            }
            b'/' if is_cjk_letter(c) => {
                is_bare
                    && (self.is_root() && follows_prose(context.before)
                        || self.is_sentence_here()
                        || may_be_particle(c) && self.is_particle_here())
            }
            _ if is_picture(c) => is_bare && self.ends_in_pictures(),
            _ => {
                // The last digit of a triplet is a byte of a name in the same script, not the end
                // of an ASCII word.
                let is_encoded = is_triplet(self.view.text.part(..self.i).tail(3));
                let (host, end) = self.run.host;
                let ends = is_cjk_letter(c) && previous.is_ascii_alphanumeric() && !is_encoded;
                is_bare
                    && ends
                    && self.view.text.part(host..end).is_ascii()
                    && !self.continues_as_title()
                    && !self.continues_as_path()
            }
        }
    }

    /// D4.12: returns the rest of the run from here on, up to the mark that ends it, and records
    /// that it was read.
    fn rest_of_run(&mut self) -> &[u8] {
        let rest = rest_of_run(self.view.from(self.i));
        self.run.looked = self.run.looked.max(self.i + rest.len());
        rest
    }

    /// D4.12: true if the letter here is in the middle of a path, which continues as no sentence
    /// does. Where prose touches the scheme, it is prose after the URI, too, unless triplets
    /// follow.
    fn continues_as_path(&mut self) -> bool {
        let touches = follows_prose(self.plan.context.before);
        let rest = self.rest_of_run();
        has_triplet(rest) || !touches && looks_like_path(rest)
    }

    /// D4.12: true if the letter here is in the title of a page of a wiki, `/wiki/C语言`, and no
    /// prose touches the scheme.
    fn continues_as_title(&self) -> bool {
        !follows_prose(self.plan.context.before)
            && starts_title_of_wiki(self.view.text.part(..self.i))
    }

    /// D4.12: true if the letter here, after a `/`, starts the rest of a sentence around the URI:
    /// letters of the same kind precede it, and the sentence or a clause ends after them.
    fn is_sentence_here(&mut self) -> bool {
        let before = self.plan.context.before;
        let is_title = names_page_of_wiki(self.view.text.part(..self.i));
        let (is_root, start) = (self.is_root(), self.i);
        let text = before.strip_suffix(b" ").unwrap_or(before);
        if is_title || !last_char(text).is_some_and(is_cjk_letter) {
            return false;
        }
        let rest = self.rest_of_run();
        let letters = core::str::from_utf8(rest)
            .map_or(0, |rest| rest.chars().filter(|&c| is_cjk_letter(c)).count());
        let (is_path, length) = (has_triplet(rest) || looks_like_path(rest), rest.len());
        let behind = first_char(self.view.from(start + length)).map(|(c, _)| c);
        let ends = behind.is_some_and(|c| c == ')' || is_cjk_punctuation(c));
        // Few letters below the root are as likely the name of a directory, `/x/北京`.
        ends && !is_path && (is_root || letters >= MIN_CLAUSE_LENGTH)
    }

    /// D4.12: true if a particle starts here, after a `/`, with which no name starts.
    fn is_particle_here(&mut self) -> bool {
        if names_page_of_wiki(self.view.text.part(..self.i)) {
            return false;
        }
        let rest = self.rest_of_run();
        starts_particle(rest) && !has_triplet(rest) && !looks_like_path(rest)
    }

    /// D4.12: true if only pictures follow, up to where the sentence continues.
    fn ends_in_pictures(&self) -> bool {
        let near = self.view.from(self.i).clamped(..MAX_PICTURES_LENGTH);
        let text = match core::str::from_utf8(near) {
            Ok(text) => text,
            // The cut at `MAX_PICTURES_LENGTH` may have split a character.
            Err(error) => {
                core::str::from_utf8(near.part(..error.valid_up_to())).unwrap_or_default()
            }
        };
        let is_joined =
            |c: char| is_picture(c) || matches!(c, '\u{FE0F}' | '\u{200D}' | '\u{20E3}');
        let after = text.trim_start_matches(is_joined).chars().next();
        after.is_none_or(|c| {
            c.is_whitespace()
                || matches!(
                    c,
                    ')' | ']' | '"' | '\'' | '<' | '.' | ',' | '!' | '?' | ';' | ':' | '…'
                )
        })
    }

    /// True directly after the `/` that follows the authority.
    fn is_root(&self) -> bool {
        self.i == self.run.authority_end + 1
    }

    /// D4.12: a host ends before CJK text that follows an ASCII top-level domain:
    /// `http://www.a.example参照`.
    pub(super) fn ends_host(&self, c: char, host: &[u8]) -> bool {
        let ends = is_cjk_letter(c) || is_picture(c);
        if self.plan.context.edge == WrapperEdge::Exact || !ends {
            return false;
        }
        has_top(host)
    }
}

/// D4.9: true if the dot `c` of East Asian type, with a letter right after it, ends the
/// sentence: the host is complete without it. A full-width `．` is typed for a `.` and not for the
/// end of a Chinese sentence.
pub(super) fn ends_sentence(c: char, host: &[u8]) -> bool {
    c != '．' && (has_top(host) || is_reserved_name(host))
}

/// True if `host` has a dot and ends in a top-level domain of ASCII.
fn has_top(host: &[u8]) -> bool {
    let Some(dot) = memchr::memrchr(b'.', host.tail(MAX_TOP_LENGTH)) else { return false };
    let dot = host.len() - host.len().min(MAX_TOP_LENGTH) + dot;
    if dot == 0 {
        return false;
    }
    let label = core::str::from_utf8(host.part(dot + 1..)).unwrap_or_default();
    label.is_ascii() && (registry::tld_label(label) || is_reserved(label))
}

/// D4.12: true if prose follows `//`, not a host: `通过https://而不是`.
pub(super) fn is_sentence(host: &str) -> bool {
    host.starts_with(is_cjk_letter) && !host.contains(['.', '。', '．', '｡'])
}

/// Particles of Japanese, longest first.
#[rustfmt::skip]
const JAPANESE_PARTICLES: [&str; 18] = [
    "からの", "から", "まで", "より", "への", "へは", "での", "では", "には", "にも", "とは", "との", "へ", "の", "に", "で",
    "は", "が",
];

/// Particles of Korean.
#[rustfmt::skip]
const KOREAN_PARTICLES: [&str; 20] = [
    "에서", "에는", "에도", "에", "으로", "로", "을", "를", "의", "은", "는", "이", "가", "와", "과", "도", "까지", "부터",
    "에게", "입니다",
];

/// True for the first letter of some particle.
pub(super) fn may_be_particle(c: char) -> bool {
    let mut particles = JAPANESE_PARTICLES.iter().chain(&KOREAN_PARTICLES);
    c == 'を' || particles.any(|particle| particle.starts_with(c))
}

/// D4.12: true if `text`, up to the mark that ends it, starts with a particle and not with a word.
/// In Japanese a word in another script follows, or nothing: `はじめに` is a name. In Korean it is all.
fn starts_particle(text: &[u8]) -> bool {
    let is_of = |particles: &[&str], follows: fn(&[u8]) -> bool| {
        particles.iter().any(|particle| text.strip_prefix(particle.as_bytes()).is_some_and(follows))
    };
    is_of(&KOREAN_PARTICLES, <[u8]>::is_empty)
        || is_of(&JAPANESE_PARTICLES, |rest| {
            first_char(rest).is_none_or(|(c, _)| matches!(c, 'ァ'..='ヺ' | '\u{4E00}'..='\u{9FFF}'))
        })
}

/// True for a reserved top-level name.
pub(super) fn is_reserved_name(label: &[u8]) -> bool {
    core::str::from_utf8(label).is_ok_and(is_reserved)
}

/// Top-level names of RFC 2606 and RFC 6762.
// The registry has only delegated domains, and examples and private networks use these instead.
fn is_reserved(label: &str) -> bool {
    let names = ["example", "test", "invalid", "localhost", "local"];
    names.iter().any(|name| label.eq_ignore_ascii_case(name))
}

/// True if `before` ends in a letter of a script without spaces, possibly followed by a line break:
/// prose that touches the URI.
fn follows_prose(before: &[u8]) -> bool {
    let text = before.strip_suffix(b"\n").unwrap_or(before);
    let text = text.strip_suffix(b"\r").unwrap_or(text);
    last_char(text).is_some_and(is_cjk_letter)
}

/// Full stops, commas, and brackets of Chinese, Japanese, and Korean text.
fn is_cjk_punctuation(c: char) -> bool {
    matches!(c,
        '、' | '。' | '〈'..='】' | '〔'..='〟' | '！' | '（' | '）' | '，' | '．' | '：' | '；' | '？'
        | '［' | '］' | '｛' | '｝'..='､' | '＜' | '＞' | '＂' | '＇')
}

/// Han, Kana, Hangul, Bopomofo, Thai, Lao, Burmese, and Khmer: scripts that put no spaces around a
/// URI.
pub(super) fn is_cjk_letter(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{1100}'..='\u{11FF}' | '々'..='〇' | 'ぁ'..='ゖ' | 'ァ'..='ヺ' | 'ー'..='ヿ' | '\u{3105}'..='\u{318E}'
        | '\u{31A0}'..='\u{31BF}' | '\u{31F0}'..='\u{31FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}'
        | '\u{AC00}'..='\u{D7A3}' | '\u{F900}'..='\u{FAFF}' | 'ｦ'..='ﾟ' | '\u{20000}'..='\u{3FFFF}')
}

/// D4.12: true for a character that continues a sentence directly after a URI. The particle を has
/// a rule of its own (D2.2).
pub(super) fn starts_sentence(c: char) -> bool {
    c != 'を' && (is_cjk_letter(c) || is_picture(c) || is_cjk_punctuation(c))
}

/// Most bytes of pictures that may follow a URI.
const MAX_PICTURES_LENGTH: usize = 96;

/// True for emoji, which people put after a URI as after a sentence.
fn is_picture(c: char) -> bool {
    matches!(c, '\u{2600}'..='\u{27BF}' | '\u{2B05}'..='\u{2B55}' | '\u{1F000}'..='\u{1FAFF}')
}

/// D4.12, D2.2: true for characters around a URI rather than in it, unless the author delimited
/// exactly.
pub(super) fn is_set_off(c: char) -> bool {
    is_cjk_punctuation(c) || is_drawn(c)
}

/// True for characters that draw tables, lists, and arrows, and for U+FFFC, which stands for a
/// picture. They surround a URI and are not part of it.
pub(super) fn is_drawn(c: char) -> bool {
    matches!(c, '•' | '‣' | '⁃' | '｜' | '￨' | '\u{2190}'..='\u{21FF}' | '\u{2500}'..='\u{25FF}' | '\u{FFFC}')
}
