//! Replaces the names of constants by their values in settings that are programs: `url: HOST` with
//! ``const HOST = `https://${NAME}` `` and `const NAME = 'a.example'`.

use std::borrow::Cow;
use std::path::Path;

use super::settings::string;
use crate::hash::HashMap;

/// Longest value that replaces a name. Addresses and paths are shorter.
const MAX_VALUE_BYTES: usize = 256;
/// Longer lines are not changed. No address is in a minified program.
const MAX_LINE_BYTES: usize = 1024;
/// Maximum bytes that all values may add. Otherwise, names of one byte in a hostile tree would grow
/// to 64 times their size.
const MAX_ADDED: usize = 64 << 10;
/// Words that start the definition of a constant.
const DEFINITIONS: [&str; 3] = ["const ", "let ", "var "];

/// Returns the settings with their constants, if they are a program in JavaScript or TypeScript.
pub(super) fn resolved(program: &Path, settings: String) -> String {
    let extension = program.extension().and_then(|extension| extension.to_str());
    let is_program = matches!(extension, Some("cjs" | "cts" | "js" | "mjs" | "mts" | "ts"));
    if !is_program {
        return settings;
    }
    let constants = constants(&settings);
    if constants.is_empty() {
        return settings;
    }
    let mut resolved = String::with_capacity(settings.len() + 1);
    let mut read = 0;
    for line in settings.lines() {
        if resolved.len() <= read + MAX_ADDED && line.len() <= MAX_LINE_BYTES {
            resolved.push_str(&with_constants(line, &constants))
        } else {
            resolved.push_str(line)
        }
        resolved.push('\n');
        read += line.len() + 1;
    }
    resolved
}

/// Returns the constants that are strings. A constant may use earlier ones.
fn constants(settings: &str) -> HashMap<String, String> {
    let mut constants: HashMap<String, String> = HashMap::default();
    for line in settings.lines().filter(|line| line.len() <= MAX_LINE_BYTES) {
        let line = line.trim_start();
        let line = line.strip_prefix("export ").unwrap_or(line);
        let Some(definition) = DEFINITIONS.iter().find_map(|word| line.strip_prefix(word)) else {
            continue;
        };
        let Some((name, value)) = definition.split_once('=') else { continue };
        // TypeScript may name a type.
        let name = name.split(':').next().unwrap_or_default().trim();
        let value = filled(value.trim(), &constants);
        let is_quoted = value.starts_with(['"', '\'', '`']);
        if let Some(value) = string(&value).filter(|it| is_quoted && it.len() <= MAX_VALUE_BYTES)
            && is_name(name)
        {
            constants.insert(name.to_owned(), value);
        }
    }
    constants
}

fn with_constants(line: &str, constants: &HashMap<String, String>) -> String {
    let line = filled(line, constants);
    let (item, end) = match line.trim_end().strip_suffix(',') {
        Some(item) => (item, ","),
        None => (line.trim_end(), ""),
    };
    // `baseUrl,` is short for `baseUrl: baseUrl,`.
    let (key, name) = match item.split_once(':') {
        Some((key, name)) => (key, name.trim()),
        None => (item, item.trim()),
    };
    match constants.get(name) {
        Some(value) => format!("{key}: '{value}'{end}"),
        None => line.into_owned(),
    }
}

/// Replaces `${NAME}`.
fn filled<'l>(line: &'l str, constants: &HashMap<String, String>) -> Cow<'l, str> {
    if !line.contains("${") {
        return Cow::Borrowed(line);
    }
    let (mut filled, mut rest) = (String::with_capacity(line.len()), line);
    while let Some((before, after)) = rest.split_once("${") {
        let known = after.split_once('}');
        let known = known.and_then(|(name, end)| Some((constants.get(name.trim())?, end)));
        filled.push_str(before);
        match known {
            Some((value, end)) => {
                filled.push_str(value);
                rest = end;
            }
            None => {
                filled.push_str("${");
                rest = after;
            }
        }
    }
    Cow::Owned(filled + rest)
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_program(settings: &str) -> String {
        resolved(Path::new("docusaurus.config.ts"), settings.to_owned())
    }

    #[test]
    fn names_become_values() {
        let constants = "const HOST = 'a.example';\nexport const base: string = `/${HOST}/x`;\n";
        let settings =
            "{\n  url: `https://${HOST}`,\n  baseUrl: base,\n  base,\n  title: HOST + 1,\n}\n";
        let expected = "{\n  url: `https://a.example`,\n  baseUrl: '/a.example/x',\n  base: '/a.example/x',\n  title: HOST + 1,\n}\n";
        let resolved = of_program(&format!("{constants}{settings}"));
        assert!(resolved.ends_with(expected), "{resolved}");
    }

    #[test]
    fn computed_values_stay() {
        for settings in ["const a = b();\nurl: a,\n", "const a = `${b}`;\nurl: `${a}${`,\n"] {
            assert_eq!(of_program(settings), settings);
        }
        let yaml = "const a = 'b'\nurl: a\n";
        assert_eq!(resolved(Path::new("_config.yml"), yaml.to_owned()), yaml);
    }
}
