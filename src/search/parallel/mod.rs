//! Work on all cores, with results in order: over the inputs of a tree, and over the chunks of one large file.

pub(crate) mod chunks;
pub(crate) mod mailbox;
pub(crate) mod message_events;
pub(crate) mod ordered_pool;
pub(crate) mod text;
