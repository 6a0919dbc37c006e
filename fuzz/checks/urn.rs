//! RFC 8141's ABNF, as an independent regular expression.

use std::sync::LazyLock;

use regex::Regex;
use urigrep::Urn;
use urigrep::reference::equivalent;

/// Section 2, written down once more. The ABNF lets an r-component go on over `?=`; the prose ends
/// it there.
static NAMESTRING: LazyLock<Regex> = LazyLock::new(|| {
    let pchar = r"(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})";
    let nid = "[A-Za-z0-9][A-Za-z0-9-]{0,30}[A-Za-z0-9]";
    let nss = format!("{pchar}(?:{pchar}|/)*");
    let not_equals = pchar.replace(";=", ";");
    let resolution = format!("{pchar}(?:{pchar}|/|\\?+(?:{not_equals}|/))*\\?*");
    let component = format!("{pchar}(?:{pchar}|[/?])*");
    let fragment = format!("(?:{pchar}|[/?])*");
    Regex::new(&format!(
        "^[Uu][Rr][Nn]:{nid}:{nss}(?:\\?\\+{resolution})?(?:\\?={component})?(?:#{fragment})?$"
    ))
    .expect("an expression")
});

/// Asserts that both accept the same strings, and that a URN is equivalent to itself.
pub fn check(text: &str) {
    let urn = Urn::parse(text);
    assert_eq!(urn.is_ok(), NAMESTRING.is_match(text), "{text:?}: {urn:?}");
    match urn {
        Err(error) => assert!(error.offset() <= text.len(), "{text:?}: {error}"),
        Ok(urn) => {
            let uri = urigrep::Uri::parse(text).expect("a URN is a URI");
            assert!(equivalent(uri, uri).is_some(), "{text:?}");
            assert!(text.len() >= urn.assigned_name().len());
            let _ = urn.check_nss();
        }
    }
}
