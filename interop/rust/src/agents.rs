use crate::line::Commands;
use crate::{args::Args, refusal::Refusal, watcher::Watcher};
use a2c_smcp::serde_json::{json, to_value, Value};
use a2c_smcp::smcp_agent::{AsyncSmcpAgent, DefaultAuthProvider, SmcpAgentConfig};
use a2c_smcp::tokio::{sync::RwLock, time::timeout};
use a2c_smcp::Role;
use async_trait::async_trait;
use base64::{engine::general_purpose::STANDARD, Engine};
use interop_peer::Outcome;
use std::collections::HashMap;
use std::time::Duration;

/// Seconds for every tool call unless told otherwise: the SDK has one limit per Agent. Its Server forgets calls after five.
const TOOL_TIMEOUT: u32 = 3;
/// The SDK waits for ever for an answer that does not come.
const PATIENCE: Duration = Duration::from_secs(2);

#[derive(Clone)]
struct Member {
    agent: AsyncSmcpAgent,
    name: String,
    office: String,
    refusal: Refusal,
}

/// Agents of the SDK by the names the harness has for them.
#[derive(Default)]
pub struct Agents {
    members: RwLock<HashMap<String, Member>>,
}

#[async_trait]
impl Commands for Agents {
    async fn carry_out(&self, command: &str, peer: String, args: Args) -> Outcome<Value> {
        if command == "connect" {
            return self.connect(peer, &args).await;
        }
        let member = self.find(&peer).await?;
        let agent = &member.agent;
        let computer = || args.text("computer");
        Ok(match command {
            "join" => member.join().await?,
            "refused" => member.refusal.reason(&args.text("role")?, &args.text("name")?, &args.text("office")?).await?,
            "tools" => to_value(agent.get_tools(&computer()?).await?)?,
            "call_tool" | "call_and_cancel" => {
                agent.tool_call(&computer()?, &args.text("tool")?, args.value("params")).await?
            }
            "cancel" => to_value(agent.tool_call_cancel(&args.text("req_id")?).await?)?,
            "desktop" => {
                let (size, window) = (args.number_if_any("size"), args.text_if_any("window"));
                to_value(agent.get_desktop(&computer()?, size, window).await?)?
            }
            "config" => to_value(agent.get_computer_config(&computer()?).await?)?,
            "computers" => member.computers().await?,
            "resources" => to_value(agent.get_resources(&computer()?, &args.text("server")?, None).await?.resources)?,
            "upload" => {
                let bytes = STANDARD.decode(args.text("data")?)?;
                agent
                    .put_blob(&computer()?, &bytes, args.text_if_any("name").as_deref(), None)
                    .await?
                    .landing_path
                    .into()
            }
            "read_blob" => member.read_blob(&computer()?, &args.text("handle")?).await?.into(),
            "skills" => agent.get_skills(&computer()?).await?.into_iter().map(|skill| skill.name).collect(),
            "skill_file" => member.skill_file(&computer()?, &args.text("name")?, &args.text("path")?).await?.into(),
            // It may be disconnected already.
            "close" => to_value(agent.leave_office().await.is_ok())?,
            _ => return Err(format!("no command '{command}'").into()),
        })
    }
}

impl Agents {
    async fn connect(&self, peer: String, args: &Args) -> Outcome<Value> {
        let (url, key) = (args.text("url")?, args.text("key")?);
        let (name, office) = (args.text("name")?, args.text("office")?);
        let auth = DefaultAuthProvider::new(name.clone(), office.clone()).with_api_key(key.clone());
        let config = SmcpAgentConfig::new()
            .with_tool_call_timeout(args.number_if_any("tool_seconds").map_or(TOOL_TIMEOUT, i32::unsigned_abs).into());
        let watcher = Watcher { peer: peer.clone() };
        let mut agent = AsyncSmcpAgent::new(auth, config).with_event_handler(watcher);
        agent.connect(&url).await?;
        let refusal = Refusal { url, key };
        self.members.write().await.insert(peer, Member { agent, name, office, refusal });
        Ok(Value::Null)
    }

    async fn find(&self, peer: &str) -> Outcome<Member> {
        self.members.read().await.get(peer).cloned().ok_or_else(|| format!("no agent '{peer}'").into())
    }
}

impl Member {
    /// The SDK does not ask whether it was let in, but only a member may list the office.
    async fn join(&self) -> Outcome<Value> {
        self.agent.join_office(&self.name).await?;
        for _ in 0..5 {
            if self.sessions().await.is_ok() {
                return Ok(Value::Null);
            }
        }
        Err(format!("join_office did not make {} a member of {}", self.name, self.office).into())
    }

    /// The SDK reconnects without telling, and leaves it to its user to join again.
    async fn computers(&self) -> Outcome<Value> {
        let sessions = self.sessions().await;
        if sessions.is_err() {
            self.agent.join_office(&self.name).await?;
        }
        sessions
    }

    /// Text comes as text, and bytes as a handle.
    async fn skill_file(&self, computer: &str, name: &str, path: &str) -> Outcome<String> {
        let file = self.agent.get_skill(computer, name, Some(path)).await?;
        match (file.body, file.blob_handle) {
            (Some(body), _) => Ok(STANDARD.encode(body)),
            (None, Some(handle)) => self.read_blob(computer, &handle).await,
            (None, None) => Err(format!("'{path}' has neither text nor a handle").into()),
        }
    }

    /// The SDK drains results by itself, and leaves a handle of the user's own to the user.
    async fn read_blob(&self, computer: &str, handle: &str) -> Outcome<String> {
        let mut bytes = Vec::new();
        loop {
            let part = self.agent.get_blob(computer, handle, Some(bytes.len() as u64), None).await?;
            bytes.extend(STANDARD.decode(part.blob)?);
            if part.eof {
                return Ok(STANDARD.encode(bytes));
            }
        }
    }

    async fn sessions(&self) -> Outcome<Value> {
        let sessions = timeout(PATIENCE, self.agent.list_room(&self.office)).await??;
        if sessions.is_empty() {
            return Err("only a member may list the office".into());
        }
        let computers = sessions.iter().filter(|session| session.role == Role::Computer);
        Ok(computers.map(|session| json!({ "name": session.name })).collect())
    }
}
