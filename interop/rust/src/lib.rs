//! A Server of the SDK, and the bare Socket.IO client below its Agents and Computers.

use a2c_smcp::serde_json::{json, Value};
use a2c_smcp::smcp_server_core::SmcpServerBuilder;
use a2c_smcp::smcp_server_hyper::HyperServerBuilder;
use a2c_smcp::tokio::{net::TcpStream, spawn, sync::mpsc, task::JoinHandle, time::sleep, time::timeout};
use a2c_smcp::{utils::handshake::build_handshake_url, PROTOCOL_VERSION, SMCP_NAMESPACE};
use futures_util::{future::BoxFuture, FutureExt};
use std::{error::Error, net::TcpListener, time::Duration};
use tf_rust_socketio::asynchronous::{Client, ClientBuilder};
use tf_rust_socketio::{Event, Payload};

pub type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// How long a bare client waits.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// Starts a Server that asks for a key, and returns it with its address.
pub async fn serve(key: &str) -> Outcome<(JoinHandle<()>, String)> {
    // The SDK does not tell which port it was given, so that it must be told one that is free.
    let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
    let layer = SmcpServerBuilder::new().with_default_auth(Some(key.to_owned()), None).build_layer()?;
    let server = HyperServerBuilder::new().with_layer(layer).build();
    let running = spawn(async move {
        if let Err(error) = server.run(address).await {
            eprintln!("the Server ended: {error}");
        }
    });
    while TcpStream::connect(address).await.is_err() {
        if running.is_finished() {
            return Err("the Server did not start".into());
        }
        sleep(Duration::from_millis(10)).await;
    }
    Ok((running, format!("http://{address}")))
}

/// Connects a bare client. `handle` gets every event that asks for an answer.
pub async fn connect(
    url: &str,
    key: &str,
    handle: fn(String, Value, Reply) -> BoxFuture<'static, ()>,
) -> Outcome<Client> {
    let (sender, mut connected) = mpsc::unbounded_channel();
    let client = ClientBuilder::new(build_handshake_url(url, PROTOCOL_VERSION)?)
        .namespace(SMCP_NAMESPACE)
        .auth(json!({ "token": key }))
        .on(Event::Connect, move |_, _| {
            let _ = sender.send(());
            async {}.boxed()
        })
        .on_any(move |event, payload, client| match payload {
            Payload::Text(mut values, Some(id)) if !values.is_empty() => {
                handle(event.to_string(), values.swap_remove(0), Reply { client, id })
            }
            _ => async {}.boxed(),
        })
        .connect()
        .await?;
    timeout(PATIENCE, connected.recv()).await?;
    // The Server answers the connection a moment before it listens; the SDK's own Agents wait as long.
    sleep(Duration::from_millis(100)).await;
    Ok(client)
}

/// Answers one request.
pub struct Reply {
    client: Client,
    id: i32,
}

impl Reply {
    pub async fn send(self, answer: Value) {
        if let Err(error) = self.client.ack_with_id(self.id, answer).await {
            eprintln!("not answered: {error}");
        }
    }
}

/// Leaves all requests unanswered.
pub fn ignore(_: String, _: Value, _: Reply) -> BoxFuture<'static, ()> {
    async {}.boxed()
}

/// Asks to join an office, and returns whether that was granted and why not.
pub async fn join(client: &Client, role: &str, name: &str, office: &str) -> Outcome<(bool, Value)> {
    let request = json!({ "role": role, "name": name, "office_id": office });
    let answer = ask(client, "server:join_office", request).await.ok_or("join_office was not answered")?;
    Ok((answer[0] == true, answer[1].clone()))
}

/// All arguments of the acknowledgement, as one array; nothing when it does not come.
pub async fn ask(client: &Client, event: &str, request: Value) -> Option<Value> {
    let (sender, mut answers) = mpsc::unbounded_channel();
    let hear = move |payload, _| {
        let _ = sender.send(payload);
        async {}.boxed()
    };
    client.emit_with_ack(event, request, PATIENCE, hear).await.ok()?;
    match timeout(PATIENCE, answers.recv()).await {
        Ok(Some(Payload::Text(mut values, _))) if !values.is_empty() => Some(values.swap_remove(0)),
        _ => None,
    }
}
