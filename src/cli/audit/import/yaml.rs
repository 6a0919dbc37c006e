//! The YAML of a flat configuration: keys with scalars and lists of scalars.

use serde_json::{Map, Number, Value};

/// Parses such a file.
///
/// # Errors
/// If it has anything else; the message names the line.
pub fn parse(text: &str) -> Result<Value, String> {
    let mut settings = Map::new();
    let mut last: Option<String> = None;
    for (index, line) in text.lines().enumerate() {
        let line = without_comment(line).trim_end();
        let trimmed = line.trim_start();
        if trimmed.is_empty() || trimmed == "---" {
            continue;
        }
        let fault = |what: &str| format!("line {}: {what}", index + 1);
        if let Some(item) = trimmed.strip_prefix('-') {
            let list = last.as_ref().and_then(|key| settings.get_mut(key));
            let list = list.ok_or_else(|| fault("a list item without a key"))?;
            if list.is_null() {
                *list = Value::Array(Vec::new());
            }
            let items = list.as_array_mut().ok_or_else(|| fault("the key has a value already"))?;
            items.push(scalar(item.trim()));
            continue;
        }
        if line.len() > trimmed.len() {
            // The members of a nested table, such as headers, which nothing here needs.
            continue;
        }
        let (key, value) =
            trimmed.split_once(':').ok_or_else(|| fault("`key: value` is expected"))?;
        let value = value.trim();
        let list = value.strip_prefix('[').and_then(|list| list.strip_suffix(']'));
        let value = match (value, list) {
            ("", _) => Value::Null,
            (_, Some(list)) => {
                let items = list.split(',').map(str::trim).filter(|item| !item.is_empty());
                Value::Array(items.map(scalar).collect())
            }
            (value, None) => scalar(value),
        };
        let key = key.trim().trim_matches(['"', '\'']).to_owned();
        settings.insert(key.clone(), value);
        last = Some(key);
    }
    Ok(Value::Object(settings))
}

/// Removes a comment: `#` at the start, or after a blank and outside of quotes.
fn without_comment(line: &str) -> &str {
    let mut quote = None;
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        match (quote, c) {
            (None, '#') if before.is_whitespace() => return &line[..at],
            (None, '"' | '\'') if before.is_whitespace() || before == '[' || before == ',' => {
                quote = Some(c);
            }
            (Some(open), c) if c == open => quote = None,
            _ => {}
        }
        before = c;
    }
    line
}

fn scalar(text: &str) -> Value {
    if let Some(text) = text.strip_prefix('\'').and_then(|text| text.strip_suffix('\'')) {
        return Value::String(text.replace("''", "'"));
    }
    if let Some(quoted) = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
        // The escapes of JSON are those of YAML that occur in expressions.
        let parsed = serde_json::from_str(text);
        return parsed.unwrap_or_else(|_| Value::String(quoted.to_owned()));
    }
    match text {
        "true" | "True" | "yes" | "on" => Value::Bool(true),
        "false" | "False" | "no" | "off" => Value::Bool(false),
        "null" | "~" => Value::Null,
        _ => match text.parse::<u64>() {
            Ok(number) => Value::Number(Number::from(number)),
            Err(_) => Value::String(text.to_owned()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flat_files() {
        let text = "---\n# c\nA: true # d\nB: [x, \"y#\"]\nC:\n  - '^a''b'\n- \"c\\\\d\"\nD: 7\nE: a#b\nF:\n  G: 1\n";
        let expected = serde_json::json!({
            "A": true, "B": ["x", "y#"], "C": ["^a'b", "c\\d"], "D": 7, "E": "a#b", "F": null
        });
        assert_eq!(parse(text), Ok(expected));
        assert!(parse("- a").unwrap_err().starts_with("line 1"));
        assert!(parse("A: b\n- a").is_err() && parse("word").is_err());
    }
}
