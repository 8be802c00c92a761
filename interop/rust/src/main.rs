//! Peers of the official crate for the harness of this repository: one role per process, one command per line.

mod agents;
mod args;
mod computers;
mod line;
mod refusal;
mod servers;
mod watcher;

use a2c_smcp::tokio::runtime::Runtime;

fn main() -> std::io::Result<()> {
    let role = std::env::args().nth(1).unwrap_or_default();
    Runtime::new()?.block_on(async {
        match role.as_str() {
            "agent" => line::serve(agents::Agents::default()).await,
            "computer" => line::serve(computers::Computers::default()).await,
            "server" => line::serve(servers::Servers::default()).await,
            _ => eprintln!("interop-peer agent|computer|server"),
        }
    });
    // Not a return: clients of the SDK go on connecting in the background.
    std::process::exit(0)
}
