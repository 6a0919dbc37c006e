//! Exports of chats: Slack, Discord (DiscordChatExporter), Telegram, and Mattermost.
//!
//! All are JSON ([`json`](super::json)) whose records are messages. A [`Chat`] says where they are
//! and what their values mean; [`message`] emits them with channel, author, and date.

mod chats;
mod date;
mod detect;
mod format;
mod message;
mod mrkdwn;

use format::ChatFormat;

pub(super) const SLACK: ChatFormat = ChatFormat(&chats::SLACK);
pub(super) const DISCORD: ChatFormat = ChatFormat(&chats::DISCORD);
pub(super) const TELEGRAM: ChatFormat = ChatFormat(&chats::TELEGRAM);
pub(super) const MATTERMOST: ChatFormat = ChatFormat(&chats::MATTERMOST);

/// An export of a kind of chat.
struct Chat {
    name: &'static str,
    title: &'static str,
    markup: ChatMarkup,
    detect: detect::Detector,
    /// True for the pointer of a message.
    is_message: fn(&str) -> bool,
    /// True for the pointer, from the message, of a reply with an author and a date of its own.
    is_reply: fn(&str) -> bool,
    /// Returns the use of a value, by its pointer from the message or reply.
    field: fn(&str) -> ChatField,
    /// True for the pointer of the name of a channel, outside of messages.
    is_channel: fn(&str) -> bool,
}

/// The markup of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ChatMarkup {
    Markdown,
    /// `<https://a.example/|label>` of Slack.
    Mrkdwn,
    /// Links are values of their own.
    Plain,
}

/// Use of a value in a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ChatField {
    /// A text in the markup of the chat.
    Text,
    /// A text that may repeat another one in another form.
    Repeated,
    /// The target of the link whose text comes before.
    Href,
    /// The same, in a repeated text.
    RepeatedHref,
    /// A name of the author. The lowest rank is shown.
    Author(u8),
    Channel,
    Date,
    /// A value that is a link if it is a URI as a whole.
    Link,
    /// The picture of an author, and the like.
    Metadata,
    Other,
}
