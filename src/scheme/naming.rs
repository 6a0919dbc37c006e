//! Names that need no central server: tag (RFC 4151), did (W3C DID Core), ni and nih
//! (RFC 6920), swh (ISO/IEC 18670).

use super::syntax::{ByteCursor, SchemeShape, alphanumeric, digit, hex, plain, word};

/// `authority,date:specific`. The specific part may be empty.
pub(super) static TAG: SchemeShape = SchemeShape::new(tagging_entity, tag);

/// `method:id`, then a path, a query, a fragment.
pub(super) static DID: SchemeShape = SchemeShape::new(did, did).tail(b"/?#;");

/// `sha-256;value`. RFC 6920 requires `//` before it; without it, or with a single `/`, it is just
/// as clear.
pub(super) static NI: SchemeShape = SchemeShape::new(algorithm, ni).tail(b"?");

/// `sha-256-120;5326-9057-…;b`, or with the number of a suite.
pub(super) static NIH: SchemeShape = SchemeShape::new(suite, nih);

/// `1:cnt:` and forty hexadecimal digits, then `;qualifier=value`.
pub(super) static SWH: SchemeShape = SchemeShape::new(object_type, swh).tail(b";");

/// Reads an RFC 4151 taggingEntity: `authorityName "," date`.
fn tagging_entity(c: &mut ByteCursor<'_>) -> bool {
    let authority = c.run(|byte| word(byte) || b"-.@".contains(&byte));
    // An authority is a domain or a mail address, so it contains a dot. `tag:foo,2024` in prose
    // does not.
    let is_name =
        authority.first().is_some_and(u8::is_ascii_alphanumeric) && authority.contains(&b'.');
    is_name
        && c.eat(b',')
        && c.exactly(4, digit)
        && (!c.eat(b'-') || c.exactly(2, digit) && (!c.eat(b'-') || c.exactly(2, digit)))
}

/// True if `text` is a taggingEntity.
pub(crate) fn is_tagging_entity(text: &[u8]) -> bool {
    let mut c = ByteCursor::new(text);
    tagging_entity(&mut c) && c.is_done()
}

fn tag(c: &mut ByteCursor<'_>) -> bool {
    tagging_entity(c) && c.eat(b':') && {
        c.run(|_| true);
        true
    }
}

/// Reads `did:` method-name `:` method-specific-id; the name is lower case.
fn did(c: &mut ByteCursor<'_>) -> bool {
    let method = c.run(|byte| byte.is_ascii_lowercase() || digit(byte));
    !method.is_empty()
        && c.eat(b':')
        && c.at(plain)
        && !c.run(|byte| plain(byte) || byte == b':').is_empty()
}

/// Reads a hash name of RFC 6920 §9.4, or one registered since.
fn algorithm(c: &mut ByteCursor<'_>) -> bool {
    #[rustfmt::skip]
    const NAMES: [&[u8]; 13] = [
        b"sha-256", b"sha-256-128", b"sha-256-120", b"sha-256-96", b"sha-256-64", b"sha-256-32",
        b"sha-384", b"sha-512", b"sha3-224", b"sha3-256", b"sha3-384", b"sha3-512", b"blake2b-256",
    ];
    // RFC 6920 §3: `ni://authority/sha-256;value`
    if c.eat_word(b"//") {
        c.run(|byte| byte != b'/');
    }
    c.eat(b'/');
    let name = c.run(|byte| alphanumeric(byte) || byte == b'-');
    NAMES.contains(&name) && c.eat(b';')
}

fn ni(c: &mut ByteCursor<'_>) -> bool {
    algorithm(c) && c.run(|byte| word(byte) || byte == b'-').len() > 4
}

fn suite(c: &mut ByteCursor<'_>) -> bool {
    // A suite is a number of one or two digits, or the name of an algorithm.
    let mut number = *c;
    let is_suite = (1..=2).contains(&number.run(digit).len()) && number.eat(b';') && number.at(hex);
    if is_suite {
        *c = number;
    }
    is_suite || algorithm(c)
}

fn nih(c: &mut ByteCursor<'_>) -> bool {
    suite(c)
        && c.run(|byte| hex(byte) || byte == b'-').len() > 4
        && (!c.eat(b';') || c.exactly(1, hex))
}

fn object_type(c: &mut ByteCursor<'_>) -> bool {
    const TYPES: [&[u8]; 6] = [b"cnt", b"dir", b"rev", b"rel", b"snp", b"ori"];
    c.eat_word(b"1:") && TYPES.iter().any(|name| c.eat_word(name)) && c.eat(b':')
}

fn swh(c: &mut ByteCursor<'_>) -> bool {
    object_type(c) && c.exactly(40, hex)
}
