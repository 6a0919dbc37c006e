//! Identifiers with a resolver on the web: `doi:10.1000/182` is at `https://doi.org/10.1000/182`.

use crate::Uri;
use crate::audit::UrlLink;

/// Schemes whose path follows this prefix (registered by IANA or used by the organizations).
const RESOLVERS: &[(&str, &str)] = &[
    ("doi", "https://doi.org/"),
    ("hdl", "https://hdl.handle.net/"),
    ("arxiv", "https://arxiv.org/abs/"),
    ("pmid", "https://pubmed.ncbi.nlm.nih.gov/"),
    ("orcid", "https://orcid.org/"),
    ("ark", "https://n2t.net/ark:"),
    ("swh", "https://archive.softwareheritage.org/swh:"),
];

/// Returns the URL that resolves an identifier. Two spellings of a DOI have one URL.
pub fn url(uri: &Uri<'_>) -> Option<UrlLink> {
    let scheme = uri.scheme().to_ascii_lowercase();
    let is_web = matches!(scheme.as_str(), "http" | "https");
    let host = uri.host().unwrap_or_default().to_ascii_lowercase();
    let resolved = if is_web && matches!(host.as_str(), "doi.org" | "dx.doi.org" | "www.doi.org") {
        // DOIs ignore case (DOI Handbook, section 2.4).
        let name = uri.path().trim_start_matches('/');
        // A page of the foundation is not an identifier.
        name.starts_with("10.").then(|| format!("https://doi.org/{}", name.to_ascii_lowercase()))?
    } else {
        let (_, prefix) = RESOLVERS.iter().find(|(known, _)| *known == scheme)?;
        let name = uri.path().trim_start_matches('/');
        if name.is_empty() {
            return None;
        }
        let name = if scheme == "doi" { name.to_ascii_lowercase() } else { name.to_owned() };
        format!("{prefix}{name}")
    };
    Some(UrlLink::new(&Uri::parse(&resolved).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_have_one_url() {
        let of = |uri: &str| url(&Uri::parse(uri).unwrap()).map(|url| url.key.as_str().to_owned());
        let doi = "https://doi.org/10.1000/abc";
        for uri in
            ["doi:10.1000/ABC", "http://dx.doi.org/10.1000/aBc", "https://doi.org/10.1000/abc"]
        {
            assert_eq!(of(uri).as_deref(), Some(doi), "{uri}");
        }
        assert_eq!(of("https://doi.org/the-foundation"), None);
        assert_eq!(of("hdl:4263537/4000").unwrap(), "https://hdl.handle.net/4263537/4000");
        assert_eq!(
            of("ark:/12148/btv1b8449691v").unwrap(),
            "https://n2t.net/ark:12148/btv1b8449691v"
        );
        assert_eq!(of("urn:isbn:0451450523"), None);
        assert_eq!(of("https://a.example/10.1000/abc"), None);
    }
}
