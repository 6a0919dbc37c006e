//! Software by name: pkg (purl, ECMA-427) and cpe (NIST IR 7695).

use super::syntax::{ByteCursor, SchemeShape, alphanumeric, plain};
use super::{QuoteState, SchemeTarget};
use crate::error::Reason;
use crate::registry::{ListLookup, slots, words};

/// `type/namespace/name@version?qualifiers#subpath`.
pub(super) static PKG: SchemeShape =
    SchemeShape::new(package, |c| package(c) && !c.run(|_| true).is_empty());

/// `/a:vendor:product` (2.2) or `2.3:a:vendor:product:…`.
pub(super) static CPE: SchemeShape = SchemeShape::new(platform, cpe).cut_by(escaped).ended_by(b"/");

/// The purl types of ECMA-427 and of its list, and four others in wide use.
#[rustfmt::skip]
static TYPES: ListLookup<{ slots(44) }> = ListLookup::new(words![
    "alpm", "apk", "bazel", "bitbucket", "bitnami", "brew", "cargo", "chrome-extension",
    "cocoapods", "composer", "conan", "conda", "cpan", "cran", "deb", "docker", "gem", "generic",
    "git", "github", "gitlab", "golang", "hackage", "hex", "huggingface", "julia", "luarocks",
    "maven", "mlflow", "npm", "nuget", "oci", "opam", "otp", "pub", "pypi", "qpkg", "rpm", "swid",
    "swift", "vcpkg", "vscode", "vscode-extension", "yocto",
]);

/// Reads a known type, or any type if the name has a version: `pkg:src/main` is a build target.
fn package(c: &mut ByteCursor<'_>) -> bool {
    c.eat(b'/');
    let kind = c.run(|byte| alphanumeric(byte) || b".+-".contains(&byte));
    if !kind.first().is_some_and(u8::is_ascii_alphabetic) || !c.eat(b'/') {
        return false;
    }
    let known = TYPES.holds(kind);
    let scope = *c;
    let is_scoped = c.eat(b'@');
    let name = c.run(|byte| plain(byte) || byte == b'/' || byte == b'+');
    let versioned = c.eat(b'@');
    // `/@1.0` is a version without a name.
    let is_named = match (is_scoped, versioned) {
        (true, _) => name.contains(&b'/'),
        (false, true) => !name.ends_with(b"/"),
        (false, false) => true,
    };
    let is_version = versioned && c.at(alphanumeric);
    // After a known type, any name is accepted. Go back to its start, so that the caller reads all
    // of it.
    if known {
        *c = scope;
    }
    !name.is_empty() && is_named && (known || is_version)
}

/// Reads the letter of an application, a hardware device or an operating system.
fn platform(c: &mut ByteCursor<'_>) -> bool {
    let part = |byte: u8| b"ahoAHO*".contains(&byte);
    (c.eat(b'/') || c.eat_word(b"2.3:"))
        && c.exactly(1, part)
        && c.eat(b':')
        && c.at(|byte| plain(byte) || byte == b'*')
}

/// Reads the components. Those of 2.2 are unreserved characters and triplets (NISTIR 7695 §6.1), so
/// that a `/` ends the name, as nmap's probes delimit it.
fn cpe(c: &mut ByteCursor<'_>) -> bool {
    let is_uri = c.at(|byte| byte == b'/');
    let component = |byte: u8| !is_uri || plain(byte) || b":*~".contains(&byte);
    platform(c) && !c.run(component).is_empty()
}

/// Rejects an escaped formatted string: it escapes punctuation with `\`, which no URI contains.
fn escaped(target: &SchemeTarget<'_>) -> Option<Reason> {
    // In a string of a program, `\n` or `\"` ends the name. No name escapes a letter, and names of
    // version 2.2 escape nothing.
    let ends = match target.after() {
        [b'\\', b'n' | b'r' | b't', ..] => true,
        [b'\\', b'"', ..] => target.quote == QuoteState::Closed || target.body().starts_with(b"/"),
        [b'\\', ..] => false,
        _ => true,
    };
    (!ends).then_some(Reason::Escaped)
}
