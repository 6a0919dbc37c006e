//! What the command, the bindings, and the tests need of this crate beside its interface. Nothing
//! here is promised: it may change or go with any version.

/// Counts steps of the searches, for tests of linear work.
pub mod work_counter {
    pub use crate::work_counter::*;
}

/// Paths as text.
#[cfg(feature = "search")]
pub mod paths {
    pub use crate::audit::paths::*;
}

/// JSON, tables, and escapes that every report writes alike.
#[cfg(feature = "reports")]
pub mod output {
    pub use crate::output::*;
}

#[cfg(feature = "search")]
pub use crate::{
    audit::sites::is_settings,
    change::{diff::NO_DIFF, edit::common_ends},
    memory::{is_available as is_memory_available, proc_self},
    search::{
        auxiliary::{MAX_SETTINGS_BYTES, read_regular, read_regular_text, regular_metadata},
        git_directory::{GitDirectory, UnreadableLink},
        input::stdin_has_text,
        panics::{catch_panic, panic_for_test, silence_panics},
        tree::dot_ignore::DotIgnore,
    },
};

#[cfg(feature = "reports")]
pub use crate::audit::report::{
    markdown::is_markdown_report,
    summary::{counted, found},
};
