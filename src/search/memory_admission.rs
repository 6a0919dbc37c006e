//! Decides whether there is memory to read a document.

use crate::document::Format;
use crate::document::format::FormatLimits;
use crate::memory;
use crate::search::state::SearchState;
use crate::search::{Flow, ParallelSink};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MemoryAdmission {
    Enough,
    /// Not enough memory: the document is searched as text.
    TooLittle,
    /// The search of the input stops here.
    Stop(Flow),
}

/// Checks that there is enough memory to read a document of this length.
pub(crate) fn admit(
    format: Format,
    length: usize,
    state: &mut SearchState<'_>,
    sink: &mut dyn ParallelSink,
) -> MemoryAdmission {
    let flow = enter_lane(format, length as u64, state, sink);
    if flow != Flow::Continue {
        return MemoryAdmission::Stop(flow);
    }
    // A parser can't report that it failed to allocate memory, and a failed allocation would end
    // the process. So this checks first.
    if memory::is_available(format.limits().memory_factor * length) {
        MemoryAdmission::Enough
    } else {
        MemoryAdmission::TooLittle
    }
}

/// Postpones the input to the heavy lane if a document of this length belongs there.
///
/// A parsed document takes a multiple of its size. If every thread read a large one at once, memory
/// would grow with the number of threads.
pub(crate) fn enter_lane(
    format: Format,
    length: u64,
    state: &mut SearchState<'_>,
    sink: &mut dyn ParallelSink,
) -> Flow {
    if length > format.limits().light as u64 {
        state.enter_heavy_lane(sink)
    } else {
        Flow::Continue
    }
}

/// True if all threads may read a document of this length at once, and memory suffices.
pub(crate) fn is_light(format: Format, length: usize) -> bool {
    let FormatLimits { memory_factor, light, .. } = format.limits();
    length <= light && memory::is_available(memory_factor * length)
}
