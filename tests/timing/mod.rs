//! How long something runs, on a machine that has other work to do.

use std::time::{Duration, Instant};

/// A difference that says nothing: two of the steps in which the kernel counts.
pub const NOISE: Duration = Duration::from_millis(8);
/// Longer times are not free of the work of others.
const LONG: Duration = Duration::from_millis(80);

/// What `run` gives, and how long it took. For long times that is how long this thread had a
/// processor, where the kernel knows (Linux).
pub fn time<T>(run: impl FnOnce() -> T) -> (T, Duration) {
    let (start, before) = (Instant::now(), on_processor());
    let given = run();
    let (all, after) = (start.elapsed(), on_processor());
    let time = match (before, after) {
        (Some(before), Some(after)) if all >= LONG => {
            after.saturating_sub(before).clamp(NOISE, all)
        }
        _ => all,
    };
    (given, time)
}

fn on_processor() -> Option<Duration> {
    let counted = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = counted.split(' ').next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}
