//! Finds secrets by their place in a text: before an `@`, after the name of a secret, after a known
//! address.

use memchr::{memchr, memchr2, memrchr};

use super::names::{NAME_MAX, NameClass, class_before, name_before};
use super::shapes::is_generated;
use super::tokens::{address, is_below};
use super::{Scan, TextForm, has_secret};
use crate::memmem;
use crate::redirect;
use crate::slice::{ByteRuns, SliceExt};

/// Offsets of the authority and the path, after the scheme if there is one (RFC 3986 §3).
pub(super) struct Hierarchy {
    /// After `//` and the userinfo, or else the start of the path.
    pub host: usize,
    pub path: usize,
}

pub(super) fn hierarchy(text: &[u8]) -> Hierarchy {
    let colon = end_of(text, 0, |byte| !byte.is_ascii_alphanumeric() && !b"+-.".contains(&byte));
    let start = match text.get(colon) {
        Some(b':') => colon + 1,
        _ => 0,
    };
    match text.get(start..) {
        Some([b'/', b'/', ..]) => {
            let path = end_of(text, start + 2, |byte| b"/?#".contains(&byte));
            let userinfo = memrchr(b'@', text.part(start + 2..path));
            Hierarchy { host: userinfo.map_or(start + 2, |at| start + 3 + at), path }
        }
        _ => Hierarchy { host: start, path: start },
    }
}

/// Returns the offset of the first byte at or after `start` for which `ends` is true.
pub(super) fn end_of(text: &[u8], start: usize, ends: impl Fn(u8) -> bool) -> usize {
    start + text.clamped(start..).leading(|byte| !ends(byte))
}

/// Schemes that need no `//` before a userinfo: those of SIP (RFC 3261 §19.1), and those that
/// browsers read without it.
const BARE: [&[u8]; 7] = [b"http", b"https", b"ftp", b"ws", b"wss", b"sip", b"sips"];

/// The text before an `@` that counts as a userinfo.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Userinfo {
    Any,
    /// Only with a password: `joe:pw@`.
    WithColon,
}

/// Returns the start of an authority at `at`, and the userinfo it may have.
fn authority_at(text: &[u8], at: usize) -> Option<(usize, Userinfo)> {
    let is_slash = |byte: u8| byte == b'/' || byte == b'\\';
    let before = text.clamped(..at);
    if text.get(at) == Some(&b':') {
        let length = before.trailing(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
        let scheme = before.tail(length.min(16));
        let slashes = text.clamped(at + 1..).leading(is_slash);
        let start = at + 1 + slashes;
        let is_bare = BARE.iter().any(|known| scheme.eq_ignore_ascii_case(known));
        return match slashes {
            _ if length == 0 => None,
            0 | 1 if is_bare => Some((start, Userinfo::WithColon)),
            0 | 1 => None,
            _ => Some((start, Userinfo::Any)),
        };
    }
    let slashes = text.clamped(at..).leading(|byte| byte == b'/');
    // At the start of a text, `//` is a network-path reference. Elsewhere it may be a double slash
    // in a path, as in `a//b@c`, so only a password makes it a userinfo.
    let userinfo = match before.last() {
        None => Userinfo::Any,
        _ => Userinfo::WithColon,
    };
    (slashes >= 2).then_some((at + slashes, userinfo))
}

/// Finds `//userinfo@` (RFC 3986 §3.2.1) in the URI and in those in its path, query and fragment;
/// also addresses that are secrets.
pub(super) fn authorities(text: &[u8], form: TextForm, scan: &mut Scan<'_>) {
    let query = end_of(text, 0, |byte| b"?#".contains(&byte));
    // There is no `@` before this offset. It keeps repeated searches linear.
    let mut without = 0;
    let mut from = 0;
    while let Some(next) = text.get(from..).and_then(|rest| memchr2(b':', b'/', rest)) {
        let at = from + next;
        from = at + 1;
        let Some((start, userinfo)) = authority_at(text, at) else {
            continue;
        };
        let ends = |byte: u8| match form {
            TextForm::Broken => byte.is_ascii_whitespace(),
            // After `?`, an `&` starts the next parameter.
            _ => b"/\\?#".contains(&byte) || byte == b'&' && start > query,
        };
        let mut end = end_of(text, start, ends);
        let authority = text.part(start..end);
        let mut host = start;
        // The last `@` ends the userinfo: a raw `@` in a password must not leave a part of it in
        // the output.
        if let Some(length) = memrchr(b'@', authority) {
            let has_colon = authority.part(..length).contains(&b':');
            if userinfo == Userinfo::Any || has_colon {
                scan.push(text, start, start + length);
            }
            host += length + 1;
        } else if is_share(text.clamped(..at)) {
            scan.push(text, start, end_of(text, start, |byte| b"#&".contains(&byte)));
        } else if has_strange_port(authority) && start >= without {
            // A port is digits (§3.2.3). Other text may be a password that contains a delimiter.
            let last = end_of(text, end, |byte| {
                byte.is_ascii_whitespace() || byte == b'&' && start > query
            });
            match memrchr(b'@', text.part(end..last)) {
                Some(length) => {
                    end += length;
                    scan.push(text, start, end);
                }
                None => without = last,
            }
            // A truncated candidate may lack its `@`.
            if form == TextForm::Broken && end < start + authority.len() + 1 {
                push_port(text, start, end, scan);
            }
        }
        shared_address(text, host, end, scan);
        // Resume after the authority: the colons inside it must not start candidates of their own.
        from = end.max(from);
    }
    oracle(text, scan);
}

/// Adds the end of a truncated authority if it is not a port: it may be a password.
fn push_port(text: &[u8], start: usize, end: usize, scan: &mut Scan<'_>) {
    let authority = text.part(start..end);
    let end = end_of(text, start, |byte| b"/?#\\".contains(&byte)).min(end);
    if let Some(colon) = memrchr(b':', authority.clamped(..end - start)) {
        let port = text.part(start + colon + 1..end);
        if port.iter().filter(|byte| !byte.is_ascii_digit()).count() > 2 && !port.contains(&b']') {
            scan.push(text, start + colon + 1, end);
        }
    }
}

/// True after the scheme of a link whose rest is a secret as a whole: a proxy with its password in
/// base64 (SIP002, VMess), or all keys of an authenticator.
fn is_share(before: &[u8]) -> bool {
    const SCHEMES: [&[u8]; 4] = [b"ss", b"ssr", b"vmess", b"otpauth-migration"];
    let length = before.trailing(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    let scheme = before.tail(length.min(32));
    SCHEMES.iter().any(|known| scheme.eq_ignore_ascii_case(known))
}

fn has_strange_port(authority: &[u8]) -> bool {
    let port = authority.rsplit(|&byte| byte == b':').next().unwrap_or_default();
    port.len() < authority.len()
        // An IPv6 address in brackets has colons that do not start a port.
        && !port.contains(&b']')
        && port.iter().any(|byte| !byte.is_ascii_digit())
}

/// Hosts of files and texts whose key is in the fragment, so that the server does not get it:
/// <https://privatebin.info/>, <https://mega.io/security>,
/// <https://bitwarden.com/help/send-encryption/>.
const KEYS_IN_FRAGMENTS: [&str; 5] =
    ["mega.co.nz", "mega.nz", "privatebin.net", "send.bitwarden.com", "send.vis.ee"];

/// Finds the path of a webhook, and secrets in the URI that a mail gateway encoded.
fn shared_address(text: &[u8], host: usize, path: usize, scan: &mut Scan<'_>) {
    let name = text.clamped(host..path);
    let name = name.split(|&byte| byte == b':').next().unwrap_or_default();
    if let Some((start, _)) = address(text, name, path) {
        scan.push(text, start, end_of(text, start, |byte| b"?#&".contains(&byte)));
    }
    if KEYS_IN_FRAGMENTS.iter().any(|known| is_below(name, known.as_bytes())) {
        let fragment = end_of(text, path, |byte| byte == b'#');
        scan.push(text, (fragment + 1).min(text.len()), text.len());
    }
    let rest = text.clamped(path..);
    if let Some(depth) = scan.depth.checked_sub(1)
        && redirect::is_defended(name)
    {
        // The encoded target of a gateway is a whole URI. Without budget to decode it, its path
        // counts as a secret.
        let inner = scan.work.allows(rest.len()).then(|| redirect::defended(rest));
        match inner {
            Some(None) => {}
            Some(Some((range, inner))) => {
                if has_secret(&inner, TextForm::Reference, depth, scan.work) {
                    scan.push(text, path + range.start, path + range.end);
                }
            }
            None => scan.push(text, path, text.len()),
        }
    }
}

/// Finds the token in the address of a mailbox to which everyone who knows the address may write:
/// `reply+TOKEN@…`.
pub(super) fn mailbox(text: &[u8], path: usize, scan: &mut Scan<'_>) {
    if text.part(..path).eq_ignore_ascii_case(b"mailto:")
        && let end = end_of(text, path, |byte| b"@?#".contains(&byte))
        && let Some(plus) = memchr(b'+', text.part(path..end))
        && is_generated(text.part(path + plus..end))
    {
        scan.push(text, path + plus + 1, end);
    }
}

/// Finds the password in `jdbc:oracle:thin:user/password@…`, which has no `//`.
// A connection string has the driver, then `user/password@host`. It is searched only for a short
// distance, so many `:oracle:` in a row stay linear.
fn oracle(text: &[u8], scan: &mut Scan<'_>) {
    const START: &[u8] = b"jdbc:oracle:";
    const MAX_LENGTH: usize = 512;
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| memmem::find(rest, b":oracle:")) {
        let behind = from + at + b":oracle:".len();
        from = behind;
        if !text.part(..behind).ends_with_ignore_case(START) {
            continue;
        }
        let driver = end_of(text, behind, |byte| !byte.is_ascii_alphanumeric());
        let rest = text.clamped(driver..driver + MAX_LENGTH);
        if let Some((b':', rest)) = rest.split_first()
            && let Some(length) = memchr(b'@', rest)
            && rest.part(..length).contains(&b'/')
        {
            scan.push(text, driver + 1, driver + 1 + length);
        }
    }
}

/// Finds the values in `name=value` and `"name":"value"` whose name denotes a secret.
pub(super) fn values(text: &[u8], from: usize, path: usize, scan: &mut Scan<'_>) {
    let query = end_of(text, path, |byte| b"?#".contains(&byte));
    let is_signed = is_signed(text.part(query..));
    // The value up to here consists of words, so no part of it needs another check.
    let mut judged = 0;
    let mut from = from;
    while let Some(length) = text.get(from..).and_then(|rest| memchr2(b'=', b':', rest)) {
        let sign = from + length;
        from = sign + 1;
        let class = match text.get(sign) {
            // In a host, `=` can only belong to a JDBC property: `h;password=…`.
            Some(b'=') if sign < path && !is_property(text, sign) => NameClass::Plain,
            Some(b'=') => match class_before(text, sign) {
                NameClass::Plain if is_signed && sign > query => NameClass::About,
                class => class,
            },
            // The colon of a port, after a host that ends in a quotation mark.
            _ if sign < path => NameClass::Plain,
            _ => class_of_member(text, sign),
        };
        // A parameter that only might be a secret is checked once. Names inside an accepted value,
        // such as `a=b=c`, would read the same bytes again.
        if class == NameClass::Plain || class != NameClass::Secret && from < judged {
            continue;
        }
        // The query ends only at `&` and `#`. Before it a `/` or `?` ends a value, and in an
        // authority so do the separators of JDBC properties.
        let stops: &[u8] = match sign {
            _ if sign >= query => b"#&",
            _ if sign >= path => b"/?#&",
            _ => b"/?#&;,)",
        };
        // A URI has its own places for secrets.
        let head = text.clamped(from..from + 64);
        let head =
            head.split(|byte| stops.contains(byte) && *byte != b'/').next().unwrap_or_default();
        let is_uri = head.windows(3).any(|part| part == b"://");
        if class != NameClass::Secret && is_uri {
            continue;
        }
        let (start, end) = match text.get(sign) {
            Some(b'=') => (from, value_end(text, from, stops)),
            _ => member_value(text, from),
        };
        let value = text.part(start..end);
        if class.hides(value) {
            scan.push(text, start, end);
            from = end.max(from);
        } else {
            judged = end;
        }
    }
}

/// True for a query that says when a permission expires, as Unix time: `e=1767225600`. One of the
/// other values is the signature, whatever its name: `st`, `md5`, `hm`.
fn is_signed(query: &[u8]) -> bool {
    const NAMES: [&[u8]; 5] = [b"e", b"et", b"ex", b"oe", b"deadline"];
    const ENDS: [&[u8]; 6] = [b"exp", b"expire", b"expires", b"expiry", b"expiration", b"endtime"];
    query.get(1..).unwrap_or_default().split(|&byte| byte == b'&').any(|pair| {
        // Most pairs are of another length.
        let Some(sign) = memchr(b'=', pair) else { return false };
        let (name, time) = (pair.part(..sign), pair.part(sign + 1..));
        let is_name = || {
            NAMES.iter().any(|known| name.eq_ignore_ascii_case(known))
                || ENDS.iter().any(|end| name.ends_with_ignore_case(end))
        };
        let is_time = match time.len() {
            // From 2014 to 2033, and in hexadecimal digits to 2038.
            10 => matches!(time, [b'1', b'4'..=b'9', ..]) && time.iter().all(u8::is_ascii_digit),
            8 => matches!(time, [b'5'..=b'7', ..]) && time.iter().all(u8::is_ascii_hexdigit),
            _ => false,
        };
        is_time && is_name()
    })
}

fn is_property(text: &[u8], sign: usize) -> bool {
    let before = sign - name_before(text, sign).len();
    matches!(text.clamped(..before).last(), Some(b';' | b'(' | b',' | b'&'))
}

/// Returns the end of a value: one of the stops, or a `;` before the next `name=`.
fn value_end(text: &[u8], start: usize, stops: &[u8]) -> usize {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.[]$%".contains(&byte);
    let mut at = start;
    while let Some(&byte) = text.get(at) {
        if stops.contains(&byte) {
            break;
        }
        // A `;` may belong to the value. It separates parameters only if the next one follows.
        if byte == b';' {
            let name = end_of(text, at + 1, |byte| !is_name(byte));
            if name > at + 1 && text.get(name) == Some(&b'=') {
                break;
            }
        }
        at += 1;
    }
    at
}

/// Classifies the name before a colon in JSON and similar formats: in quotes, or after a brace or
/// comma.
fn class_of_member(text: &[u8], colon: usize) -> NameClass {
    let before = text.clamped(..colon);
    let quoted = before.trailing(|byte| b"\"'\\ ".contains(&byte));
    let end = colon - quoted;
    let name = name_before(text, end);
    let opener = (end - name.len()).checked_sub(1).and_then(|at| text.get(at));
    match (quoted, opener) {
        (_, None) => NameClass::Plain,
        (1.., Some(b'"' | b'\'' | b'\\')) | (0, Some(b'{')) => NameClass::classify(name),
        (0, Some(b',')) if before.tail(NAME_MAX).contains(&b'{') => NameClass::classify(name),
        _ => NameClass::Plain,
    }
}

/// Returns the span of the value of a JSON member, without its quotes.
fn member_value(text: &[u8], colon: usize) -> (usize, usize) {
    let start = end_of(text, colon, |byte| !b"\\ \"'".contains(&byte));
    let is_quoted = text.clamped(colon..start).iter().any(|byte| b"\"'".contains(byte));
    let ends =
        |byte: u8| if is_quoted { b"\"'#&".contains(&byte) } else { b",}]#&".contains(&byte) };
    (start, end_of(text, start, ends))
}
