//! Vectors as tables: reads them, undoes their escapes, and runs a function over them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The rows of a TSV file without comments and heading; fails when there is none, or when one has
/// not `columns` columns.
pub fn rows(path: &Path, columns: usize) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let rows: Vec<Vec<String>> =
        lines.skip(1).map(|line| line.split('\t').map(str::to_owned).collect()).collect();
    assert!(!rows.is_empty(), "{} holds no case", path.display());
    for row in &rows {
        assert_eq!(row.len(), columns, "{}: {row:?}", path.display());
    }
    rows
}

/// Undoes the escapes of the vectors: `\\`, `\uXXXX` and `\u{X}`.
pub fn unescape(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix('\\') {
            out.push('\\');
            rest = after;
            continue;
        }
        let escape = rest.strip_prefix('u').expect("an escape is \\\\ or \\u");
        let (hex, after) = match escape.strip_prefix('{') {
            Some(braced) => braced.split_once('}').expect("a closing brace"),
            None => escape.split_at(4),
        };
        let code = u32::from_str_radix(hex, 16).expect("a code point in hexadecimal");
        out.push(char::from_u32(code).expect("a scalar value"));
        rest = after;
    }
    out + rest
}

/// Runs `describe` over the vectors of `file` below corpus/; the text is in column 1, the
/// expectation in column `expect`, where `=` stands for the column before. All differences are
/// reported at once.
pub fn check_vectors(file: &str, columns: usize, expect: usize, describe: impl Fn(&str) -> String) {
    let rows = rows(&root().join("corpus").join(file), columns);
    let mut wrong = Vec::new();
    let mut names = BTreeSet::new();
    for row in &rows {
        assert!(names.insert(&row[0]), "{file}: two cases are called {}", row[0]);
        let mut cells = row[..=expect].iter().rev();
        let want = cells.find(|cell| *cell != "=").expect("an expectation");
        let got = describe(&unescape(&row[1]));
        if got != *want {
            wrong.push(format!("{}: {}\n  want {want}\n   got {got}", row[0], row[1]));
        }
    }
    assert!(wrong.is_empty(), "{} of {} in {file}:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}
