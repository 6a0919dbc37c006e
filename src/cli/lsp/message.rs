//! JSON-RPC 2.0: requests, notifications, and responses.

use serde::Serialize;
use serde_json::{Value, json};

/// A message of the client.
#[derive(Debug)]
pub enum ClientMessage {
    /// Wants a response.
    Request { id: Value, method: String, params: Value },
    /// Wants none.
    Notification { method: String, params: Value },
    /// Answers a request of the server; these need no answer.
    Response,
}

/// An error response (JSON-RPC 2.0, section 5.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    code: i64,
    message: String,
}

impl Failure {
    // The codes of JSON-RPC 2.0, section 5.1. Those from `not_initialized` on are of LSP 3.17.
    pub fn parse(message: impl Into<String>) -> Self {
        Self { code: -32700, message: message.into() }
    }

    pub fn invalid_request(message: impl Into<String>) -> Self {
        Self { code: -32600, message: message.into() }
    }

    pub fn unknown_method(method: &str) -> Self {
        Self { code: -32601, message: format!("unknown method: `{method}`") }
    }

    pub fn invalid_params(message: impl Into<String>) -> Self {
        Self { code: -32602, message: message.into() }
    }

    pub fn internal(message: impl Into<String>) -> Self {
        Self { code: -32603, message: message.into() }
    }

    pub fn not_initialized() -> Self {
        Self { code: -32002, message: "`initialize` must come first".to_owned() }
    }

    pub fn cancelled() -> Self {
        Self { code: -32800, message: "the request was cancelled".to_owned() }
    }

    /// The request is valid, but cannot be done.
    pub fn refused(message: impl Into<String>) -> Self {
        Self { code: -32803, message: message.into() }
    }
}

impl ClientMessage {
    /// Reads the content of a message.
    ///
    /// # Errors
    /// If it is not JSON, or no message.
    pub fn read(content: &[u8]) -> Result<Self, Failure> {
        let value = serde_json::from_slice(content);
        let value: Value = value
            .or_else(|error| {
                serde_json::from_slice(&without_lone_surrogates(content).ok_or(error)?)
            })
            .map_err(|error: serde_json::Error| Failure::parse(error.to_string()))?;
        let Value::Object(mut object) = value else {
            return Err(Failure::invalid_request("a message is an object"));
        };
        let params = object.remove("params").unwrap_or_default();
        match (object.remove("method"), object.remove("id")) {
            // JSON-RPC 2.0 allows null, too, but the ids of LSP 3.17 are numbers and strings.
            (Some(Value::String(method)), Some(id @ (Value::Number(_) | Value::String(_)))) => {
                Ok(Self::Request { id, method, params })
            }
            (Some(Value::String(method)), None) => Ok(Self::Notification { method, params }),
            (None, Some(_)) => Ok(Self::Response),
            _ => Err(Failure::invalid_request("a message has a method, or the id of a request")),
        }
    }
}

/// Replaces escapes of lone surrogates by that of U+FFFD; `None` if there are none.
///
/// A string of JavaScript may hold half of a character, and clients written in it send that as
/// `\ud83d`, which no text in UTF-8 can hold. Without this, the document would not be open at all.
fn without_lone_surrogates(content: &[u8]) -> Option<Vec<u8>> {
    /// The code unit of an escape at the start.
    fn unit(text: &[u8]) -> Option<u16> {
        let digits = std::str::from_utf8(text.strip_prefix(b"\\u")?.get(..4)?).ok()?;
        // `from_str_radix` takes a sign, too.
        let is_number = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        u16::from_str_radix(digits, 16).ok().filter(|_| is_number)
    }
    let mut text = content.to_vec();
    let (mut at, mut is_changed) = (0, false);
    while let Some(found) = memchr::memchr(b'\\', content.get(at..)?) {
        at += found;
        at += match unit(&content[at..]) {
            Some(0xD800..=0xDBFF)
                if content
                    .get(at + 6..)
                    .and_then(unit)
                    .is_some_and(|low| low & 0xFC00 == 0xDC00) =>
            {
                12
            }
            Some(0xD800..=0xDFFF) => {
                text[at + 2..at + 6].copy_from_slice(b"fffd");
                is_changed = true;
                6
            }
            // `\\` hides the backslash after it.
            _ => 2,
        };
    }
    is_changed.then_some(text)
}

/// The result of a request, as JSON.
///
/// A [`Value`] of it would take ten times the memory: it may name every link of a tree.
#[derive(Debug, PartialEq, Eq)]
pub struct ResultText(String);

impl ResultText {
    /// Writes a result as JSON.
    ///
    /// # Errors
    /// If it has no form in JSON.
    pub fn new(result: &impl Serialize) -> Result<Self, Failure> {
        let text = serde_json::to_string(result);
        text.map(Self).map_err(|error| Failure::internal(error.to_string()))
    }

    pub fn null() -> Self {
        Self("null".to_owned())
    }
}

/// Returns the response to a request; the id is null if that is unknown.
pub fn response(id: &Value, result: Result<ResultText, Failure>) -> String {
    match result {
        Ok(ResultText(result)) => {
            format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#)
        }
        Err(Failure { code, message }) => {
            json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
                .to_string()
        }
    }
}

/// Returns a notification.
pub fn notification(method: &str, params: impl Serialize) -> Value {
    json!({"jsonrpc": "2.0", "method": method, "params": params})
}

/// Returns a request of the server.
pub fn request(id: &str, method: &str, params: impl Serialize) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_characters_are_replaced() {
        let text = |text: &str| {
            let content = format!(r#"{{"method":"a","params":"{text}"}}"#);
            match ClientMessage::read(content.as_bytes()).unwrap() {
                ClientMessage::Notification { params, .. } => params.as_str().unwrap().to_owned(),
                message => panic!("{message:?}"),
            }
        };
        assert_eq!(text(r"a\ud83d b"), "a\u{FFFD} b");
        assert_eq!(text(r"\ud83d\ud83d\ude00\ude00"), "\u{FFFD}\u{1F600}\u{FFFD}");
        assert_eq!(text(r"\\ud83d \udead"), "\\ud83d \u{FFFD}");
        assert!(ClientMessage::read(br#"{"method":"a","params":"\ud8"}"#).is_err());
    }

    #[test]
    fn bad_messages_have_codes() {
        let code = |text: &str| ClientMessage::read(text.as_bytes()).unwrap_err().code;
        assert_eq!(code("{"), -32700);
        assert_eq!(code(&"[".repeat(100_000)), -32700);
        assert_eq!(code("[]"), -32600);
        assert_eq!(code("{}"), -32600);
        assert_eq!(code(r#"{"method":1,"id":1}"#), -32600);
        assert_eq!(code(r#"{"method":"a","id":{}}"#), -32600);
    }
}
