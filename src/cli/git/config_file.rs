//! The grammar of git's files of configuration (git-config(1), "Syntax").

use memchr::memchr;

/// A variable of a file of configuration.
#[derive(Debug, PartialEq, Eq)]
pub struct Variable {
    /// In lower case, without the name in quotation marks: `includeif` of
    /// `[includeIf "onbranch:x"]`.
    pub section: String,
    /// In lower case.
    pub name: String,
    pub value: Vec<u8>,
}

/// Returns the variables of a file that have a value. Where git would stop with an error, so does
/// this.
pub fn variables(text: &[u8]) -> Vec<Variable> {
    let mut reader = Reader { text: text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text), at: 0 };
    let (mut section, mut variables) = (String::new(), Vec::new());
    while let Some(byte) = reader.next() {
        match byte {
            b'#' | b';' => reader.skip_line(),
            b'[' => match reader.section() {
                Some(name) => section = name,
                None => break,
            },
            b'a'..=b'z' | b'A'..=b'Z' => {
                let name = reader.name(byte);
                match reader.next() {
                    // A name alone means `true`.
                    None | Some(b'\n') => {}
                    Some(b'=') => {
                        let Some(value) = reader.value() else { break };
                        variables.push(Variable { section: section.clone(), name, value });
                    }
                    Some(_) => break,
                }
            }
            byte if byte.is_ascii_whitespace() || byte == b'\x0b' => {}
            _ => break,
        }
    }
    variables
}

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        match self.text.get(self.at..)? {
            [b'\r', b'\n', ..] => Some(b'\n'),
            [byte, ..] => Some(*byte),
            [] => None,
        }
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += if self.text.get(self.at) == Some(&byte) { 1 } else { 2 };
        Some(byte)
    }

    fn skip_line(&mut self) {
        while self.next().is_some_and(|byte| byte != b'\n') {}
    }

    /// Reads up to the `]`.
    fn section(&mut self) -> Option<String> {
        let (mut name, mut is_quoted) = (String::new(), false);
        loop {
            match self.next()? {
                b'\n' => return None,
                b'"' => is_quoted = !is_quoted,
                b'\\' if is_quoted => drop(self.next()?),
                _ if is_quoted => {}
                b']' => return Some(name.trim_ascii_end().to_owned()),
                // The old form of a name: `[branch.main]`.
                byte => name.push(byte.to_ascii_lowercase().into()),
            }
        }
    }

    /// Reads a name that starts with this byte, and the blanks after it.
    fn name(&mut self, first: u8) -> String {
        let mut name = String::from(char::from(first.to_ascii_lowercase()));
        while let Some(byte) = self.peek().filter(|it| it.is_ascii_alphanumeric() || *it == b'-') {
            name.push(byte.to_ascii_lowercase().into());
            self.at += 1;
        }
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
        name
    }

    /// Reads a value, of which quotation marks may enclose parts; `None` if it is malformed.
    fn value(&mut self) -> Option<Vec<u8>> {
        let (mut value, mut is_quoted) = (Vec::new(), false);
        // Blanks at the end do not belong to it.
        let mut end = 0;
        loop {
            match self.next() {
                None | Some(b'\n') if is_quoted => return None,
                None | Some(b'\n') => break,
                Some(b'#' | b';') if !is_quoted => {
                    self.skip_line();
                    break;
                }
                Some(b'"') => is_quoted = !is_quoted,
                Some(b'\\') => match self.next()? {
                    b'\n' => {}
                    b't' => value.push(b'\t'),
                    b'b' => value.push(b'\x08'),
                    b'n' => value.push(b'\n'),
                    byte @ (b'\\' | b'"') => value.push(byte),
                    _ => return None,
                },
                Some(byte) if !is_quoted && (byte.is_ascii_whitespace() || byte == b'\x0b') => {
                    if !value.is_empty() {
                        value.push(byte);
                    }
                    continue;
                }
                Some(byte) => value.push(byte),
            }
            end = value.len();
        }
        value.truncate(end);
        // git takes it for a text that ends there
        value.truncate(memchr(0, &value).unwrap_or(value.len()));
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values() {
        let read = |text: &str| {
            let all = variables(text.as_bytes()).into_iter();
            let shown = |it: Variable| {
                format!("{}.{}={}", it.section, it.name, String::from_utf8_lossy(&it.value))
            };
            all.map(shown).collect::<Vec<_>>().join("|")
        };
        for (text, expected) in [
            ("[a]\nb = c d \n", "a.b=c d"),
            ("[a]b=c ; d\n", "a.b=c"),
            ("[A \"x]\\\"y\"] B-1 = c # d", "a.b-1=c"),
            ("[a.b]\nc = \"..\"/\"d e\" \n", "a.b.c=../d e"),
            ("[a]\nb = ../\\\n  c\n", "a.b=../  c"),
            ("[a]\r\nb = c\\\r\nd\r\n", "a.b=cd"),
            ("[a]\nb = \" c # \"\n", "a.b= c # "),
            ("[a]\nb = x\\ty\\\\\\\"\n", "a.b=x\ty\\\""),
            ("[a]\nb\nc=1\n", "a.c=1"),
            ("[a]\n# x\nb = c\0d\n", "a.b=c"),
            ("\u{feff}[a]\nb=c", "a.b=c"),
            // git stops at an error, after it has read the input before it.
            ("[a]\nb = c\nd = \\q\ne = f", "a.b=c"),
            ("[a]\nb = \"c\nd = e", ""),
            ("[a]\nb = c\n=\nd = e", "a.b=c"),
        ] {
            assert_eq!(read(text), expected, "{text:?}");
        }
    }
}
