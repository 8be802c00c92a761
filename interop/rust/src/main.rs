//! Peers of the official crate for the harness of this repository: one role per process, one command per line.

mod agents;
mod args;
mod computers;
mod line;
mod refusal;
mod servers;

use a2c_smcp::tokio::runtime::Runtime;
use std::sync::Arc;

fn main() -> std::io::Result<()> {
    let role = std::env::args().nth(1).unwrap_or_default();
    Runtime::new()?.block_on(async {
        let line = line::Line::default();
        match role.as_str() {
            "agent" => line.serve(Arc::new(agents::Agents::new(line.clone()))).await,
            "computer" => line.serve(Arc::new(computers::Computers::default())).await,
            "server" => line.serve(Arc::new(servers::Servers::default())).await,
            _ => eprintln!("interop-peer agent|computer|server"),
        }
    });
    // Not a return: clients of the SDK go on connecting in the background.
    std::process::exit(0)
}
