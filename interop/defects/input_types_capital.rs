//! A Computer spells the types of its inputs with a capital letter, unlike the protocol and the Python package.

use a2c_smcp::serde_json::{json, to_value};
use interop_peer::Outcome;
use smcp_computer::mcp_clients::model::{MCPServerInput, PickStringInput};
use std::process::exit;

fn main() -> Outcome<()> {
    let choice = json!({ "id": "i", "description": "", "options": [{ "label": "A", "value": "a" }], "default": null });
    let choice: PickStringInput = a2c_smcp::serde_json::from_value(choice)?;
    let shown = to_value(MCPServerInput::PickString(choice))?;
    println!("a choice is shown as {shown}");
    exit(if shown["type"] == "PickString" { 0 } else { 1 })
}
