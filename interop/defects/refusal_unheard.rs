//! An Agent whose key is wrong is told that it is connected, and never that it was refused.

use a2c_smcp::smcp_agent::{AsyncSmcpAgent, DefaultAuthProvider, SmcpAgentConfig};
use a2c_smcp::smcp_server_core::SmcpServerBuilder;
use a2c_smcp::smcp_server_hyper::HyperServerBuilder;
use a2c_smcp::tokio::{net::TcpStream, runtime::Runtime, spawn, time::sleep};
use std::{net::TcpListener, process::exit, time::Duration};

fn main() {
    Runtime::new().unwrap().block_on(async {
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let layer = SmcpServerBuilder::new().with_default_auth(Some("right".into()), None).build_layer().unwrap();
        spawn(HyperServerBuilder::new().with_layer(layer).build().run(address));
        while TcpStream::connect(address).await.is_err() {
            sleep(Duration::from_millis(10)).await;
        }

        let auth = DefaultAuthProvider::new("a".into(), "o".into()).with_api_key("wrong".into());
        let mut agent = AsyncSmcpAgent::new(auth, SmcpAgentConfig::new());
        let connected = agent.connect(&format!("http://{address}")).await;
        sleep(Duration::from_secs(1)).await;
        let joined = agent.join_office("a").await;
        println!("with a wrong key: connect {connected:?}, join_office {joined:?}");
        exit(if connected.is_ok() { 0 } else { 1 })
    })
}
