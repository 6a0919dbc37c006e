//! Reads the messages of the client, in its own thread.

use std::io::{BufReader, Read};
use std::sync::mpsc::Sender;

use urigrep::search::CancelToken;

use super::framing::{self, MessageFrame};
use super::message::{ClientMessage, Failure};
use super::server::ServerEvent;

/// Reads messages until the input ends. Walks end when the client leaves, because the thread that
/// answers may be in one.
pub fn read_all(input: impl Read, events: &Sender<ServerEvent>, closing: &CancelToken) {
    let mut reader = BufReader::new(input);
    loop {
        let event = match framing::read(&mut reader) {
            Ok(MessageFrame::Content(content)) => {
                ServerEvent::Message(ClientMessage::read(&content))
            }
            Ok(MessageFrame::TooLong(length)) => ServerEvent::Message(Err(
                Failure::invalid_request(format!("a message of {length} bytes is too long")),
            )),
            Ok(MessageFrame::End) => ServerEvent::Ended(Ok(())),
            Err(error) => ServerEvent::Ended(Err(error)),
        };
        let is_last = matches!(event, ServerEvent::Ended(_));
        let leaves = match &event {
            ServerEvent::Message(Ok(ClientMessage::Request { method, .. })) => method == "shutdown",
            ServerEvent::Message(Ok(ClientMessage::Notification { method, .. })) => {
                method == "exit"
            }
            _ => is_last,
        };
        if leaves {
            closing.cancel();
        }
        if events.send(event).is_err() || is_last {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    /// A test with a large tree would depend on time; `TreeWalk::all` has one for a cancelled walk.
    #[test]
    fn walks_end_when_the_client_leaves() {
        let frame = |content: &str| format!("Content-Length: {}\r\n\r\n{content}", content.len());
        let open = || frame(r#"{"method":"textDocument/hover","id":1}"#);
        for (input, expected) in [
            (open() + &frame(r#"{"method":"shutdown","id":2}"#), 2),
            (open() + &frame(r#"{"method":"exit"}"#), 2),
            (open(), 2),
        ] {
            let (events, received) = channel();
            let closing = CancelToken::new();
            read_all(input.as_bytes(), &events, &closing);
            assert!(closing.is_cancelled(), "{input}");
            assert!(received.try_iter().count() >= expected, "{input}");
        }
    }
}
