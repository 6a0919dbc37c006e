//! JSON-RPC 2.0: requests, notifications, and responses.

use serde::Serialize;
use serde_json::{Value, json};

/// A message of the client.
#[derive(Debug)]
pub enum Message {
    /// Wants a response.
    Request { id: Value, method: String, params: Value },
    /// Wants none.
    Notification { method: String, params: Value },
    /// Answers a request of the server; these need no answer.
    Response,
}

/// Why there is no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    code: i64,
    message: String,
}

impl Failure {
    pub fn parse(message: impl Into<String>) -> Self {
        Self { code: -32700, message: message.into() }
    }

    pub fn invalid_request(message: impl Into<String>) -> Self {
        Self { code: -32600, message: message.into() }
    }

    pub fn unknown_method(method: &str) -> Self {
        Self { code: -32601, message: format!("there is no method `{method}`") }
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

impl Message {
    /// Reads the content of a message.
    ///
    /// # Errors
    /// If it is not JSON, or no message.
    pub fn read(content: &[u8]) -> Result<Self, Failure> {
        let value: Value =
            serde_json::from_slice(content).map_err(|error| Failure::parse(error.to_string()))?;
        let Value::Object(mut object) = value else {
            return Err(Failure::invalid_request("a message is an object"));
        };
        let params = object.remove("params").unwrap_or_default();
        match (object.remove("method"), object.remove("id")) {
            (Some(Value::String(method)), Some(id @ (Value::Number(_) | Value::String(_)))) => {
                Ok(Self::Request { id, method, params })
            }
            (Some(Value::String(method)), None) => Ok(Self::Notification { method, params }),
            (None, Some(_)) => Ok(Self::Response),
            _ => Err(Failure::invalid_request("a message has a method, or the id of a request")),
        }
    }
}

/// Returns the response to a request; the id is null if that is unknown.
pub fn response(id: &Value, result: Result<Value, Failure>) -> Value {
    match result {
        Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
        Err(Failure { code, message }) => {
            json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
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
    fn bad_messages_have_codes() {
        let code = |text: &str| Message::read(text.as_bytes()).unwrap_err().code;
        assert_eq!(code("{"), -32700);
        assert_eq!(code(&"[".repeat(100_000)), -32700);
        assert_eq!(code("[]"), -32600);
        assert_eq!(code("{}"), -32600);
        assert_eq!(code(r#"{"method":1,"id":1}"#), -32600);
        assert_eq!(code(r#"{"method":"a","id":{}}"#), -32600);
    }
}
