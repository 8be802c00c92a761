//! The Server forgets a tool call that takes longer than five seconds, whatever its `timeout`, and acknowledges nothing.

use a2c_smcp::serde_json::{json, Value};
use a2c_smcp::smcp_server_core::SmcpServerBuilder;
use a2c_smcp::smcp_server_hyper::HyperServerBuilder;
use a2c_smcp::tokio::{net::TcpStream, runtime::Runtime, spawn, sync::mpsc, time::sleep, time::timeout};
use futures_util::FutureExt;
use std::{net::TcpListener, process::exit, time::Duration};
use tf_rust_socketio::asynchronous::{Client, ClientBuilder};
use tf_rust_socketio::{Event, Payload};

const LIMIT: Duration = Duration::from_secs(20);

fn main() {
    Runtime::new().unwrap().block_on(async {
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let layer = SmcpServerBuilder::new().with_default_auth(Some("k".into()), None).build_layer().unwrap();
        spawn(HyperServerBuilder::new().with_layer(layer).build().run(address));
        while TcpStream::connect(address).await.is_err() {
            sleep(Duration::from_millis(10)).await;
        }

        let url = format!("http://{address}/?a2c_version=0.4.0");
        let _computer = join(&url, "computer", "c").await;
        let agent = join(&url, "agent", "a").await;
        let (quick, slow) = (call_tool(&agent, 1).await, call_tool(&agent, 7).await);
        println!("a tool of 1 s was answered: {}, one of 7 s: {}", quick.is_some(), slow.is_some());
        exit(if quick.is_some() && slow.is_none() { 0 } else { 1 })
    })
}

/// A plain Socket.IO client in the office. It answers tool calls after as many seconds as they say.
async fn join(url: &str, role: &str, name: &str) -> Client {
    let (sender, mut connected) = mpsc::unbounded_channel();
    let client = ClientBuilder::new(url)
        .namespace("/smcp")
        .auth(json!({ "token": "k" }))
        .on(Event::Connect, move |_, _| {
            sender.send(()).unwrap();
            async {}.boxed()
        })
        .on("client:tool_call", |payload, client| answer(payload, client).boxed())
        .connect()
        .await
        .unwrap();
    connected.recv().await;
    ask(&client, "server:join_office", json!({ "role": role, "name": name, "office_id": "o" })).await.unwrap();
    client
}

async fn answer(payload: Payload, client: Client) {
    if let Payload::Text(values, Some(id)) = payload {
        sleep(Duration::from_secs(values[0]["params"]["seconds"].as_u64().unwrap())).await;
        client.ack_with_id(id, json!({ "content": [], "isError": false })).await.unwrap();
    }
}

async fn call_tool(agent: &Client, seconds: u64) -> Option<Payload> {
    let (params, limit) = (json!({ "seconds": seconds }), LIMIT.as_secs());
    let request =
        json!({ "agent": "a", "req_id": "r", "computer": "c", "tool_name": "t", "params": params, "timeout": limit });
    ask(agent, "client:tool_call", request).await
}

async fn ask(client: &Client, event: &str, request: Value) -> Option<Payload> {
    let (sender, mut answers) = mpsc::unbounded_channel();
    let hear = move |payload, _| {
        let _ = sender.send(payload);
        async {}.boxed()
    };
    client.emit_with_ack(event, request, LIMIT, hear).await.unwrap();
    timeout(LIMIT, answers.recv()).await.ok().flatten()
}
