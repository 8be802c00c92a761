//! Values as JSON, in one of two notations.
//!
//! *Plain* is the JSON of Vector: a timestamp is a string. *Tagged* is for JavaScript, which has a type for timestamps
//! but no number for every 64-bit integer: such a value is a string that begins with NUL and a letter. A string that
//! begins with NUL by itself is tagged too, so nothing is ambiguous.

use chrono::DateTime;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::Error;
use vrl::value::Value;

use crate::engine::Notation;

const TAG: char = '\0';

/// The largest integer of which JavaScript's numbers are sure.
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

pub fn read(json: &str, notation: Notation) -> Result<Value, String> {
    let mut value = serde_json::from_str(json).map_err(|error| format!("The event is not JSON: {error}"))?;
    if matches!(notation, Notation::Tagged) && json.contains(r#""\u0000"#) {
        untag(&mut value)?;
    }
    Ok(value)
}

pub fn write(to: &mut Vec<u8>, value: &Value, notation: Notation) -> Result<(), String> {
    let written = match notation {
        Notation::Plain => serde_json::to_writer(to, value),
        Notation::Tagged => serde_json::to_writer(to, &Tagged(value)),
    };
    written.map_err(|error: Error| error.to_string())
}

fn untag(value: &mut Value) -> Result<(), String> {
    match value {
        Value::Object(fields) => fields.values_mut().try_for_each(untag),
        Value::Array(items) => items.iter_mut().try_for_each(untag),
        Value::Bytes(_) | Value::String(_) => {
            if let Some(untagged) = value.to_str_lossy().and_then(|text| read_tagged(&text)) {
                *value = untagged?;
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

fn read_tagged(text: &str) -> Option<Result<Value, String>> {
    let mut letters = text.strip_prefix(TAG)?.chars();
    let tag = letters.next()?;
    let rest = letters.as_str();
    Some(match tag {
        'i' => rest.parse::<i64>().map(Value::from).map_err(|error| error.to_string()),
        't' => read_timestamp(rest).ok_or_else(|| format!("No timestamp '{rest}'")),
        _ => Ok(Value::from(rest)),
    })
}

fn read_timestamp(milliseconds: &str) -> Option<Value> {
    DateTime::from_timestamp_millis(milliseconds.parse().ok()?).map(Value::Timestamp)
}

struct Tagged<'a>(&'a Value);

impl Serialize for Tagged<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Integer(number) if number.unsigned_abs() > MAX_SAFE_INTEGER => {
                serializer.collect_str(&format_args!("{TAG}i{number}"))
            }
            Value::Timestamp(time) => serializer.collect_str(&format_args!("{TAG}t{}", time.timestamp_millis())),
            Value::Object(fields) => {
                let mut map = serializer.serialize_map(Some(fields.len()))?;
                for (key, value) in fields {
                    map.serialize_entry(key, &Tagged(value))?;
                }
                map.end()
            }
            Value::Array(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    list.serialize_element(&Tagged(item))?;
                }
                list.end()
            }
            value => match value.to_str_lossy() {
                Some(text) if text.starts_with(TAG) => serializer.collect_str(&format_args!("{TAG}s{text}")),
                _ => value.serialize(serializer),
            },
        }
    }
}
