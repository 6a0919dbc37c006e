//! Named character references; their names are case-sensitive.

#[cfg(feature = "search")]
use super::list::table;
use super::list::{self, list};
use super::range_table::code_point;

/// Returns the character of `&name;` in HTML 4 and XML (D2.5).
pub(crate) fn entity(name: &[u8]) -> Option<char> {
    // The text between an `&` and a `;` of a query is hardly ever a name.
    if !name.iter().all(u8::is_ascii_alphanumeric) {
        return None;
    }
    list::find(list!("entities.txt"), name).map(code_point)
}

/// The longest name in HTML, in bytes: `CounterClockwiseContourIntegral`.
#[cfg(feature = "search")]
pub(crate) const MAX_LENGTH: usize = 31;

/// The longest name that needs no semicolon, in bytes.
#[cfg(feature = "search")]
pub(crate) const MAX_LEGACY_LENGTH: usize = 6;

/// The meaning of a reference: one or two characters.
#[cfg(feature = "search")]
pub(crate) type ReferenceCharacters = (char, Option<char>);

#[cfg(feature = "search")]
pub(crate) fn as_str((first, second): ReferenceCharacters, utf8: &mut [u8; 8]) -> &str {
    let mut length = first.encode_utf8(utf8).len();
    if let Some(second) = second {
        length += second.encode_utf8(&mut utf8[length..]).len();
    }
    str::from_utf8(&utf8[..length]).unwrap_or_default()
}

/// Returns the meaning of `&name;` in HTML (HTML Standard §13.5).
#[cfg(feature = "search")]
pub(crate) fn named(name: &[u8]) -> Option<ReferenceCharacters> {
    let c = match name {
        // These four are nearly all references in practice.
        b"amp" => '&',
        b"lt" => '<',
        b"gt" => '>',
        b"quot" => '"',
        b"nbsp" => '\u{a0}',
        _ => {
            let codes = list::find(list!("references.txt"), name)?;
            let (first, second) = list::split(codes, b' ');
            return Some((code_point(first), (!second.is_empty()).then(|| code_point(second))));
        }
    };
    Some((c, None))
}

/// True if `&name` needs no semicolon.
#[cfg(feature = "search")]
pub(crate) fn is_legacy(name: &[u8]) -> bool {
    const LEGACY: &[&str] = &table!(list!("legacy_references.txt"), "", record => record);
    LEGACY.binary_search_by(|entry| entry.as_bytes().cmp(name)).is_ok()
}
