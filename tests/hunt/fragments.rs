//! What texts are made of that are hunted for: the triggers of all rules, and what each of them
//! looks for near and far.

/// Pieces of every rule, script and format, by what they are for.
#[rustfmt::skip]
pub const FRAGMENTS: &[&str] = &[
    // starts
    "http://", "https://a.b/", "http://a/", "https://", "HTTP://a.b", "hxxp://", "xhttps://a.b/", "//a.b/", "://", ":",
    "ftp://a/", "git+ssh://a/", "x-y.z://a/", "file:///a/", "data:,", "data:text/html,", "mailto:a@b.c", "mailto:", "tel:12",
    "sip:a@b", "urn:a:b", "urn:", "doi:10.1/a", "tag:a,1:", "javascript:a()", "jdbc:", "jdbc:a:b://c", "view-source:", "blob:",
    "feed:", "news:a@b", "geo:1,2", "magnet:?xt=", "bitcoin:", "cid:a@b", "info:doi/", "URL:", "URI: ", "<URL:", "verb+",
    "http:\\/\\/a", "http\\://a", "imap://a/", "ws://a", "hdl:1/a", "pkg:a/b", "did:a:b", "postgres://a", "1http://", "x://",
    // hosts and what is around them
    "a", "a.b", "a.com", "www.", "www.a.de", "ü.de", "あ.jp", "[::1]", "localhost:80", "u:p@", "@", "a@b.com", "a[.]com", "a[at]b",
    "a(dot)b", "[.]", "[:]", "(.)", "<.>", "\\.", ":80", ":99999", "-", "a-.b", ".-a", "xn--a", "1.2.3.4", "％", "★.a", "例。台灣",
    // paths, queries, fragments
    "/", "//", "?", "#", "&", "=", "?a=", "&a=", "#a", "%", "%4", "%41", "%s", "%1$s", "%name%", "%%", "+", "~", "_", ";", ",", ".",
    "..", "...", "…", "!", "*", "**", "'", "'s", "$", "^", "|", "||", "¦", "-->", "->", "x", "1", "=a,b", "/?a=", "a=b;c=d",
    // what a program fills in
    "${", "$(", "$a", "{", "}", "{{", "}}", "{{a b", "{{a|b=c}}", "{%", "<%", "<?=", "#{", "<name>", "&lt;name&gt;", "%(a)s", "#1}",
    // brackets and quotation marks, and those of other scripts
    "(", ")", "[", "]", "[]", "[a]", "[^a]", "[/a]", "[...]", "[1-9]", "<", ">", "<<", ">>", "< ", "\"", "`", "``", "=\"", "='", "=3D\"",
    "「", "」", "『", "』", "（", "）", "【", "】", "［", "］", "《", "》", "«", "»", "‹", "›", "“", "”", "„", "‘", "’", "‚", "⟨", "⟩", "༺", "⸨",
    // marks and letters of other scripts
    "あ", "を", "漢", "한", "ü", "é", "я", "ا", "ह", "ก", "、", "。", "，", "．", "！", "？", "：", "；", "／", "｜", "・", "،", "؟", "।", "։",
    "—", "–", "•", "→", "─", "™", "²", "★", "😀", "\u{ad}", "\u{200b}", "\u{200d}", "\u{a0}", "\u{3000}", "\u{2028}", "\u{feff}", "\u{202e}",
    // escapes
    "\\", "\\\\", "\\/", "\\u002f", "\\u0026", "\\u00e9", "\\ud83d\\ude00", "\\(", "\\)", "\\[", "\\_", "\\-", "\\&", "\\&a=", "\\:", "\\%", "\\ ", "\\x3d", "\\xc3\\xa9", "\\xff", "\\u{e9}", "\\\\\\\\.", "s#", "s,^", "#g ", "\"$x", "^^a:b", "<em>", "</em>", ".SH a\n", "\\%41",
    "\\e:", "\\(ti", "\\[ti]", "\\fB", "\\*(Aq", "\\n", "\\d", "\\.a", "\\?a=", "\\~{}", "\\textasciitilde", "\\url{", "\\href{", "\\tt ", "{\\tt ",
    "url = {", "](", "](<", "[a](", "[a]: ", "[a][b]", "![", ".*", "[^", "m#", "qr{", "&amp;", "&#", "&#51;", "&quot", "&lt;", "&gt;", "&hellip;", "&#x2f;",
    // lines
    " ", "  ", "\n", "\r\n", "\t", "\n\n", " \n", "\n ", "> ", ">> ", "# ", "// ", "/* ", " * ", "| ", ";; ", "+", "-\n", "/\n", "=\n", "?\n", "\n\u{c}\n",
    "\"\n\"", "\"\n  \"", "'\n'", "\" +\n \"", "\" \\\n\"", "\"\n", "msgid \"", "f\"", "NAME = ", "@uref{", "@url{", "a,b,c,d\n", ",,", ",\"", "\"\"", "(a\nb)",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "[Page 1]\n\u{c}\nRFC 1  a  b\n", "[Page 1]\n",
    // identifiers
    "10.1000/", "doi.org/10.1/", "DOI ", "ISBN ", "978-0-306-40615-7", "ISSN ", "PMID: 1", "arXiv:", "ORCID", "<10.1/a>1.2.AB;", "isbn",
    // redirectors, and URIs in URIs
    "https://www.google.com/url?q=", "https%3A%2F%2F", "%3A%2F%2F", "%253A%252F", "=http://a", "?u=//u:p@h", "https://urldefense.com/v3/__http://a/__;!!",
    "https://a.safelinks.protection.outlook.com/?url=", "token=", "password=", "key[a]=", "eyJhbGciOi", "AKIA", "ghp_", "jar:http://a/", "!/",
    // mail
    "Subject: ", "From: ", "To: ", "X: ", "References: ", "<a@b.c>", "Message-ID: <", "=?utf-8?q?", "=?utf-8?b?", "?=", "=?", "Content-Type: ", "text/plain",
    "text/html\n\n", "; charset=", "; boundary=b\n\n", "--b\n", "--b--\n", "multipart/mixed", "message/rfc822\n\n", ";a*1*=%41", ";a*=utf-8''", "(", "\\(", "=20", "=3D",
    "Content-Transfer-Encoding: base64\n\n", "Content-Transfer-Encoding: quoted-printable\n\n", "aGVsbG8=", "From a Wed Mar  2 23:56:19 2005\n", ">From ",
    "; format=flowed; delsp=yes\n\n", "begin 644 a\n", "List-Unsubscribe: <", "Received: ", "-- \n", "jo at a.b", "+AGE-", "\u{1b}$B", "\u{1b}(B",
    // HTML and CSS
    "<a href=\"", "<a href=", "<a href='", "<a ", "<p>", "<p ", "</a>", "</", "/>", "<!--", "<!", "<![CDATA[", "]]>", "<?", "<script>", "</script>", "<style>", "</style>",
    "<svg>", "<math>", "<template>", "<title>", "<textarea>", "<base href=\"", "<meta http-equiv=refresh content=\"0;url=", "<img srcset=\"", " 1x,", "<iframe srcdoc=\"",
    "<link rel=\"", "style=\"", "url(", "url('", "@import ", "/*", "*/", "\\68 ", "\\\n", "<wbr>", "&shy;", "<h1>", "<pre>", "<code>", "<table><td>", "id=a ", "<plaintext>",
    // Markdown
    "- ", "1. ", "    ", "```\n", "~~~\n", "***", "__", "~~", "|a|\n|-|\n", "[^a]: ", "===\n", "---\n", "$$", "<http://a>", "<a@b.c>", "<b c=", "![a](b \"", "\\\n", "\\[", "+++\n",
    // calendars, cards, tables
    "BEGIN:VCALENDAR\n", "BEGIN:VEVENT\n", "END:VEVENT\n", "URL:", "URL;VALUE=URI:", "ATTACH;FMTTYPE=a:", "DESCRIPTION:", "BEGIN:VCARD\n", "\r\n ", "\n\t", "\\n", "\\,", "\\;", "item1.URL:", "\t\"",
];

/// Bytes that are no UTF-8, and controls.
pub const BYTES: &[&[u8]] = &[
    b"\xff",
    b"\xe3",
    b"\xe3\x81",
    b"\x80",
    b"\xc3",
    b"\xf0\x9f",
    b"\0",
    b"\x01",
    b"\x1b[0m",
    b"\x7f",
];
