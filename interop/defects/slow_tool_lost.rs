//! The Server forgets a tool call that takes longer than five seconds, whatever its `timeout`, and acknowledges nothing.

use a2c_smcp::serde_json::{json, Value};
use a2c_smcp::tokio::{runtime::Runtime, time::sleep};
use futures_util::{future::BoxFuture, FutureExt};
use interop_peer::{ask, connect, ignore, join, serve, Outcome, Reply};
use std::{process::exit, time::Duration};

fn main() -> Outcome<()> {
    Runtime::new()?.block_on(async {
        let (_server, url) = serve("k").await?;
        let (computer, agent) = (connect(&url, "k", answer).await?, connect(&url, "k", ignore).await?);
        join(&computer, "computer", "c", "o").await?;
        join(&agent, "agent", "a", "o").await?;
        let call = |seconds: u64| {
            let params = json!({ "seconds": seconds });
            let request = json!({ "agent": "a", "req_id": "r", "computer": "c", "tool_name": "t", "params": params, "timeout": 20 });
            ask(&agent, "client:tool_call", request)
        };
        let (quick, slow) = (call(1).await, call(7).await);
        println!("a tool of 1 s was answered with {quick:?}, one of 7 s with {slow:?}");
        exit(if quick.is_some() && slow.is_none() { 0 } else { 1 })
    })
}

/// Takes as many seconds as the call says.
fn answer(_: String, request: Value, reply: Reply) -> BoxFuture<'static, ()> {
    async move {
        sleep(Duration::from_secs(request["params"]["seconds"].as_u64().unwrap_or(0))).await;
        reply.send(json!({ "content": [], "isError": false })).await;
    }
    .boxed()
}
