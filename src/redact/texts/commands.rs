//! Data for redaction: flags of commands whose value contains a password, and its place in the
//! value. Also finds these flags in a line: `sshpass -p …`, `curl -sSu joe:…`.

use alloc::vec::Vec;

use memchr::{memchr, memchr_iter, memmem};

use super::{certain, gaps};
use crate::redact::{end_of, escapes};
use crate::slice::{ByteRuns, SliceExt};
use crate::span::Span;

/// Longest line after the name of a command.
const MAX_LINE_LENGTH: usize = 1024;

/// The part of a value that is a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PasswordPart {
    Whole,
    /// The rest of the flag's own word; the next word is something else.
    Attached,
    /// The text after this character, such as in `joe:…`.
    Behind(u8),
}
use PasswordPart::{Attached, Behind, Whole};

/// Commands by the last words of their names, the flag, the part of its value, and the manual.
#[rustfmt::skip]
const FLAGS: [(&str, &str, PasswordPart, &str); 28] = [
    ("curl", "-u", Behind(b':'), "https://curl.se/docs/manpage.html"),
    ("curl", "-U", Behind(b':'), "https://curl.se/docs/manpage.html"),
    ("curl", "--user", Behind(b':'), "https://curl.se/docs/manpage.html"),
    ("curl", "--proxy-user", Behind(b':'), "https://curl.se/docs/manpage.html"),
    ("http", "-a", Behind(b':'), "https://httpie.io/docs/cli/authentication"),
    ("http", "--auth", Behind(b':'), "https://httpie.io/docs/cli/authentication"),
    ("https", "-a", Behind(b':'), "https://httpie.io/docs/cli/authentication"),
    ("xh", "-a", Behind(b':'), "https://github.com/ducaale/xh"),
    ("mysql", "-p", Attached, "https://dev.mysql.com/doc/refman/en/connecting.html"),
    ("mysqldump", "-p", Attached, "https://dev.mysql.com/doc/refman/en/connecting.html"),
    ("mysqladmin", "-p", Attached, "https://dev.mysql.com/doc/refman/en/connecting.html"),
    ("mariadb", "-p", Attached, "https://mariadb.com/kb/en/mariadb-command-line-client/"),
    ("sshpass", "-p", Whole, "https://linux.die.net/man/1/sshpass"),
    ("login", "-p", Whole, "https://docs.docker.com/reference/cli/docker/login/"),
    ("twine upload", "-p", Whole, "https://twine.readthedocs.io/"),
    ("mongo", "-p", Whole, "https://www.mongodb.com/docs/mongodb-shell/"),
    ("mongosh", "-p", Whole, "https://www.mongodb.com/docs/mongodb-shell/"),
    ("mongodump", "-p", Whole, "https://www.mongodb.com/docs/database-tools/"),
    ("sqlcmd", "-P", Whole, "https://learn.microsoft.com/en-us/sql/tools/sqlcmd/"),
    ("redis-cli", "-a", Whole, "https://redis.io/docs/latest/develop/tools/cli/"),
    ("zip", "-P", Whole, "https://linux.die.net/man/1/zip"),
    ("unzip", "-P", Whole, "https://linux.die.net/man/1/unzip"),
    ("7z", "-p", Attached, "https://linux.die.net/man/1/7z"),
    ("ldapsearch", "-w", Whole, "https://www.openldap.org/software/man.cgi"),
    ("openssl enc", "-k", Whole, "https://docs.openssl.org/master/man1/openssl-enc/"),
    ("openssl", "-passin", Behind(b':'), "https://docs.openssl.org/master/man1/openssl-passphrase-options/"),
    ("openssl", "-passout", Behind(b':'), "https://docs.openssl.org/master/man1/openssl-passphrase-options/"),
    ("smbclient", "-U", Behind(b'%'), "https://www.samba.org/samba/docs/current/man-html/smbclient.1.html"),
];

/// Returns the passwords in commands, unordered.
pub(super) fn passwords(text: &[u8]) -> Vec<Span> {
    let mut found: Vec<Span> = of_any_command(text).collect();
    for line in lines(text) {
        let Some(first) = memmem::find(text.part(line.range()), b" -") else { continue };
        // The command is before its first flag.
        let before = text.clamped(line.start()..line.start() + first + 1);
        let flags = FLAGS.iter().filter(|(command, ..)| names(before, command.as_bytes()));
        for (_, flag, part, _) in flags {
            found.extend(values(text, line, flag.as_bytes(), *part));
        }
    }
    found
}

/// Returns the passwords after flags of any command, also in a list of arguments: `tool -p …`,
/// `["-u", "joe:…"]`. A number, a directory, or the name of an image is not a password.
fn of_any_command(text: &[u8]) -> impl Iterator<Item = Span> {
    memchr_iter(b'-', text).filter_map(|at| {
        let is_start = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`[(,".contains(byte);
        let before = at.checked_sub(1).and_then(|before| text.get(before));
        before.is_none_or(is_start).then_some(())?;
        let is_user = match text.get(at + 1)? {
            b'u' | b'U' => true,
            b'p' | b'P' | b'w' | b'k' => false,
            _ => return None,
        };
        let from = at + 2;
        let value = match text.get(from)? {
            byte if byte.is_ascii_alphanumeric() => Span::new(from, word_end(text, from)),
            b' ' | b'"' | b'\'' | b'\n' | b'=' => {
                let start = gaps::behind(text, from)?.end;
                Span::new(start, word_end(text, start))
            }
            _ => return None,
        };
        let bytes = text.part(value.range());
        let has = |marks: &[u8]| bytes.iter().any(|byte| marks.contains(byte));
        if is_user {
            let user =
                bytes.leading(|byte| byte.is_ascii_alphanumeric() || b"-_.@".contains(&byte));
            let password =
                Span::new(value.start() + user + 1, value.end().max(value.start() + user + 1));
            let is_pair = user > 0 && bytes.get(user) == Some(&b':');
            (is_pair && certain::is_mixed_word(text.part(password.range()))).then_some(password)
        } else {
            (!has(b"/:=.,_-") && certain::is_mixed_word(bytes)).then_some(value)
        }
    })
}

fn word_end(text: &[u8], start: usize) -> usize {
    const MAX_LENGTH: usize = 256;
    end_of(text.clamped(..start + MAX_LENGTH), start, |byte| {
        byte.is_ascii_whitespace() || b"\"'`,;|)]<>&".contains(&byte)
    })
}

/// Returns the commands of each line, up to the longest one.
fn lines(text: &[u8]) -> impl Iterator<Item = Span> {
    let is_end = |byte: u8| matches!(byte, b'\n' | b'\r' | b'|' | b';');
    let mut start = 0;
    core::iter::from_fn(move || {
        (start < text.len()).then(|| {
            let end = end_of(text, start, is_end).min(start + MAX_LINE_LENGTH);
            let line = Span::new(start, end);
            start = end + usize::from(text.get(end).is_some_and(|&byte| is_end(byte)));
            line
        })
    })
}

/// True if the text before the flags contains the command as separate words.
fn names(before: &[u8], command: &[u8]) -> bool {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    memmem::find_iter(before, command).any(|at| {
        let next = before.get(at + command.len());
        let is_start =
            !before.clamped(..at).last().is_some_and(is_word) || escapes::ends_at(before, at);
        is_start && next.is_some_and(|byte| !is_word(byte))
    })
}

/// Returns the passwords after a flag in a line.
fn values(text: &[u8], line: Span, flag: &[u8], part: PasswordPart) -> Vec<Span> {
    let mut found = Vec::new();
    let mut words = words(text, line).peekable();
    while let Some(word) = words.next() {
        let bytes = text.part(word.range());
        let value = match bytes.strip_prefix(flag) {
            Some([]) if part != Attached => words.peek().copied(),
            Some([b'=', ..]) => Some(Span::new(word.start() + flag.len() + 1, word.end())),
            Some([_, ..]) if flag.len() == 2 => {
                Some(Span::new(word.start() + flag.len(), word.end()))
            }
            // Flags of one letter may be combined: `-sSLu`.
            None if part != Attached && is_cluster(bytes, flag) => words.peek().copied(),
            _ => None,
        };
        found.extend(value.and_then(|value| password(text, value, part)));
    }
    found
}

fn is_cluster(word: &[u8], flag: &[u8]) -> bool {
    let [b'-', letter] = flag else { return false };
    let letters = word.strip_prefix(b"-").and_then(|word| word.strip_suffix(&[*letter]));
    letters.is_some_and(|letters| letters.iter().all(u8::is_ascii_alphabetic))
}

/// Returns the words of a command. A quoted one, without its quotes, may have blanks.
fn words(text: &[u8], line: Span) -> impl Iterator<Item = Span> {
    let mut at = line.start();
    let text = text.clamped(..line.end());
    core::iter::from_fn(move || {
        at = end_of(text, at, |byte| !byte.is_ascii_whitespace());
        let quote = text.get(at).copied()?;
        if matches!(quote, b'"' | b'\'') {
            let word = Span::new(at + 1, end_of(text, at + 1, |byte| byte == quote));
            at = word.end() + 1;
            return Some(word);
        }
        let word = Span::new(at, end_of(text, at, |byte| byte.is_ascii_whitespace()));
        at = word.end();
        // `-p"a b"`, `--user='joe:…'`
        let Some(open) = text.part(word.range()).iter().position(|b| matches!(b, b'"' | b'\''))
        else {
            return Some(word);
        };
        let quote = text.get(word.start() + open).copied()?;
        let end = end_of(text, word.start() + open + 1, |byte| byte == quote);
        at = end_of(text, end, |byte| byte.is_ascii_whitespace());
        Some(Span::new(word.start(), end))
    })
}

fn password(text: &[u8], value: Span, part: PasswordPart) -> Option<Span> {
    let value = match text.get(value.start()) {
        Some(b'"' | b'\'') => Span::new(value.start() + 1, value.end()),
        _ => value,
    };
    let start = match part {
        Behind(sign) => value.start() + memchr(sign, text.part(value.range()))? + 1,
        Whole | Attached => value.start(),
    };
    let bytes = text.part(start..value.end());
    // A variable is not a secret, and a flag is not a value.
    let is_password = !bytes.is_empty() && !matches!(bytes, [b'$' | b'-' | b'<' | b'%', ..]);
    let is_file = matches!(part, Behind(b':')) && text.part(value.range()).starts_with(b"file:");
    let length = bytes.leading(|byte| !matches!(byte, b'`' | b'"' | b'\''));
    (is_password && !is_file).then(|| Span::new(start, start + length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_of_commands() {
        for (text, hidden) in [
            ("curl -u admin:hunter2 https://a.example/", "hunter2"),
            ("$ curl -sSLu \"joe:a b\" -o x", "a b"),
            ("curl -ujoe:pw1 --proxy-user=p:pw2 x", "pw1|pw2"),
            (
                "sudo curl --user 'admin:hunter2' https://a.example/ | sshpass -p x1 ssh a",
                "hunter2|x1",
            ),
            ("mysql -u root -ps3cret -h b; mysql -p db", "s3cret"),
            ("docker login -u joe -p s3cret a.example", "s3cret"),
            ("redis-cli -h b -a s3cret", "s3cret"),
            ("7z x -ps3cret a.7z", "s3cret"),
            ("openssl rsa -passin pass:s3cret -passout file:a", "s3cret"),
            ("smbclient //h/s -U joe%s3cret", "s3cret"),
            ("http -a joe:s3cret https://a.example/", "s3cret"),
            ("[\"-u\", \"joe:s3cr3tX9\"] tool -p s3cr3tX8", "s3cr3tX9|s3cr3tX8"),
            ("- -u\n- joe:s3cr3tX9\n", "s3cr3tX9"),
            ("ssh -p 2222; tool -p dir1/x2y3z4 -u 1000:1000 -w 1a", ""),
            ("curl -u joe https://a.example:80/", ""),
            ("curl -u joe:$PW -p x", ""),
            ("docker run -u 1000:1000 curl", ""),
            ("mkdir -p a; gunzip -P a; libcurl -u a:b", ""),
            ("x\\ncurl -u joe:s3cret x", "s3cret"),
            ("curl", ""),
        ] {
            let mut found = passwords(text.as_bytes());
            found.sort_unstable_by_key(|span| span.start());
            found.dedup();
            let found: Vec<_> = found.iter().map(|span| &text[span.range()]).collect();
            assert_eq!(found.join("|"), hidden, "{text}");
        }
        assert!(FLAGS.iter().all(|(.., source)| source.starts_with("https://")));
    }
}
