//! Relationships between the files of a package (ECMA-376 part 2, §9.3).

use super::repeats::Repetitions;
use crate::document::EventSink;
use crate::document::package::{Package, PackageFile, joined};
use crate::document::xml::{
    Entities, XmlAttribute, XmlToken, XmlTokens, attribute, attribute_value, local_name,
};
use crate::hash::{HashMap, HashSet};
use crate::offset_map::DerivedText;
use crate::slice::{SliceExt as _, lossy};

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
    /// What links may repeat of the targets.
    repetitions: Repetitions,
}

impl<'p> Relationships<'p> {
    /// Returns the relationships of the file with this name.
    pub fn of_file(package: &'p Package, name: &str) -> Self {
        let (folder, base) = name.rsplit_once('/').unwrap_or(("", name));
        let slash = if folder.is_empty() { "" } else { "/" };
        let file = package.file(&format!("{folder}{slash}_rels/{base}.rels"));
        let size = |file: Option<&PackageFile<'_>>| file.map_or(0, |file| file.bytes.len());
        let bytes = size(package.file(name).as_ref()) + size(file.as_ref());
        let repetitions = Repetitions::of_part(bytes);
        Self::new(file, folder, repetitions)
    }

    fn new(file: Option<PackageFile<'p>>, folder: &str, repetitions: Repetitions) -> Self {
        let mut relationships = Self {
            file: None,
            folder: folder.to_owned(),
            all: HashMap::default(),
            order: Vec::new(),
            repetitions,
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
            // Transitional and strict files name the same types in different namespaces.
            let kind = kind.rsplit('/').next().unwrap_or_default().to_owned();
            let is_external = value(b"TargetMode")
                .is_some_and(|mode| text(mode).eq_ignore_ascii_case("external"));
            let id = text(id);
            self.order.push(id.clone());
            let one = Relationship { target: decoded, is_external, kind, is_used: false };
            self.all.insert(id, one);
        }
    }

    /// Returns the external relationship that a link uses. `None` also if links repeat its target
    /// too often, which `sink` is told.
    pub fn used(&mut self, id: &str, sink: &mut dyn EventSink) -> Option<&Relationship> {
        let relationship = self.all.get_mut(id).filter(|it| it.is_external)?;
        let length = relationship.target.text().len();
        if relationship.is_used && !self.repetitions.allow(length, sink) {
            return None;
        }
        relationship.is_used = true;
        Some(relationship)
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

    /// Returns the names of all files that relationships of this kind lead to, each once.
    pub fn targets_of_kind(&self, kind: &str) -> Vec<String> {
        let is = |id: &&String| self.all.get(*id).is_some_and(|it| it.kind == kind);
        let mut seen = HashSet::default();
        let targets = self.order.iter().filter(is).filter_map(|id| self.target(id));
        targets.filter(|name| seen.insert(name.clone())).collect()
    }

    /// Returns the external relationships that no link uses, in order.
    pub fn unused(&self) -> impl Iterator<Item = &Relationship> {
        let all = self.order.iter().filter_map(|id| self.all.get(id));
        all.filter(|it| it.is_external && !it.is_used)
    }
}

/// Returns the names of the files that the content types of a package call main parts (ECMA-376
/// part 2, §10.1): `…document.main+xml`.
pub(super) fn main_by_type(package: &Package) -> Vec<String> {
    const MAX_NAMES: usize = 16;
    let Some(file) = package.file("[Content_Types].xml") else { return Vec::new() };
    let mut tokens = XmlTokens::new(file.bytes);
    let mut names = Vec::new();
    while let Some(token) = tokens.next()
        && names.len() < MAX_NAMES
    {
        let XmlToken::Start { name, .. } = token else { continue };
        let value = |key: &[u8]| attribute_value(file.bytes, tokens.attributes(), key);
        if local_name(file.bytes.part(name.range())) == b"Override"
            // Also `…template.macroEnabledTemplate.main+xml`, and its like.
            && value(b"ContentType").is_some_and(|kind| kind.ends_with(".main+xml"))
            && let Some(name) = value(b"PartName")
        {
            names.push(joined("", &name));
        }
    }
    names
}
