//! JSON Lines.

use serde::Serialize;

/// Appends an object as a line.
pub fn push(object: &impl Serialize, out: &mut Vec<u8>) {
    let start = out.len();
    match serde_json::to_writer(&mut *out, object) {
        Ok(()) => out.push(b'\n'),
        // Strings and numbers into a vector do not fail.
        Err(_) => out.truncate(start),
    }
}

#[cfg(test)]
mod tests {
    use urigrep::search::Bytes;

    use super::*;

    #[test]
    fn strings_and_bytes() {
        let mut out = Vec::new();
        push(&Bytes("é\n".as_bytes()), &mut out);
        push(&Bytes(b"\xff"), &mut out);
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "\"é\\n\"\n{\"bytes\":\"/w==\"}\n"
        );
    }
}
