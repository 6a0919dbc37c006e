//! The literals, words and marks of a source text: enough to take a table of tests apart.

/// A piece of a source text. Comments and white space are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// A string, its escapes read.
    Literal(String),
    /// A name, a keyword or a number.
    Word(String),
    /// Any other character.
    Mark(char),
}

impl Token {
    pub fn literal(&self) -> Option<&str> {
        match self {
            Self::Literal(text) => Some(text),
            _ => None,
        }
    }

    pub fn is(&self, word: &str) -> bool {
        matches!(self, Self::Word(own) if own == word)
    }

    pub fn is_mark(&self, mark: char) -> bool {
        *self == Self::Mark(mark)
    }
}

/// How a language writes strings and comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    C,
    Go,
    JavaScript,
    Ruby,
    Rust,
    Zig,
}

impl Language {
    fn quotes(self) -> &'static str {
        match self {
            Self::JavaScript => "\"'`",
            Self::Ruby => "\"'",
            Self::Go => "\"`",
            Self::C | Self::Rust | Self::Zig => "\"",
        }
    }

    /// True for a quote that takes its text as it is.
    fn is_raw(self, quote: char) -> bool {
        match self {
            Self::Go => quote == '`',
            _ => false,
        }
    }

    fn comment(self) -> &'static str {
        if self == Self::Ruby { "#" } else { "//" }
    }
}

/// Takes a source text apart.
pub fn tokens(source: &str, language: Language) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        if rest.starts_with(language.comment()) {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
        } else if rest.starts_with("/*") && language != Language::Ruby {
            rest = rest.find("*/").map_or("", |end| &rest[end + 2..]);
        } else if let Some((literal, after)) = raw_literal(rest, language) {
            tokens.push(Token::Literal(literal));
            rest = after;
        } else if language.quotes().contains(c) {
            let (literal, after) = quoted(&rest[1..], c, language.is_raw(c));
            match tokens.last_mut() {
                // literals side by side are one
                Some(Token::Literal(last)) if language == Language::C => *last += &literal,
                _ => tokens.push(Token::Literal(literal)),
            }
            rest = after;
        } else if c.is_alphanumeric() || c == '_' {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            tokens.push(Token::Word(rest[..end].to_owned()));
            rest = &rest[end..];
        } else {
            if !c.is_whitespace() {
                tokens.push(Token::Mark(c));
            }
            rest = &rest[c.len_utf8()..];
        }
    }
    tokens
}

/// `r#"…"#` of Rust and `%q{…}` of Ruby.
fn raw_literal(rest: &str, language: Language) -> Option<(String, &str)> {
    let (open, close) = match language {
        Language::Rust => ("r#\"", "\"#"),
        Language::Ruby => ("%q{", "}"),
        _ => return None,
    };
    let (text, after) = rest.strip_prefix(open)?.split_once(close)?;
    Some((text.to_owned(), after))
}

/// The text up to the closing quote, and what follows it.
pub fn quoted(rest: &str, quote: char, raw: bool) -> (String, &str) {
    let mut text = String::new();
    let mut chars = rest.chars();
    while let Some(c) = chars.next() {
        match c {
            _ if c == quote => break,
            '\\' if !raw => text.extend(escape(&mut chars)),
            _ => text.push(c),
        }
    }
    (text, chars.as_str())
}

/// The character that an escape stands for.
fn escape(chars: &mut std::str::Chars<'_>) -> Option<char> {
    let hexadecimal = |digits: &str| char::from_u32(u32::from_str_radix(digits, 16).ok()?);
    let fixed = |chars: &mut std::str::Chars<'_>, length| {
        let digits: String = chars.by_ref().take(length).collect();
        hexadecimal(&digits)
    };
    match chars.next()? {
        'n' => Some('\n'),
        'r' => Some('\r'),
        't' => Some('\t'),
        'f' => Some('\u{c}'),
        '0' => Some('\0'),
        'x' => fixed(chars, 2),
        'U' => fixed(chars, 8),
        'u' => match chars.as_str().strip_prefix('{').and_then(|rest| rest.split_once('}')) {
            Some((digits, after)) => {
                *chars = after.chars();
                hexadecimal(digits)
            }
            None => fixed(chars, 4),
        },
        other => Some(other),
    }
}
