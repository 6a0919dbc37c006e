//! The readers of documents: HTML, Markdown and mail; and the checks of an audit.

mod audit;
mod change;
mod formats;
mod html;
mod mail;
mod markdown;
#[cfg(feature = "online")]
mod online;
#[allow(dead_code, reason = "only zip archives are of use here")]
#[path = "support/pack.rs"]
mod pack;
mod timing;
#[allow(dead_code, reason = "only the rows are of use here")]
mod tsv;
