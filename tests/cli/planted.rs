//! `--redact`: a secret planted in every place of every input is in no output of any kind.
//!
//! Each place has a secret of its own, random but for its alphabet; neither its start nor its end
//! may be printed. `URIGREP_CASES=1000` repeats that with so many sets of secrets.

use crate::cases::cases;
use crate::support::pack::{Zipped, tar_gnu, zip};
use crate::support::{Dir, Ran, pipe};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};

pub(super) const SMALL: &str = "abcdefghijklmnopqrstuvwxyz";
pub(super) const CAPITAL: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
pub(super) const DIGITS: &str = "0123456789";

/// Numbers without end, and the secrets that were made of them.
pub(super) struct Vault {
    pub(super) state: u64,
    pub(super) secrets: Vec<String>,
}

impl Vault {
    fn number(&mut self, below: usize) -> usize {
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) as usize % below
    }

    pub(super) fn of(&mut self, alphabet: &str, length: usize) -> String {
        let letters = alphabet.as_bytes();
        let secret: String =
            (0..length).map(|_| char::from(letters[self.number(letters.len())])).collect();
        self.secrets.push(secret.clone());
        secret
    }

    /// Letters and digits of all kinds.
    pub(super) fn any(&mut self, length: usize) -> String {
        let secret = self.of(&format!("{SMALL}{CAPITAL}{DIGITS}"), length);
        let kinds = [SMALL, CAPITAL, DIGITS];
        if kinds.iter().all(|kind| secret.contains(|c| kind.contains(c))) {
            return secret;
        }
        self.secrets.pop();
        self.any(length)
    }

    /// What a person may have chosen, too.
    fn password(&mut self) -> String {
        let length = 8 + self.number(16);
        match self.number(3) {
            0 => self.of(SMALL, length),
            1 => self.of(&format!("{SMALL}{DIGITS}"), length),
            _ => self.any(length),
        }
    }
}

fn encoded(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(byte).collect()
}

/// `http-3A__joe-40h_`, as URL Defense writes it.
fn defended(uri: &str) -> String {
    encoded(uri).replace("%2F", "_").replace('%', "-")
}

/// URIs that hold a secret each.
fn uris(vault: &mut Vault) -> Vec<String> {
    let mut uris = Vec::new();
    for form in [
        "https://joe:{}@h.example/a",
        "ftp://joe:{}@h.example",
        "https://{}@h.example/",
        "sip:joe:{}@h.example",
        "http://https://joe:{}@h.example/",
        "https://web.example/2024/http://joe:{}@h.example/",
        "jdbc:mysql://joe:{}@h.example/db",
        "jdbc:mysql://h.example/db?user=joe&password={}",
        "jdbc:sqlserver://h.example;databaseName=a;password={}",
        "sqlserver://h.example;password={}",
        "jdbc:oracle:thin:scott/{}@h.example:1521/orcl",
        "https://h.example/a//joe:{}@b.example/",
        "https://h.example/?u=//joe:{}@b.example",
        "https://h.example/?u=http:joe:{}@b.example",
        "https://h.example/#http://joe:{}@b.example",
        "https://h.example/b;jsessionid={};v=2/c",
        "https://h.example/cb#access_token={}&state=y",
        "https://h.example/#/cb?code={}",
        "https://urldefense.com/v3/__https:/joe:{}@h.example/__;!!abc$",
        "urn:example:a?=token={}&b",
        "https://h.example/?q=%7B%22user%22:%22joe%22,%22password%22:%22{}%22%7D",
        "https://h.example/?a=1&AccountName=b;AccountKey={};c=d",
    ] {
        uris.push(form.replace("{}", &vault.password()));
    }
    for name in [
        "token",
        "API-Key",
        "password_confirmation",
        "user%5Bpassword%5D%5B0%5D",
        "token%5Ba%5D",
        "X-Amz-Signature",
        "sig",
        "client_secret",
        "to%6Ben",
        "tok%00en",
        "sessionToken",
        "db.password",
        "oauth_token_secret",
        "PHPSESSID",
        "code_verifier",
        "otp",
        "x_secret2",
        "refreshToken",
        "passwd",
        "SAMLResponse",
        "X-Goog-Credential",
        "api%20key",
    ] {
        uris.push(format!("https://h.example/?a=1&{name}={}&page=2", vault.password()));
        uris.push(format!("https://h.example/{name}={}/a", vault.password()));
    }
    for name in [
        "x-auth",
        "key",
        "auth%5B0%5D",
        "sso_session",
        "signing_key_2",
        "basic-auth",
        "my_pass",
        "enc_sig",
    ] {
        uris.push(format!("https://h.example/?a=1&{name}={}&page=2", vault.any(16)));
    }
    let alphanumeric = format!("{SMALL}{CAPITAL}{DIGITS}");
    for (prefix, alphabet, length) in [
        ("ghp_", &*alphanumeric, 36),
        ("glpat-", &alphanumeric, 20),
        ("npm_", &alphanumeric, 36),
        ("xoxb-123456789012-", &alphanumeric, 24),
        ("sk_live_", &alphanumeric, 24),
        ("sk_test_", &alphanumeric, 24),
        ("AKIA", &format!("{CAPITAL}{DIGITS}"), 16),
        ("AIza", &alphanumeric, 35),
        ("hf_", &alphanumeric, 34),
        ("dop_v1_", "0123456789abcdef", 64),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.", &alphanumeric, 40),
        ("sk-ant-api03-", &alphanumeric, 40),
        ("hvs.", &alphanumeric, 30),
        ("glrt-", &alphanumeric, 20),
    ] {
        for before in ["?q=", "v/", "?a=x_", "#", "?a=%3D", ""] {
            let token = format!("{prefix}{}", vault.of(alphabet, length));
            match before {
                "" => uris.push(format!("https://{token}@h.example/")),
                _ => uris.push(format!("https://h.example/{before}{token}/b")),
            }
        }
    }
    for (base, length) in [
        ("https://hooks.slack.com/services/T02ABCDEF/B02ABCDEF/", 24),
        ("https://h.example/reset/token/", 32),
        ("https://discord.com/api/webhooks/1234567890/", 60),
        ("https://api.telegram.org/bot123456789:", 35),
        ("https://h.example/hooks/", 26),
        ("https://h.example/api/key/", 32),
    ] {
        uris.push(format!("{base}{}", vault.any(length)));
    }
    // URIs in URIs: plain, in parameters and paths, by gateways.
    for inner in [
        "https://joe:{}@b.example/",
        "https://b.example/?a=1&token={}",
        "sip:joe:{}@b.example",
        "//joe:{}@b.example/",
        "https://b.example/v/ghp_aB3{}aB3{}",
    ] {
        let mut fresh = || inner.replacen("{}", &vault.any(20), 1).replace("{}", "cdefghijklmnop");
        for outer in [
            "https://h.example/?v=1&u={}&w=2",
            "https://h.example/p/{}/q",
            "https://h.example/#{}",
            "https://www.google.com/url?q={}&sa=D",
            "https://nam02.safelinks.protection.outlook.com/?url={}&reserved=0",
            "https://l.facebook.com/l.php?u={}&h=a",
            "https://h.example/login?next=%2Fa%3Fu%3D{}",
        ] {
            uris.push(outer.replace("{}", &encoded(&fresh())));
            uris.push(outer.replace("{}", &encoded(&encoded(&fresh()))));
            uris.push(outer.replace("{}", &encoded(&encoded(&encoded(&fresh())))));
        }
        uris.push(format!("https://urldefense.proofpoint.com/v2/url?u={}&d=x", defended(&fresh())));
        let base64 = URL_SAFE_NO_PAD.encode(fresh());
        if inner.starts_with("http") {
            vault.secrets.push(base64.clone());
            uris.push(format!("https://h.example/?u={base64}"));
        }
    }
    uris
}

/// What is no URI, and is rejected.
fn broken(vault: &mut Vault) -> Vec<String> {
    let forms = [
        "http://joe:{}@h.example:99999x/",
        "hxxps://joe:{}[at]h.example/",
        "hxxp://joe:{}(at)h[.]example/a",
        "http://joe:{}/x@h.example/",
        "http://h.example:x/?token={}",
        "http://[::joe:{}@h.example/",
        "https:\\/\\/joe:{}\\u0040h.example:x\\/",
        "http://h.example:x/?u=https%3A%2F%2Fjoe%3A{}%40b.example",
    ];
    forms.map(|form| form.replace("{}", &vault.password())).to_vec()
}

fn lines(uris: &[String], line: impl Fn(&str) -> String) -> String {
    uris.iter().map(|uri| line(uri)).collect()
}

fn quoted_printable(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'=' => "=3D".to_owned(),
        b'\n' => "\n".to_owned(),
        33..=126 | b' ' => char::from(byte).to_string(),
        _ => format!("={byte:02X}"),
    };
    text.bytes().map(byte).collect()
}

/// A message with secrets in its headers, and in the bodies and attachments that these URIs make.
fn mail(vault: &mut Vault, uris: &[String]) -> String {
    let mut uri = || format!("https://joe:{}@h.example/", vault.any(12));
    let word = |text: String| format!("=?utf-8?B?{}?=", STANDARD.encode(text));
    let mut out = format!(
        "From: \"{}\" <joe@a.example>\nSubject: see {} and {}\nMessage-ID: <token={}@a.example>\nDate: Mon, 1 Jan 2024 \
         00:00:00 +0000\nX-Link: {}\nList-Unsubscribe: <{}>\nMIME-Version: 1.0\nContent-Type: multipart/mixed; \
         boundary=b\n\n",
        uri(),
        uri(),
        word(uri()),
        vault_word(&mut uri),
        uri(),
        uri(),
    );
    let text = lines(uris, |uri| format!("see <{uri}> there\n"));
    let html = lines(uris, |uri| format!("<p><a href=\"{}\">a</a>\n", uri.replace('&', "&amp;")));
    for (kind, encoding, body) in [
        ("text/plain", "7bit", text.clone()),
        ("text/plain", "quoted-printable", quoted_printable(&text)),
        ("text/html", "base64", STANDARD.encode(&html)),
        (
            "text/plain; name=\"a.txt\"\nContent-Disposition: attachment",
            "base64",
            STANDARD.encode(&text),
        ),
    ] {
        out += &format!(
            "--b\nContent-Type: {kind}\nContent-Transfer-Encoding: {encoding}\n\n{body}\n"
        );
    }
    out + "--b--\n"
}

fn vault_word(uri: &mut impl FnMut() -> String) -> String {
    let uri = uri();
    uri.trim_start_matches("https://joe:").split('@').next().unwrap_or_default().to_owned()
}

/// A file for each kind of input.
fn inputs(vault: &mut Vault) -> Vec<(&'static str, Vec<u8>)> {
    let mut uris = uris(vault);
    let all = broken(vault);
    let text = lines(&uris, |uri| format!("see {uri} there\n"))
        + &lines(&all, |text| format!("a {text} b\n"));
    let member = |vault: &mut Vault| format!("a/token={}.txt", vault.password());
    let names = [member(vault), member(vault)];
    let members =
        names.iter().map(|name| (name.as_str(), b"http://a.example/".to_vec())).collect::<Vec<_>>();
    let (tar, zip) = (
        tar_gnu(&members),
        zip(members.iter().map(|(name, bytes)| (*name, &**bytes, Zipped::Stored))),
    );
    let mail = mail(vault, &uris);
    // Not all forms can stand in all documents.
    uris.retain(|uri| !uri.contains(['$', ';', ',']));
    let json = lines(&uris, |uri| {
        format!("{{\"u\":\"{}\"}}\n", uri.replace('/', "\\/").replace('&', "\\u0026"))
    });
    vec![
        ("a.txt", text.into_bytes()),
        (
            "a.md",
            lines(&uris, |uri| format!("[a]({uri} \"t\") <{uri}>\n\n[{uri}](<{uri}>)\n\n"))
                .into_bytes(),
        ),
        (
            "a.html",
            lines(&uris, |uri| {
                format!("<a href='{0}'>{0}</a><img src={0}>\n", uri.replace('&', "&amp;"))
            })
            .into_bytes(),
        ),
        ("a.csv", lines(&uris, |uri| format!("1,{uri},\"x {uri}\"\n")).into_bytes()),
        (
            "a.ics",
            format!(
                "BEGIN:VCALENDAR\nBEGIN:VEVENT\n{}END:VEVENT\nEND:VCALENDAR\n",
                lines(&uris, |uri| {
                    let (start, end) = uri.split_at(uri.len() / 2);
                    format!("URL:{start}\n {end}\nDESCRIPTION:see\\n{uri}\\nthere\n")
                })
            )
            .into_bytes(),
        ),
        ("a.json", json.into_bytes()),
        ("a.eml", mail.into_bytes()),
        ("a.tar", tar),
        ("a.zip", zip),
    ]
}

pub(super) fn assert_hidden(vault: &Vault, ran: &Ran, what: &dyn std::fmt::Debug) {
    assert!(matches!(ran.status, Some(0..=2)), "{what:?}: {}", ran.stderr);
    let out = String::from_utf8_lossy(&ran.stdout);
    for secret in &vault.secrets {
        for part in [&secret[..7], &secret[secret.len() - 7..]] {
            for text in [&*out, &ran.stderr] {
                if let Some(line) = text.lines().find(|line| line.contains(part)) {
                    let at = line.find(part).unwrap();
                    let start =
                        (0..=at.saturating_sub(200)).rev().find(|&at| line.is_char_boundary(at));
                    let line: String = line[start.unwrap_or(0)..].chars().take(500).collect();
                    panic!("{what:?} shows {part} of {secret}: …{line}");
                }
            }
        }
    }
}

const FIELDS: &str = "--template={path}{text}{uri}{iri}{normalized}{readable}{alternative}{userinfo}{host}{uri.path}\
    {query}{fragment}{nss}{assigned_name}{q_component}{element}{attribute}{stream}";

const OUTPUTS: [&[&str]; 34] = [
    &[],
    &["--json"],
    &["--json", "--explain"],
    &["--format=csv"],
    &["--format=tsv"],
    &["--format=sarif"],
    &[FIELDS],
    &["--explain"],
    &["--invalid"],
    &["--invalid", "--json", "--explain"],
    &["--invalid", "--raw"],
    &["--invalid", "--format=csv"],
    &["--invalid", "--format=sarif"],
    &["--invalid", "--explain"],
    &["--stats"],
    &["--top=9999"],
    &["--unique"],
    &["--unique", "--json"],
    &["--raw"],
    &["--readable"],
    &["--normalize"],
    &["--map-iri"],
    &["--no-fragment"],
    &["--embedded", "--json"],
    &["--group-by=message"],
    &["--vimgrep"],
    &["--color=always", "--hyperlink-format=vscode"],
    &["--count"],
    &["--files-with-matches"],
    &["--resolve", "--base=https://joe:hunter2hunter2@h.example/"],
    &["--refang"],
    &["--unwrap", "--json"],
    &["--defang", "--json"],
    &["--abbreviated", "--email", "--rejoin=always", "--json"],
];

const AUDITS: [&str; 6] = ["text", "json", "sarif", "github", "checkstyle", "csv"];

#[test]
fn no_output_shows_a_planted_secret() {
    for seed in 0..cases(1) {
        let mut vault =
            Vault { state: u64::from(seed) + 1, secrets: vec!["hunter2hunter2".to_owned()] };
        let dir = Dir::new();
        for (name, bytes) in inputs(&mut vault) {
            dir.file(name, bytes);
        }
        for output in OUTPUTS {
            let ran = dir.run([&["--redact", "-z", "--sort=path"], output].concat());
            assert_hidden(&vault, &ran, &output);
        }
        for format in AUDITS {
            let format = format!("--format={format}");
            let ran =
                dir.run(["audit", "--redact", "--all-files", "--severity=note", &format, "."]);
            assert_hidden(&vault, &ran, &format);
        }
        let mut texts = uris(&mut vault);
        texts.extend(broken(&mut vault));
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        for verb in [
            &["parse", "--redact"][..],
            &["parse", "--redact", "--json", "--grammar=all"],
            &["normalize", "--redact"],
            &["normalize", "--redact", "--json"],
            &["resolve", "--redact", "--json", "https://joe:hunter2hunter2@a.example/"],
            &["resolve", "--redact", "https://joe:hunter2hunter2@a.example/"],
        ] {
            let ran = pipe([verb, &["--"], &texts[..]].concat(), "");
            assert_hidden(&vault, &ran, &verb);
        }
        for pair in texts.chunks_exact(2).take(8) {
            assert_hidden(
                &vault,
                &pipe(["compare", "--redact", "--json", pair[0], pair[1]], ""),
                &pair,
            );
        }
    }
}

#[test]
fn names_of_files_on_request() {
    let mut vault = Vault { state: 7, secrets: Vec::new() };
    let dir = Dir::new();
    let name = format!("token={}.html", vault.password());
    dir.file(&name, "<a href='http://a.example:99999/'>http://a.example/</a><a href=b>b</a>");
    dir.file(format!("api_key={}.gz", vault.password()), b"\x1f\x8b\x08damaged");
    for output in OUTPUTS {
        let args = [&["--redact=all", "-z", "--sort=path"], output].concat();
        assert_hidden(&vault, &dir.run(&args), &args);
    }
    for format in AUDITS {
        let format = format!("--format={format}");
        assert_hidden(
            &vault,
            &dir.run(["audit", "--redact=all", "--severity=note", &format]),
            &format,
        );
    }
    let shown = dir.run(["--redact=all", "--files-with-matches"]);
    assert!(shown.out().contains("token=REDACTED"), "{shown:?}");
    // Without, they can be opened.
    let shown = dir.run(["--redact", "--files-with-matches"]);
    assert!(shown.out().contains(&name), "{shown:?}");
}

/// What is wrong with the flags, or cannot be found.
#[test]
fn diagnostics() {
    for args in [
        &["--redact", "--base=http://joe:hunter2x@h:99999x/", "--resolve"][..],
        &["--redact", "--nonsense=http://joe:hunter2x@h/"],
        &["--redact=all", "https://joe:hunter2x@h.example/"],
        &["normalize", "--redact", "http://joe:hunter2x@h:99999x/"],
        &["audit", "--redact=all", "https://joe:hunter2x@h.example/"],
        &["audit", "--redact", "--json", "https://joe:hunter2x@h.example/"],
        &["audit", "--redact", "--format=sarif", "https://joe:hunter2x@h.example/?token=hunter2x"],
    ] {
        let ran = pipe(args, "http://a.example/");
        assert!(!ran.stderr.is_empty(), "{args:?}");
        assert!(!format!("{}{}", ran.out(), ran.stderr).contains("hunter2x"), "{args:?}: {ran:?}");
    }
}

/// Ordinary words and numbers of ordinary URIs stay.
#[test]
fn what_is_no_secret_stays() {
    let text = "\
https://github.com/joe/repo/commit/9fceb02d0ae598e95dc970b74767f19372d61af8
https://github.com/joe/repo/blob/9fceb02d0ae598e95dc970b74767f19372d61af8/src/token.rs#L10-L20
https://a.example/users/550e8400-e29b-41d4-a716-446655440000/edit?page=2&sort=name&order=desc
https://a.example/?utm_source=news&utm_campaign=2024-spring&utm_content=aB3xY9zQ&gclid=Cj0KCQiA1
https://a.example/docs/api-key-rotation/how-to-reset-your-password-2024?key=value&key2=value2&lang=en
https://a.example/search?q=token&token_type=bearer&sort_key=created_at&country_code=DE&max_tokens=4096
https://a.example/img/sk-slovensko-je-krajina-v-strednej-europe.jpg?v=1.2.3&hash=d41d8cd98f00b204e9800998ecf8427e
https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf&t=42s
https://docs.google.com/document/d/1aBcD3fGhIjKlMnOpQrStUvWxYz0123456789abcdEF/edit
https://a.example/a//b/@joe/c:d@2 https://www.npmjs.com/package/@scope/name https://medium.com/@joe/a-b-c123
https://web.archive.org/web/20240101000000/https://a.example/b?c=d https://doi.org/10.1000/182
https://a.example/?keyword=abc123&author=joe5&monkey=x9y8&design=3&pageToken=abc&author_id=77
https://a.example/token/usage https://a.example/password/reset https://a.example/hooks/post-receive
mailto:joe@a.example?subject=key%20facts sip:joe@a.example tel:+49-30-1234 urn:isbn:9780451450524
tag:joe@a.example,2004:b:c@d magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a
";
    let plain = pipe(["--json"], text);
    let redacted = pipe(["--json", "--redact"], text);
    let uris = |ran: &Ran| -> Vec<String> {
        let uri = |line: &str| {
            let object: serde_json::Value = serde_json::from_str(line).expect("an object");
            Some(object.get("uri")?.as_str()?.to_owned())
        };
        ran.out().lines().filter_map(uri).collect()
    };
    assert_eq!(uris(&redacted), uris(&plain));
    assert!(uris(&plain).len() >= 20);
}

/// JSON is made of characters that a terminal neither obeys nor hides, and means the same.
#[test]
fn json_has_nothing_invisible() {
    let dir = Dir::new();
    let odd = "\u{9b}\u{85}\u{202e}\u{200b}\u{2066}\u{feff}\u{7f}\u{e0041}";
    let name = "a\u{9b}31m\u{202e}.html";
    dir.file(
        name,
        format!("<a href='b{odd}c'>x</a> http://h.example/\u{200b}a <a href='http://a{odd}/'>"),
    );
    for args in [
        &["--json"][..],
        &["--invalid", "--json"],
        &["--format=sarif"],
        &["--invalid", "--format=sarif"],
        &["--json", "--explain"],
        &["audit", "--format=json", "--severity=note"],
        &["audit", "--format=sarif", "--severity=note"],
        &["parse", "--json", "http://a/\u{9b}\u{202e}"],
    ] {
        let ran = dir.run(args);
        let odd = ran.out().chars().find(|c| odd.contains(*c));
        assert_eq!(odd, None, "{args:?}: {}", ran.out());
        let documents =
            serde_json::Deserializer::from_slice(&ran.stdout).into_iter::<serde_json::Value>();
        let all: Vec<_> = documents.map(|document| document.expect("JSON")).collect();
        let text = format!("{all:?}");
        assert!(args[0] == "parse" || text.contains("31m"), "{args:?}: {text}");
    }
}
