//! Names of pictures.

use crate::slice::SliceExt as _;

/// Extensions of pictures that browsers show, in lower case.
const EXTENSIONS: [&str; 9] = ["apng", "avif", "gif", "ico", "jpeg", "jpg", "png", "svg", "webp"];

/// True for the extension of a picture.
pub(crate) fn is_extension(extension: &[u8]) -> bool {
    EXTENSIONS.iter().any(|it| it.as_bytes().eq_ignore_ascii_case(extension))
}

/// True for a path whose extension is that of a picture.
pub(crate) fn is_path(path: &[u8]) -> bool {
    let dot = memchr::memrchr(b'.', path);
    dot.is_some_and(|dot| is_extension(path.part(dot + 1..)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_pictures() {
        for (path, expected) in
            [("a.png", true), ("a/b.JPG", true), ("a.png/", false), ("png", false), ("a.", false)]
        {
            assert_eq!(is_path(path.as_bytes()), expected, "{path}");
        }
    }
}
