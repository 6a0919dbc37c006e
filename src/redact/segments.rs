//! Finds secrets in a path by the segments beside them: `/token/…`, `/reset/MQ/…`,
//! `/…/unsubscribe`.

use memchr::memrchr;

use super::names::NameClass;
use super::shapes::{is_generated, is_random};
use crate::slice::SliceExt;
use crate::span::Span;

/// Returns the segments of a path that look like a secret and have a name beside them, and those
/// that contain the session of ASP.NET: `/(S(…))/`.
pub(super) fn behind_names(path: &[u8]) -> impl Iterator<Item = Span> {
    let mut at = 0;
    let mut before: [&[u8]; 2] = [b"", b""];
    path.split(|&byte| byte == b'/').filter_map(move |segment| {
        let start = at;
        at += segment.len() + 1;
        let names = before;
        before = [segment, names[0]];
        // Check for randomness first: few segments are random, and reading a name takes longer.
        let is_session = segment.starts_with(b"(S(") && segment.ends_with(b"))");
        let is_secret = is_session
            || is_generated(segment) && {
                let [name, above] = names;
                // Behind the number of an account comes its token: `/reset/MQ/…`, `/hooks/12/…`.
                class_of(name) != NameClass::Plain
                    || is_number(name) && is_action(above)
                    || is_before_action(path.clamped(at..))
                    || holds_name(segment)
            };
        is_secret.then(|| Span::new(start, start + segment.len()))
    })
}

/// True for a segment that may be the number of an account, in digits or base64. A word is a place:
/// `otp/blob/…`.
fn is_number(segment: &[u8]) -> bool {
    const MAX_LENGTH: usize = 24;
    (1..4).contains(&segment.len())
        || segment.len() <= MAX_LENGTH && segment.iter().any(u8::is_ascii_digit)
}

/// Classifies a segment that says that the next one is a secret, or which action that one permits.
fn class_of(segment: &[u8]) -> NameClass {
    const MAX_LENGTH: usize = 32;
    if segment.len() > MAX_LENGTH || is_random(segment) {
        return NameClass::Plain;
    }
    match NameClass::classify(segment) {
        NameClass::Plain => {
            segment.strip_suffix(b"s").map_or(NameClass::Plain, NameClass::classify)
        }
        class => class,
    }
}

fn is_action(segment: &[u8]) -> bool {
    matches!(class_of(segment), NameClass::Secret | NameClass::About)
}

/// True if the next segment names an action that the one before it permits: `/…/unsubscribe`, and
/// the key of a member of a private tracker of BitTorrent, `/…/announce`.
fn is_before_action(rest: &[u8]) -> bool {
    const ACTIONS: [&[u8]; 9] = [
        b"accept",
        b"activate",
        b"announce",
        b"confirm",
        b"optout",
        b"reset",
        b"rsvp",
        b"unsubscribe",
        b"verify",
    ];
    let next = rest.split(|&byte| byte == b'/').next().unwrap_or_default();
    ACTIONS.iter().any(|action| {
        next.get(..action.len()).is_some_and(|start| start.eq_ignore_ascii_case(action))
    })
}

/// True for a calendar, whose address is its password, and for a segment that has its name before
/// it: `….ics`, `private-…`. A name with a dot is that of a file with a hash: `login-….js`.
fn holds_name(segment: &[u8]) -> bool {
    let is_divider = |byte: &u8| matches!(byte, b'-' | b'_');
    if let Some(dot) = memrchr(b'.', segment) {
        return segment.part(dot..).eq_ignore_ascii_case(b".ics");
    }
    segment.iter().position(is_divider).is_some_and(|divider| {
        is_action(segment.part(..divider)) && is_generated(segment.part(divider + 1..))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_beside_a_name() {
        const T: &str = "Zq9x0Yw8Vu7Ts6Rq5Po4";
        for path in [
            "/token/T",
            "/auth/T/x",
            "/reset/MQ/T/",
            "/activate/joe/T",
            "/hooks/12/T",
            "/u/T/unsubscribe",
            "/T/announce.php",
            "/feeds/T.ics",
            "/ical/private-T/basic",
            "/webhook_T",
            "/invites/T",
            "/keys/T",
        ] {
            let path = path.replace('T', T);
            let found: Vec<_> = behind_names(path.as_bytes()).collect();
            assert_eq!(found.len(), 1, "{path}");
            assert!(path[found[0].range()].contains(T), "{path}");
        }
        for path in [
            "/T",
            "/commit/T",
            "/a/T/b",
            "/reset/MQ/no",
            "/oauth/google/T",
            "/assets/login-T.js",
            "/main-T",
            "/T.png",
            "/share/place/T",
            "/erlang/otp/blob/T/a.c",
        ] {
            let path = path.replace('T', T);
            assert_eq!(behind_names(path.as_bytes()).count(), 0, "{path}");
        }
    }
}
