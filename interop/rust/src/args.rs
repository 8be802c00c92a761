use crate::fault::Fault;
use a2c_smcp::serde_json::{from_value, Value};

/// The arguments of a command.
pub struct Args(pub Value);

impl Args {
    pub fn text(&self, name: &str) -> Result<String, Fault> {
        self.text_if_any(name).ok_or_else(|| Fault::new(format!("no '{name}'")))
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

    pub fn parsed<T: a2c_smcp::serde::de::DeserializeOwned>(&self, name: &str) -> Result<T, Fault> {
        Ok(from_value(self.value(name))?)
    }
}
