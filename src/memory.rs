//! A check before heavy work. A failed allocation ends the process, so code that needs much memory
//! checks first if the system limits it (`ulimit -v`).

use std::fs::File;
use std::io::Read;
use std::sync::LazyLock;

use crate::slice::SliceExt;

/// Memory for every file: buffers and records.
pub(crate) const PER_FILE: usize = 4 << 20;
/// Memory for a decoder, unless it announces that it needs more.
pub(crate) const PER_DECODER: usize = 32 << 20;
/// The message reported if memory does not suffice.
pub(crate) const TOO_LITTLE: &str = "there is not enough memory";

/// Checked only on Linux; other systems end a process before an allocation fails.
static IS_LIMITED: LazyLock<bool> = LazyLock::new(|| {
    let limits = proc_self("limits");
    let limit = |name| limits.lines().find_map(|line| line.strip_prefix(name));
    let known = ["Max address space", "Max data size"].into_iter();
    known.filter_map(limit).any(|limit| !limit.trim_start().starts_with("unlimited"))
});

/// True if `bytes` bytes can be allocated now. Another thread may take them first, which is why
/// heavy inputs run one at a time.
pub fn is_available(bytes: usize) -> bool {
    // The allocation is freed at once and never touched, so it costs no physical memory. Without a
    // limit it would always succeed, so it is skipped.
    !*IS_LIMITED || Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
}

/// Returns the start of a file in Linux's `/proc/self`, or an empty string elsewhere. One read must
/// get it, because the kernel generates the file anew for each read.
pub fn proc_self(name: &str) -> String {
    let mut bytes = [0; 16 << 10];
    let file = File::open(format!("/proc/self/{name}"));
    let length = file.and_then(|mut file| file.read(&mut bytes));
    let bytes = bytes.part(..length.unwrap_or(0));
    String::from_utf8_lossy(bytes).into_owned()
}
