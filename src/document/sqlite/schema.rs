//! Names of tables and columns, read from `CREATE TABLE` (§2.6).

use crate::shorten::shortened_text;

/// The page with the root of the table of tables (§2.6).
pub(super) const ROOT: u32 = 1;
/// Places of two of its columns.
pub(super) const ROOT_PAGE: usize = 3;
pub(super) const STATEMENT: usize = 4;

/// A table.
pub(super) struct Table {
    pub name: String,
    /// The page with the root of its b-tree.
    pub root: u32,
    /// The names of its columns, in the order of the values in a row.
    pub columns: Vec<String>,
}

impl Table {
    /// Returns the table of tables.
    pub fn schema() -> Self {
        let columns = ["type", "name", "tbl_name", "rootpage", "sql"];
        Self {
            name: "sqlite_schema".to_owned(),
            root: ROOT,
            columns: columns.map(str::to_owned).into(),
        }
    }

    /// Returns a table by the statement that made it.
    pub fn new(name: String, root: u32, sql: &str) -> Self {
        let definitions = definitions(sql);
        let after = sql.rsplit_once(')').map_or("", |(_, after)| after).to_ascii_uppercase();
        let mut columns: Vec<(String, bool)> = Vec::new();
        let mut key: Vec<String> = Vec::new();
        for definition in definitions {
            let upper = definition.to_ascii_uppercase();
            let first = upper.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
            match first {
                "PRIMARY" => {
                    key = self::definitions(definition).into_iter().map(column_name).collect()
                }
                "CONSTRAINT" | "UNIQUE" | "CHECK" | "FOREIGN" => {}
                _ => {
                    let is_key = upper.contains("PRIMARY KEY");
                    // A virtual column is computed and not in the row.
                    let is_computed = upper.contains(" AS ") || upper.contains(" AS(");
                    if !is_computed || upper.contains("STORED") {
                        columns.push((column_name(definition), is_key));
                    }
                }
            }
        }
        if after.contains("WITHOUT") && after.contains("ROWID") {
            // The columns of the primary key come first (§2.4).
            columns.sort_by_key(|(column, is_key)| {
                let place = key.iter().position(|key| key.eq_ignore_ascii_case(column));
                place.unwrap_or(if *is_key { 0 } else { usize::MAX })
            });
        }
        // The names are printed with each URI.
        let short = |name: &str| shortened_text(name).into_owned();
        let columns = columns.iter().map(|(column, _)| short(column)).collect();
        Self { name: short(&name), root, columns }
    }
}

/// Returns the parts between the outer parentheses that commas separate.
fn definitions(sql: &str) -> Vec<&str> {
    let (mut depth, mut start, mut quote) = (0_usize, 0, None);
    let mut parts = Vec::new();
    for (at, c) in sql.char_indices() {
        match (quote, c) {
            (Some(end), c) if c == end => quote = None,
            (Some(_), _) => {}
            // SQLite also takes the quotes of MySQL, `a`, and of Microsoft's databases, [a]. A name
            // in them may have a comma.
            (None, '"' | '\'' | '`') => quote = Some(c),
            (None, '[') => quote = Some(']'),
            (None, '(') => {
                depth += 1;
                start = if depth == 1 { at + 1 } else { start };
            }
            (None, ')' | ',') if depth == 1 => {
                parts.extend(sql.get(start..at).map(str::trim));
                start = at + 1;
                if c == ')' {
                    break;
                }
            }
            (None, ')') => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Returns the name at the start of a definition, without its quotes.
fn column_name(definition: &str) -> String {
    let definition = definition.trim_start();
    let end = match definition.chars().next() {
        Some('[') => ']',
        Some(quote @ ('"' | '\'' | '`')) => quote,
        _ => {
            let is_end = |c: char| c.is_whitespace() || matches!(c, ',' | '(' | ')');
            return definition.split(is_end).next().unwrap_or_default().to_owned();
        }
    };
    let inner = definition.get(1..).unwrap_or_default();
    inner.split(end).next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(sql: &str) -> Vec<String> {
        Table::new(String::new(), 2, sql).columns
    }

    #[test]
    fn names_of_columns() {
        let sql = "CREATE TABLE \"a (b)\"(id INTEGER PRIMARY KEY, url LONGVARCHAR, [last visit] INT \
                   DEFAULT (1,2), \"a,b\" TEXT, UNIQUE(url), CHECK (id > 0))";
        assert_eq!(columns(sql), ["id", "url", "last visit", "a,b"]);
        let sql = "CREATE TABLE t(a TEXT, b AS (a || 'x'), c TEXT AS (a) STORED, d)";
        assert_eq!(columns(sql), ["a", "c", "d"]);
    }

    #[test]
    fn a_primary_key_comes_first_without_rowid() {
        let sql = "CREATE TABLE t(a, b TEXT PRIMARY KEY, c) WITHOUT ROWID";
        assert_eq!(columns(sql), ["b", "a", "c"]);
        let sql = "CREATE TABLE t(a, b, c, PRIMARY KEY (c, a)) WITHOUT ROWID";
        assert_eq!(columns(sql), ["c", "a", "b"]);
        assert_eq!(columns("CREATE TABLE t(a, b TEXT PRIMARY KEY)"), ["a", "b"]);
    }
}
