//! `--import-config`: prints the configuration of another link checker as `urigrep.toml`.

mod expressions;
mod htmltest;
mod lychee;
mod markdown_link_check;
mod yaml;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;

use clap::CommandFactory;
use urigrep::audit::{PatternError, Patterns};
use urigrep::internal::{MAX_SETTINGS_BYTES, read_regular_text};
use urigrep::search::describe;

use super::plan::is_site_base;
use super::settings;
use crate::cli::error::CliError;
use crate::cli::flags::{Cli, unsupported};
use crate::cli::toml_string::toml_string;

/// The long names of the flags of `audit`. Making them takes longer than reading a configuration.
static AUDIT_FLAGS: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let command = Cli::command();
    let flags = command.find_subcommand("audit").into_iter().flat_map(|it| it.get_arguments());
    flags.filter_map(|flag| flag.get_long().map(str::to_owned)).collect()
});

/// The configuration, translated to our settings.
#[derive(Debug, Default)]
struct Imported {
    root: Vec<String>,
    base: Option<String>,
    /// The URL of the project, which markdown-link-check puts before paths.
    site: Option<String>,
    severities: BTreeMap<&'static str, &'static str>,
    exclude_uris: Vec<String>,
    exclude_paths: Vec<String>,
    include_uris: Vec<String>,
    /// Expressions, each with a space and its replacement.
    remaps: Vec<String>,
    /// Values of `[audit.online]`, in TOML.
    online: BTreeMap<&'static str, String>,
    /// Keys that were not translated, each with the reason or a replacement.
    notes: Vec<(String, String)>,
}

/// A value of a configuration: the part of JSON, TOML, and YAML that these files use.
type ImportedValue = serde_json::Value;

/// Returns the text of `urigrep.toml` for a configuration of lychee (`.toml`),
/// markdown-link-check (`.json`), or htmltest (`.yml`).
///
/// # Errors
/// If the file can't be read, or belongs to none of these programs.
pub fn import(path: &Path) -> Result<String, CliError> {
    let text = read_regular_text(path, MAX_SETTINGS_BYTES)
        .map_err(|error| CliError::file(path, describe(&error)))?;
    let invalid = |message: String| CliError::file(path, message.replace('\n', " "));
    let extension = path.extension().and_then(|extension| extension.to_str());
    let (settings, import): (ImportedValue, fn(&str, &ImportedValue, &mut Imported)) =
        match extension {
            Some("toml") => {
                let parsed = toml::from_str(&text);
                (parsed.map_err(|error| invalid(error.to_string()))?, lychee::import)
            }
            Some("json") => {
                let parsed = serde_json::from_str(&text);
                (parsed.map_err(|error| invalid(error.to_string()))?, markdown_link_check::import)
            }
            Some("yml" | "yaml") => (yaml::parse(&text).map_err(invalid)?, htmltest::import),
            _ => {
                return Err(CliError::invalid(
                    "--import-config",
                    "FILE must end in .toml (lychee), .json (markdown-link-check), or .yml (htmltest)",
                ));
            }
        };
    let Some(settings) = settings.as_object() else {
        return Err(invalid("a table of settings is expected".to_owned()));
    };
    let mut imported = Imported::default();
    for (key, value) in settings {
        import(key, value, &mut imported);
    }
    imported.keep_readable();
    Ok(imported.text(&path.file_name().unwrap_or_default().to_string_lossy()))
}

impl Imported {
    /// Adds a note about a key that is set elsewhere, or has no equivalent.
    fn note(&mut self, key: &str, advice: impl Into<String>) {
        // A note is one line of a comment.
        let line = |text: &str| text.replace(|c: char| c.is_control(), " ");
        self.notes.push((line(key), line(&advice.into())));
    }

    /// Turns expressions that we can't compile into notes. Other checkers have engines with
    /// look-around and back-references, which ours refuses because they take more than linear time.
    fn keep_readable(&mut self) {
        // With both, lychee takes `include` for exceptions from `exclude`, and checks what neither
        // names. Here, each list of `include` must match.
        if !self.exclude_uris.is_empty() {
            for uri in std::mem::take(&mut self.include_uris) {
                self.note(
                    "include",
                    format!(
                        "`{uri}` is an exception from `exclude`: write it into that expression"
                    ),
                );
            }
        }
        for (key, uris) in
            [("exclude", &mut self.exclude_uris), ("include", &mut self.include_uris)]
        {
            let mut patterns = Patterns::default();
            for uri in std::mem::take(uris) {
                match patterns.add_uri(&uri) {
                    Ok(()) => uris.push(uri),
                    Err(error) => self.notes.push(not_taken(key, &uri, &error)),
                }
            }
        }
        let mut paths = Patterns::default();
        for path in std::mem::take(&mut self.exclude_paths) {
            match paths.add_path(Path::new("."), &path) {
                Ok(()) => self.exclude_paths.push(path),
                Err(error) => self.note("exclude paths", format!("`{path}`: {error}")),
            }
        }
        if let Some(base) = self.base.take_if(|base| !is_site_base(base)) {
            self.note("base", format!("`{base}` is not an https URL with a host"));
        }
        let mut patterns = Patterns::default();
        for remap in std::mem::take(&mut self.remaps) {
            let pattern = remap.split(' ').next().unwrap_or_default();
            match patterns.add_uri(pattern) {
                Ok(()) => match refusal("remap", &toml_string(&remap)) {
                    Some(why) => self.note("remap", format!("`{remap}`: {why}")),
                    None => self.remaps.push(remap),
                },
                Err(error) => self.notes.push(not_taken("remap", pattern, &error)),
            }
        }
        if !self.remaps.is_empty() {
            let remaps: Vec<_> = self.remaps.iter().map(|remap| toml_string(remap)).collect();
            self.online("remap", format!("[{}]", remaps.join(", ")));
        }
    }

    /// Adds a setting for `--online`, or a note if our parser does not accept it.
    fn online_if_valid(
        &mut self,
        key: &str,
        name: &'static str,
        value: Option<String>,
        from: &ImportedValue,
    ) {
        match value.as_deref().map(|value| (value, refusal(name, value))) {
            Some((value, None)) => self.online(name, value),
            Some((_, Some(why))) => self.note(key, format!("`{}`: {why}", shown(from))),
            None => self.note(key, format!("`{}` is not a value of `{name}`", shown(from))),
        }
    }

    /// Sets how often a request is repeated, in our range.
    fn retry(&mut self, key: &str, value: &ImportedValue) {
        let most = value.as_u64().filter(|count| *count > MAX_RETRIES);
        if most.is_some() {
            self.note(key, format!("a request is repeated {MAX_RETRIES} times at most"));
        }
        let count = value.as_u64().map(|count| count.min(MAX_RETRIES).to_string());
        self.online_if_valid(key, "retry", count, value);
    }

    /// Adds an expression of paths for which there is no glob.
    fn not_a_glob(&mut self, key: &str, expression: &str) {
        let advice = format!("`{expression}` is an expression; [audit.exclude] paths takes globs");
        self.note(key, advice);
    }

    /// Adds a key without an equivalent, with the flag to use if there is one.
    fn unknown(&mut self, key: &str) {
        let name = key.replace('_', "-").to_lowercase();
        let flag = format!("--{name}");
        let is_own = AUDIT_FLAGS.contains(&name);
        let advice = unsupported::audit_flag(&flag).or(is_own.then_some(flag.as_str()));
        self.note(key, advice.unwrap_or("no such setting"));
    }

    fn online(&mut self, key: &'static str, value: impl ToString) {
        self.online.insert(key, value.to_string());
    }

    fn text(&self, from: &str) -> String {
        let mut text = format!("# From {from}, by `urigrep audit --import-config`.\n");
        let mut table = |name: &str, lines: Vec<(&str, Option<String>)>| {
            let lines: Vec<_> =
                lines.into_iter().filter_map(|(key, value)| Some((key, value?))).collect();
            if lines.is_empty() {
                return;
            }
            text += &format!("\n[{name}]\n");
            for (key, value) in lines {
                text += &format!("{key} = {value}\n");
            }
        };
        table(
            "audit",
            vec![("root", list(&self.root)), ("base", self.base.as_deref().map(toml_string))],
        );
        let severities = self.severities.iter();
        table(
            "audit.severities",
            severities.map(|(key, word)| (*key, Some(toml_string(word)))).collect(),
        );
        table(
            "audit.exclude",
            vec![("paths", list(&self.exclude_paths)), ("uris", list(&self.exclude_uris))],
        );
        table("audit.include", vec![("uris", list(&self.include_uris))]);
        let online = self.online.iter();
        table("audit.online", online.map(|(key, value)| (*key, Some(value.clone()))).collect());
        if !self.notes.is_empty() {
            text += "\n# Not translated:\n";
            for (key, advice) in &self.notes {
                text += &format!("#   {key}: {advice}\n");
            }
        }
        text + "\n# `urigrep audit` reads this file as urigrep.toml; --online also asks the web.\n"
    }
}

/// Returns the note about an expression that can't be imported, with a replacement.
fn not_taken(key: &str, expression: &str, error: &PatternError) -> (String, String) {
    let opposite = expression.strip_prefix("^(?!").and_then(|rest| {
        let end = rest.trim_end_matches(".*$").trim_end_matches(".*").strip_suffix(')')?;
        Some(end.strip_prefix("(?:").and_then(|inner| inner.strip_suffix(')')).unwrap_or(end))
    });
    let opposite = opposite.filter(|it| Patterns::default().add_uri(it).is_ok());
    let advice = match (key, opposite) {
        ("exclude", Some(it)) => {
            format!(
                "say what to keep: [audit.include] uris = [{}]",
                toml_string(&format!("^(?:{it})"))
            )
        }
        ("include", Some(it)) => {
            format!(
                "say what to drop: [audit.exclude] uris = [{}]",
                toml_string(&format!("^(?:{it})"))
            )
        }
        _ => "write it without, or as several expressions".to_owned(),
    };
    let line = |text: &str| text.replace(|c: char| c.is_control(), " ");
    (line(key), line(&format!("`{expression}` can't be imported: {error}; {advice}")))
}

fn list(texts: &[String]) -> Option<String> {
    let strings: Vec<String> = texts.iter().map(|text| toml_string(text)).collect();
    match strings.as_slice() {
        [] => None,
        [one] => Some(format!("[{one}]")),
        many => Some(format!("[\n    {},\n]", many.join(",\n    "))),
    }
}

/// The strings of a value: it is one, or a list of them.
fn strings(value: &ImportedValue) -> Vec<String> {
    let text = |value: &ImportedValue| match value {
        ImportedValue::String(text) => Some(text.clone()),
        ImportedValue::Number(number) => Some(number.to_string()),
        _ => None,
    };
    match value {
        ImportedValue::Array(values) => values.iter().filter_map(text).collect(),
        value => text(value).into_iter().collect(),
    }
}

/// A duration in our form: seconds as a number, or a text such as `20s`.
fn duration(value: &ImportedValue) -> Option<String> {
    match value {
        ImportedValue::Number(seconds) => Some(toml_string(&format!("{seconds}s"))),
        ImportedValue::String(text) => Some(toml_string(text)),
        _ => None,
    }
}

/// Requests are repeated this often at most.
const MAX_RETRIES: u64 = 10;

/// Returns why our parser refuses a value of `[audit.online]`, in TOML; `None` if it accepts it.
/// The parser itself decides, because the written file must load.
fn refusal(name: &str, value: &str) -> Option<String> {
    let text = format!("[audit.online]\n{name} = {value}\n");
    let error = settings::parsed(&text, Path::new(".")).err()?;
    // The parser's message starts with the flag and the value.
    let why = error.message.rsplit_once(">': ").map_or(error.message.as_str(), |(_, why)| why);
    Some(why.to_owned())
}

/// A value as its author wrote it, without quotation marks.
fn shown(value: &ImportedValue) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
