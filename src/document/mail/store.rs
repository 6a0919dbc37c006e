//! Which files are messages, by their first bytes and by their path.

use std::path::Path;

use super::header::Header;
use crate::document::format::Sniff;
use crate::finder::Rest;

/// Fields that only messages have, in lower case (RFC 5322 §3.6, RFC 2045 §4).
const KNOWN: &str = "\
    received return-path from to cc date subject message-id mime-version in-reply-to references \
    reply-to sender delivered-to content-type content-transfer-encoding list-id dkim-signature \
    x-mailer x-originating-ip envelope-to resent-from authentication-results newsgroups";

/// True when `head` starts a message: its first field is one of a message, and so is another.
///
/// ```
/// use urigrep::document::mail::is_message;
/// assert!(is_message(b"From: a@a.example\nSubject: links\n\nHello"));
/// assert!(!is_message(b"Subject: it is text\n\nFrom: here on"));
/// ```
///
/// A line of an mbox before it makes it one of those; see [`is_mbox`](crate::document::mbox::is_mbox).
pub fn is_message(head: &[u8]) -> bool {
    if head.starts_with(b"From ") {
        return false;
    }
    let is_known = |name: &str| KNOWN.split(' ').any(|known| known.eq_ignore_ascii_case(name));
    let mut names = Header::new(head).fields().map(|field| field.name);
    let first = names.next();
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

/// True when `head` is so far the header of a message, and no more: [`is_message`] could become true.
fn may_be_message(head: &[u8]) -> bool {
    // Most other files start so.
    if !head.first().is_none_or(u8::is_ascii_alphabetic) {
        return false;
    }
    let known = || KNOWN.split(' ').map(str::as_bytes);
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

/// A store of messages with a file for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Store {
    /// Maildir: the files of `cur` and `new`, and the incomplete ones of `tmp`.
    Maildir,
    /// MH: files whose names are numbers.
    Mh,
}

impl Store {
    /// The store that a file seems to be in. Only a Maildir is sure: the first bytes of a file of MH must
    /// show whether it is a message.
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
        // A time, a unique name, and the host.
        let mut parts = name.split('.');
        let time = parts.next()?;
        let is_time = time.len() > 5 && time.bytes().all(|byte| byte.is_ascii_digit());
        let is_unique = is_time && parts.next().is_some() && parts.next().is_some();
        (matches!(folder, "cur" | "new" | "tmp") && is_unique).then_some(Self::Maildir)
    }
}

/// False when the name of a file does not start with a digit, which takes less to see than to go over a path.
fn may_start_with_digit(path: &Path) -> bool {
    let path = path.as_os_str().as_encoded_bytes();
    let name = path.rsplit(|byte| matches!(byte, b'/' | b'\\' | b':')).next();
    match name.unwrap_or_default() {
        // The name is before it.
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
