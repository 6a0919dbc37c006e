//! Answers of the web: [`RemoteAnswers`] asks each URL of an audit once, with care for the servers.
//!
//! | file | contents |
//! |---|---|
//! | `answers.rs` | [`RemoteAnswers`]: threads, the state that they share, the answers |
//! | `report.rs` | progress, and numbers of verdicts |
//! | `queue.rs` | which host is asked when |
//! | `exchange.rs`, `cookies.rs` | the requests for one URL: `HEAD`, `GET`, redirects, attempts |
//! | `page.rs` | anchors of pages, login pages, pages that block programs |
//! | `verdict.rs` | from evidence to a verdict |
//! | `cache.rs`, `import.rs` | evidence of earlier runs |
//! | `kept.rs` | the memory that evidence takes |
//! | `quarantine.rs` | since when a page is dead |
//! | `archive.rs` | copies of dead pages |
//! | `fetch.rs` | one request, which a program may send with its own client |
//! | `client.rs`, `bodies.rs`, `resolve.rs`, `address.rs`, `mx.rs` | the client of the command |
//!
//! Evidence and verdicts are separate: the answers of servers are stored, and each run judges them
//! by its own options.
//!
//! ```no_run
//! use urigrep::audit::Auditor;
//! use urigrep::audit::remote::{HttpClient, RemoteAnswers, RemoteOptions};
//!
//! let answers = RemoteAnswers::new(HttpClient::builder().build(), RemoteOptions::new());
//! let auditor = Auditor::builder().answers(answers).build();
//! ```

mod address;
mod answers;
mod archive;
mod bodies;
mod cache;
mod client;
mod cookies;
mod exchange;
mod fetch;
mod http_date;
mod import;
mod kept;
mod mx;
mod options;
mod page;
mod quarantine;
mod queue;
mod report;
mod resolve;
mod verdict;

pub use answers::RemoteAnswers;
pub use cache::EvidenceCache;
pub use client::{HttpClient, HttpClientBuilder, Reach};
pub use fetch::{Fetch, FetchMethod, FetchRequest, FetchResponse};
pub use import::{ImportError, import_lychee};
pub use options::{HostHeader, Remap, RemoteOptions, StatusSet};
pub use quarantine::Quarantine;
pub use report::{RemoteProgress, RemoteTally, StorageFailure};
pub use resolve::{Resolve, SystemResolver};
