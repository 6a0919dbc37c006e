//! Places and programs: geo (RFC 5870), magnet, spotify, steam, skype, stun (RFC 7064),
//! turn (RFC 7065), ms-settings, facetime, openpgp4fpr.

use super::SchemeTarget;
use super::syntax::{
    ByteCursor, SchemeShape, alphanumeric, digit, digits_follow, dotted, plain, solid, word,
};
use crate::error::Reason;

/// Two or three coordinates, then `;crs=…;u=…`, or the query that Android adds.
pub(super) static GEO: SchemeShape = SchemeShape::new(geo_start, geo).tail(b";?").cut_by(geo_cut);

/// `?xt=urn:btih:…&dn=…`.
pub(super) static MAGNET: SchemeShape = SchemeShape::new(magnet, |c| magnet(c) && rest(c));

/// A kind such as `track:` and 22 base-62 digits.
pub(super) static SPOTIFY: SchemeShape =
    SchemeShape::new(|c| spotify_kind(c).is_some(), spotify).tail(b"?#");

/// `run/440`; with `//` the generic syntax applies.
pub(super) static STEAM: SchemeShape = SchemeShape::new(steam, |c| steam(c) && rest(c));

/// `name?call`; a name alone is a word after a colon.
pub(super) static SKYPE: SchemeShape = SchemeShape::new(skype, skype).tail(b"&");

/// `host:port?transport=udp`, also turns.
pub(super) static STUN: SchemeShape = SchemeShape::new(server, server).tail(b"?");

/// `windowsupdate-action`: a page of the settings of Windows.
pub(super) static MS_SETTINGS: SchemeShape = SchemeShape::new(
    |c| !page(c).is_empty() && !c.at(|byte| byte == b':'),
    |c| !page(c).is_empty(),
)
.tail(b"?");

/// `name@host` or a number, as for a call by telephone.
pub(super) static FACETIME: SchemeShape = SchemeShape::new(callee, callee).tail(b"?");

/// The fingerprint of a key of OpenPGP.
pub(super) static OPENPGP4FPR: SchemeShape = SchemeShape::new(fingerprint, fingerprint).tail(b"#");

fn page<'t>(c: &mut ByteCursor<'t>) -> &'t [u8] {
    c.run(|byte| alphanumeric(byte) || byte == b'-')
}

fn callee(c: &mut ByteCursor<'_>) -> bool {
    c.eat(b'+');
    let name = c.run(|byte| plain(byte) || byte == b'+');
    if !c.eat(b'@') {
        return name.len() > 5 && name.iter().all(|byte| digit(*byte) || *byte == b'-');
    }
    !name.is_empty() && dotted(c.run(|byte| alphanumeric(byte) || byte == b'-' || byte == b'.'))
}

fn fingerprint(c: &mut ByteCursor<'_>) -> bool {
    let digits = c.run(|byte| byte.is_ascii_hexdigit());
    // The ID of a key, and fingerprints by MD5, SHA-1, and SHA-256.
    matches!(digits.len(), 16 | 32 | 40 | 64)
}

/// Reads a host and its port. A name without a dot or a port is a word after a colon.
fn server(c: &mut ByteCursor<'_>) -> bool {
    let is_literal = c.eat(b'[')
        && !c.run(|byte| byte.is_ascii_hexdigit() || byte == b':' || byte == b'.').is_empty()
        && c.eat(b']');
    let name = c.run(|byte| alphanumeric(byte) || byte == b'-' || byte == b'.');
    let name = name.strip_suffix(b".").unwrap_or(name);
    let mut port = *c;
    let has_port = port.eat(b':') && !port.run(digit).is_empty();
    if has_port {
        *c = port;
    }
    is_literal || !name.is_empty() && (has_port || dotted(name))
}

fn rest(c: &mut ByteCursor<'_>) -> bool {
    !c.run(|_| true).is_empty()
}

/// Reads a num of RFC 5870, which may be negative.
fn coordinate(c: &mut ByteCursor<'_>) -> bool {
    c.eat(b'-');
    let whole = !c.run(digit).is_empty();
    // A dot without digits after it ends the sentence, not the coordinate.
    let mut fraction = *c;
    if fraction.eat(b'.') && !fraction.run(digit).is_empty() {
        *c = fraction;
    }
    whole
}

/// Reads a space after the comma as well. That is only half of the pair, and is rejected later.
fn geo_start(c: &mut ByteCursor<'_>) -> bool {
    coordinate(c) && c.eat(b',') && {
        c.eat(b' ');
        coordinate(c)
    }
}

fn geo(c: &mut ByteCursor<'_>) -> bool {
    coordinate(c)
        && c.eat(b',')
        && coordinate(c)
        && (!c.eat(b',') || coordinate(c))
        // A fourth number is not a coordinate of RFC 5870.
        && !c.at(|byte| byte == b',')
}

/// Rejects `48.2010, 16.3695`: D4.3 trimmed the comma.
fn geo_cut(target: &SchemeTarget<'_>) -> Option<Reason> {
    let mut c = ByteCursor::new(target.after());
    c.eat(b',');
    let minus = c
        .rest()
        .strip_prefix(b" -")
        .is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_digit));
    (minus || digits_follow(c.rest())).then_some(Reason::Cut)
}

/// Reads a parameter of the magnet draft, perhaps numbered: `xt.1=`.
fn magnet(c: &mut ByteCursor<'_>) -> bool {
    const NAMES: [&[u8]; 11] =
        [b"xt", b"dn", b"xl", b"tr", b"ws", b"as", b"xs", b"kt", b"mt", b"so", b"x"];
    if !c.eat(b'?') {
        return false;
    }
    let name = c.run(alphanumeric);
    let numbered = !c.eat(b'.') || !c.run(alphanumeric).is_empty();
    NAMES.contains(&name) && numbered && c.eat(b'=') && c.at(solid)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum SpotifyKind {
    Object,
    Words,
}

fn spotify_kind(c: &mut ByteCursor<'_>) -> Option<SpotifyKind> {
    #[rustfmt::skip]
    const OBJECTS: [&[u8]; 6] = [
        b"track:", b"album:", b"artist:", b"playlist:", b"show:", b"episode:",
    ];
    const WORDS: [&[u8]; 3] = [b"user:", b"search:", b"local:"];
    let kind = if OBJECTS.iter().any(|name| c.eat_word(name)) {
        SpotifyKind::Object
    } else if WORDS.iter().any(|name| c.eat_word(name)) {
        SpotifyKind::Words
    } else {
        return None;
    };
    c.at(plain).then_some(kind)
}

fn spotify(c: &mut ByteCursor<'_>) -> bool {
    match spotify_kind(c) {
        Some(SpotifyKind::Object) => c.exactly(22, alphanumeric),
        Some(SpotifyKind::Words) => {
            !c.run(|byte| plain(byte) || byte == b':' || byte == b'+').is_empty()
        }
        None => false,
    }
}

fn steam(c: &mut ByteCursor<'_>) -> bool {
    #[rustfmt::skip]
    const COMMANDS: [&[u8]; 12] = [
        b"run/", b"rungameid/", b"install/", b"uninstall/", b"store/", b"url/", b"openurl/",
        b"connect/", b"joinlobby/", b"friends/", b"nav/", b"open/",
    ];
    c.eat(b'/');
    COMMANDS.iter().any(|command| c.eat_word(command)) && c.at(word)
}

fn skype(c: &mut ByteCursor<'_>) -> bool {
    #[rustfmt::skip]
    const ACTIONS: [&[u8]; 6] = [
        b"call", b"chat", b"add", b"userinfo", b"sendfile", b"voicemail",
    ];
    let name = c.run(|byte| plain(byte) || b"+,;:".contains(&byte));
    !name.is_empty()
        && c.eat(b'?')
        && ACTIONS.iter().any(|action| c.eat_word(action))
        && !c.at(alphanumeric)
}
