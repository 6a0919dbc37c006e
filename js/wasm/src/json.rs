//! Writes JSON (RFC 8259).

/// A JSON text under construction. The caller opens and closes objects and lists in pairs.
#[derive(Default)]
pub struct Json(String);

impl Json {
    pub fn into_string(self) -> String {
        self.0
    }

    pub fn open(&mut self, bracket: char) {
        self.separate();
        self.0.push(bracket);
    }

    pub fn close(&mut self, bracket: char) {
        self.0.push(bracket);
    }

    /// Writes the name of a member; its value follows.
    pub fn name(&mut self, name: &str) {
        self.text(name);
        self.0.push(':');
    }

    pub fn member(&mut self, name: &str, text: &str) {
        self.name(name);
        self.text(text);
    }

    /// Writes a member that is `null` without a value.
    pub fn optional(&mut self, name: &str, text: Option<&str>) {
        match text {
            Some(text) => self.member(name, text),
            None => {
                self.name(name);
                self.null();
            }
        }
    }

    pub fn null(&mut self) {
        self.0.push_str("null");
    }

    pub fn number(&mut self, name: &str, number: usize) {
        self.name(name);
        self.0.push_str(&number.to_string());
    }

    pub fn texts<'t>(&mut self, name: &str, texts: impl Iterator<Item = &'t str>) {
        self.name(name);
        self.open('[');
        texts.for_each(|text| self.text(text));
        self.close(']');
    }

    pub fn text(&mut self, text: &str) {
        self.separate();
        self.0.push('"');
        for c in text.chars() {
            match c {
                '"' | '\\' => self.0.extend(['\\', c]),
                // Other characters need no escape, and JSON has none shorter for these.
                '\0'..='\x1f' => self.0.push_str(&format!("\\u{:04x}", u32::from(c))),
                _ => self.0.push(c),
            }
        }
        self.0.push('"');
    }

    /// A comma, unless this is the first item or the value of a member.
    fn separate(&mut self) {
        if !matches!(self.0.as_bytes().last(), None | Some(b'{' | b'[' | b':')) {
            self.0.push(',');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Json;

    #[test]
    fn items_are_separated_and_escaped() {
        let mut json = Json::default();
        json.open('{');
        json.member("a", "\"\\\n\u{1}é:");
        json.optional("b", None);
        json.texts("c", ["d", "e"].into_iter());
        json.number("f", 7);
        json.close('}');
        let expected = r#"{"a":"\"\\\u000a\u0001é:","b":null,"c":["d","e"],"f":7}"#;
        assert_eq!(json.into_string(), expected);
    }
}
