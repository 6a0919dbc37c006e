//! Checks whether git may have a file of exclusions for all repositories.
//!
//! `ignore` compiles a regex to find its name in git's configuration. That takes an eighth of the
//! time of an empty search, and few people have such a file.

use std::env::{self, home_dir};
use std::path::PathBuf;

use memchr::memmem;

use crate::search::{MAX_SETTINGS_BYTES, read_regular};

/// False only if git's configuration names no such file, and the default place has none.
///
/// The places are those of [`ignore::gitignore::gitconfig_excludes_path`].
pub(crate) fn may_have_global_excludes() -> bool {
    let configuration = variable("XDG_CONFIG_HOME").or_else(|| in_home(".config"));
    let default = configuration.as_ref().map(|path| path.join("git/ignore"));
    let configured = [
        variable("GIT_CONFIG_GLOBAL"),
        in_home(".gitconfig"),
        configuration.map(|path| path.join("git/config")),
        Some(variable("GIT_CONFIG_SYSTEM").unwrap_or_else(|| "/etc/gitconfig".into())),
    ];
    default.is_some_and(|path| path.exists())
        || configured
            .into_iter()
            .flatten()
            .any(|path| read_regular(&path, MAX_SETTINGS_BYTES).is_ok_and(names_a_file))
}

/// True if the text may contain the key `excludesFile`; git ignores the case of keys.
fn names_a_file(mut configuration: Vec<u8>) -> bool {
    configuration.make_ascii_lowercase();
    memmem::find(&configuration, b"excludesfile").is_some()
}

fn variable(name: &str) -> Option<PathBuf> {
    env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

fn in_home(name: &str) -> Option<PathBuf> {
    home_dir().map(|home| home.join(name))
}
