use crate::{args::Args, fault::Fault, line::Commands};
use a2c_smcp::serde_json::Value;
use a2c_smcp::smcp_server_core::SmcpServerBuilder;
use a2c_smcp::smcp_server_hyper::HyperServerBuilder;
use a2c_smcp::tokio::{net::TcpStream, spawn, sync::Mutex, task::JoinHandle, time::sleep};
use async_trait::async_trait;
use std::collections::HashMap;
use std::net::TcpListener;
use std::time::Duration;

/// Servers of the SDK by the names the harness has for them.
#[derive(Default)]
pub struct Servers {
    running: Mutex<HashMap<String, JoinHandle<()>>>,
}

#[async_trait]
impl Commands for Servers {
    async fn carry_out(&self, command: &str, peer: String, args: Args) -> Result<Value, Fault> {
        match command {
            "listen" => self.listen(peer, args.text("key")?).await,
            "close" => self.close(&peer).await,
            _ => Err(Fault::new(format!("no command '{command}'"))),
        }
    }
}

impl Servers {
    async fn listen(&self, peer: String, key: String) -> Result<Value, Fault> {
        // The SDK does not tell which port it was given, so that it must be told one that is free.
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        let layer = SmcpServerBuilder::new().with_default_auth(Some(key), None).build_layer()?;
        let server = HyperServerBuilder::new().with_layer(layer).build();
        let task = spawn(async move {
            if let Err(error) = server.run(address).await {
                eprintln!("the Server ended: {error}");
            }
        });
        while TcpStream::connect(address).await.is_err() {
            if task.is_finished() {
                return Err(Fault::new("the Server did not start"));
            }
            sleep(Duration::from_millis(10)).await;
        }
        self.running.lock().await.insert(peer, task);
        Ok(format!("http://{address}").into())
    }

    async fn close(&self, peer: &str) -> Result<Value, Fault> {
        if let Some(task) = self.running.lock().await.remove(peer) {
            task.abort();
        }
        Ok(Value::Null)
    }
}
