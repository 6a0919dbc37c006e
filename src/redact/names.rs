//! Classifies parameters by their names and their values.
//!
//! Names are split into words: `x-auth`, `userPassword`, `user[password][0]`.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::decode::decoded;
use crate::registry::small_letter;
use crate::slice::{ByteRuns, SliceExt};

/// The most bytes before `=` that are read as a name.
pub(super) const NAME_MAX: usize = 192;
const _: () = assert!(NAME_MAX <= u8::MAX as usize);

/// Names of parameters whose values are secrets, with their words joined.
#[rustfmt::skip]
const NAMES: [&str; 28] = [
    "accesskeyid", "assertion", "authcode", "bearer", "clientassertion", "code", "cookie", "cred", "creds", "hmac", "mfa", "oobcode", "otp",
    "pass", "passcode", "pat", "pin", "psk", "pw", "samlresponse", "sess", "session", "sid", "sig", "sso",
    "ticket", "tok", "totp",
];

/// Endings of such names, after any vendor prefix: `X-Amz-Security-Token`.
const ENDINGS: [&str; 64] = [
    "accesscode",
    "accesskey",
    "accesskeyid",
    "accountkey",
    "activationkey",
    "adgangskode",
    "apikey",
    "appkey",
    "authcode",
    "authkey",
    "authorizationcode",
    "authorization",
    "backupcode",
    "bindpw",
    "connectionstring",
    "consumerkey",
    "contrasena",
    "credential",
    "credentials",
    "encryptionkey",
    "geslo",
    "haslo",
    "heslo",
    "jelszo",
    "jwt",
    "katasandi",
    "kennwort",
    "licensekey",
    "losenord",
    "lozinka",
    "masterkey",
    "matkhau",
    "motdepasse",
    "palavrapasse",
    "parola",
    "parol",
    "passkey",
    "passord",
    "passphrase",
    "passwd",
    "password",
    "passwort",
    "privatekey",
    "pwd",
    "recoverycode",
    "rlkey",
    "salasana",
    "secret",
    "secretkey",
    "senha",
    "sessid",
    "sessionid",
    "sharedkey",
    "sifre",
    "signature",
    "signingkey",
    "slaptazodis",
    "streamkey",
    "subscriptionkey",
    "token",
    "userpw",
    "verificationcode",
    "verifier",
    "wachtwoord",
];

/// Words for a password, a token, or a secret in other scripts, in small letters. A name that
/// contains one is that of a secret.
#[rustfmt::skip]
const FOREIGN: [&str; 20] = [
    "пароль", "токен", "секрет", "κωδικός", "κωδικος", "סיסמה", "סיסמא", "كلمة السر",
    "كلمة المرور", "पासवर्ड", "รหัสผ่าน", "密码", "密碼", "口令", "令牌", "パスワード", "暗証", "비밀", "암호", "토큰",
];

/// Words that make a name suspicious.
#[rustfmt::skip]
const HINTS: [&str; 17] = [
    "auth", "cert", "cookie", "hmac", "key", "oauth", "otp", "pass", "passcode", "pin", "psk", "pw",
    "session", "sid", "sig", "sso", "ticket",
];

/// Words for what a value lets one do: whoever has the link is let in, or changes the account. The value may
/// also be a name or a state, so it is a secret if it looks generated: `?magic=1`, `?invite=bob`.
#[rustfmt::skip]
const ACTIONS: [&str; 63] = [
    "access", "activate", "activation", "appid", "approval", "approve", "authn", "authz", "claim", "confirm",
    "confirmation", "csrf", "grant", "hdnea", "hdntl", "hdnts", "hook", "impersonate", "incoming", "invitation",
    "invite", "join", "login", "magic", "magiclink", "manage", "mnemonic", "onetime", "optin", "optout", "otc",
    "ott", "pair", "pairing", "private", "recover", "recovery", "redeem", "refresh", "remember", "reset",
    "restore", "rsvp", "sas", "seed", "sgn", "share", "sign", "signed", "signin", "subscription", "sudo", "tkn",
    "unlock", "unsubscribe", "validate", "validation", "verification", "verify", "voucher", "webhook", "xsrf",
    "zak",
];

/// Ends of the last word of a name, for which the same holds: `viewkey`, `device_code`, `xsig`.
const VAGUE_ENDS: [&str; 4] = ["key", "code", "sig", "tok"];

/// Last words of a name that is about a secret, but not the secret itself: `token_type`.
#[rustfmt::skip]
const ASPECTS: [&str; 53] = [
    "alg", "algorithm", "callback", "count", "date", "email", "enabled", "endpoint", "example",
    "expiration", "expire", "expires", "expiry", "field", "format", "header", "headers", "hint", "id",
    "issuer", "kind", "label", "lang", "len", "length", "lifetime", "limit", "max", "method", "min",
    "mode", "name", "page", "param", "policy", "prefix", "provider", "redirect", "required", "scheme",
    "scope", "size", "status", "strength", "time", "timestamp", "ttl", "type", "uri", "url", "user",
    "username", "version",
];

/// Cursors of paginated lists, which are not secrets: `pageToken`.
const CURSORS: [&str; 6] =
    ["pagetoken", "nexttoken", "continuationtoken", "synctoken", "cursortoken", "starttoken"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    pub fn of(raw: &[u8]) -> Self {
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
        let words = NameWords::of(&name);
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
        let hints = || words.iter().any(|word| is_among(&HINTS, word));
        let acts = || {
            words.iter().any(|word| is_among(&ACTIONS, word))
                || VAGUE_ENDS.iter().any(|end| ends(last, end))
        };
        match ends_secret {
            true if is_about() => Self::About,
            true => Self::Secret,
            false if !hints() => {
                if acts() {
                    Self::About
                } else {
                    Self::Plain
                }
            }
            false if is_about() => Self::About,
            false => Self::Suspicious,
        }
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

/// Returns the text that bytes show. What is not UTF-8 is an old form, in Latin-1.
fn shown(name: &[u8]) -> Cow<'_, str> {
    match core::str::from_utf8(name) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(name.iter().copied().map(char::from).collect()),
    }
}

fn names_foreign_secret(name: &[u8]) -> bool {
    let name: String = shown(name).chars().map(small_letter).collect();
    FOREIGN.iter().any(|word| name.contains(word))
}

/// Returns a name in the letters of ASCII that it looks like: `contraseña`, and `password` in letters
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
                'р' => 'p',
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
fn is_among(words: &[&str], word: &[u8]) -> bool {
    words.iter().map(|known| known.as_bytes()).any(|known| {
        known.len() == word.len()
            && known.first() == word.first()
            && known.last() == word.last()
            && known == word
    })
}

/// The words of a name in lower case, without trailing numbers. Invisible characters are skipped:
/// `tok%00en`.
struct NameWords {
    letters: [u8; NAME_MAX],
    /// End offsets of the words.
    ends: [u8; NAME_MAX],
    count: usize,
}

impl NameWords {
    fn of(name: &[u8]) -> Self {
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

    fn joined(&self) -> &[u8] {
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

/// True for text that people write: words, a number, or nothing.
pub(super) fn is_of_words(value: &[u8]) -> bool {
    let mut parts = value.split(|byte| !byte.is_ascii_alphanumeric() && byte.is_ascii());
    let is_plain = |part: &[u8]| is_word(part) || is_number(part) || is_numbered_stand_in(part);
    // Two characters cannot be a credential.
    value.len() < 3 || parts.all(is_plain)
}

/// True for placeholder values in documentation: `val2`.
fn is_numbered_stand_in(part: &[u8]) -> bool {
    const STAND_INS: [&str; 22] = [
        "a", "abc", "arg", "b", "bar", "baz", "c", "foo", "id", "item", "k", "key", "n", "name",
        "p", "param", "test", "v", "val", "value", "x", "y",
    ];
    let digits = part.trailing(|byte| byte.is_ascii_digit());
    let stem = part.clamped(..part.len() - digits).to_ascii_lowercase();
    digits <= 2 && is_among(&STAND_INS, &stem)
}

fn is_number(part: &[u8]) -> bool {
    part.len() <= 20 && part.iter().all(u8::is_ascii_digit)
}

/// True for letters that look like a word: not too many, with few consonants in a row, and without
/// capitals in between.
fn is_word(part: &[u8]) -> bool {
    const LONGEST: usize = 24;
    if !part.is_ascii() {
        // Text in other scripts cannot be checked by its vowels. Tokens are ASCII, so it is not
        // one.
        return true;
    }
    let capitals = |pair: &&[u8]| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase();
    part.len() <= LONGEST
        && part.iter().all(u8::is_ascii_alphabetic)
        // Base64 changes case all the time; a word in camel case does so rarely.
        && part.windows(2).filter(capitals).count() * 4 < part.len().max(5)
        && part
            .split(|byte| matches!(byte | 0x20, b'a' | b'e' | b'i' | b'o' | b'u' | b'y'))
            .all(|run| run.len() <= 5)
}

/// True for text that is not typed by hand: a long run in which letters and digits alternate many
/// times.
pub(super) fn is_random(value: &[u8]) -> bool {
    const SHORTEST: usize = 16;
    const CHANGES: usize = 4;
    let kind = |byte: u8| (byte.is_ascii_digit(), byte.is_ascii_uppercase());
    let mut runs = value.split(|byte| !byte.is_ascii_alphanumeric());
    runs.any(|run| {
        let changes = || run.windows(2).filter(|pair| kind(pair[0]) != kind(pair[1])).count();
        run.len() >= SHORTEST && changes() >= CHANGES
    })
}

/// True for text that a program made up: random text, or a UUID (RFC 9562 §4).
pub(super) fn is_generated(value: &[u8]) -> bool {
    const PARTS: [usize; 5] = [8, 4, 4, 4, 12];
    let is_uuid = |text: &[u8]| {
        text.split(|&byte| byte == b'-').map(<[u8]>::len).eq(PARTS)
            && text.iter().filter(|byte| byte.is_ascii_digit()).count() > 2
    };
    let mut runs = value.split(|byte| !byte.is_ascii_hexdigit() && *byte != b'-');
    is_random(value) || runs.any(is_uuid)
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
    match decoded(raw) {
        Cow::Borrowed(name) => NameClass::of(name),
        Cow::Owned(name) => NameClass::of(name_before(&name, name.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_names_a_secret_is_looked_into() {
        for name in NAMES.iter().chain(&ENDINGS).chain(&HINTS) {
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
            "passw\u{f6}rd",
            "to\u{200b}ken",
        ] {
            assert_eq!(NameClass::of(name.as_bytes()), NameClass::Secret, "{name}");
        }
        for name in ["key", "x-auth", "auth", "cache_key", "signing_cert"] {
            let class = NameClass::of(name.as_bytes());
            assert_eq!(class, NameClass::Suspicious, "{name}");
        }
        for name in ["token_type", "password-url", "key_id", "magic", "Verify-Email", "monkey"] {
            assert_eq!(NameClass::of(name.as_bytes()), NameClass::About, "{name}");
        }
        for name in [
            "tokens",
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
            "max_tokens",
            "sort",
            "secretary",
            "größe",
            "код",
            "页",
        ] {
            assert_eq!(NameClass::of(name.as_bytes()), NameClass::Plain, "{name}");
        }
    }

    #[test]
    fn values() {
        for value in [
            "value",
            "foo-bar",
            "API_KEY",
            "created_at",
            "1",
            "60023584",
            "2024-01-01",
            "fooBar",
            "",
            "{key}",
            "v1",
            "é",
            "val2",
        ] {
            assert!(is_of_words(value.as_bytes()), "{value}");
        }
        for value in ["hunter2", "c0ffee", "aB3xY9", "qxzkwvbn", "deadbeef00"] {
            assert!(!is_of_words(value.as_bytes()), "{value}");
        }
        assert!(is_random(b"Zq9Zq9Zq9Zq9Zq9Z") && is_random(b"a3f5b1c9d2e4f6a8"));
        assert!(
            !is_random(b"my-page-2024-01-01-about-things") && !is_random(b"internationalization")
        );
    }
}
