//! Mail: the decoders, messages, mboxes, what hostile senders make, and another reader.

#[path = "mail/decoders.rs"]
mod decoders;
#[path = "mail/hostile.rs"]
mod hostile;
#[path = "../fuzz/checks/maps.rs"]
mod maps;
#[path = "mail/mboxes.rs"]
mod mboxes;
#[path = "mail/python.rs"]
mod python;
#[path = "mail/seen.rs"]
mod seen;
#[path = "mail/vectors.rs"]
mod vectors;
