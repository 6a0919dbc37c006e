//! Roles of values in data, by their keys.

use super::Role;

/// Last words of keys whose value is a link.
const LINKS: [&str; 12] = [
    "uri",
    "url",
    "urls",
    "href",
    "link",
    "links",
    "homepage",
    "website",
    "src",
    "repository",
    "redirect",
    "permalink",
];

/// Keys whose value names a vocabulary or a schema.
const VOCABULARIES: [&str; 6] = ["$schema", "$id", "@context", "@vocab", "xmlns", "profile"];

/// Returns the role of a value with this key.
pub(super) fn role_of_key(key: &str) -> Role {
    if VOCABULARIES.contains(&key) {
        return Role::Metadata;
    }
    let is_link = |word: &str| LINKS.iter().any(|link| word.eq_ignore_ascii_case(link));
    // `html_url`, `download-url`, `avatarUrl`, `baseURL`.
    let word = key.rsplit(['_', '-', '.', ' ', ':', '@', '$']).next().unwrap_or_default();
    let is_camel = |end: &str| {
        let rest = word.strip_suffix(end);
        // After a capital, the word begins earlier: `CURL`.
        rest.is_some_and(|rest| rest.ends_with(|c: char| c.is_ascii_lowercase()))
    };
    let is_link =
        is_link(word) || ["Url", "URL", "Uri", "URI", "Link", "Href"].into_iter().any(is_camel);
    if is_link { Role::Destination } else { Role::Text }
}

/// Returns the label of identifiers for a key whose values are identifiers without a label, as in
/// CSL-JSON: `{"DOI": "10.1000/182"}`.
pub(super) fn identifier_label(key: &str) -> Option<&'static str> {
    const LABELS: [&str; 5] = ["DOI", "ISBN", "ISSN", "PMID", "PMCID"];
    LABELS.into_iter().find(|label| key.eq_ignore_ascii_case(label))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_links() {
        for key in ["url", "html_url", "avatarUrl", "baseURL", "Homepage", "@href", "project-url"] {
            assert_eq!(role_of_key(key), Role::Destination, "{key}");
        }
        for key in ["curl", "description", "linked", "name", ""] {
            assert_eq!(role_of_key(key), Role::Text, "{key}");
        }
        assert_eq!(role_of_key("$schema"), Role::Metadata);
    }
}
