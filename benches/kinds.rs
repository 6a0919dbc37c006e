//! Lists of URIs of one kind, a line each. Most of a text are plain; these show what the others
//! cost.

/// A name, and a URI in which `N` is a number of five digits.
pub const KINDS: [(&str, &str); 23] = [
    ("plain", "https://www.example.org/articles/2024/page-N.html"),
    ("query", "https://www.example.org/search?id=N&lang=en"),
    ("brackets-round", "https://en.wikipedia.org/wiki/Rust_(language_N)"),
    ("apostrophe", "https://www.example.org/wiki/joe's_page_N"),
    ("sub-delims", "https://www.example.org/~a/b!c*d$e/N"),
    ("upper-case", "HTTP://WWW.EXAMPLE.ORG/Page/N"),
    ("userinfo", "https://user:pw@www.example.org/page/N"),
    ("nested", "https://www.example.org/go?u=http://b.example/page/N"),
    ("brackets-square", "https://www.example.org/q?ids[]=1&ids[]=N"),
    ("template", "https://api.example.org/users/{id}/keys/N"),
    ("latin-letters", "https://fr.example.org/wiki/Équipe_été_N"),
    ("han-letters", "https://zh.example.org/wiki/北京_N"),
    ("kana-letters", "https://ja.example.org/wiki/ひらがな_N"),
    ("thai-letters", "https://th.example.org/wiki/กรุงเทพ_N"),
    ("urn", "urn:example:weather:station-N"),
    ("urn-isbn", "urn:isbn:04514505N"),
    ("doi", "doi:10.1000/182.N"),
    ("mailto", "mailto:joe.N@example.org"),
    ("tel", "tel:+1-816-555-N"),
    ("escape-markdown", "https://www.example.org/a\\_b\\_page\\_N"),
    ("escape-troff", "https://www.example.org/a\\-b\\-page\\-N"),
    ("escape-unicode", "https://www.example.org/q?a=1\\u0026b=N"),
    ("escape-json", "http:\\/\\/www.example.org\\/a\\/N"),
];

/// Returns a list of `count` URIs like `uri`.
pub fn list(uri: &str, count: usize) -> String {
    let line = |n: usize| uri.replace('N', &(10_000 + n % 90_000).to_string()) + "\n";
    (0..count).map(line).collect()
}
