//! The files in a package: a zip archive that is one document.

use std::io::{Cursor, Read};
use std::iter;
use std::ops::ControlFlow;

use memchr::memmem;

use crate::archive::{
    ArchiveInput, ArchiveLimits, ArchiveProblem, Member, MemberPath, Visitor, walk,
};
use crate::decode::{Encoding, Transcoder};
use crate::document::format::Sniff;
use crate::document::nested;
use crate::document::xml::{TagForm, XmlToken, XmlTokens};
use crate::document::{Event, EventSink, Stream};
use crate::finder::Rest;
use crate::hash::{HashMap, HashSet};
use crate::slice::{SliceExt as _, lossy};

/// Maximum bytes of a package that are unpacked and held in memory.
const MAX_BYTES: u64 = 128 << 20;
/// Most files of a package.
const MAX_MEMBERS: u64 = 1 << 16;
/// Most problems of one package that are reported.
const MAX_PROBLEMS: usize = 10;

/// The folder in which macOS packs attributes of files, under the names of these files.
const RESOURCE_FORKS: &str = "__MACOSX/";

/// Start of a zip archive with a member.
pub(super) const ZIP: &[u8] = b"PK\x03\x04";

/// The files of a package, by name.
#[derive(Debug)]
pub(crate) struct Package {
    members: HashMap<String, Vec<u8>>,
    /// The names of all files, also of those that are not unpacked.
    names: HashSet<String>,
    is_read: fn(&str) -> bool,
    /// Messages about members that were not read.
    problems: Vec<String>,
    left: u64,
}

impl Package {
    /// Unpacks the files whose name `is_read` accepts; what cannot be read is left out.
    pub fn unpack(bytes: &[u8], is_read: fn(&str) -> bool) -> Self {
        let most = MAX_BYTES.min(nested::left());
        let mut package = Self {
            members: HashMap::default(),
            names: HashSet::default(),
            is_read,
            problems: Vec::new(),
            left: most,
        };
        let limits = ArchiveLimits {
            depth: 1,
            members: MAX_MEMBERS,
            bytes: 4 * MAX_BYTES,
            ..ArchiveLimits::default()
        };
        walk(ArchiveInput::File(&mut Cursor::new(bytes)), b"", &limits, &mut package);
        nested::spend(most - package.left);
        if package.names.is_empty() && package.problems.is_empty() {
            package.problems.push("it is damaged; no file was found in it".to_owned());
        }
        // OpenDocument encrypts its files, not those of the archive.
        let manifest = package.members.get("META-INF/manifest.xml");
        if manifest.is_some_and(|it| memmem::find(it, b"encryption-data").is_some()) {
            package
                .problems
                .push("it is encrypted and was not read; remove its password".to_owned());
        }
        package
    }

    /// Reports the parts that were not read.
    pub fn report(&self, sink: &mut dyn EventSink) {
        for problem in &self.problems {
            sink.note(&Event::Unread { file: "", message: problem });
        }
    }

    /// Adds a problem, unless the package already has too many.
    fn add_problem(&mut self, problem: String) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(problem);
        }
    }

    /// Returns the file of this name, with its name as a stream.
    pub fn file(&self, name: &str) -> Option<PackageFile<'_>> {
        let (name, bytes) = self.members.get_key_value(name)?;
        Some(PackageFile { name, bytes, stream: format!("zip!/{name}") })
    }

    /// Returns the names of files that start and end like this, in natural order.
    pub fn names(&self, start: &str, end: &str) -> Vec<&str> {
        let is = |name: &&str| name.starts_with(start) && name.ends_with(end);
        let mut names: Vec<&str> = self.members.keys().map(String::as_str).filter(is).collect();
        // `slide2.xml` comes before `slide10.xml`.
        names.sort_by_key(|name| (name.len(), *name));
        names
    }

    /// Returns the names of all files.
    pub fn all_names(&self) -> &HashSet<String> {
        &self.names
    }

    /// Returns the number of unpacked bytes.
    pub fn bytes(&self) -> usize {
        self.members.values().map(Vec::len).sum()
    }

    /// Returns messages for users about the parts that were not read.
    pub fn problems(&self) -> &[String] {
        &self.problems
    }
}

impl Visitor for Package {
    fn member(&mut self, member: Member<'_>) -> ControlFlow<()> {
        let name = lossy(member.path.members()).trim_start_matches("!/").to_owned();
        // Bytes that are in no file.
        if name.is_empty() {
            return ControlFlow::Continue(());
        }
        self.names.insert(name.clone());
        if !(self.is_read)(&name) || name.starts_with(RESOURCE_FORKS) || self.left == 0 {
            return ControlFlow::Continue(());
        }
        let mut bytes = Vec::new();
        // Damage is reported by the archive; what was read before it is kept.
        let _ = member.reader.take(self.left).read_to_end(&mut bytes);
        self.left -= bytes.len() as u64;
        let bytes = in_utf8(bytes);
        if self.left == 0 {
            self.problems.push("it unpacks to more bytes than are read".to_owned());
        }
        if name.ends_with(".xml") && !bytes.is_empty() && is_cut(&bytes) {
            self.add_problem(format!("{name} in it is damaged; not all of it was read"));
        }
        self.members.insert(name, bytes);
        ControlFlow::Continue(())
    }

    /// Files in a package that are archives themselves are not read.
    fn is_whole(&self, path: &MemberPath, _: &[u8], _: &[u8]) -> bool {
        !path.members().is_empty()
    }

    fn skipped(&mut self, _: &MemberPath) {
        self.problems.push("encrypted files in it are not read".to_owned());
    }

    fn problem(&mut self, path: &MemberPath, problem: ArchiveProblem) {
        if !matches!(problem, ArchiveProblem::Limit(_)) {
            let name = lossy(path.members());
            let name = name.trim_start_matches("!/");
            self.add_problem(match name {
                "" => problem.to_string(),
                name => format!("{name}: {problem}"),
            });
        }
    }
}

/// Returns a file in UTF-8, which the readers need. XML in a package may be in UTF-16 (ECMA-376
/// part 2, “XML usage”; EPUB 3.3, “XML conformance”); settings that add-ins leave in workbooks
/// often are. Offsets count in the decoded text.
fn in_utf8(bytes: Vec<u8>) -> Vec<u8> {
    let head = bytes.clamped(..Encoding::HEAD.min(bytes.len()));
    let Some((encoding, mark)) = Encoding::detect(head) else { return bytes };
    let mut text = Vec::with_capacity(bytes.len());
    let mut transcoder = Transcoder::new(encoding, mark as u64);
    transcoder.push(bytes.clamped(mark..), &mut text);
    transcoder.finish(&mut text);
    text
}

/// True for a file of XML that does not end with the tag that closes its first element.
fn is_cut(xml: &[u8]) -> bool {
    let mut tokens = XmlTokens::new(xml);
    let first = iter::from_fn(|| tokens.next()).find_map(|token| match token {
        XmlToken::Start { name, form, .. } => Some((name, form)),
        _ => None,
    });
    match first {
        Some((_, TagForm::Empty)) => false,
        Some((name, _)) => {
            // The end tag of the root is the last tag of a document that is not cut.
            let end = memmem::rfind(xml, b"</").map_or(&b""[..], |at| xml.clamped(at + 2..));
            end.strip_prefix(xml.part(name.range())).is_none_or(|rest| !rest.contains(&b'>'))
        }
        None => true,
    }
}

/// A file of a package.
pub(crate) struct PackageFile<'p> {
    pub name: &'p str,
    pub bytes: &'p [u8],
    /// Its name as a stream.
    stream: String,
}

impl PackageFile<'_> {
    pub fn stream(&self) -> Stream<'_> {
        Stream::extracted(&self.stream, self.bytes)
    }
}

/// Recognizes a package by its first bytes: a zip archive whose first file has one of these names,
/// and that contains a file whose name starts with one of `signs`. The first condition is needed
/// because an archive that only contains a package has such names near its start, too.
pub(super) fn sniff_zip(head: &[u8], rest: Rest, first: &[&str], signs: &[&[u8]]) -> Sniff {
    if !head.starts_with(ZIP) {
        return if ZIP.starts_with(head) { Sniff::need_more(rest) } else { Sniff::No };
    }
    // The name in a local header (APPNOTE 4.3.7).
    let name = |at: usize| head.clamped(at + 30..);
    if !first.iter().any(|start| name(0).starts_with(start.as_bytes())) {
        // A local header has 30 bytes, and the names that are looked for are shorter than 34.
        return if head.len() < 64 { Sniff::need_more(rest) } else { Sniff::No };
    }
    let is_sign = |at| signs.iter().any(|sign| name(at).starts_with(sign));
    if memmem::find_iter(head, ZIP).any(is_sign) { Sniff::Yes } else { Sniff::need_more(rest) }
}

/// Joins the path of a folder with a relative path.
pub(super) fn joined(folder: &str, target: &str) -> String {
    if let Some(absolute) = target.strip_prefix('/') {
        return absolute.to_owned();
    }
    let mut names: Vec<&str> = folder.split('/').filter(|name| !name.is_empty()).collect();
    for name in target.split('/') {
        match name {
            ".." => drop(names.pop()),
            "." => {}
            name => names.push(name),
        }
    }
    names.join("/")
}
