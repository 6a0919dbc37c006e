//! Package URLs, `pkg:type/namespace/name@version?qualifiers#subpath` (ECMA-427), and the rules of
//! their types.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::grammar::Uri;
use crate::percent::{self, PercentSet};

/// A decoded package URL.
///
/// ```
/// use urigrep::Uri;
/// use urigrep::edit::Purl;
/// let purl = Purl::parse(Uri::parse("pkg:NPM/%40acme/example@1.2?Arch=x86#lib/")?).unwrap();
/// assert_eq!((purl.kind(), purl.namespace(), purl.name()), ("npm", Some("@acme"), "example"));
/// assert_eq!(purl.canonical(), "pkg:npm/%40acme/example@1.2?arch=x86#lib");
/// assert!(Purl::parse(Uri::parse("pkg:swift/no-namespace@1")?).is_err());
/// # Ok::<(), urigrep::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Purl {
    kind: String,
    namespace: Vec<String>,
    joined: String,
    name: String,
    version: Option<String>,
    qualifiers: BTreeMap<String, String>,
    subpath: Vec<String>,
}

/// The reason why a URI with the scheme `pkg` is not a valid package URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PurlFault {
    /// The scheme is not `pkg`.
    Scheme,
    /// The type is not a letter followed by letters, digits, `.`, `-` and `+`.
    Type,
    /// The name is missing.
    Name,
    /// A segment of the namespace contains an encoded `/`.
    Namespace,
    /// A percent triplet does not decode to UTF-8.
    Encoding,
    /// The key of a qualifier is not a letter followed by letters, digits, `.`, `-` and `_`.
    QualifierKey,
    /// A key occurs twice.
    QualifierTwice,
    /// Packages of this type need a namespace.
    NoNamespace,
    /// Packages of this type have no namespace.
    NamespaceOfNone,
    /// Packages of this type need a version.
    NoVersion,
    /// Packages of this type need this qualifier.
    NoQualifier(&'static str),
    /// The name of a CPAN distribution contains `::`.
    CpanName,
    /// A Chrome extension needs a name of 32 letters from a to p, and a version of numbers.
    ChromeExtension,
}

impl fmt::Display for PurlFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Scheme => "the scheme of a package URL is `pkg`",
            Self::Type => "a type is a letter, then letters, digits, `.`, `-` and `+`",
            Self::Name => "a package needs a name",
            Self::Namespace => "a segment of a namespace must not contain `/`",
            Self::Encoding => "a percent triplet is not UTF-8",
            Self::QualifierKey => "a qualifier is a letter, then letters, digits, `.`, `-` and `_`",
            Self::QualifierTwice => "a qualifier occurs twice",
            Self::NoNamespace => "packages of this type need a namespace",
            Self::NamespaceOfNone => "packages of this type must not have a namespace",
            Self::NoVersion => "packages of this type need a version",
            Self::NoQualifier(key) => {
                return write!(f, "packages of this type need the qualifier `{key}`");
            }
            Self::ChromeExtension => {
                "an extension has a name of 32 letters from a to p, and a version of one to four numbers"
            }
            Self::CpanName => "write `-` instead of `::` in the name of a distribution",
        })
    }
}

impl core::error::Error for PurlFault {}

/// Requirements of a type, and the spelling of its names.
struct PurlType {
    name: &'static str,
    namespace: Namespace,
    spelling: PurlSpelling,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Namespace {
    May,
    Must,
    None,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PurlSpelling {
    AsWritten,
    Lower,
    /// Only the namespace is lower case.
    LowerNamespace,
    /// Lower case, with `-` for `_`.
    Pypi,
}

const fn purl_type(name: &'static str, namespace: Namespace, spelling: PurlSpelling) -> PurlType {
    PurlType { name, namespace, spelling }
}

/// Types with rules of their own (the type definitions of ECMA-427).
#[rustfmt::skip]
const TYPES: [PurlType; 28] = [
    purl_type("alpm", Namespace::Must, PurlSpelling::Lower),
    purl_type("apk", Namespace::Must, PurlSpelling::Lower),
    purl_type("bitbucket", Namespace::Must, PurlSpelling::Lower),
    purl_type("bitnami", Namespace::None, PurlSpelling::Lower),
    purl_type("brew", Namespace::May, PurlSpelling::Lower),
    purl_type("cargo", Namespace::None, PurlSpelling::AsWritten),
    purl_type("chrome-extension", Namespace::None, PurlSpelling::AsWritten),
    purl_type("cocoapods", Namespace::None, PurlSpelling::AsWritten),
    purl_type("composer", Namespace::Must, PurlSpelling::Lower),
    purl_type("conda", Namespace::None, PurlSpelling::AsWritten),
    purl_type("cran", Namespace::None, PurlSpelling::AsWritten),
    purl_type("deb", Namespace::Must, PurlSpelling::Lower),
    purl_type("gem", Namespace::None, PurlSpelling::AsWritten),
    purl_type("github", Namespace::Must, PurlSpelling::Lower),
    purl_type("hackage", Namespace::None, PurlSpelling::AsWritten),
    purl_type("hex", Namespace::May, PurlSpelling::Lower),
    purl_type("julia", Namespace::None, PurlSpelling::AsWritten),
    purl_type("maven", Namespace::Must, PurlSpelling::AsWritten),
    purl_type("mlflow", Namespace::None, PurlSpelling::AsWritten),
    purl_type("nuget", Namespace::None, PurlSpelling::AsWritten),
    purl_type("oci", Namespace::None, PurlSpelling::Lower),
    purl_type("opam", Namespace::None, PurlSpelling::AsWritten),
    purl_type("otp", Namespace::None, PurlSpelling::Lower),
    purl_type("pypi", Namespace::None, PurlSpelling::Pypi),
    purl_type("rpm", Namespace::May, PurlSpelling::LowerNamespace),
    purl_type("swift", Namespace::Must, PurlSpelling::AsWritten),
    purl_type("vcpkg", Namespace::None, PurlSpelling::AsWritten),
    purl_type("vscode-extension", Namespace::Must, PurlSpelling::Lower),
];

fn decoded(text: &str) -> Result<String, PurlFault> {
    let bytes = percent::decode(text).into_owned();
    String::from_utf8(bytes).map_err(|_| PurlFault::Encoding)
}

fn is_name(text: &str, more: &[u8]) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || more.contains(&byte))
}

/// Returns the start of the version: after the last `@` that does not open a scope, as in
/// `@acme/example`.
fn version_at(path: &str) -> Option<usize> {
    let at = path.rfind('@')?;
    let (before, after) = path.split_at(at);
    let opens_scope = (before.is_empty() || before.ends_with('/')) && after.contains('/');
    (!opens_scope).then_some(at)
}

impl Purl {
    /// Parses a URI as a package URL.
    ///
    /// # Errors
    /// Returns an error if its scheme is not `pkg`, or if it breaks a rule of ECMA-427 or of its
    /// type.
    pub fn parse(uri: Uri<'_>) -> Result<Self, PurlFault> {
        if !uri.scheme().eq_ignore_ascii_case("pkg") {
            return Err(PurlFault::Scheme);
        }
        // `pkg://type/…` has an authority as a URI, but not as a purl, so the parts of the URI do
        // not help here.
        let rest = uri.as_str().get("pkg:".len()..).unwrap_or_default();
        let rest = rest.split('#').next().unwrap_or_default();
        let path = rest.split('?').next().unwrap_or_default().trim_matches('/');
        let (kind, path) = path.split_once('/').unwrap_or((path, ""));
        if !is_name(kind, b".-+") {
            return Err(PurlFault::Type);
        }
        let path = path.trim_start_matches('/');
        let (path, version) = match version_at(path) {
            Some(at) => (path.get(..at).unwrap_or_default(), path.get(at + 1..)),
            None => (path, None),
        };
        // The text before the version ends in `/`, so the last segment, the name, is empty.
        if version.is_some() && path.ends_with('/') {
            return Err(PurlFault::Name);
        }
        let mut segments = Vec::new();
        // Empty segments do not count (ECMA-427), so `//` is the same as `/`.
        for segment in path.split('/').filter(|segment| !segment.is_empty()) {
            segments.push(decoded(segment)?);
        }
        let name = segments.pop().filter(|name| !name.is_empty()).ok_or(PurlFault::Name)?;
        if segments.iter().any(|segment| segment.contains('/')) {
            return Err(PurlFault::Namespace);
        }
        let version = version.filter(|version| !version.is_empty()).map(decoded).transpose()?;
        let mut purl = Self {
            kind: kind.to_ascii_lowercase(),
            joined: String::new(),
            namespace: segments,
            name,
            version,
            qualifiers: qualifiers(uri.query().unwrap_or_default())?,
            subpath: subpath(uri.fragment().unwrap_or_default())?,
        };
        purl.spell();
        purl.check()?;
        Ok(purl)
    }

    fn rules(&self) -> Option<&'static PurlType> {
        TYPES.iter().find(|known| known.name == self.kind)
    }

    /// Normalizes the spelling of the names by the rules of their type.
    fn spell(&mut self) {
        let spelling = self.rules().map_or(PurlSpelling::AsWritten, |rules| rules.spelling);
        if spelling != PurlSpelling::AsWritten {
            for segment in &mut self.namespace {
                *segment = segment.to_lowercase();
            }
        }
        match spelling {
            PurlSpelling::AsWritten | PurlSpelling::LowerNamespace => {}
            PurlSpelling::Lower => self.name = self.name.to_lowercase(),
            // PyPI takes both characters for the same (PEP 503).
            PurlSpelling::Pypi => self.name = self.name.to_lowercase().replace('_', "-"),
        }
        // The version of a Hugging Face model is a commit hash, which is case-insensitive.
        if self.kind == "huggingface" {
            self.version = self.version.take().map(|version| version.to_lowercase());
        }
        // The namespace of a CPAN distribution is the author's ID, in upper case.
        if self.kind == "cpan" {
            for segment in &mut self.namespace {
                *segment = segment.to_uppercase();
            }
        }
        self.joined = self.namespace.join("/");
    }

    fn check(&self) -> Result<(), PurlFault> {
        let has_namespace = !self.namespace.is_empty();
        match self.rules().map(|rules| rules.namespace) {
            Some(Namespace::Must) if !has_namespace => return Err(PurlFault::NoNamespace),
            Some(Namespace::None) if has_namespace => return Err(PurlFault::NamespaceOfNone),
            _ => {}
        }
        let has = |key: &'static str| {
            if self.qualifiers.contains_key(key) {
                Ok(())
            } else {
                Err(PurlFault::NoQualifier(key))
            }
        };
        match self.kind.as_str() {
            "swift" | "cran" if self.version.is_none() => Err(PurlFault::NoVersion),
            "cpan" if self.name.contains("::") => Err(PurlFault::CpanName),
            "chrome-extension" if !self.is_chrome_extension() => Err(PurlFault::ChromeExtension),
            "conan" if self.qualifiers.contains_key("channel") && !has_namespace => {
                Err(PurlFault::NoNamespace)
            }
            "julia" => has("uuid"),
            "swid" => has("tag_id"),
            _ => Ok(()),
        }
    }

    /// True for a name of 32 letters from a to p, and a version of one to four numbers.
    fn is_chrome_extension(&self) -> bool {
        // Chrome writes the 16 bytes of an id with the letters a to p as digits.
        let is_id = self.name.len() == 32 && self.name.bytes().all(|b| matches!(b, b'a'..=b'p'));
        let numbers = self.version.as_deref().unwrap_or("0").split('.');
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        is_id && numbers.clone().count() <= 4 && numbers.clone().all(is_number)
    }

    /// Type, in lower case.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// Namespace: its segments joined by `/`.
    pub fn namespace(&self) -> Option<&str> {
        Some(self.joined.as_str()).filter(|joined| !joined.is_empty())
    }

    /// Decoded name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Decoded version.
    pub fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    /// Qualifiers, sorted by key.
    pub fn qualifiers(&self) -> impl Iterator<Item = (&str, &str)> {
        self.qualifiers.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// Path inside the package.
    pub fn subpath(&self) -> Option<String> {
        (!self.subpath.is_empty()).then(|| self.subpath.join("/"))
    }

    /// Returns the canonical form.
    pub fn canonical(&self) -> String {
        let mut out = format!("pkg:{}/", self.kind);
        for segment in &self.namespace {
            out.push_str(&encoded(segment));
            out.push('/');
        }
        out.push_str(&encoded(&self.name));
        if let Some(version) = &self.version {
            out.push('@');
            out.push_str(&encoded(version));
        }
        for (index, (key, value)) in self.qualifiers.iter().enumerate() {
            out.push(if index == 0 { '?' } else { '&' });
            out.push_str(key);
            out.push('=');
            // A slash divides nothing in the value of a qualifier.
            out.push_str(&encoded(value).replace("%2F", "/"));
        }
        if !self.subpath.is_empty() {
            let segments: Vec<_> = self.subpath.iter().map(|segment| encoded(segment)).collect();
            out.push('#');
            out.push_str(&segments.join("/"));
        }
        out
    }
}

/// Percent-encodes everything but unreserved characters and the colon.
fn encoded(text: &str) -> String {
    // A colon is never encoded in a purl (ECMA-427).
    percent::encode(text, PercentSet::Anywhere).replace("%3A", ":")
}

fn qualifiers(query: &str) -> Result<BTreeMap<String, String>, PurlFault> {
    let mut qualifiers = BTreeMap::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        if !is_name(key, b".-_") {
            return Err(PurlFault::QualifierKey);
        }
        // A qualifier without a value is the same as no qualifier (ECMA-427).
        if value.is_empty() {
            continue;
        }
        if qualifiers.insert(key.to_ascii_lowercase(), decoded(value)?).is_some() {
            return Err(PurlFault::QualifierTwice);
        }
    }
    Ok(qualifiers)
}

fn subpath(fragment: &str) -> Result<Vec<String>, PurlFault> {
    let mut segments = Vec::new();
    for segment in fragment.split('/') {
        let segment = decoded(segment)?;
        match segment.as_str() {
            // A subpath has no such segments, and parsers discard them (ECMA-427).
            "" | "." | ".." => {}
            _ => segments.push(segment.to_owned()),
        }
    }
    Ok(segments)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn purl(text: &str) -> Result<String, PurlFault> {
        Purl::parse(Uri::parse(text).expect(text)).map(|purl| purl.canonical())
    }

    #[test]
    fn canonical_forms() {
        for (text, expected) in [
            (
                "pkg:GOLANG/google.golang.org/genproto@abcdedf#/googleapis/api/",
                "pkg:golang/google.golang.org/genproto@abcdedf#googleapis/api",
            ),
            (
                "pkg://maven/org.apache/batik@1.9?repositorY_url=r.org/x&Packaging=sources",
                "pkg:maven/org.apache/batik@1.9?packaging=sources&repository_url=r.org/x",
            ),
            ("pkg:pypi/Django_all@1", "pkg:pypi/django-all@1"),
            ("pkg:npm/@acme/x", "pkg:npm/%40acme/x"),
            ("pkg:docker/cassandra@sha256:244fd", "pkg:docker/cassandra@sha256:244fd"),
            ("pkg:deb/Debian/Curl@7?arch=", "pkg:deb/debian/curl@7"),
            ("pkg:generic/a%20b@1%2B2#./x/../y", "pkg:generic/a%20b@1%2B2#x/y"),
            ("pkg:cpan/drolsky/DateTime@1.55", "pkg:cpan/DROLSKY/DateTime@1.55"),
        ] {
            assert_eq!(purl(text).as_deref(), Ok(expected));
        }
    }

    #[test]
    fn faults() {
        for (text, fault) in [
            ("urn:a:b", PurlFault::Scheme),
            ("pkg:3nginx/a@1", PurlFault::Type),
            ("pkg:n&ginx/a@1", PurlFault::Type),
            ("pkg:maven/@1.3.4", PurlFault::Name),
            ("pkg:swift/github.com/Alamofire/@5.4.3", PurlFault::Name),
            ("pkg:npm", PurlFault::Name),
            ("pkg:npm/a%2Fb/c", PurlFault::Namespace),
            ("pkg:npm/%FF", PurlFault::Encoding),
            ("pkg:npm/a?in%20production=true", PurlFault::QualifierKey),
            ("pkg:npm/a?1=x", PurlFault::QualifierKey),
            ("pkg:npm/a?x=1&X=2", PurlFault::QualifierTwice),
            ("pkg:swift/Alamofire@5.4.3", PurlFault::NoNamespace),
            ("pkg:swift/github.com/Alamofire", PurlFault::NoVersion),
            ("pkg:cran/A3", PurlFault::NoVersion),
            ("pkg:otp/x/y", PurlFault::NamespaceOfNone),
            ("pkg:chrome-extension/dogs", PurlFault::ChromeExtension),
            ("pkg:conan/cctz@2.3?channel=stable", PurlFault::NoNamespace),
            ("pkg:cpan/GDT/URI::PackageURL", PurlFault::CpanName),
            ("pkg:julia/Dates@1.9.0", PurlFault::NoQualifier("uuid")),
            ("pkg:swid/Acme/x@1", PurlFault::NoQualifier("tag_id")),
            ("pkg:vscode-extension/java", PurlFault::NoNamespace),
        ] {
            assert_eq!(purl(text), Err(fault), "{text}");
        }
    }
}
