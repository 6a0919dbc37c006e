//! Settings of lychee (`lychee.toml`).

use super::{Imported, ImportedValue, duration, expressions, refusal, strings};
use crate::cli::toml_string::toml_string;

/// Adds a setting.
pub fn import(key: &str, value: &ImportedValue, to: &mut Imported) {
    match key {
        "exclude" => to.exclude_uris.extend(strings(value)),
        "include" => to.include_uris.extend(strings(value)),
        "exclude_path" => {
            for path in strings(value) {
                match expressions::glob(&path) {
                    Some(glob) => to.exclude_paths.push(glob),
                    None => to.not_a_glob(key, &path),
                }
            }
        }
        "accept" => accept(value, to),
        "timeout" => to.online_if_valid(key, "timeout", duration(value), value),
        "max_cache_age" => to.online_if_valid(key, "max-age", duration(value), value),
        "max_retries" => to.retry(key, value),
        "host_concurrency" => {
            to.online_if_valid(key, "host-concurrency", Some(value.to_string()), value);
        }
        "remap" => to.remaps.extend(strings(value)),
        "require_https" if value == true => to.online("require-https", true),
        "include_mail" if value == true => to.online("include-mail", true),
        "suggest" if value == true => to.online("suggest", toml_string("archive")),
        "exclude_all_private" | "exclude_private" | "exclude_link_local" | "exclude_loopback"
            if value == true =>
        {
            to.severities.insert("private-host", "off");
        }
        "root_dir" => to.root.extend(strings(value)),
        "include_fragments" if value == false => {
            to.severities.insert("missing-anchor", "off");
            to.severities.insert("unreachable-anchor", "off");
        }
        // Options that are off by default need no key.
        _ if value == false => {}
        "base" | "base_url" => match value.as_str() {
            // Links to this address count as links of the tree, as in lychee.
            Some(base) if base.contains("://") => to.base = Some(base.to_owned()),
            Some(base) => to.root.push(base.to_owned()),
            None => to.unknown(key),
        },
        "cache" if value == true => to.note(key, "--cache FILE; --import reads a .lycheecache"),
        "header" | "headers" | "hosts" => {
            to.note(key, "--header 'HOST NAME: VALUE', with secrets as $VARIABLES");
        }
        "max_concurrency" | "concurrency" => {
            to.note(key, "requests are limited per host: `host-concurrency` in [audit.online]");
        }
        "offline" => to.note(key, "without --online, the web is not asked"),
        "include_fragments" => to.note(key, "anchors of the tree are always checked"),
        "user_agent" | "insecure" | "method" | "min_tls" | "cookie_jar" => {
            to.note(key, "requests can't be configured, except by --header");
        }
        _ => to.unknown(key),
    }
}

/// Adds status codes: numbers, lists, and ranges. `200..=299` includes its end, `200..300` does
/// not.
pub fn accept(value: &ImportedValue, to: &mut Imported) {
    let mut codes = Vec::new();
    for text in strings(value).iter().flat_map(|text| text.split(',')) {
        let text = text.trim();
        let closed = text.split_once("..=").map(|(start, end)| (start, end.to_owned()));
        let range = closed.or_else(|| {
            let (start, end) = text.split_once("..")?;
            // Other text stays, and is refused below.
            let before = |end: u16| end.saturating_sub(1).to_string();
            Some((start, end.parse().map_or_else(|_| end.to_owned(), before)))
        });
        let code = match range {
            Some((start, end)) => {
                // An open range reaches to the first or the last of the status codes, 100 and 599
                // (RFC 9110 §15).
                let start = if start.is_empty() { "100" } else { start };
                let end = if end.is_empty() { "599" } else { &end };
                format!("{start}-{end}")
            }
            None => text.to_owned(),
        };
        match refusal("accept", &toml_string(&code)) {
            Some(why) => to.note("accept", format!("`{text}`: {why}")),
            None => codes.push(code),
        }
    }
    if !codes.is_empty() {
        to.online("accept", toml_string(&codes.join(",")));
    }
}
