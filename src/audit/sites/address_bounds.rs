//! Bounds of the addresses that settings may name.
//!
//! Patterns are filled in with names, many times over: settings of 100 kB took gigabytes.

/// Longest address or pattern of addresses. No browser or server takes much longer ones.
pub const MAX_ADDRESS_BYTES: usize = 2048;
/// Most segments of a pattern.
pub const MAX_SEGMENTS: usize = 64;

/// Returns the pattern with a value in place of a name, unless that is too long.
pub fn filled_in(pattern: &str, name: &str, value: &str) -> Option<String> {
    let count = pattern.matches(name).count();
    let length = pattern.len() + count * value.len();
    (length <= MAX_ADDRESS_BYTES + count * name.len()).then(|| pattern.replace(name, value))
}

/// True if an address or pattern is within the bounds.
pub fn is_bounded(pattern: &str) -> bool {
    pattern.len() <= MAX_ADDRESS_BYTES && pattern.split('/').nth(MAX_SEGMENTS + 1).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_bounded() {
        assert_eq!(filled_in("/:a/:a", ":a", "b").as_deref(), Some("/b/b"));
        assert_eq!(filled_in(&":a".repeat(1000), ":a", "").as_deref(), Some(""));
        assert_eq!(filled_in(&":a".repeat(1000), ":a", "bcd"), None);
        assert!(is_bounded("/a/*") && !is_bounded(&"/a".repeat(65)));
    }
}
