//! The texts that `corpora.sh` has built.

use std::path::PathBuf;

/// Enough to leave the caches behind, little enough to repeat.
const MAX: usize = 32 << 20;

/// The text of this name, or its first 32 MiB; `None`, loudly, where there is none.
pub fn read(name: &str) -> Option<Vec<u8>> {
    let folder = std::env::var_os("URIGREP_CORPORA")
        .map_or_else(|| std::env::temp_dir().join("urigrep-corpora"), PathBuf::from);
    match std::fs::read(folder.join(name)) {
        Ok(mut bytes) => {
            bytes.truncate(MAX);
            Some(bytes)
        }
        Err(error) => {
            let folder = folder.display();
            eprintln!("SKIPPED {name}: {folder}: {error}; run benches/corpora.sh");
            None
        }
    }
}
