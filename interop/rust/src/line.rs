//! The line between the harness and a peer: one JSON object per line, commands in, answers and events out.

use crate::args::Args;
use a2c_smcp::serde_json::{from_str, json, Value};
use a2c_smcp::tokio;
use async_trait::async_trait;
use interop_peer::Outcome;
use std::io::{stdin, stdout, BufRead, Write};
use std::sync::Arc;

/// A role's commands.
#[async_trait]
pub trait Commands: Send + Sync + 'static {
    async fn carry_out(&self, command: &str, peer: String, args: Args) -> Outcome<Value>;
}

/// Carries out commands side by side until the harness closes the line.
pub async fn serve(commands: impl Commands) {
    let commands = Arc::new(commands);
    let (sender, mut orders) = tokio::sync::mpsc::unbounded_channel();
    std::thread::spawn(move || {
        for order in stdin().lock().lines().map_while(Result::ok) {
            if sender.send(order).is_err() {
                break;
            }
        }
    });
    while let Some(order) = orders.recv().await {
        let commands = Arc::clone(&commands);
        tokio::spawn(async move { obey(commands, &order).await });
    }
}

/// Tells the harness of an event that a peer heard.
pub fn report(peer: &str, event: &str, payload: Value) {
    say(json!({ "peer": peer, "event": event, "payload": payload }));
}

async fn obey(commands: Arc<impl Commands>, order: &str) {
    let order: Value = from_str(order).unwrap_or_default();
    let command = order["command"].as_str().unwrap_or_default();
    let peer = order["args"]["peer"].as_str().unwrap_or_default().to_owned();
    say(match commands.carry_out(command, peer, Args(order["args"].clone())).await {
        Ok(value) => json!({ "id": order["id"], "value": value }),
        Err(fault) => json!({ "id": order["id"], "error": { "type": "Error", "message": fault.to_string() } }),
    });
}

fn say(message: Value) {
    let mut out = stdout().lock();
    // The harness is gone if this fails, and the end of the line ends the process.
    let _ = writeln!(out, "{message}").and_then(|()| out.flush());
}
