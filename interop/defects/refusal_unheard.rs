//! An Agent whose key is wrong is told that it is connected, and never that it was refused.

use a2c_smcp::smcp_agent::{AsyncSmcpAgent, DefaultAuthProvider, SmcpAgentConfig};
use a2c_smcp::tokio::{runtime::Runtime, time::sleep};
use interop_peer::{serve, Outcome};
use std::{process::exit, time::Duration};

fn main() -> Outcome<()> {
    Runtime::new()?.block_on(async {
        let (_server, url) = serve("right").await?;
        let auth = DefaultAuthProvider::new("a".into(), "o".into()).with_api_key("wrong".into());
        let mut agent = AsyncSmcpAgent::new(auth, SmcpAgentConfig::new());
        let connected = agent.connect(&url).await;
        sleep(Duration::from_secs(1)).await;
        let joined = agent.join_office("a").await;
        println!("with a wrong key: connect {connected:?}, join_office {joined:?}");
        exit(if connected.is_ok() { 0 } else { 1 })
    })
}
