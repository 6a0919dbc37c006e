//! The keys under which each export keeps authors, dates, and texts.

use super::{Chat, ChatField, ChatMarkup, detect};
use crate::document::Role;
use crate::document::keys::role_of_key;

/// The files of a Slack export: an array of messages for each day of a channel.
pub(super) const SLACK: Chat = Chat {
    name: "slack",
    title: "exports of Slack",
    markup: ChatMarkup::Mrkdwn,
    detect: detect::SLACK,
    is_message: |pointer| is_numbered(pointer, ""),
    is_reply: |_| false,
    field: slack_field,
    is_channel: |_| false,
};

/// DiscordChatExporter.
pub(super) const DISCORD: Chat = Chat {
    name: "discord",
    title: "exports of Discord (DiscordChatExporter)",
    markup: ChatMarkup::Markdown,
    detect: detect::DISCORD,
    is_message: |pointer| is_numbered(pointer, "/messages"),
    is_reply: |_| false,
    field: discord_field,
    is_channel: |pointer| pointer == "/channel/name",
};

/// Telegram Desktop: one chat, or all.
pub(super) const TELEGRAM: Chat = Chat {
    name: "telegram",
    title: "exports of Telegram",
    markup: ChatMarkup::Plain,
    detect: detect::TELEGRAM,
    is_message: |pointer| is_numbered(in_telegram_chat(pointer), "/messages"),
    is_reply: |_| false,
    field: telegram_field,
    is_channel: |pointer| in_telegram_chat(pointer) == "/name",
};

/// The bulk export of Mattermost, in JSON Lines.
pub(super) const MATTERMOST: Chat = Chat {
    name: "mattermost",
    title: "exports of Mattermost",
    markup: ChatMarkup::Markdown,
    detect: detect::MATTERMOST,
    is_message: |pointer| matches!(pointer, "/post" | "/direct_post"),
    is_reply: |pointer| is_numbered(pointer, "/replies"),
    field: mattermost_field,
    is_channel: |_| false,
};

fn slack_field(pointer: &str) -> ChatField {
    let is_attachment = pointer.starts_with("/attachments/");
    match (pointer, last(pointer)) {
        ("/text", _) => ChatField::Text,
        ("/ts", _) => ChatField::Date,
        // The lowest number wins: the name that members see, then the real name, then names of
        // accounts, then ids.
        ("/user_profile/display_name", _) => ChatField::Author(0),
        ("/user_profile/real_name", _) => ChatField::Author(1),
        ("/username", _) => ChatField::Author(2),
        ("/user_profile/name" | "/bot_profile/name", _) => ChatField::Author(3),
        ("/user" | "/bot_id", _) => ChatField::Author(4),
        // Profiles are repeated in each message and contain addresses of pictures, which would
        // outnumber the links of the text.
        _ if pointer.starts_with("/user_profile/") || pointer.starts_with("/bot_profile/") => {
            ChatField::Metadata
        }
        (_, "text" | "url") if pointer.starts_with("/blocks/") => ChatField::Repeated,
        (_, "text" | "pretext" | "fallback" | "value" | "footer") if is_attachment => {
            ChatField::Text
        }
        (_, name) => link_or_other(name),
    }
}

fn discord_field(pointer: &str) -> ChatField {
    match (pointer, last(pointer)) {
        ("/content", _) => ChatField::Text,
        ("/timestamp", _) => ChatField::Date,
        ("/author/nickname", _) => ChatField::Author(0),
        ("/author/name", _) => ChatField::Author(1),
        (_, "description" | "value") if pointer.starts_with("/embeds/") => ChatField::Text,
        (_, "avatarUrl" | "iconUrl" | "imageUrl") => ChatField::Metadata,
        (_, name) => link_or_other(name),
    }
}

fn telegram_field(pointer: &str) -> ChatField {
    match (pointer, last(pointer)) {
        ("/text", _) => ChatField::Text,
        ("/date", _) => ChatField::Date,
        ("/from" | "/actor", _) => ChatField::Author(0),
        ("/from_id" | "/actor_id", _) => ChatField::Author(1),
        (_, "href") if pointer.starts_with("/text/") => ChatField::Href,
        (_, "href") if pointer.starts_with("/text_entities/") => ChatField::RepeatedHref,
        (_, "type") => ChatField::Other,
        // A word between others, or the text of a link.
        (_, "text") if pointer.starts_with("/text/") => ChatField::Text,
        _ if is_numbered(pointer, "/text") => ChatField::Text,
        (_, "text") if pointer.starts_with("/text_entities/") => ChatField::Repeated,
        (_, name) => link_or_other(name),
    }
}

fn mattermost_field(pointer: &str) -> ChatField {
    match (pointer, last(pointer)) {
        ("/message", _) => ChatField::Text,
        ("/create_at", _) => ChatField::Date,
        ("/user", _) => ChatField::Author(0),
        ("/channel", _) => ChatField::Channel,
        _ if is_numbered(pointer, "/channel_members") => ChatField::Channel,
        (_, "text" | "pretext" | "value") if pointer.starts_with("/props/attachments/") => {
            ChatField::Text
        }
        (_, name) => link_or_other(name),
    }
}

fn link_or_other(name: &str) -> ChatField {
    let is_link = role_of_key(name) == Role::Destination
        || ["url_", "thumb_", "image_", "permalink"].iter().any(|start| name.starts_with(start));
    if is_link { ChatField::Link } else { ChatField::Other }
}

/// Returns the pointer within a chat. In an export of all chats, the chats are items of lists.
fn in_telegram_chat(pointer: &str) -> &str {
    let list = pointer.strip_prefix("/chats/list/").or(pointer.strip_prefix("/left_chats/list/"));
    match list {
        Some(rest) => rest.trim_start_matches(|c: char| c.is_ascii_digit()),
        None => pointer,
    }
}

/// True for the pointer of an element of the array at `array`.
fn is_numbered(pointer: &str, array: &str) -> bool {
    let number = pointer.strip_prefix(array).and_then(|rest| rest.strip_prefix('/'));
    number.is_some_and(|it| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit()))
}

fn last(pointer: &str) -> &str {
    pointer.rsplit('/').next().unwrap_or_default()
}
