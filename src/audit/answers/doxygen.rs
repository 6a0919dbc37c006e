//! What the settings of [Doxygen](https://www.doxygen.nl/manual/config.html) name: [`DoxygenNames`].

use std::path::{Path, PathBuf};

use crate::audit::sites::{is_in_tree, text, values};
use crate::audit::target::joined;

/// Keys of the files that Doxygen copies to its output, or into its pages, so that their links
/// start there.
const COPIED: [&str; 4] =
    ["HTML_EXTRA_STYLESHEET", "HTML_FOOTER", "HTML_HEADER", "HTML_STYLESHEET"];

/// Maximum number of names of each key. A missing picture is looked up below each of them.
const MAX_NAMES: usize = 64;

/// The directories and files that a `Doxyfile` names.
#[derive(Debug, Default)]
pub struct DoxygenNames {
    /// Directories of pictures.
    pub pictures: Vec<PathBuf>,
    /// Headers, footers, and style sheets.
    pub copied: Vec<PathBuf>,
}

impl DoxygenNames {
    /// Reads them. A value may go on in the next line, after a backslash.
    pub fn read(file: &Path) -> Self {
        let settings = text(file).replace('\r', "").replace("\\\n", " ").replace("+=", "=");
        let above = file.parent().unwrap_or(Path::new(""));
        let listed = |key: &str| -> Vec<PathBuf> {
            let named = values(&settings, key);
            let names = named.iter().flat_map(|it| it.split_whitespace()).take(MAX_NAMES);
            let places = names.filter_map(|name| joined(above, name));
            places.filter(|place| is_in_tree(above, place)).collect()
        };
        let copied = COPIED.iter().flat_map(|key| listed(key)).collect();
        Self { pictures: listed("IMAGE_PATH"), copied }
    }
}
