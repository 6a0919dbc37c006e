//! WARC: the responses of a crawl, one record per request (ISO 28500; WARC 1.1,
//! <https://iipc.github.io/warc-specifications/>).
//!
//! Records follow each other, each with its own header. The compressed form is one gzip member per
//! record, which the decoder joins. An HTTP response becomes two members: its header, and its body.

use std::io::{BufRead, Read};

use crate::archive::reader::ByteSource;
use crate::archive::reader::{ArchiveReader, Contents, MemberReader};
use crate::archive::stream::{MemberBytes, skip};
use crate::archive::walker::ArchiveWalk;
use crate::archive::{ArchiveFormat, WalkResult};
use crate::sniff::{Rest, Sniff};

const MAGIC: &[u8] = b"WARC/";
/// The version, such as `1.1`, and its line break.
const MAX_VERSION_BYTES: usize = 8;
/// The longest header, of a record or of HTTP.
const MAX_HEADER_BYTES: usize = 64 << 10;

pub(in crate::archive) struct Warc;

impl ArchiveReader for Warc {
    fn format(&self) -> ArchiveFormat {
        ArchiveFormat::Warc
    }

    fn extensions(&self) -> &'static [&'static str] {
        &[]
    }

    fn sniff(&self, head: &[u8], rest: Rest) -> Sniff {
        match head.strip_prefix(MAGIC) {
            None if MAGIC.starts_with(head) => Sniff::need_more(rest),
            None => Sniff::No,
            Some(version) if version.len() < MAX_VERSION_BYTES && !version.contains(&b'\n') => {
                Sniff::need_more(rest)
            }
            Some(version) => Sniff::yes_if(is_version_line(version)),
        }
    }

    fn contents(&self) -> Contents<'_> {
        Contents::Members(self)
    }
}

impl MemberReader for Warc {
    fn read_in_order(&self, walk: &mut ArchiveWalk<'_, '_>, source: ByteSource<'_>) -> WalkResult {
        read_members(walk, source)
    }
}

fn is_version_line(rest: &[u8]) -> bool {
    let line = rest.iter().take(MAX_VERSION_BYTES).position(|&byte| byte == b'\n');
    let version = line.and_then(|end| rest.get(..end)).map(<[u8]>::trim_ascii_end);
    version.is_some_and(|version| {
        version.len() >= 3 && version.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.')
    })
}

fn read_members(walk: &mut ArchiveWalk<'_, '_>, source: ByteSource<'_>) -> WalkResult {
    while let Some(record) = WarcRecord::read(source)? {
        let mut left = record.length;
        let http = if record.is_http() { Some(RecordFields::read(source, left)?) } else { None };
        if let Some(header) = &http {
            let (mut bytes, size) = (&header.bytes[..], header.bytes.len() as u64);
            left -= size;
            let name = [b"header-of-", &record.name[..]].concat();
            // The header is a member of its own, because its fields may hold URIs and its syntax
            // differs from that of the body.
            walk.record(&name, b"", &mut MemberBytes::new(&mut bytes, size))?;
        }
        let fields = http.as_ref().unwrap_or(&record.lines);
        let kind = fields.field(b"Content-Type").unwrap_or_default();
        let mut file_name = file_name(kind).to_vec();
        if http.is_some() && !file_name.is_empty() {
            let encoding = fields.field(b"Content-Encoding").unwrap_or_default();
            file_name.extend(extension(encoding, source.fill_buf()?));
        }
        let mut part = MemberBytes::new(source, left);
        walk.record(&record.name, &file_name, &mut part)?;
        part.rest(ArchiveFormat::Warc)?;
        // Two line breaks end a record.
        while let [b'\r' | b'\n', ..] = source.fill_buf()? {
            skip(source, 1)?;
        }
    }
    Ok(())
}

/// Returns a file name with an extension for this media type. The type that the record declares
/// counts, not the extension of its URI.
fn file_name(kind: &[u8]) -> &'static [u8] {
    let kind = kind.split(|&byte| byte == b';').next().unwrap_or_default().trim_ascii();
    let is = |name: &str| kind.eq_ignore_ascii_case(name.as_bytes());
    if is("text/html") || is("application/xhtml+xml") {
        b"payload.html"
    } else if is("text/markdown") {
        b"payload.md"
    } else if is("message/rfc822") {
        b"payload.eml"
    } else {
        b""
    }
}

/// Returns the extension of a body that was compressed in this way for the transfer (RFC 9110
/// §8.4), if it starts like that: the program that wrote the record may have decoded it.
fn extension(encoding: &[u8], body: &[u8]) -> &'static [u8] {
    let is = |name: &str| encoding.eq_ignore_ascii_case(name.as_bytes());
    match body {
        [0x1f, ..] if is("gzip") || is("x-gzip") => b".gz",
        [0x28, 0xb5, ..] if is("zstd") => b".zst",
        // Method 8 of zlib, whose check bits make both bytes a multiple of 31 (RFC 1950 §2.2).
        [method, flags, ..]
            if is("deflate")
                && method & 0x0f == 8
                && u16::from_be_bytes([*method, *flags]).is_multiple_of(31) =>
        {
            b".zlib"
        }
        _ => b"",
    }
}

struct WarcRecord {
    lines: RecordFields,
    /// Its type and its target URI, such as `response/http://a.example/`.
    name: Vec<u8>,
    length: u64,
}

impl WarcRecord {
    /// Reads the header of the next record, or `None` at the end.
    fn read(source: ByteSource<'_>) -> WalkResult<Option<Self>> {
        if source.fill_buf()?.is_empty() {
            return Ok(None);
        }
        let lines = RecordFields::read(source, u64::MAX)?;
        let corrupt = |what| ArchiveFormat::Warc.corrupt(what);
        if !lines.bytes.starts_with(MAGIC) {
            return Err(corrupt("a record does not start with WARC/").into());
        }
        if !lines.is_whole {
            return Err(ArchiveFormat::Warc.truncated());
        }
        let length = lines
            .field(b"Content-Length")
            .and_then(|length| std::str::from_utf8(length).ok()?.parse().ok());
        let Some(length) = length else {
            return Err(corrupt("a record has no length").into());
        };
        let kind = lines.field(b"WARC-Type").unwrap_or(b"record");
        let about = [&b"WARC-Target-URI"[..], b"WARC-Filename", b"WARC-Record-ID"];
        let about = about.into_iter().find_map(|name| lines.field(name)).unwrap_or_default();
        // WARC 1.0 puts URIs between angle brackets.
        let about = about.strip_prefix(b"<").unwrap_or(about);
        let about = about.strip_suffix(b">").unwrap_or(about);
        let name = [kind, b"/", about].concat();
        Ok(Some(Self { name, length, lines }))
    }

    fn is_http(&self) -> bool {
        let kind = self.lines.field(b"Content-Type").unwrap_or_default();
        let is_response = self.lines.field(b"WARC-Type") == Some(b"response");
        is_response
            // Parameters may follow: `application/http;msgtype=response`.
            && kind.get(..16).is_some_and(|kind| kind.eq_ignore_ascii_case(b"application/http"))
    }
}

/// A line, fields, and the empty line after them.
struct RecordFields {
    bytes: Vec<u8>,
    is_whole: bool,
}

impl RecordFields {
    /// Reads the fields, of at most `left` bytes.
    fn read(source: ByteSource<'_>, left: u64) -> WalkResult<Self> {
        let mut bytes = Vec::new();
        // The length of a header is declared nowhere. Without this bound, a file without an empty
        // line would be read into memory as one header.
        let mut limited = source.take(left.min(MAX_HEADER_BYTES as u64));
        loop {
            let start = bytes.len();
            let count = limited.read_until(b'\n', &mut bytes)?;
            let line = bytes.get(start..).unwrap_or_default();
            if count == 0 || line == b"\n" || line == b"\r\n" {
                return Ok(Self { bytes, is_whole: count > 0 });
            }
        }
    }

    /// The value of the first field of this name.
    fn field(&self, name: &[u8]) -> Option<&[u8]> {
        self.bytes.split(|&byte| byte == b'\n').find_map(|line| {
            let colon = line.iter().position(|&byte| byte == b':')?;
            let (found, value) = line.split_at_checked(colon)?;
            found
                .eq_ignore_ascii_case(name)
                .then(|| value.get(1..).unwrap_or_default().trim_ascii())
        })
    }
}
