//! The files in a package: a zip archive of XML, with relationships between its parts.

use std::io::{Cursor, Read};
use std::ops::ControlFlow;

use memchr::memmem;

use crate::archive::{
    ArchiveInput, ArchiveLimits, ArchiveProblem, Member, MemberPath, Visitor, walk,
};
use crate::document::xml::{Entities, XmlAttribute, XmlToken, XmlTokens, local_name};
use crate::document::{Event, EventSink, Stream};
use crate::hash::HashMap;
use crate::offset_map::DerivedText;
use crate::slice::{SliceExt as _, lossy};

/// Most bytes of a package that are unpacked and held in memory.
const MOST_BYTES: u64 = 128 << 20;
/// Most files of a package.
const MOST_MEMBERS: u64 = 1 << 16;

/// The XML files of a package, by name.
pub(super) struct Package {
    members: HashMap<String, Vec<u8>>,
    /// What was not read, as messages for users.
    problems: Vec<String>,
    left: u64,
}

impl Package {
    /// Unpacks a package; what cannot be read is left out.
    pub fn unpack(bytes: &[u8]) -> Self {
        let mut package =
            Self { members: HashMap::default(), problems: Vec::new(), left: MOST_BYTES };
        let limits = ArchiveLimits {
            depth: 1,
            members: MOST_MEMBERS,
            bytes: 4 * MOST_BYTES,
            ..ArchiveLimits::default()
        };
        walk(ArchiveInput::File(&mut Cursor::new(bytes)), b"", &limits, &mut package);
        // OpenDocument encrypts its files, not those of the archive.
        let manifest = package.members.get("META-INF/manifest.xml");
        if manifest.is_some_and(|it| memmem::find(it, b"encryption-data").is_some()) {
            package
                .problems
                .push("it is encrypted and was not read; remove its password".to_owned());
        }
        package
    }

    /// Tells the sink what was not read.
    pub fn report(&self, sink: &mut dyn EventSink) {
        for problem in &self.problems {
            sink.note(&Event::Unread { file: "", message: problem });
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
        names.sort_by_key(|name| (name.len(), *name));
        names
    }

    /// Returns the relationships of a file.
    pub fn relationships(&self, name: &str) -> Relationships<'_> {
        let (folder, base) =
            name.rsplit_once('/').map_or(("", name), |(folder, base)| (folder, base));
        let slash = if folder.is_empty() { "" } else { "/" };
        let file = self.file(&format!("{folder}{slash}_rels/{base}.rels"));
        Relationships::new(file, folder)
    }
}

impl Visitor for Package {
    fn member(&mut self, member: Member<'_>) -> ControlFlow<()> {
        let name = lossy(member.path.members()).trim_start_matches("!/").to_owned();
        let is_xml = [".xml", ".rels"].iter().any(|end| name.ends_with(end));
        if !is_xml || self.left == 0 {
            return ControlFlow::Continue(());
        }
        let mut bytes = Vec::new();
        // Damage is reported by the archive; what was read before it is kept.
        let _ = member.reader.take(self.left).read_to_end(&mut bytes);
        self.left -= bytes.len() as u64;
        if self.left == 0 {
            self.problems.push(format!("only {} MiB of it were unpacked", MOST_BYTES >> 20));
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
        if !matches!(problem, ArchiveProblem::Limit(_)) && self.problems.len() < 10 {
            let name = lossy(path.members());
            let name = name.trim_start_matches("!/");
            self.problems.push(match name {
                "" => problem.to_string(),
                name => format!("{name}: {problem}"),
            });
        }
    }
}

/// A file of a package.
pub(super) struct PackageFile<'p> {
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

/// A relationship to another file or to a URI.
pub(super) struct Relationship {
    /// The target, decoded, with the map to the file of relationships.
    pub target: DerivedText,
    pub is_external: bool,
    /// The last name of its type: `hyperlink`, `image`, `attachedTemplate`.
    pub kind: String,
    /// Set when a link was found that uses it.
    pub is_used: bool,
}

/// The relationships of a file, by identifier.
pub(super) struct Relationships<'p> {
    pub file: Option<PackageFile<'p>>,
    folder: String,
    all: HashMap<String, Relationship>,
    /// The identifiers, in order.
    order: Vec<String>,
}

impl<'p> Relationships<'p> {
    fn new(file: Option<PackageFile<'p>>, folder: &str) -> Self {
        let mut relationships = Self {
            file: None,
            folder: folder.to_owned(),
            all: HashMap::default(),
            order: Vec::new(),
        };
        if let Some(file) = &file {
            relationships.read(file.bytes);
        }
        Self { file, ..relationships }
    }

    fn read(&mut self, bytes: &[u8]) {
        let mut tokens = XmlTokens::new(bytes);
        while let Some(token) = tokens.next() {
            let XmlToken::Start { name, .. } = token else { continue };
            if local_name(bytes.part(name.range())) != b"Relationship" {
                continue;
            }
            let value = |key: &[u8]| attribute(bytes, tokens.attributes(), key);
            let (Some(id), Some(target)) = (value(b"Id"), value(b"Target")) else { continue };
            let mut decoded = DerivedText::default();
            let raw = bytes.part(target.value.range());
            Entities::default().decode(raw, target.value.start(), &mut decoded);
            let text = |at: XmlAttribute| lossy(bytes.part(at.value.range())).into_owned();
            let kind = value(b"Type").map(text).unwrap_or_default();
            let kind = kind.rsplit('/').next().unwrap_or_default().to_owned();
            let is_external = value(b"TargetMode")
                .is_some_and(|mode| text(mode).eq_ignore_ascii_case("external"));
            let id = text(id);
            self.order.push(id.clone());
            let one = Relationship { target: decoded, is_external, kind, is_used: false };
            self.all.insert(id, one);
        }
    }

    pub fn get_mut(&mut self, id: &str) -> Option<&mut Relationship> {
        self.all.get_mut(id)
    }

    /// Returns the name of the file that a relationship leads to.
    pub fn target(&self, id: &str) -> Option<String> {
        let relationship = self.all.get(id).filter(|it| !it.is_external)?;
        Some(joined(&self.folder, &lossy(relationship.target.text())))
    }

    /// Returns the name of the first file that a relationship of this kind leads to.
    pub fn target_of_kind(&self, kind: &str) -> Option<String> {
        let is = |id: &&String| self.all.get(*id).is_some_and(|it| it.kind == kind);
        self.target(self.order.iter().find(is)?)
    }

    /// Returns the external relationships that no link uses, in order.
    pub fn unused(&self) -> impl Iterator<Item = &Relationship> {
        let all = self.order.iter().filter_map(|id| self.all.get(id));
        all.filter(|it| it.is_external && !it.is_used)
    }
}

/// Joins the path of a file with a relative one.
fn joined(folder: &str, target: &str) -> String {
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

/// Returns the attribute of this local name.
pub(super) fn attribute(
    bytes: &[u8],
    attributes: &[XmlAttribute],
    name: &[u8],
) -> Option<XmlAttribute> {
    let is = |it: &&XmlAttribute| local_name(bytes.part(it.name.range())) == name;
    attributes.iter().find(is).copied()
}
