//! Whether memory can be had where the system limits it (`ulimit -v`): an allocation that fails would end the
//! process, so what needs much asks before.

use std::sync::LazyLock;

use super::proc;

/// What a file needs in any case: buffers, and records.
pub const FILE: usize = 4 << 20;
/// What a decoder needs that is not heavy.
pub const DECODER: usize = 32 << 20;

/// Elsewhere a process is stopped by others before an allocation fails.
static IS_LIMITED: LazyLock<bool> = LazyLock::new(|| {
    let limits = proc::read("limits");
    let limit = |name| limits.lines().find_map(|line| line.strip_prefix(name));
    ["Max address space", "Max data size"]
        .into_iter()
        .filter_map(limit)
        .any(|limit| !limit.trim_start().starts_with("unlimited"))
});

/// True when so many bytes can be had now. Another thread may take them before us; what is heavy is done by
/// one at a time.
pub fn is_there(bytes: usize) -> bool {
    !*IS_LIMITED || Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
}

/// What is said when it is not.
pub const NOT_THERE: &str = "there is not enough memory";
