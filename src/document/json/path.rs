//! The JSON Pointer of the current value (RFC 6901).

/// Longest pointer; deeper values share the pointer of their container. Without a bound, deep
/// nesting would take quadratic time.
const MAX_BYTES: usize = 512;

/// An open object or array.
#[derive(Clone, Copy, Debug)]
struct Container {
    /// Length of its own pointer.
    base: usize,
    kind: ContainerKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ContainerKind {
    Object { expects_key: bool },
    Array { index: u64 },
}

#[derive(Clone, Debug, Default)]
pub(in crate::document) struct JsonPath {
    text: String,
    containers: Vec<Container>,
}

impl JsonPath {
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

    pub fn key(&mut self, key: &str) {
        if let Some(container) = self.containers.last_mut() {
            container.kind = ContainerKind::Object { expects_key: false };
            self.text.truncate(container.base);
        }
        // The two characters with a meaning in a pointer (RFC 6901 §3).
        match key.contains(['~', '/']) {
            true => self.push(&key.replace('~', "~0").replace('/', "~1")),
            false => self.push(key),
        }
    }

    fn push(&mut self, segment: &str) {
        if self.text.len() + segment.len() < MAX_BYTES {
            self.text.push('/');
            self.text.push_str(segment);
        }
    }

    /// Returns the pointer.
    pub fn pointer(&self) -> &str {
        &self.text
    }

    /// Returns the number of open containers.
    pub fn depth(&self) -> usize {
        self.containers.len()
    }

    /// Returns the last key. It names the items of its list, too: those of `"ISSN": ["1234-5679"]` are ISSNs.
    pub fn name(&self) -> &str {
        let is_index = |name: &&str| !name.is_empty() && name.bytes().all(|it| it.is_ascii_digit());
        self.text.rsplit('/').find(|name| !is_index(name)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers() {
        let mut path = JsonPath::default();
        path.open_object();
        assert!(path.expects_key());
        path.key("a/b~");
        path.open_array();
        path.comma();
        assert_eq!((path.pointer(), path.name()), ("/a~1b~0/1", "a~1b~0"));
        path.close();
        path.comma();
        path.key("c");
        assert_eq!((path.pointer(), path.name(), path.depth()), ("/c", "c", 1));
        path.close();
        path.close();
        assert_eq!(path.pointer(), "");
    }

    #[test]
    fn pointers_are_bounded() {
        let mut path = JsonPath::default();
        for _ in 0..10_000 {
            path.open_array();
        }
        assert!(path.pointer().len() <= MAX_BYTES);
        (0..10_000).for_each(|_| path.close());
        assert_eq!(path.pointer(), "");
    }
}
