//! Settings of markdown-link-check (`.markdown-link-check.json`).

use super::{Imported, Value, duration, retries, strings};
use crate::cli::toml_string::toml_string;

/// Adds a setting.
pub fn import(key: &str, value: &Value, to: &mut Imported) {
    let entries = || value.as_array().into_iter().flatten();
    match key {
        "ignorePatterns" => {
            let patterns = entries().filter_map(|entry| entry["pattern"].as_str());
            to.exclude_uris.extend(patterns.map(str::to_owned));
        }
        "replacementPatterns" => {
            for entry in entries() {
                let pair = entry["pattern"].as_str().zip(entry["replacement"].as_str());
                match pair {
                    Some((pattern, to_base)) if to_base.contains("{{BASEURL}}") => {
                        match to.site.clone() {
                            Some(site) => to.note(
                                key,
                                format!(
                                    "`{pattern}`: such links lead to files in [audit] root, not to {site}"
                                ),
                            ),
                            None => to.root = vec![".".to_owned()],
                        }
                    }
                    Some((pattern, replacement)) => {
                        to.remaps.push(format!("{pattern} {replacement}"));
                    }
                    None => {}
                }
            }
        }
        "aliveStatusCodes" => to.online("accept", toml_string(&strings(value).join(","))),
        "timeout" => match duration(value) {
            Some(duration) => to.online("timeout", duration),
            None => to.note(key, "timeout takes a duration such as 20s"),
        },
        "retryCount" => to.online.extend(retries(value).map(|it| ("retry", it.to_string()))),
        "retryOn429" | "fallbackRetryDelay" => {
            to.note(key, "a host that answers 429 is always asked later, as its Retry-After says");
        }
        "httpHeaders" => to.note(key, "--header 'HOST NAME: VALUE', with secrets as $VARIABLES"),
        "projectBaseUrl" => {
            let url = value.as_str().unwrap_or_default();
            match url.starts_with("http://") || url.starts_with("https://") {
                true => {
                    to.site = Some(url.to_owned());
                    to.note(key, "[audit] root is the directory of what is published at this URL");
                }
                // A path, or `file:`: the directory of the project.
                false => to.root = vec![".".to_owned()],
            }
        }
        "ignoreDisable" => to.note(key, "comments of other checkers are not read"),
        _ => to.unknown(key),
    }
}
