//! Adversarial texts, and the proof that the work grows with their length only.
//!
//! The first forty are the generators that the design names; the others aim at our own rules.

use std::time::{Duration, Instant};

use urigrep::{Finder, steps};

use super::{finders, streamed};

/// The adversarial texts of about `n` bytes, each with a name that says what it attacks.
#[rustfmt::skip]
fn generators(n: usize) -> Vec<(&'static str, Vec<u8>)> {
    let rep = |unit: &str| unit.repeat(n / unit.len()).into_bytes();
    let run = |byte: char, n: usize| byte.to_string().repeat(n);
    let from = |text: String| text.into_bytes();
    let half = n / 2;
    vec![
        ("colon2", rep("a:")),
        ("scheme_noslash", rep("http://")),
        ("angle_unclosed", rep("<http://a ")),
        ("angle_ws", rep("<http://a\n")),
        ("angle_nested", from(format!("{}http://a{}", run('<', half), run('>', half)))),
        ("angle_url", rep("<URL:http://a\n ")),
        ("urn", rep("urn:")),
        ("urn_nid", from(format!("urn:{}", run('a', n)))),
        ("urn_rq", from(format!("urn:ab:c{}", "?+a?=a".repeat(n / 6)))),
        ("paren_open", from(format!("http://a/{}", run('(', n)))),
        ("paren_bal", from(format!("http://a/{}{}", run('(', half), run(')', half)))),
        ("paren_trail", from(format!("http://a/{}", run(')', n)))),
        ("bracket", rep("[")),
        ("iplit", rep("http://[")),
        ("ipv6colon", from(format!("http://[{}]/", run(':', n)))),
        ("pct", from(format!("http://a/{}", run('%', n)))),
        ("pct2", from(format!("http://a/{}", "%4".repeat(half)))),
        ("coloncolon", rep("::")),
        ("colonslash", rep(":/")),
        ("css", rep("://")),
        ("URL", rep("URL:")),
        ("long_scheme", from(format!("{}:", run('a', n)))),
        ("long_scheme_many", from(format!("{}{}", run('a', half), ":x ".repeat(n / 6)))),
        ("plusminus", from(format!("{}:", "a+".repeat(half)))),
        ("dots", from(format!("http://a/{}", run('.', n)))),
        ("commas", rep("http://a/,")),
        ("labels", from(format!("http://{}", "a.".repeat(half)))),
        ("at", from(format!("http://{}", "a@".repeat(half)))),
        ("quote_unclosed", rep("\"http://a ")),
        ("quote_close_missing", rep("\"http://a\n")),
        ("mailto", rep("mailto:")),
        ("email", rep("a@b.com\n")),
        ("backslash", rep("http://a/..\\/")),
        ("dotdot", from(format!("http://a/{}", "../".repeat(n / 3)))),
        ("qf", from(format!("http://a/{}", "?#".repeat(half)))),
        ("nul", rep("http://a/\0")),
        ("badutf8", b"http://a/\xFF".repeat(n / 10)),
        ("utf8edge", rep("http://a/\u{20AC}")),
        ("crlf_fold", rep("http://a/=\r\n")),
        ("html_ent", rep("&#104;&#116;")),
        // Ours: shapes of our own rules.
        ("brace_open", from(format!("http://a/{}", run('{', n)))),
        ("square_bal", from(format!("http://a/{}{}", run('[', half), run(']', half)))),
        ("square_labels", from(format!("http://a/{}", "[]".repeat(half)))),
        ("json_slashes", from(format!("http:\\/\\/a{}", "\\/a".repeat(n / 3)))),
        ("json_unicode", from(format!("http://a/{}", "\\u00e9".repeat(n / 6)))),
        ("troff_escapes", from(format!("http://a/{}", "\\&".repeat(half)))),
        ("soft_hyphens", from(format!("http://a/{}", "\u{AD}".repeat(half)))),
        ("cjk_soft", from(format!("http://a/\u{3042}{}", "\u{3002}".repeat(n / 3)))),
        (
            "embedded-broken",
            from(format!("http://a/{}", "=http://-".repeat(n / 9))),
        ),
        ("embedded", from(format!("http://a/{}", "http://a/".repeat(n / 9)))),
        ("references", from(format!("http://a/{}", "&quot".repeat(n / 5)))),
        ("data", from(format!("data:{}", "a,".repeat(half)))),
        ("doi_sici", from(format!("doi:10.1/{}", "<a>".repeat(n / 3)))),
        ("hyphen_lines", rep("http://a/-\n")),
        ("quoted_wrappers", rep("> <http://a\n")),
        ("jar_bang", from(format!("jar:http://a/{}", "!/".repeat(half)))),
        ("nested_schemes", rep("view-source:")),
        ("jdbc", rep("jdbc:")),
        ("tex_url", rep("\\url{http://a\\_")),
        ("emphasis", from(format!("{}http://a/{}", run('*', half), run('*', half)))),
        // Those of hosts and addresses without a scheme.
        ("at_alone", rep("@")),
        ("at_labels", rep("a@")),
        ("dot_labels", rep("a.")),
        ("dot_alone", rep(".")),
        ("at_domain", from(format!("a@{}", "a.".repeat(half)))),
        ("local_dots", from(format!("{}@a.com", "a.".repeat(half)))),
        ("locals", from(format!("{}@a.com ", run('a', 900)).repeat(n / 907))),
        ("long_label", from(format!("{}.com ", run('a', 240)).repeat(n / 245))),
        ("www", rep("www.")),
        ("www_hosts", rep("www.a.com")),
        ("bare_paths", rep("a.com/")),
        ("bare_list", rep("a.com,")),
        ("bare_hole", rep("a.com/{")),
        ("bare_goes_on", rep("a.com~/")),
        ("bare_square", rep("www.a.com/[x=")),
        ("bare_userinfo", rep("a.com:")),
        ("mail_userinfo", rep("a.com/a@")),
        ("mail_list", rep("jo@a.com,")),
        ("mail_slash", rep("jo@a.com/x")),
        ("mail_defanged", rep("jo@a[.]com ")),
        ("uts58_soft", from(format!("a.com/{}", ".!".repeat(half)))),
        ("uts58_open", from(format!("a.com/{}", run('(', n)))),
        ("uts58_interior", from(format!("a.com/?{}", "(=".repeat(half)))),
        ("uts58_dots", rep("\u{3042}\u{3002}")),
        ("bibtex_open", from(format!("url = {{{}", "http://a/\\_ ".repeat(n / 12)))),
    ]
}

/// The work for `text`: bytes looked at (in builds that count them), and the time.
fn work(finder: &Finder, text: &[u8]) -> (Option<u64>, Duration) {
    let _ = steps::take();
    let start = Instant::now();
    let count = finder.findings(text).count();
    let time = start.elapsed();
    assert!(count <= text.len());
    (steps::take(), time)
}

#[test]
fn work_is_linear() {
    const SIZES: [usize; 3] = [64 << 10, 128 << 10, 256 << 10];
    let mut wrong = Vec::new();
    for (which, (finder, _)) in finders().into_iter().enumerate() {
        let texts = SIZES.map(generators);
        for i in 0..texts[0].len() {
            let name = texts[0][i].0;
            let (counts, times): (Vec<_>, Vec<_>) =
                texts.iter().map(|texts| work(&finder, &texts[i].1)).unzip();
            for (sizes, counts) in SIZES.windows(2).zip(counts.windows(2)) {
                // The count has no noise; 2.3 leaves room for what comes once a text.
                if let &[Some(small), Some(large)] = counts
                    && large as f64 > 2.3 * small as f64 + 65536.0
                {
                    wrong.push(format!(
                        "{name} (finder {which}): {small} steps for {} bytes, then {large}",
                        sizes[0]
                    ));
                }
            }
            if let (Some(count), Some(&size)) = (counts[2], SIZES.last())
                && count > 64 * size as u64
            {
                wrong.push(format!(
                    "{name} (finder {which}): {count} steps for {size} bytes"
                ));
            }
            // A slow machine is no fault, a quadratic search is.
            if times[2] > Duration::from_secs(2) && times[2] > times[0] * 8 {
                wrong.push(format!(
                    "{name} (finder {which}): {times:?} for {SIZES:?} bytes"
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "work is not linear:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn streamed_work_is_linear() {
    // A window is searched again when more text comes: that must not multiply the work.
    let finder = Finder::new();
    let mut wrong = Vec::new();
    for (name, text) in generators(128 << 10) {
        let whole = work(&finder, &text).0;
        let start = Instant::now();
        let _ = streamed(&finder, &text, 16 << 10);
        let (count, time) = (steps::take(), start.elapsed());
        if let (Some(whole), Some(count)) = (whole, count)
            && count > 12 * whole + (1 << 20)
        {
            wrong.push(format!(
                "{name}: {whole} steps in one piece, {count} in windows of 16 KiB"
            ));
        }
        if time > Duration::from_secs(10) {
            wrong.push(format!("{name}: {time:?}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "streaming is not linear:\n{}",
        wrong.join("\n")
    );
}
