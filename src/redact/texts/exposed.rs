//! Secrets of URIs, for the audit.

use memchr::memchr;

use crate::redact::places::{self, Hierarchy, end_of};
use crate::redact::{TextForm, Work, names, secrets, shapes, tokens};
use crate::slice::SliceExt as _;
use crate::span::Span;

/// Returns the tokens in a text with the names of their forms, sorted by start.
pub(crate) fn tokens(text: &[u8], path: usize) -> impl Iterator<Item = (Span, &'static str)> {
    tokens::tokens_from(text, path, path)
}

/// A secret in a URI, with the reason why it is one.
pub(crate) struct ExposedSecret {
    pub span: Span,
    /// The name of the parameter, or of the service.
    pub name: String,
    pub sign: SecretSign,
}

/// The reason why a text is a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SecretSign {
    /// Its form, or the address that contains it.
    Form,
    /// Only the name of its parameter.
    Name,
}

/// Returns a secret that a URI exposes: the path of a webhook, or a random value whose name denotes
/// a secret.
pub(crate) fn exposed(text: &[u8]) -> Option<ExposedSecret> {
    let Hierarchy { host, path } = places::hierarchy(text);
    let name = text.clamped(host..path).split(|&byte| byte == b':').next().unwrap_or_default();
    if let Some((start, address)) = tokens::address(text, name, path) {
        let secret = Span::new(start, end_of(text, start, |byte| matches!(byte, b'?' | b'#')));
        let (name, sign) = (address.name.into(), SecretSign::Form);
        return shapes::is_random(text.part(secret.range())).then_some(ExposedSecret {
            span: secret,
            name,
            sign,
        });
    }
    let mut start = end_of(text, path, |byte| matches!(byte, b'?' | b'#')) + 1;
    while start < text.len() {
        let end = end_of(text, start, |byte| matches!(byte, b'&' | b'#'));
        if let Some(length) = memchr(b'=', text.part(start..end)) {
            let (name, value) = (text.part(start..start + length), start + length + 1);
            let is_secret = names::NameClass::classify(name) == names::NameClass::Secret;
            if is_secret && shapes::is_random(text.part(value..end)) {
                let name = String::from_utf8_lossy(name).into_owned();
                let (span, sign) = (Span::new(value, end), SecretSign::Name);
                return Some(ExposedSecret { span, name, sign });
            }
        }
        start = end + 1;
    }
    None
}

/// Returns the spans of unencoded secrets in a text.
pub(crate) fn secret_spans(text: &[u8]) -> Vec<Span> {
    secrets(text, TextForm::Broken, &Work::for_text(text))
}
