use crate::{args::Args, line::Commands};
use a2c_smcp::serde_json::Value;
use a2c_smcp::tokio::{sync::Mutex, task::JoinHandle};
use async_trait::async_trait;
use interop_peer::{serve, Outcome};
use std::collections::HashMap;

/// Servers of the SDK by the names the harness has for them.
#[derive(Default)]
pub struct Servers {
    running: Mutex<HashMap<String, JoinHandle<()>>>,
}

#[async_trait]
impl Commands for Servers {
    async fn carry_out(&self, command: &str, peer: String, args: Args) -> Outcome<Value> {
        match command {
            "listen" => {
                let (server, url) = serve(&args.text("key")?).await?;
                self.running.lock().await.insert(peer, server);
                Ok(url.into())
            }
            "close" => {
                if let Some(server) = self.running.lock().await.remove(&peer) {
                    server.abort();
                }
                Ok(Value::Null)
            }
            _ => Err(format!("no command '{command}'").into()),
        }
    }
}
