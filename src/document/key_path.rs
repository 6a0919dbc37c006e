//! The path of keys and indices to a value in data: [`KeyPath`].

/// Longest path; deeper values share the path of their container. Without a bound, deep nesting
/// would take quadratic time.
const MAX_BYTES: usize = 512;

/// An open object or array.
#[derive(Clone, Copy, Debug)]
struct Container {
    /// Length of its own path.
    base: usize,
    kind: ContainerKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ContainerKind {
    Object { expects_key: bool },
    Array { index: u64 },
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Notation {
    /// A JSON Pointer (RFC 6901): `/a/0`.
    #[default]
    Pointer,
    /// `a.0`.
    Dotted,
}

/// The path to the current value. Without anything open, it is an empty JSON Pointer.
#[derive(Clone, Debug, Default)]
pub(in crate::document) struct KeyPath {
    text: String,
    containers: Vec<Container>,
    notation: Notation,
}

impl KeyPath {
    /// Returns the path of a value with this path, whose keys are divided by full stops.
    pub fn dotted(path: String) -> Self {
        Self { text: path, containers: Vec::new(), notation: Notation::Dotted }
    }

    pub fn open_object(&mut self) {
        self.open(ContainerKind::Object { expects_key: true });
    }

    pub fn open_array(&mut self) {
        self.open(ContainerKind::Array { index: 0 });
        self.push("0");
    }

    fn open(&mut self, kind: ContainerKind) {
        self.containers.push(Container { base: self.text.len(), kind });
    }

    pub fn close(&mut self) {
        if let Some(container) = self.containers.pop() {
            self.text.truncate(container.base);
        }
    }

    pub fn comma(&mut self) {
        let Some(container) = self.containers.last_mut() else { return };
        self.text.truncate(container.base);
        match &mut container.kind {
            ContainerKind::Object { expects_key } => *expects_key = true,
            ContainerKind::Array { index } => {
                *index += 1;
                let index = index.to_string();
                self.push(&index);
            }
        }
    }

    /// True if the next string is a key.
    pub fn expects_key(&self) -> bool {
        let last = self.containers.last();
        last.is_some_and(|it| it.kind == ContainerKind::Object { expects_key: true })
    }

    /// True in an object, and false in a list.
    pub fn is_object(&self) -> bool {
        let last = self.containers.last();
        last.is_some_and(|it| matches!(it.kind, ContainerKind::Object { .. }))
    }

    pub fn key(&mut self, key: &str) {
        if let Some(container) = self.containers.last_mut() {
            container.kind = ContainerKind::Object { expects_key: false };
            self.text.truncate(container.base);
        }
        // The two characters with a meaning in a pointer (RFC 6901 §3).
        if self.notation == Notation::Pointer && key.contains(['~', '/']) {
            self.push(&key.replace('~', "~0").replace('/', "~1"));
        } else {
            self.push(key);
        }
    }

    fn push(&mut self, segment: &str) {
        if self.text.len() + segment.len() < MAX_BYTES {
            match self.notation {
                Notation::Pointer => self.text.push('/'),
                Notation::Dotted if self.text.is_empty() => {}
                Notation::Dotted => self.text.push('.'),
            }
            self.text.push_str(segment);
        }
    }

    /// Returns the path as text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the number of open containers.
    pub fn depth(&self) -> usize {
        self.containers.len()
    }

    /// Returns the last key. It names the items of its list, too: those of `"ISSN": ["1234-5679"]`
    /// are ISSNs.
    pub fn name(&self) -> &str {
        let is_index = |name: &&str| !name.is_empty() && name.bytes().all(|it| it.is_ascii_digit());
        let divider = if self.notation == Notation::Pointer { '/' } else { '.' };
        self.text.rsplit(divider).find(|name| !is_index(name)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers() {
        let mut path = KeyPath::default();
        path.open_object();
        assert!(path.expects_key());
        path.key("a/b~");
        path.open_array();
        path.comma();
        assert_eq!((path.as_str(), path.name()), ("/a~1b~0/1", "a~1b~0"));
        path.close();
        path.comma();
        path.key("c");
        assert_eq!((path.as_str(), path.name(), path.depth()), ("/c", "c", 1));
        path.close();
        path.close();
        assert_eq!(path.as_str(), "");
    }

    #[test]
    fn dotted_paths() {
        let mut path = KeyPath::dotted("a".to_owned());
        path.open_array();
        assert_eq!((path.as_str(), path.name()), ("a.0", "a"));
        path.comma();
        path.open_object();
        path.key("b/c");
        assert_eq!((path.as_str(), path.name()), ("a.1.b/c", "b/c"));
        path.close();
        path.close();
        assert_eq!((path.as_str(), path.depth()), ("a", 0));
        let mut path = KeyPath::dotted(String::new());
        path.open_object();
        path.key("a");
        assert_eq!(path.as_str(), "a");
    }

    #[test]
    fn pointers_are_bounded() {
        let mut path = KeyPath::default();
        for _ in 0..10_000 {
            path.open_array();
        }
        assert!(path.as_str().len() <= MAX_BYTES);
        (0..10_000).for_each(|_| path.close());
        assert_eq!(path.as_str(), "");
    }
}
