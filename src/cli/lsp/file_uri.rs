//! `file:` URIs (RFC 8089) and the paths that they name.

use std::path::{Path, PathBuf};

use urigrep::UriRef;
use urigrep::percent;
use urigrep::search::encoded_path;

/// Returns the path of a `file:` URI on this machine.
pub fn path_of(uri: &str) -> Option<PathBuf> {
    let uri = UriRef::parse(uri).ok()?;
    // Both mean this machine (RFC 8089 section 2). Files of other machines are not read.
    let is_here = matches!(uri.host(), None | Some("" | "localhost"));
    if !uri.scheme()?.eq_ignore_ascii_case("file") || !is_here {
        return None;
    }
    let bytes = percent::decode(uri.path()).into_owned();
    decoded(bytes).filter(|path| path.is_absolute())
}

#[cfg(unix)]
fn decoded(bytes: Vec<u8>) -> Option<PathBuf> {
    // The system would end the name there.
    let is_path = !bytes.contains(&0);
    is_path.then(|| {
        PathBuf::from(<std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(bytes))
    })
}

#[cfg(not(unix))]
fn decoded(bytes: Vec<u8>) -> Option<PathBuf> {
    let path = String::from_utf8(bytes).ok()?;
    // `file:///c:/a` names `c:/a`.
    let drive = path.strip_prefix('/').filter(|rest| rest.as_bytes().get(1) == Some(&b':'));
    Some(PathBuf::from(drive.unwrap_or(&path)))
}

/// Returns the `file:` URI of a path.
pub fn uri_of(path: &Path) -> String {
    let path = encoded_path(path).unwrap_or_default();
    let slash = if path.starts_with('/') { "" } else { "/" };
    format!("file://{slash}{path}")
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn uris_name_paths() {
        assert_eq!(path_of("file:///a%20b/%C3%A9.md"), Some(PathBuf::from("/a b/é.md")));
        assert_eq!(path_of("file://localhost/a"), Some(PathBuf::from("/a")));
        for none in ["untitled:a", "file://server/a", "file:a", "file:///a%00b", "", "file:"] {
            assert_eq!(path_of(none), None, "{none}");
        }
        assert_eq!(uri_of(Path::new("/a b/é.md")), "file:///a%20b/%C3%A9.md");
    }
}
