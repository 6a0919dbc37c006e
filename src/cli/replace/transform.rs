//! Computes the new text of a URI: [`Transformation`].

use urigrep::change::{Refusal, Replacement};
use urigrep::document::{Format, Role};
use urigrep::internal::common_ends;
use urigrep::reference::Normalizer;
use urigrep::search::{DefangedHit, Hit, Selection};
use urigrep::{Finder, Finding, Flag, IriRef, Rejected, Uri, UriRef, defang, redact};

use super::prefix::PrefixRule;
use crate::cli::flags::replace::RewriteTextFlags;
use crate::cli::verbs::TransformFlags;

/// The changes of a URI, in the order in which they are made.
#[derive(Clone, Debug)]
pub struct Transformation {
    pub prefix: Option<PrefixRule>,
    pub edits: TransformFlags,
    pub rewrite: RewriteTextFlags,
    pub normalizer: Normalizer,
    pub names: Names,
}

/// Selects whether names that are not links are changed: of namespaces, document types, and
/// vocabularies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    Kept,
    Changed,
}

impl Transformation {
    /// True if a match stays because it is a name. Programs compare it letter by letter: an SVG
    /// picture whose namespace starts with `https:` is not shown. Redacting, defanging, and
    /// normalizing are not limited to links.
    pub fn keeps(&self, hit: &Hit<'_>) -> bool {
        if self.names == Names::Changed || hit.role() != Some(Role::Metadata) {
            return false;
        }
        let is_namespace =
            hit.attribute().is_some_and(|name| name == "xmlns" || name.starts_with("xmlns:"));
        let is_name = is_namespace
            || matches!(hit.attribute(), Some("itemtype" | "itemid"))
            || hit.element() == Some("!doctype")
            // Values of `$schema`, `@context`, and the like; `@namespace` of style sheets.
            || hit.format().is_some_and(|it| matches!(it.name(), "css" | "json" | "toml" | "yaml"));
        is_name && (self.prefix.is_some() || self.edits.are_given())
    }

    /// Returns the new text of a match; `None` if it stays.
    ///
    /// # Errors
    /// If the result would not be a URI reference.
    pub fn of_match(&self, hit: &Hit<'_>) -> Result<Option<Replacement>, Refusal> {
        let flags = hit.flags();
        // A match that the finder changes is written in its changed form: refanged, or without its
        // redirector.
        let is_read_differently = flags.contains(Flag::Refanged) || flags.contains(Flag::Unwrapped);
        let written = hit.iri().unwrap_or_else(|| hit.uri()).into_owned();
        let Some(mut new) = self.edited(&written)? else { return Ok(None) };
        if self.rewrite.normalize
            && let Some(reference) = relative(&new)
            && let Ok(parsed) = UriRef::parse(&reference)
        {
            let normal = self.normalizer.normalize_reference(parsed);
            if normal != reference {
                new = transferred(&new, &reference, &normal).unwrap_or_else(|| normal.into_owned());
            }
        } else if self.rewrite.normalize
            && let Some(uri) = uri(&new)
        {
            let normal = Normalizer::new().normalize(uri.as_uri());
            if normal != uri.as_str() {
                new = normal.into_owned();
            }
        }
        if self.rewrite.redact {
            new = redact(&new).into_owned();
        }
        let is_changed = new != written || is_read_differently;
        if is_changed && IriRef::parse(&new).is_err() {
            return Err(Refusal::NotUri);
        }
        // The author of a redirector's URI chose the target, and wrote it encoded.
        if flags.contains(Flag::Unwrapped) && is_run(hit) && new.contains(ACTIVE) {
            return Err(Refusal::Active);
        }
        if is_changed
            && !is_read_differently
            && let Ok(text) = std::str::from_utf8(hit.finding().as_bytes())
            && text != written
            && let Some(changed) = transferred(text, &written, &new)
            // Some texts are URIs only in their context, such as those with a hole that a program
            // fills.
            && (reads(&changed, &new) || !reads(text, &written))
        {
            new = changed;
        }
        if self.rewrite.defang {
            let defanged = if is_changed {
                defang(&new).into_owned()
            } else {
                // An address or a host without scheme is defanged as it is written.
                String::from_utf8_lossy(DefangedHit::new(hit, &self.normalizer).text()).into_owned()
            };
            return Ok(Some(Replacement::Text(defanged)));
        }
        Ok(is_changed.then_some(Replacement::Uri(new)))
    }

    /// Returns a URI with FROM replaced and its parts edited; `None` if it does not start with
    /// FROM.
    fn edited(&self, written: &str) -> Result<Option<String>, Refusal> {
        let mut new = written.to_owned();
        if let Some(prefix) = &self.prefix {
            match prefix.apply(&new)? {
                Some(changed) => new = changed,
                None => return Ok(None),
            }
        }
        if self.edits.are_given()
            && let Some(reference) = relative(&new)
        {
            // A reference has some of the parts of a URI (RFC 3986 §4.2), and takes the others from
            // its base.
            if let Some(edited) = self.edits.apply_to_reference(&reference)
                && edited != reference
            {
                new = transferred(&new, &reference, &edited).unwrap_or(edited);
            }
        } else if self.edits.are_given()
            && let Some(uri) = uri(&new)
        {
            // Not every change applies to every URI: an address of mail has no host.
            match self.edits.apply(uri.as_uri()) {
                // An IRI stays one unless the change is about it.
                Ok(edited) if edited != uri => {
                    new = transferred(&new, uri.as_str(), edited.as_str())
                        .unwrap_or_else(|| edited.into_string());
                }
                _ => {}
            }
        }
        Ok(Some(new))
    }

    /// True if a rejected candidate would change if it were a URI: `http://a.example/%s`, a
    /// template.
    pub fn misses(&self, rejected: &Rejected<'_>, selection: &Selection) -> bool {
        if self.prefix.is_none() && !self.edits.are_given() {
            return false;
        }
        let Ok(text) = std::str::from_utf8(rejected.as_bytes()) else { return false };
        let Some(head) = text.get(..rejected.at().min(text.len())) else { return false };
        // The template may stand for the host, and without a host this is not a URI yet.
        [format!("{head}x"), head.to_owned()].iter().any(|text| {
            let Some(Finding::Match(found)) = Finder::new().reference(text.as_bytes()) else {
                return false;
            };
            let uri = found.uri();
            found.span().len() == text.len()
                && selection.selects(&found)
                && self.edited(&uri).is_ok_and(|new| new.is_some_and(|new| new != *uri))
        })
    }

    /// Returns the new text of a rejected candidate: only secrets are removed from it.
    pub fn of_rejected(&self, hit: &Hit<'_>) -> Option<Replacement> {
        let Finding::Rejected(rejected) = hit.finding() else { return None };
        let redacted = rejected.redacted().filter(|_| self.rewrite.redact)?;
        Some(Replacement::Text(String::from_utf8_lossy(&redacted).into_owned()))
    }
}

/// Makes the change from `old` to `new` in a text that is `old` in another spelling: `{id}` for
/// `%7Bid%7D`. `None` if the text is spelled differently in the bytes that change.
fn transferred(text: &str, old: &str, new: &str) -> Option<String> {
    let (start, tail) = common_ends(old, new);
    let end = old.len() - tail;
    let inserted = new.get(start..new.len() - tail)?;
    // The same bytes up to the end of the change, or from its start on.
    let (start, end) = if text.get(..end) == old.get(..end) {
        (start, end)
    } else {
        let start_in_text = text.len().checked_sub(old.len() - start)?;
        (text.get(start_in_text..) == old.get(start..)).then_some(())?;
        (start_in_text, text.len() - tail)
    };
    Some([text.get(..start)?, inserted, text.get(end..)?].concat())
}

/// True if the whole text is read as this URI.
fn reads(text: &str, uri: &str) -> bool {
    let Some(Finding::Match(found)) = Finder::new().reference(text.as_bytes()) else {
        return false;
    };
    found.span().len() == text.len()
        && found.iri().map_or_else(|| found.uri(), std::borrow::Cow::Borrowed) == uri
}

/// Characters that URIs may hold, and that shells and programs act on.
const ACTIVE: [char; 6] = ['\'', '$', ';', '(', ')', '!'];

/// True where a program may run the text around a match: everywhere but in documents for people.
fn is_run(hit: &Hit<'_>) -> bool {
    !hit.format().is_some_and(Format::is_markup) || hit.role() == Some(Role::Code)
}

/// Returns a relative reference in ASCII; `None` for a URI, and for the reference to the document
/// itself that is empty.
fn relative(text: &str) -> Option<String> {
    if text.is_empty() || urigrep::Iri::parse(text).is_ok() {
        return None;
    }
    let reference = IriRef::parse(text).ok()?;
    Some(reference.to_uri_ref_with(crate::cli::flags::values::hosts()).ok()?.into_owned())
}

/// Returns the URI of a text, which may be an IRI.
fn uri(text: &str) -> Option<urigrep::UriBuf> {
    if let Ok(uri) = Uri::parse(text) {
        return Some(uri.to_buf());
    }
    let hosts = crate::cli::flags::values::hosts();
    let iri = urigrep::Iri::parse(text).ok()?;
    urigrep::UriBuf::parse(iri.to_uri_with(hosts).ok()?.into_owned()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_in_another_spelling() {
        let (old, new) = ("http://a/%7Bid%7D", "https://b/%7Bid%7D");
        assert_eq!(transferred("http://a/{id}", old, new).unwrap(), "https://b/{id}");
        assert_eq!(transferred("http://ä/c", "http://x/c", "http://x/d").unwrap(), "http://ä/d");
        assert_eq!(transferred("http://ä/c", "http://x/c", "http://y/d"), None);
        assert_eq!(transferred("http://a/ä", "http://a/%C3%A4", "http://a/ä"), None);
    }
}
