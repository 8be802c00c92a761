use a2c_smcp::serde_json::{from_value, Value};
use interop_peer::Outcome;

/// The arguments of a command.
pub struct Args(pub Value);

impl Args {
    pub fn text(&self, name: &str) -> Outcome<String> {
        self.text_if_any(name).ok_or_else(|| format!("no '{name}'").into())
    }

    pub fn text_if_any(&self, name: &str) -> Option<String> {
        self.0[name].as_str().map(str::to_owned)
    }

    pub fn number_if_any(&self, name: &str) -> Option<i32> {
        self.0[name].as_i64().and_then(|number| i32::try_from(number).ok())
    }

    pub fn value(&self, name: &str) -> Value {
        self.0[name].clone()
    }

    pub fn parsed<T: a2c_smcp::serde::de::DeserializeOwned>(&self, name: &str) -> Outcome<T> {
        Ok(from_value(self.value(name))?)
    }
}
