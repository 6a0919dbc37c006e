//! Attributes of a tag by their local names.

use super::{Entities, XmlAttribute, local_name};
use crate::offset_map::DerivedText;
use crate::slice::{SliceExt as _, lossy};

/// Returns the attribute of this local name.
pub(in crate::document) fn attribute(
    bytes: &[u8],
    attributes: &[XmlAttribute],
    name: &[u8],
) -> Option<XmlAttribute> {
    // Writers choose the prefix, and strict files of Office have other namespaces.
    let is = |it: &&XmlAttribute| local_name(bytes.part(it.name.range())) == name;
    attributes.iter().find(is).copied()
}

/// Returns the decoded value of the attribute of this local name.
pub(in crate::document) fn attribute_value(
    bytes: &[u8],
    attributes: &[XmlAttribute],
    name: &[u8],
) -> Option<String> {
    let attribute = attribute(bytes, attributes, name)?;
    let mut text = DerivedText::default();
    Entities::default().decode(bytes.part(attribute.value.range()), 0, &mut text);
    Some(lossy(text.text()).into_owned())
}
