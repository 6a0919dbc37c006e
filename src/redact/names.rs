//! Classifies parameters by their names. `words.rs` has the words, `shapes.rs` tells values apart.
//!
//! Names are split into words: `x-auth`, `userPassword`, `user[password][0]`.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use memchr::memrchr;

use super::decode::decoded;
use super::escapes;
use super::shapes::{is_generated, is_of_words};
use super::words::{ACTIONS, ASPECTS, CURSORS, ENDINGS, HINTS, NAMES, NON_LATIN, VAGUE_ENDS};
use crate::registry::small_letter;
use crate::slice::{ByteRuns, SliceExt};

/// The most bytes before `=` that are read as a name.
pub(super) const NAME_MAX: usize = 192;
const _: () = assert!(NAME_MAX <= u8::MAX as usize);

/// Sorted by how certainly the value is a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum NameClass {
    /// Unrelated to secrets.
    Plain,
    /// About a secret; the value is a secret if it looks like a token.
    About,
    /// Possibly a secret; the value is a secret unless it is words or a small number.
    Suspicious,
    Secret,
}

impl NameClass {
    /// Classifies a name, percent-encoded or not.
    pub fn classify(raw: &[u8]) -> Self {
        let name = decoded(raw.tail(NAME_MAX));
        // No secret has such a short name.
        if name.len() < 2 {
            return Self::Plain;
        }
        let name = match name.is_ascii() {
            true => name,
            false if names_foreign_secret(&name) => return Self::Secret,
            false => Cow::Owned(in_ascii(&name)),
        };
        let words = NameWords::split(&name);
        let joined = words.joined();
        let Some(last) = words.iter().last().filter(|_| may_name_secret(joined)) else {
            return Self::Plain;
        };
        // `X-` marks a custom header or parameter and says nothing about its meaning.
        let whole = match words.iter().next() {
            Some(b"x") => joined.clamped(1..),
            _ => joined,
        };
        if is_among(&NAMES, whole) {
            return Self::Secret;
        }
        // Check cursors before endings: `pageToken` ends in `token`.
        if CURSORS.iter().any(|cursor| ends(whole, cursor)) {
            return Self::Plain;
        }
        let is_ending = |end: &u8| ends_as_secret(joined.clamped(..usize::from(*end)));
        let is_about = || {
            let ends_here = words.ends().last().is_some_and(is_ending);
            // `token_type` is about a token, but `type_token` is one.
            words.ends().len() > 1 && is_among(&ASPECTS, last) && !ends_here
        };
        let ends_secret = words.ends().iter().any(is_ending);
        // Several secrets, or their number: `tokens`, `max_tokens`.
        let is_plural = || joined.strip_suffix(b"s").is_some_and(ends_as_secret);
        let hints = || words.iter().any(|word| is_among(&HINTS, word));
        let acts = || {
            words.iter().any(|word| is_among(&ACTIONS, word))
                || VAGUE_ENDS.iter().any(|end| ends(last, end))
        };
        if ends_secret {
            return if is_about() { Self::About } else { Self::Secret };
        }
        if hints() {
            return if is_about() { Self::About } else { Self::Suspicious };
        }
        if acts() || is_plural() { Self::About } else { Self::Plain }
    }

    /// True if a value of such a parameter counts as a secret.
    pub fn hides(self, raw: &[u8]) -> bool {
        match self {
            Self::Plain => false,
            Self::Secret => true,
            Self::Suspicious => !is_of_words(&decoded(raw)),
            Self::About => is_generated(&decoded(raw)),
        }
    }
}

/// Returns bytes as text. Bytes that are not UTF-8 come from an old form, in Latin-1.
fn shown(name: &[u8]) -> Cow<'_, str> {
    match core::str::from_utf8(name) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(name.iter().copied().map(char::from).collect()),
    }
}

fn names_foreign_secret(name: &[u8]) -> bool {
    let name: String = shown(name).chars().map(small_letter).collect();
    NON_LATIN.iter().any(|word| name.contains(word))
}

/// Returns a name in the ASCII letters that it looks like: `contraseña`, and `password` in letters
/// of full width or with one of Cyrillic.
fn in_ascii(name: &[u8]) -> Vec<u8> {
    let plain = |c: char| {
        let letter = match c {
            '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0)?,
            _ if c.is_ascii() => c,
            _ => match small_letter(c) {
                'à'..='å' | 'ā' | 'ă' | 'ą' | 'а' => 'a',
                'ç' | 'ć' | 'č' | 'с' => 'c',
                'ď' | 'đ' | 'ԁ' => 'd',
                'è'..='ë' | 'ē' | 'ę' | 'ě' | 'е' => 'e',
                'ì'..='ï' | 'ī' | 'ı' | 'і' => 'i',
                'ł' | 'ľ' => 'l',
                'ñ' | 'ń' | 'ň' => 'n',
                'ò'..='ö' | 'ø' | 'ő' | 'ō' | 'о' => 'o',
                'ř' => 'r',
                'ś' | 'š' | 'ş' | 'ș' | 'ѕ' => 's',
                'ť' | 'ţ' | 'ț' => 't',
                'ù'..='ü' | 'ů' | 'ű' | 'ū' => 'u',
                'ý' | 'ÿ' | 'у' => 'y',
                'ź' | 'ż' | 'ž' => 'z',
                'к' => 'k',
                'м' => 'm',
                'р' => 'p',
                'т' => 't',
                'х' => 'x',
                // Combining marks, and invisible characters.
                '\u{300}'..='\u{36f}' | '\u{ad}' | '\u{200b}'..='\u{200d}' => return None,
                _ => ' ',
            },
        };
        u8::try_from(letter).ok()
    };
    shown(name).chars().filter_map(plain).collect()
}

/// First two letters of all names of secrets: for each first letter, a bit set of second letters.
const FIRST_LETTERS: [u32; 26] = {
    let lists: [&[&str]; 5] = [&NAMES, &ENDINGS, &HINTS, &ACTIONS, &VAGUE_ENDS];
    let (mut letters, mut list) = ([0; 26], 0);
    while list < lists.len() {
        let mut i = 0;
        while i < lists[list].len() {
            let [first, second, ..] = lists[list][i].as_bytes() else { panic!("a letter alone") };
            letters[(*first - b'a') as usize] |= 1 << (*second - b'a');
            i += 1;
        }
        list += 1;
    }
    letters
};

/// True if `name`, in lower case, may contain the name of a secret: it contains its first two
/// letters.
fn may_name_secret(name: &[u8]) -> bool {
    name.windows(2).any(|pair| {
        let [first, second] = [pair[0], pair[1]].map(|byte| byte.wrapping_sub(b'a'));
        let seconds = FIRST_LETTERS.get(usize::from(first));
        second < 26 && seconds.is_some_and(|seconds| seconds & (1 << second) != 0)
    })
}

/// True if `name` ends in `ending`. The last letter is compared first, because it usually differs.
fn ends(name: &[u8], ending: &str) -> bool {
    name.last() == ending.as_bytes().last() && name.ends_with(ending.as_bytes())
}

/// Bit set of the last letters of [`ENDINGS`].
const LAST_LETTERS: u32 = {
    let (mut letters, mut i) = (0, 0);
    while i < ENDINGS.len() {
        if let Some(last) = ENDINGS[i].as_bytes().last() {
            letters |= 1 << (*last - b'a');
        }
        i += 1;
    }
    letters
};

/// True if `name`, in lower case, ends in one of [`ENDINGS`].
fn ends_as_secret(name: &[u8]) -> bool {
    let is_last = |last: &u8| last.is_ascii_lowercase() && LAST_LETTERS & (1 << (last - b'a')) != 0;
    name.last().is_some_and(is_last) && ENDINGS.iter().any(|ending| ends(name, ending))
}

/// True if `word` is one of `words`. Length, first and last letter are compared first, because few
/// words share all three.
pub(super) fn is_among(words: &[&str], word: &[u8]) -> bool {
    words.iter().map(|known| known.as_bytes()).any(|known| {
        known.len() == word.len()
            && known.first() == word.first()
            && known.last() == word.last()
            && known == word
    })
}

/// The words of a name in lower case, without trailing numbers. Invisible characters are skipped:
/// `tok%00en`.
pub(super) struct NameWords {
    letters: [u8; NAME_MAX],
    /// End offsets of the words.
    ends: [u8; NAME_MAX],
    count: usize,
}

impl NameWords {
    pub(super) fn split(name: &[u8]) -> Self {
        let mut words = Self { letters: [0; NAME_MAX], ends: [0; NAME_MAX], count: 0 };
        let (mut start, mut end, mut before) = (0, 0, b' ');
        for &byte in name.iter().filter(|byte| !byte.is_ascii_control()) {
            // A new word starts at an upper-case letter after a lower-case one, or at a character
            // that is neither a letter nor a digit.
            let humps = before.is_ascii_lowercase() && byte.is_ascii_uppercase();
            if humps || !byte.is_ascii_alphanumeric() {
                end = words.push(start, end);
                start = end;
            }
            if byte.is_ascii_alphanumeric()
                && let Some(letter) = words.letters.get_mut(end)
            {
                *letter = byte.to_ascii_lowercase();
                end += 1;
            }
            before = byte;
        }
        words.push(start, end);
        words
    }

    /// Adds a word of letters from `start` to `end`, unless it is a number. Returns the start of
    /// the next one.
    fn push(&mut self, start: usize, end: usize) -> usize {
        let word = self.letters.clamped(start..end);
        let end = end - word.trailing(|byte| byte.is_ascii_digit());
        if end > start
            && let Some(place) = self.ends.get_mut(self.count)
        {
            *place = end as u8;
            self.count += 1;
        }
        end
    }

    fn ends(&self) -> &[u8] {
        self.ends.clamped(..self.count)
    }

    pub(super) fn joined(&self) -> &[u8] {
        self.letters.clamped(..self.ends().last().map_or(0, |end| usize::from(*end)))
    }

    fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let mut start = 0;
        self.ends().iter().map(move |&end| {
            let word = self.letters.clamped(start..usize::from(end));
            start = usize::from(end);
            word
        })
    }
}

/// Returns the name that ends before a sign at `end`: the text after the last character that is not
/// part of a name.
pub(super) fn name_before(text: &[u8], end: usize) -> &[u8] {
    let start = end.saturating_sub(NAME_MAX);
    let before = text.clamped(start..end);
    let ends_name = |byte: &u8| {
        matches!(
            byte,
            b'&' | b';'
                | b'?'
                | b'#'
                | b'/'
                | b','
                | b'('
                | b')'
                | b'{'
                | b'}'
                | b'"'
                | b'\''
                | b'<'
                | b'>'
                | b'|'
                | b'='
                | b':'
                | b'@'
                | b'!'
                | b'\\'
        )
    };
    let at = before.iter().rposition(ends_name);
    before.clamped(at.map_or(0, |at| at + 1)..)
}

/// Classifies the name before `end`, with its percent triplets decoded.
pub(super) fn class_before(text: &[u8], end: usize) -> NameClass {
    let raw = name_before(text, end);
    let class = match decoded(raw) {
        Cow::Borrowed(name) => NameClass::classify(name),
        Cow::Owned(name) => NameClass::classify(name_before(&name, name.len())),
    };
    class.max(class_behind_escape(text, end - raw.len(), end))
}

/// Classifies a name from `start` without the escape or the colour that it seems to start with:
/// `\npin=`, `[31mpin=`.
pub(super) fn class_behind_escape(text: &[u8], start: usize, end: usize) -> NameClass {
    let name = text.clamped(start..end);
    // Its last bracket may be that of a colour.
    let word = memrchr(b'[', name).map_or(start, |at| start + at + 1);
    let word = word + text.clamped(word..end).leading(|byte| b";:?0123456789".contains(&byte));
    let behind = escapes::end_in_word(text, start, end)
        .or_else(|| (word < end && escapes::ends_at(text, word + 1)).then_some(word + 1));
    behind.map_or(NameClass::Plain, |behind| NameClass::classify(text.clamped(behind..end)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_names_a_secret_is_looked_into() {
        let names = NAMES.iter().chain(&ENDINGS).chain(&HINTS).chain(&ACTIONS).chain(&VAGUE_ENDS);
        for name in names {
            assert!(may_name_secret(name.as_bytes()), "{name}");
            assert!(may_name_secret(format!("0{name}1").as_bytes()), "{name}");
        }
        for other in ["", "3d", "q", "lang", "x1"] {
            assert!(!may_name_secret(other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn names() {
        for name in [
            "password_confirmation",
            "user[password][0]",
            "token[a]",
            "X-Amz-Security-Token",
            "tok%00en",
            "apiKey2",
            "PASSWORD",
            "api-key",
            "oauth_token_secret",
            "to%6ben",
            "x-sig",
            "client%5Fsecret",
            "accessToken",
            "PHPSESSID",
            "auth_token[0]",
            "db.password",
            "contrase%C3%B1a",
            "Contraseña",
            "contrase%F1a",
            "has%C5%82o",
            "lösenord",
            "şifre",
            "user_密码",
            "Пароль",
            "パスワード2",
            "ｐassword",
            "pаssword",
            "тoken",
            "passw\u{f6}rd",
            "to\u{200b}ken",
        ] {
            assert_eq!(NameClass::classify(name.as_bytes()), NameClass::Secret, "{name}");
        }
        for name in ["key", "x-auth", "auth", "cache_key", "signing_cert"] {
            let class = NameClass::classify(name.as_bytes());
            assert_eq!(class, NameClass::Suspicious, "{name}");
        }
        for name in [
            "token_type",
            "password-url",
            "key_id",
            "magic",
            "Verify-Email",
            "monkey",
            "tokens",
            "max_tokens",
            "SAPISID",
            "__gda__",
            "_wpnonce",
            "sk",
        ] {
            assert_eq!(NameClass::classify(name.as_bytes()), NameClass::About, "{name}");
        }
        for name in [
            "design",
            "keyword",
            "author",
            "page",
            "pageToken",
            "utm_source",
            "passage",
            "",
            "[0]",
            "codec",
            "git_hash",
            "keys",
            "sort",
            "secretary",
            "größe",
            "код",
            "页",
        ] {
            assert_eq!(NameClass::classify(name.as_bytes()), NameClass::Plain, "{name}");
        }
    }
}
