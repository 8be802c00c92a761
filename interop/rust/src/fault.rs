use a2c_smcp::serde_json::{json, Value};

/// Why a command failed, as the harness is told.
pub struct Fault {
    kind: &'static str,
    message: String,
}

impl Fault {
    pub fn new(message: impl Into<String>) -> Self {
        Self { kind: "Fault", message: message.into() }
    }

    pub fn to_json(&self) -> Value {
        json!({ "type": self.kind, "message": self.message })
    }
}

/// Whatever the SDK returns as an error is an answer for the harness.
impl<E: std::error::Error> From<E> for Fault {
    fn from(error: E) -> Self {
        let kind = std::any::type_name::<E>().rsplit("::").next().unwrap_or_default();
        Self { kind, message: error.to_string() }
    }
}
