//! Turns the URIs of plain text into HTML links that are safe to show: [`Linkifier`].

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::finder::{Finder, Match};

/// Schemes whose URIs contain code or content that would run or be shown. They never become links.
const ACTIVE: [&str; 8] =
    ["about", "blob", "data", "file", "filesystem", "javascript", "vbscript", "view-source"];

/// Turns the URIs of plain text into HTML links.
///
/// The result is safe to insert into the text of a page, whatever the input is: everything is
/// escaped, only listed schemes become links, and [`rel`](Self::rel) says that the author of the
/// page does not vouch for them. Other URIs stay text.
///
/// ```
/// use urigrep::linkify::Linkifier;
/// let linkifier = Linkifier::new();
/// assert_eq!(
///     linkifier.to_html("<b> see https://a.example/?b&c, javascript:alert(1)"),
///     "&lt;b&gt; see <a href=\"https://a.example/?b&amp;c\" rel=\"nofollow noopener\">\
///      https://a.example/?b&amp;c</a>, javascript:alert(1)",
/// );
/// ```
#[derive(Clone, Debug)]
pub struct Linkifier {
    finder: Finder,
    schemes: Arc<[String]>,
    rel: Arc<str>,
}

impl Default for Linkifier {
    fn default() -> Self {
        Self::new()
    }
}

impl Linkifier {
    /// The schemes that become links by default.
    ///
    /// ```
    /// use urigrep::linkify::Linkifier;
    /// let linkifier = Linkifier::new().schemes(Linkifier::DEFAULT_SCHEMES.into_iter().chain(["xmpp"]));
    /// assert!(linkifier.to_html("xmpp:jo@a.example").starts_with("<a href"));
    /// ```
    pub const DEFAULT_SCHEMES: [&'static str; 3] = ["http", "https", "mailto"];

    /// Creates a linkifier for [`DEFAULT_SCHEMES`](Self::DEFAULT_SCHEMES), with the default finder.
    pub fn new() -> Self {
        Self {
            finder: Finder::new(),
            schemes: names(Self::DEFAULT_SCHEMES),
            rel: Arc::from("nofollow noopener"),
        }
    }

    /// Sets the finder, for example one that also finds `www.example.com` and `jo@example.com`.
    ///
    /// ```
    /// use urigrep::{Finder, linkify::Linkifier, options::Abbreviated};
    /// let finder = Finder::builder().abbreviated(Abbreviated::Report).build();
    /// let html = Linkifier::new().finder(finder).rel("").to_html("www.example.com");
    /// assert_eq!(html, "<a href=\"https://www.example.com\">www.example.com</a>");
    /// ```
    #[must_use]
    pub fn finder(self, finder: Finder) -> Self {
        Self { finder, ..self }
    }

    /// Sets the schemes that become links, in place of the default ones.
    ///
    /// `javascript`, `data`, and other schemes that run or embed something never do, even if they
    /// are listed.
    ///
    /// ```
    /// use urigrep::linkify::Linkifier;
    /// let linkifier = Linkifier::new().schemes(["ftp", "javascript"]).rel("");
    /// assert_eq!(linkifier.to_html("ftp://a.example"), "<a href=\"ftp://a.example\">ftp://a.example</a>");
    /// assert_eq!(linkifier.to_html("javascript:alert(1)"), "javascript:alert(1)");
    /// ```
    #[must_use]
    pub fn schemes<S: AsRef<str>>(self, schemes: impl IntoIterator<Item = S>) -> Self {
        Self { schemes: names(schemes), ..self }
    }

    /// Sets the attribute `rel` of each link, such as `ugc nofollow`; `nofollow noopener` by
    /// default. An empty text leaves it out.
    ///
    /// ```
    /// use urigrep::linkify::Linkifier;
    /// let html = Linkifier::new().rel("ugc").to_html("http://a.example");
    /// assert_eq!(html, "<a href=\"http://a.example\" rel=\"ugc\">http://a.example</a>");
    /// ```
    #[must_use]
    pub fn rel(self, rel: &str) -> Self {
        Self { rel: Arc::from(rel), ..self }
    }

    /// Returns the text as HTML: its URIs as links, everything else escaped. Text and delimiters
    /// stay as they are.
    pub fn to_html(&self, text: &str) -> String {
        let mut html = String::with_capacity(text.len() + text.len() / 4);
        let mut done = 0;
        for m in self.finder.find_iter(text) {
            // A finder may report URIs inside URIs; links can't be nested.
            if m.start() < done || !self.may_link(&m) {
                continue;
            }
            escape(text.get(done..m.start()).unwrap_or_default(), &mut html);
            html.push_str("<a href=\"");
            escape(&m.uri(), &mut html);
            if !self.rel.is_empty() {
                html.push_str("\" rel=\"");
                escape(&self.rel, &mut html);
            }
            html.push_str("\">");
            escape(text.get(m.range()).unwrap_or_default(), &mut html);
            html.push_str("</a>");
            done = m.end();
        }
        escape(text.get(done..).unwrap_or_default(), &mut html);
        html
    }

    fn may_link(&self, m: &Match<'_>) -> bool {
        let scheme = m.scheme();
        self.schemes.iter().any(|listed| *listed == scheme) && !ACTIVE.contains(&&*scheme)
    }
}

fn names<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> Arc<[String]> {
    let names: Vec<_> = names.into_iter().map(|name| name.as_ref().to_ascii_lowercase()).collect();
    names.into()
}

/// Appends `text` so that it is itself in the text and the attribute values of HTML.
fn escape(text: &str, html: &mut String) {
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            c => html.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Embedded;

    #[test]
    fn active_schemes_are_never_links() {
        let linkifier = Linkifier::new().schemes(ACTIVE);
        for text in [
            "javascript:alert(1)",
            "JavaScript:alert(document.cookie)",
            "data:text/html,<script>alert(1)</script>",
            "vbscript:x",
            "view-source:http://a.example/",
            "file:///etc/passwd",
        ] {
            assert!(!linkifier.to_html(text).contains("<a"), "{text}");
        }
    }

    #[test]
    fn text_is_escaped_everywhere() {
        let html = Linkifier::new().rel("a\"b").to_html("\"'<>& http://a.example/'<i>\"x");
        assert!(html.starts_with("&quot;&#39;&lt;&gt;&amp; <a href=\"http://a.example/"), "{html}");
        assert!(html.contains(" rel=\"a&quot;b\">") && !html.contains("<i>"), "{html}");
    }

    #[test]
    fn every_byte_of_the_text_stays() {
        let finder = Finder::builder().embedded(Embedded::Report).build();
        let linkifier = Linkifier::new().finder(finder).rel("");
        for text in ["<http://a.example/\nb> é http://a.example/?u=http://b.example/ z", "", "a"] {
            let html = linkifier.to_html(text);
            let mut plain = String::new();
            let mut rest = html.as_str();
            while let Some((before, tag)) = rest.split_once('<') {
                plain += before;
                rest = tag.split_once('>').unwrap().1;
            }
            plain += rest;
            let mut escaped = String::new();
            escape(text, &mut escaped);
            assert_eq!(plain, escaped, "{html}");
        }
    }
}
