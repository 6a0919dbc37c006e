//! Reads the files of a package without a reader of their own: charts, diagrams, settings, names,
//! connections. Their text may be invisible in the document, but it must not be missed.

use std::ops::ControlFlow;

use memchr::{memchr2, memmem};

use super::writer::{At, PartKind, emit};
use crate::document::package::{Package, PackageFile};
use crate::document::xml::{Entities, TagForm, XmlAttribute, XmlToken, XmlTokens, local_name};
use crate::document::{EventSink, Place, Role};
use crate::hash::HashSet;
use crate::offset_map::DerivedText;
use crate::slice::SliceExt as _;

/// Identifiers of the format itself.
const OWN: [&[u8]; 5] = [
    b"http://schemas.openxmlformats.org/",
    b"http://schemas.microsoft.com/",
    b"http://purl.oclc.org/ooxml/",
    b"urn:microsoft.com",
    b"urn:schemas-microsoft-com",
];

/// Attributes with identifiers of vocabularies, in schemas that programs add.
const IDENTIFIERS: [&[u8]; 3] = [b"namespace", b"schemaLocation", b"targetNamespace"];

/// Reads the files in a folder that are not yet read.
pub(super) fn read_folder(
    package: &Package,
    folder: &str,
    read: &HashSet<String>,
    sink: &mut dyn EventSink,
) -> ControlFlow<()> {
    for name in [".xml", ".vml"].iter().flat_map(|end| package.names(folder, end)) {
        if let Some(file) = package.file(name).filter(|_| !read.contains(name)) {
            self::read(&file, sink)?;
        }
    }
    ControlFlow::Continue(())
}

/// Reads the texts and attributes of a file. The runs of a paragraph are joined.
pub(super) fn read(file: &PackageFile<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
    let story = file.name.rsplit_once('.').map_or(file.name, |(name, _)| name);
    let place = Place::Paragraph { story: story.into(), number: 1 };
    let at = At { place: Some(&place), stream: file.stream() };
    let mut entities = Entities::default();
    let mut text = DerivedText::default();
    let mut is_paragraph = false;
    let mut tokens = XmlTokens::new(file.bytes);
    while let Some(token) = tokens.next() {
        let ends = match token {
            XmlToken::Text(span) => {
                entities.decode(file.bytes.part(span.range()), span.start(), &mut text);
                false
            }
            XmlToken::Start { name, form, .. } => {
                emit_attributes(file, tokens.attributes(), |_| true, (at, Role::Metadata), sink)?;
                let starts = local_name(file.bytes.part(name.range())) == b"p";
                is_paragraph |= starts && form != TagForm::Empty;
                starts
            }
            XmlToken::End { name, .. } => {
                let ends = local_name(file.bytes.part(name.range())) == b"p";
                is_paragraph &= !ends;
                ends || !is_paragraph
            }
            _ => false,
        };
        if ends {
            emit(&text, at, PartKind::text(Role::Metadata), sink)?;
            text.clear();
        }
    }
    emit(&text, at, PartKind::text(Role::Metadata), sink)
}

/// True for the raw value of an attribute that may contain a URI. A colon may be written as an
/// entity.
pub(super) fn may_hold_uri(raw: &[u8]) -> bool {
    memchr2(b':', b'@', raw).is_some() || memmem::find(raw, b"&#").is_some()
}

/// Emits the values of attributes that have an accepted name and may contain a URI.
pub(super) fn emit_attributes(
    file: &PackageFile<'_>,
    attributes: &[XmlAttribute],
    is_wanted: impl Fn(&[u8]) -> bool,
    (at, role): (At<'_>, Role),
    sink: &mut dyn EventSink,
) -> ControlFlow<()> {
    for attribute in attributes {
        let name = file.bytes.part(attribute.name.range());
        let raw = file.bytes.part(attribute.value.range());
        if !may_hold_uri(raw)
            || name.starts_with(b"xmlns")
            || IDENTIFIERS.contains(&local_name(name))
            || OWN.iter().any(|own| raw.starts_with(own))
            || !is_wanted(name)
        {
            continue;
        }
        let mut value = DerivedText::default();
        Entities::default().decode(raw, attribute.value.start(), &mut value);
        emit(&value, at, PartKind::text(role), sink)?;
    }
    ControlFlow::Continue(())
}
