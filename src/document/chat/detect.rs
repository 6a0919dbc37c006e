//! Recognizes exports by their first values.
//!
//! Each answers no at the first key that an export does not have there, because streams wait.

use crate::document::format::Sniff;
use crate::document::json::detect::{JsonStart, sniff};
use crate::finder::Rest;

/// Recognizes an export by its first bytes.
pub(super) type Detector = fn(&[u8], Rest) -> Sniff;

/// An array whose first object has the type of a message and a time stamp.
pub(super) const SLACK: Detector = |head, rest| {
    let (mut has_type, mut has_time) = (false, false);
    sniff(head, rest, b'[', |pointer, piece| {
        match (pointer, piece) {
            ("/0/type", JsonStart::Value(b"message")) => has_type = true,
            ("/0/ts", JsonStart::Value(value)) if is_slack_time(value) => has_time = true,
            ("/0/type" | "/0/ts", JsonStart::Value(_)) => return Some(false),
            ("" | "/0", _) => {}
            _ if pointer.starts_with("/0/") => {}
            _ => return Some(false),
        }
        (has_type && has_time).then_some(true)
    })
};

/// `{"guild": {"id": …}, "channel": {"id": …, "name"`.
pub(super) const DISCORD: Detector = |head, rest| {
    let (mut has_guild, mut has_channel) = (false, false);
    sniff(head, rest, b'{', |pointer, piece| {
        match (pointer, piece) {
            ("/guild/id", JsonStart::Value(_)) => has_guild = true,
            ("/channel/id", JsonStart::Value(_)) => has_channel = true,
            ("/channel/name", _) if has_guild && has_channel => return Some(true),
            ("" | "/guild" | "/channel", _) => {}
            _ if pointer.starts_with("/guild/") || pointer.starts_with("/channel/") => {}
            _ => return Some(false),
        }
        None
    })
};

/// `{"name": …, "type": "personal_chat", "id": …, "messages": [`, in any order, or `{"about": …}`
/// with the name of Telegram.
pub(super) const TELEGRAM: Detector = |head, rest| {
    let mut has_type = false;
    sniff(head, rest, b'{', |pointer, piece| {
        let is_type = |value: &[u8]| TELEGRAM_TYPES.iter().any(|it| it.as_bytes() == value);
        match (pointer, piece) {
            ("/about", JsonStart::Value(value)) => {
                // The export of an account starts with a text about itself.
                return Some(memchr::memmem::find(value, b"Telegram").is_some());
            }
            ("/type" | "/chats/list/0/type", JsonStart::Value(value)) if is_type(value) => {
                has_type = true;
            }
            ("/type" | "/chats/list/0/type", JsonStart::Value(_)) => return Some(false),
            ("/messages" | "/chats/list/0/messages", JsonStart::Open) => return Some(has_type),
            ("" | "/about" | "/name" | "/type" | "/id" | "/messages", _) => {}
            ("/chats" | "/chats/about" | "/chats/list" | "/chats/list/0", _) => {}
            _ if pointer.starts_with("/chats/list/0/") => {}
            _ => return Some(false),
        }
        None
    })
};

/// A line with the version, and one with another object of the format.
pub(super) const MATTERMOST: Detector = |head, rest| {
    let (mut lines, mut has_version) = (0, false);
    sniff(head, rest, b'{', |pointer, piece| {
        match (pointer, piece) {
            ("", JsonStart::Open) => lines += 1,
            ("/type", JsonStart::Value(value)) if lines == 1 => {
                has_version = value == b"version";
                return (!has_version).then_some(false);
            }
            ("/type", JsonStart::Value(value)) => {
                let is_known = MATTERMOST_TYPES.iter().any(|it| it.as_bytes() == value);
                return Some(has_version && is_known);
            }
            ("/version", JsonStart::Value(value)) => {
                return (value != b"1").then_some(false);
            }
            ("/type" | "/version", _) => {}
            _ if pointer.starts_with("/info") => {}
            _ => return Some(false),
        }
        None
    })
};

const TELEGRAM_TYPES: [&str; 10] = [
    "saved_messages",
    "replies",
    "verification_codes",
    "personal_chat",
    "bot_chat",
    "private_group",
    "private_supergroup",
    "public_supergroup",
    "private_channel",
    "public_channel",
];

const MATTERMOST_TYPES: [&str; 10] = [
    "scheme",
    "role",
    "emoji",
    "team",
    "channel",
    "user",
    "bot",
    "post",
    "direct_channel",
    "direct_post",
];

/// True for seconds and microseconds: `1529893861.000149`.
fn is_slack_time(value: &[u8]) -> bool {
    let dot = value.iter().position(|&byte| byte == b'.');
    dot.is_some_and(|dot| dot >= 9 && value.len() == dot + 7)
        && value.iter().all(|&byte| byte.is_ascii_digit() || byte == b'.')
}
