//! Recognizes messages by their first bytes and their paths.

use std::path::Path;

use super::BOM;
use super::header::Header;
use crate::document::format::Sniff;
use crate::finder::Rest;

/// Fields specific to messages, in lower case (RFC 5322 §3.6, RFC 2045 §4).
const KNOWN: [&str; 24] = [
    "received",
    "return-path",
    "from",
    "to",
    "cc",
    "date",
    "subject",
    "message-id",
    "mime-version",
    "in-reply-to",
    "references",
    "reply-to",
    "sender",
    "delivered-to",
    "content-type",
    "content-transfer-encoding",
    "list-id",
    "dkim-signature",
    "x-mailer",
    "x-originating-ip",
    "envelope-to",
    "resent-from",
    "authentication-results",
    "newsgroups",
];

/// True if `head` starts a message: the first field and another one are specific to messages.
///
/// ```
/// use urigrep::document::mail::is_message;
/// assert!(is_message(b"From: a@a.example\nSubject: links\n\nHello"));
/// assert!(!is_message(b"Subject: it is text\n\nFrom: here on"));
/// ```
///
/// False for a message after an mbox separator; see [`is_mbox`](crate::document::mbox::is_mbox).
pub fn is_message(head: &[u8]) -> bool {
    let head = head.strip_prefix(BOM).unwrap_or(head);
    // A mailbox is more than a message.
    if head.starts_with(b"From ") {
        return false;
    }
    let is_known = |name: &str| KNOWN.iter().any(|known| known.eq_ignore_ascii_case(name));
    let mut names = Header::new(head).fields().map(|field| field.name);
    let first = names.next();
    // One is not enough: a letter or a note may begin with `To:` or `Date:`.
    first.is_some_and(|name| is_known(name) && names.any(is_known))
}

/// Recognizes a message by its first bytes.
pub(super) fn sniff(head: &[u8], rest: Rest) -> Sniff {
    if is_message(head) {
        Sniff::Yes
    } else if rest == Rest::More && may_be_message(head) {
        Sniff::NeedMore
    } else {
        Sniff::No
    }
}

/// True if `head` is an incomplete header, so that [`is_message`] may become true with more bytes.
fn may_be_message(head: &[u8]) -> bool {
    let head = head.strip_prefix(BOM).unwrap_or(head);
    // Fast path: most other files fail here.
    if !head.first().is_none_or(u8::is_ascii_alphabetic) {
        return false;
    }
    let known = || KNOWN.iter().map(|known| known.as_bytes());
    let mut lines = head.split_inclusive(|&byte| byte == b'\n');
    let first = lines.next().unwrap_or_default();
    let end = first.iter().position(|&byte| byte == b':');
    let starts_well = match end.and_then(|end| first.get(..end)) {
        Some(name) => known().any(|known| known.eq_ignore_ascii_case(name.trim_ascii_end())),
        None => known().any(|known| {
            known.get(..first.len()).is_some_and(|start| start.eq_ignore_ascii_case(first))
        }),
    };
    starts_well && lines.all(|line| !matches!(line, b"\n" | b"\r\n"))
}

/// A message store with one file per message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Store {
    /// Maildir: files in `cur` and `new`, and incomplete ones in `tmp`.
    Maildir,
    /// MH: files named by numbers.
    Mh,
}

impl Store {
    /// Returns the store that a file seems to be in. Only a Maildir path is certain: the content of
    /// an MH file must show whether it is a message.
    ///
    /// ```
    /// use std::path::Path;
    /// use urigrep::document::mail::Store;
    /// let store = |path| Store::of_path(Path::new(path));
    /// assert_eq!(store("mail/cur/1109804179.M1P2.host:2,S"), Some(Store::Maildir));
    /// assert_eq!(store("inbox/17"), Some(Store::Mh));
    /// assert_eq!(store("new/notes.txt"), None);
    /// ```
    pub fn of_path(path: &Path) -> Option<Self> {
        if !may_start_with_digit(path) {
            return None;
        }
        let name = path.file_name()?.to_str()?;
        if name.bytes().all(|byte| byte.is_ascii_digit()) {
            return Some(Self::Mh);
        }
        let folder = path.parent()?.file_name()?.to_str()?;
        // The name is a time, a unique part, and the host.
        let mut parts = name.split('.');
        let time = parts.next()?;
        // The time is in seconds. With fewer digits, the name may be a version, such as `1.2.3`.
        let is_time = time.len() > 5 && time.bytes().all(|byte| byte.is_ascii_digit());
        let is_unique = is_time && parts.next().is_some() && parts.next().is_some();
        (matches!(folder, "cur" | "new" | "tmp") && is_unique).then_some(Self::Maildir)
    }
}

/// False if the file name does not start with a digit. This is faster than parsing the path.
fn may_start_with_digit(path: &Path) -> bool {
    let path = path.as_os_str().as_encoded_bytes();
    let name = path.rsplit(|byte| matches!(byte, b'/' | b'\\' | b':')).next();
    match name.unwrap_or_default() {
        // The file name comes before this component.
        [] | b"." => true,
        [first, ..] => first.is_ascii_digit(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_start_with_a_digit() {
        for path in ["17", "a/17", "a/b/17.x", "a/17/", "a/17/.", "./17", "c:17", "a\\17"] {
            assert!(may_start_with_digit(Path::new(path)), "{path}");
        }
        for path in ["a/b1", "1/a", "a/..", "a/.17"] {
            assert!(!may_start_with_digit(Path::new(path)), "{path}");
            assert_eq!(Store::of_path(Path::new(path)), None);
        }
    }
}
