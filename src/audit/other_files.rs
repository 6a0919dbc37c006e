//! Extensions of files that are not documents. An audit does not open these files.

/// Extensions of programs, data, pictures, and archives. Extensions that may hide a page (`.php`,
/// `.in`, `.tmpl`, `.txt`) are left out.
const EXTENSIONS: [&str; 122] = [
    "7z", "a", "adb", "ads", "asm", "avi", "avif", "bash", "bat", "bin", "bmp", "bz2", "bzl", "c",
    "cc", "cjs", "clj", "cmake", "cpp", "crt", "cs", "cts", "cxx", "d", "dart", "db", "diff",
    "dll", "el", "eot", "ex", "exe", "exs", "f90", "fish", "flac", "gif", "go", "gradle", "gz",
    "h", "hh", "hpp", "hs", "ico", "ini", "jar", "java", "jl", "jpeg", "jpg", "js", "json",
    "jsonl", "jsx", "key", "kt", "less", "lock", "log", "lua", "m", "map", "mjs", "ml", "mli",
    "mm", "mp3", "mp4", "mts", "nix", "nu", "o", "ogg", "otf", "patch", "pdf", "pem", "pl", "pm",
    "png", "po", "proto", "ps1", "py", "pyc", "pyi", "r", "rb", "rlib", "rs", "s", "sass", "scala",
    "scss", "sh", "snap", "so", "sql", "sum", "svgz", "swift", "tar", "tcl", "tf", "toml", "ts",
    "tsx", "ttf", "v", "vhd", "vim", "wasm", "webp", "woff", "woff2", "xz", "yaml", "yml", "zig",
    "zip", "zst",
];

/// True for one of these extensions; ASCII case is ignored.
pub(super) fn is_no_document(extension: &str) -> bool {
    let is_plain =
        extension.len() <= 6 && extension.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_plain && EXTENSIONS.binary_search(&extension.to_ascii_lowercase().as_str()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Format;
    use crate::document::format::FormatKind;

    #[test]
    fn they_are_sorted_and_no_documents() {
        assert!(EXTENSIONS.is_sorted());
        for extension in EXTENSIONS {
            let format = Format::from_extension(extension);
            let is_other = |it: Format| matches!(it.kind(), FormatKind::Data | FormatKind::Code);
            assert!(format.is_none_or(is_other), "{extension}");
            assert!(is_no_document(&extension.to_uppercase()));
        }
        for other in ["", "md", "html", "php", "txt", "in", "rst", "é"] {
            assert!(!is_no_document(other), "{other}");
        }
    }
}
