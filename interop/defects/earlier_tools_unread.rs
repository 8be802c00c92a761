//! An Agent cannot read the tools of a Computer that speaks a protocol before 0.3, whose tools have no `bundle_id`.

use a2c_smcp::serde_json::{json, Value};
use a2c_smcp::smcp_agent::{AsyncSmcpAgent, DefaultAuthProvider, SmcpAgentConfig};
use a2c_smcp::tokio::{runtime::Runtime, time::sleep};
use futures_util::{future::BoxFuture, FutureExt};
use interop_peer::{connect, join, serve, Outcome, Reply};
use std::{process::exit, time::Duration};

fn main() -> Outcome<()> {
    Runtime::new()?.block_on(async {
        let (_server, url) = serve("k").await?;
        let computer = connect(&url, "k", answer).await?;
        join(&computer, "computer", "c", "o").await?;
        let auth = DefaultAuthProvider::new("a".into(), "o".into()).with_api_key("k".into());
        let mut agent = AsyncSmcpAgent::new(auth, SmcpAgentConfig::new());
        agent.connect(&url).await?;
        agent.join_office("a").await?;
        sleep(Duration::from_secs(1)).await;
        let tools = agent.get_tools("c").await;
        println!("tools without bundle_id: {tools:?}");
        exit(if tools.is_err() { 0 } else { 1 })
    })
}

/// One tool as in protocol 0.2.
fn answer(_: String, request: Value, reply: Reply) -> BoxFuture<'static, ()> {
    let tool = json!({ "name": "t", "description": "", "params_schema": {}, "return_schema": null, "meta": {} });
    async move { reply.send(json!({ "tools": [tool], "req_id": request["req_id"] })).await }.boxed()
}
