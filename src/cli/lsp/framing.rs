//! Messages on a stream: a header with `Content-Length`, an empty line, and JSON (LSP 3.17, "Base
//! Protocol").

use std::io::{self, BufRead, Read, Write};

/// Longest message that is read; documents in it are at most as long.
const MAX_MESSAGE_BYTES: u64 = 64 << 20;
/// Longest message that is skipped. A longer one does not exist: its header is damaged, and all
/// messages after it would be skipped with it.
const MAX_SKIPPED_BYTES: u64 = 1 << 30;
/// Longest header line, and largest number of them.
const MAX_HEADER_BYTES: u64 = 4096;
const MAX_HEADERS: usize = 32;

/// The next message of a stream, or the reason why there is none.
#[derive(Debug, PartialEq, Eq)]
pub enum MessageFrame {
    /// The content of a message.
    Content(Vec<u8>),
    /// A message that is too long; it was skipped.
    TooLong(u64),
    /// No further message.
    End,
}

/// Reads the next message.
///
/// # Errors
/// If the stream cannot be read, or the place of the next message is unknown.
pub fn read(reader: &mut impl BufRead) -> io::Result<MessageFrame> {
    let Some(length) = read_header(reader)? else { return Ok(MessageFrame::End) };
    if length > MAX_SKIPPED_BYTES {
        return Err(malformed(&format!("a Content-Length of {length} bytes")));
    }
    if length > MAX_MESSAGE_BYTES {
        // The length is known, so the next message can still be found.
        let skipped = io::copy(&mut reader.take(length), &mut io::sink())?;
        let is_whole = skipped == length;
        return if is_whole { Ok(MessageFrame::TooLong(length)) } else { Err(ends_early()) };
    }
    let mut content = Vec::new();
    reader.take(length).read_to_end(&mut content)?;
    if content.len() as u64 == length {
        Ok(MessageFrame::Content(content))
    } else {
        Err(ends_early())
    }
}

fn ends_early() -> io::Error {
    malformed("the last message is shorter than its Content-Length")
}

/// Returns the length of the message; `None` at the end of the stream.
fn read_header(reader: &mut impl BufRead) -> io::Result<Option<u64>> {
    let mut length = None;
    for count in 0.. {
        let mut line = Vec::new();
        reader.by_ref().take(MAX_HEADER_BYTES).read_until(b'\n', &mut line)?;
        let Some(line) = line.strip_suffix(b"\n") else {
            let is_end = line.is_empty() && count == 0;
            return if is_end { Ok(None) } else { Err(malformed("a header line does not end")) };
        };
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() {
            let missing = || malformed("a message without a valid Content-Length");
            return length.map(Some).ok_or_else(missing);
        }
        if count >= MAX_HEADERS {
            return Err(malformed("too many header lines"));
        }
        // The other header is Content-Type, which can name UTF-8 only (LSP 3.17, "Header Part").
        length = content_length(line).or(length);
    }
    Ok(None)
}

fn content_length(line: &[u8]) -> Option<u64> {
    let line = std::str::from_utf8(line).ok()?;
    let (name, value) = line.split_once(':')?;
    let is_length = name.trim().eq_ignore_ascii_case("Content-Length");
    value.trim().parse().ok().filter(|_| is_length)
}

fn malformed(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

/// Writes a message.
///
/// # Errors
/// If the stream cannot be written.
pub fn write(writer: &mut impl Write, content: &[u8]) -> io::Result<()> {
    write!(writer, "Content-Length: {}\r\n\r\n", content.len())?;
    writer.write_all(content)?;
    writer.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(mut bytes: &[u8]) -> Vec<Result<MessageFrame, String>> {
        let mut all = Vec::new();
        loop {
            let frame = read(&mut bytes).map_err(|error| error.to_string());
            let is_last = matches!(frame, Ok(MessageFrame::End) | Err(_));
            all.push(frame);
            if is_last {
                return all;
            }
        }
    }

    #[test]
    fn messages_are_read_one_by_one() {
        let mut bytes = Vec::new();
        write(&mut bytes, b"{}").unwrap();
        bytes.extend_from_slice(b"content-type: x\r\nCONTENT-LENGTH:3\r\n\r\nabc");
        let content = |text: &[u8]| Ok(MessageFrame::Content(text.to_vec()));
        assert_eq!(frames(&bytes), [content(b"{}"), content(b"abc"), Ok(MessageFrame::End)]);
    }

    #[test]
    fn a_bad_stream_is_an_error_or_an_end() {
        assert_eq!(frames(b""), [Ok(MessageFrame::End)]);
        for bad in [
            &b"Content-Length: 9\r\n\r\nabc"[..],
            b"Content-Length: 99999999\r\n\r\nabc",
            b"Content-Length: 18446744073709551615\r\n\r\nabc",
            b"Content-Length: -1\r\n\r\n",
            b"Content-Length: 99999999999999999999999\r\n\r\n",
            b"\r\n",
            b"GET / HTTP/1.1\r\n\r\n",
            b"Content-Length: 1",
        ] {
            assert!(matches!(frames(bad).as_slice(), [Err(_)]), "{}", bad.escape_ascii());
        }
        assert!(frames(&[b'a'; 5000])[0].is_err());
        assert!(frames(&b"a: b\n".repeat(100))[0].is_err());
    }

    #[test]
    fn a_long_message_is_skipped() {
        let length = MAX_MESSAGE_BYTES + 1;
        let mut bytes = format!("Content-Length: {length}\r\n\r\n").into_bytes();
        bytes.resize(bytes.len() + length as usize, b' ');
        write(&mut bytes, b"x").unwrap();
        let expected = [
            Ok(MessageFrame::TooLong(length)),
            Ok(MessageFrame::Content(b"x".to_vec())),
            Ok(MessageFrame::End),
        ];
        assert_eq!(frames(&bytes), expected);
    }
}
