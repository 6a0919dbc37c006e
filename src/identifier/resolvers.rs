//! URLs that carry an identifier: the table of resolvers, and ARKs at any host.

use alloc::borrow::Cow;

use super::canonical::{Identified, Identifier, QueryRole, labelled};
use super::names;
use crate::byte_table::ByteTable;
use crate::grammar::Uri;
use crate::memmem;

/// A resolver, and the place of an identifier in its URLs.
struct Resolver {
    /// In lower case, without a leading `www.`.
    host: &'static str,
    place: NamePlace,
    /// A label of [`labelled`], or [`SELF_DESCRIBING`].
    label: &'static str,
}

/// The identifier starts with its own label: `urn:nbn:…`, `doi:10.1000/182`, `ark:/12148/…`.
const SELF_DESCRIBING: &str = "";

enum NamePlace {
    /// The rest of the path after these.
    Path(&'static [&'static str]),
    /// This parameter of the query.
    Query(&'static str),
}

const ROOT: NamePlace = NamePlace::Path(&["/"]);

const fn resolver(host: &'static str, place: NamePlace, label: &'static str) -> Resolver {
    Resolver { host, place, label }
}

/// Sorted by host, so that a host is found by binary search. Each group names its source.
#[rustfmt::skip]
static RESOLVERS: &[Resolver] = &[
    // arXiv, "Understanding the arXiv identifier" and its mirrors
    resolver("ar5iv.labs.arxiv.org", NamePlace::Path(&["/html/", "/abs/"]), "arxiv"),
    resolver("ar5iv.org", NamePlace::Path(&["/html/", "/abs/"]), "arxiv"),
    // Software Heritage, "SWHIDs: resolving" (docs.softwareheritage.org)
    resolver("archive.softwareheritage.org", NamePlace::Path(&["/browse/", "/"]), SELF_DESCRIBING),
    resolver("arxiv.org", NamePlace::Path(ARXIV_PATHS), "arxiv"),
    // Bioregistry, resolver of compact identifiers (bioregistry.io)
    resolver("bioregistry.io", ROOT, SELF_DESCRIBING),
    // Google Books, "Linking to Google Books": `vid=ISBN…`
    resolver("books.google.com", NamePlace::Query("vid"), "isbn"),
    resolver("books.google.com", NamePlace::Query("isbn"), "isbn"),
    // DOI Handbook, "Resolution": the proxy servers
    resolver("doi.org", ROOT, "doi"),
    resolver("dx.doi.org", ROOT, "doi"),
    // Europe PMC, "How to link to Europe PMC"
    resolver("europepmc.org", NamePlace::Path(&["/article/MED/", "/abstract/MED/"]), "pmid"),
    resolver("europepmc.org", NamePlace::Path(&["/article/PMC/", "/articles/"]), "pmc"),
    resolver("export.arxiv.org", NamePlace::Path(ARXIV_PATHS), "arxiv"),
    // Goodreads, LibraryThing, Open Library, WorldCat: their documented links by ISBN or ISSN
    resolver("goodreads.com", NamePlace::Path(&["/book/isbn/"]), "isbn"),
    // Handle.Net, "Proxy server system"
    resolver("hdl.handle.net", ROOT, "hdl"),
    // identifiers.org, "Compact identifiers": `PREFIX:ID`, and the older `PREFIX/ID`
    resolver("identifiers.org", ROOT, SELF_DESCRIBING),
    resolver("isbndb.com", NamePlace::Path(&["/book/"]), "isbn"),
    resolver("isbnsearch.org", NamePlace::Path(&["/isbn/"]), "isbn"),
    // ISSN International Centre, "ISSN Portal: persistent links"
    resolver("issn.org", NamePlace::Path(&["/resource/ISSN/", "/resource/issn/"]), "issn"),
    resolver("librarything.com", NamePlace::Path(&["/isbn/"]), "isbn"),
    // Names-to-Things resolver (n2t.net)
    resolver("n2t.net", ROOT, SELF_DESCRIBING),
    // German, Swiss, and Austrian national libraries, URN service
    resolver("nbn-resolving.de", ROOT, SELF_DESCRIBING),
    resolver("nbn-resolving.de", NamePlace::Query("identifier"), SELF_DESCRIBING),
    resolver("nbn-resolving.org", ROOT, SELF_DESCRIBING),
    resolver("nbn-resolving.org", NamePlace::Query("identifier"), SELF_DESCRIBING),
    // Italian national library, NBN resolver
    resolver("nbn.depositolegale.it", ROOT, SELF_DESCRIBING),
    // NCBI, "Linking to PubMed and PMC"
    resolver("ncbi.nlm.nih.gov", NamePlace::Path(&["/pubmed/"]), "pmid"),
    resolver("ncbi.nlm.nih.gov", NamePlace::Path(&["/pmc/articles/"]), "pmc"),
    resolver("openlibrary.org", NamePlace::Path(&["/isbn/"]), "isbn"),
    // ORCID, "Structure of the ORCID identifier"
    resolver("orcid.org", ROOT, "orcid"),
    // Dutch national library and DANS, resolver of NBNs
    resolver("persistent-identifier.nl", ROOT, SELF_DESCRIBING),
    resolver("persistent-identifier.nl", NamePlace::Query("identifier"), SELF_DESCRIBING),
    resolver("pmc.ncbi.nlm.nih.gov", NamePlace::Path(&["/articles/"]), "pmc"),
    resolver("portal.issn.org", NamePlace::Path(&["/resource/ISSN/", "/resource/issn/"]), "issn"),
    resolver("pubmed.ncbi.nlm.nih.gov", ROOT, "pmid"),
    resolver("resolver.kb.nl", NamePlace::Query("urn"), SELF_DESCRIBING),
    resolver("resolver.obvsg.at", ROOT, SELF_DESCRIBING),
    // Finnish, Norwegian, Croatian, and Swedish national libraries; ISSN (RFC 8254)
    resolver("urn.fi", ROOT, SELF_DESCRIBING),
    resolver("urn.issn.org", ROOT, SELF_DESCRIBING),
    resolver("urn.kb.se", NamePlace::Query("urn"), SELF_DESCRIBING),
    resolver("urn.nb.no", ROOT, SELF_DESCRIBING),
    resolver("urn.nsk.hr", ROOT, SELF_DESCRIBING),
    resolver("worldcat.org", NamePlace::Path(&["/isbn/"]), "isbn"),
    resolver("worldcat.org", NamePlace::Path(&["/issn/"]), "issn"),
    // The address of arXiv until 1998, which still resolves
    resolver("xxx.lanl.gov", NamePlace::Path(&["/abs/", "/pdf/", "/ps/"]), "arxiv"),
];

const ARXIV_PATHS: &[&str] = &["/abs/", "/pdf/", "/html/", "/ps/", "/format/", "/src/"];

/// Returns the name of an ARK in the path of a URL; some programs encode the colon.
fn ark_of_path(path: &str) -> Option<&str> {
    let name = path.strip_prefix("/ark")?;
    name.strip_prefix(':').or_else(|| name.strip_prefix("%3A")).or_else(|| name.strip_prefix("%3a"))
}

/// True if URLs of this host and path may carry an identifier.
pub(super) fn may_resolve(host: &str, path: &str) -> bool {
    ark_of_path(path).is_some() || may_have_rows(host) && !rows(&lowercase(host)).is_empty()
}

/// Returns the identifier in an `http` or `https` URI in its normal form.
pub(super) fn identify(uri: Uri<'_>) -> Option<Identified> {
    // An ARK is the same at every host (draft-kunze-ark, "Name Mapping Authority").
    if let Some(name) = ark_of_path(uri.path()) {
        let query = names::ark_query(uri.query());
        return Some(Identified { identifier: names::ark(name)?, query });
    }
    rows(uri.host()?).iter().find_map(|resolver| resolver.identify(uri))
}

impl Resolver {
    fn identify(&self, uri: Uri<'_>) -> Option<Identified> {
        let name = match self.place {
            NamePlace::Path(starts) => {
                let path = starts.iter().find_map(|start| uri.path().strip_prefix(start))?;
                return Some(Identified { identifier: self.named(path)?, query: QueryRole::Apart });
            }
            NamePlace::Query(parameter) => {
                let mut fields = uri.query()?.split('&').filter_map(|field| field.split_once('='));
                let (_, value) = fields.find(|(name, _)| *name == parameter)?;
                value
            }
        };
        Some(Identified { identifier: self.named(name)?, query: QueryRole::OfIdentifier })
    }

    fn named(&self, text: &str) -> Option<Identifier> {
        match self.label {
            SELF_DESCRIBING => self_describing(text),
            "doi" | "hdl" => labelled(self.label, text),
            "arxiv" => {
                let text = text.strip_suffix('/').unwrap_or(text);
                names::arxiv(text.strip_suffix(".pdf").unwrap_or(text))
            }
            // A number may end with a slash, and Google Books puts its kind before it.
            label => {
                let text = text.strip_suffix('/').unwrap_or(text);
                labelled(label, text.strip_prefix("ISBN").unwrap_or(text))
            }
        }
    }
}

/// Reads `urn:nbn:…`, `ark:/12148/…`, `doi:10.1000/182`, or `pubmed/12345678`.
fn self_describing(text: &str) -> Option<Identifier> {
    // A query has the colons of a URN encoded, and some programs encode the first one in a path.
    let text: Cow<'_, str> = match text.split_once([':', '/']) {
        Some((label, _)) if !label.as_bytes().contains(&b'%') => Cow::Borrowed(text),
        Some(_) => match memmem::split_once(text, "%3A") {
            Some((label, name)) => Cow::Owned([label, ":", name].concat()),
            None => Cow::Borrowed(text),
        },
        None => names::decoded(text)?,
    };
    let (label, name) = text.split_at_checked(text.find([':', '/'])?)?;
    if label.eq_ignore_ascii_case("urn") {
        names::urn(&text)
    } else {
        labelled(label, name.get(1..)?)
    }
}

/// The rows of a host, which is in lower case.
fn rows(host: &str) -> &'static [Resolver] {
    let host = host.strip_prefix("www.").unwrap_or(host);
    let start = RESOLVERS.partition_point(|row| row.host < host);
    let rows = RESOLVERS.get(start..).unwrap_or_default();
    let count = rows.iter().take_while(|row| row.host == host).count();
    rows.get(..count).unwrap_or_default()
}

/// A cheap test that rules out most hosts by their first letter and their length.
fn may_have_rows(host: &str) -> bool {
    /// A bit for each length of the hosts that start with a letter, in either case.
    #[expect(clippy::indexing_slicing, reason = "the compiler does it, and would notice")]
    static LENGTHS: ByteTable<u64> = {
        let mut table = ByteTable::filled(0);
        let mut row = 0;
        while row < RESOLVERS.len() {
            let host = RESOLVERS[row].host.as_bytes();
            let [lower, upper] = [host[0], host[0].to_ascii_uppercase()];
            let lengths = table.get(lower) | 1 << (host.len() % 64);
            table = table.with(lower, lengths).with(upper, lengths);
            row += 1;
        }
        table
    };
    let host = match host.as_bytes() {
        [b'w' | b'W', b'w' | b'W', b'w' | b'W', b'.', host @ ..] => host,
        host => host,
    };
    host.first().is_some_and(|first| LENGTHS.get(*first) >> (host.len() % 64) & 1 == 1)
}

fn lowercase(host: &str) -> Cow<'_, str> {
    if host.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(host.to_ascii_lowercase())
    } else {
        Cow::Borrowed(host)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cheap_test_knows_every_host() {
        for row in RESOLVERS {
            assert!(may_have_rows(row.host) && may_have_rows(&format!("WWW.{}", row.host)));
            assert!(may_have_rows(&row.host.to_ascii_uppercase()));
        }
        assert!(!may_have_rows("www.example.org") && !may_have_rows(""));
    }

    #[test]
    fn table_is_sorted_and_has_no_prefix_of_the_web() {
        assert!(RESOLVERS.is_sorted_by(|a, b| a.host <= b.host));
        for row in RESOLVERS {
            assert!(
                !row.host.starts_with("www.") && lowercase(row.host) == row.host,
                "{}",
                row.host
            );
        }
    }
}
