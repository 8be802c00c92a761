use crate::fault::Fault;
use a2c_smcp::serde_json::{json, Value};
use a2c_smcp::tokio::{sync::mpsc, time::timeout};
use a2c_smcp::{utils::handshake::build_handshake_url, PROTOCOL_VERSION, SMCP_NAMESPACE};
use futures_util::FutureExt;
use std::time::Duration;
use tf_rust_socketio::asynchronous::{Client, ClientBuilder};
use tf_rust_socketio::{Event, Payload};

const PATIENCE: Duration = Duration::from_secs(10);

/// Asks to join where that must be refused. Agents of the SDK never ask, they only tell, and what they make of an
/// acknowledgement keeps no reason; so the Socket.IO client below them asks, on a connection of its own.
#[derive(Clone)]
pub struct Refusal {
    pub url: String,
    pub key: String,
}

impl Refusal {
    /// Why this member may not join.
    pub async fn reason(&self, role: &str, name: &str, office: &str) -> Result<Value, Fault> {
        let client = self.connect().await?;
        // Only who is an Agent already can be refused another role.
        if role != "agent" {
            join(&client, "agent", &format!("{name}-of-another-role"), &format!("{office}-elsewhere")).await?;
        }
        let answer = join(&client, role, name, office).await?;
        client.disconnect().await?;
        match answer {
            (false, reason) => Ok(reason),
            (true, _) => Err(Fault::new(format!("{role} {name} was let into {office}"))),
        }
    }

    async fn connect(&self) -> Result<Client, Fault> {
        let (sender, mut connected) = mpsc::unbounded_channel();
        let client = ClientBuilder::new(build_handshake_url(&self.url, PROTOCOL_VERSION)?)
            .namespace(SMCP_NAMESPACE)
            .auth(json!({ "token": self.key }))
            .on(Event::Connect, move |_, _| {
                let _ = sender.send(());
                async {}.boxed()
            })
            .connect()
            .await?;
        timeout(PATIENCE, connected.recv()).await?;
        Ok(client)
    }
}

/// Whether the member was let in, and why not.
async fn join(client: &Client, role: &str, name: &str, office: &str) -> Result<(bool, Value), Fault> {
    let (sender, mut answers) = mpsc::unbounded_channel();
    let request = json!({ "role": role, "name": name, "office_id": office });
    client
        .emit_with_ack("server:join_office", request, PATIENCE, move |payload, _| {
            let _ = sender.send(payload);
            async {}.boxed()
        })
        .await?;
    match timeout(PATIENCE, answers.recv()).await? {
        // All arguments of an acknowledgement arrive as one array.
        Some(Payload::Text(values, _)) => Ok((values[0][0] == true, values[0][1].clone())),
        other => Err(Fault::new(format!("an answer that is none: {other:?}"))),
    }
}
