use crate::{args::Args, line::Commands};
use a2c_smcp::serde_json::{json, Value};
use a2c_smcp::tokio::sync::RwLock;
use async_trait::async_trait;
use interop_peer::Outcome;
use smcp_computer::computer::{Computer, ConnectOptions, SilentSession};
use smcp_computer::mcp_clients::{
    bundle_id::resolve_bundle_id,
    model::{MCPServerConfig, MCPServerInput, PickStringInput},
};
use std::collections::HashMap;
use std::sync::Arc;
use std::{env::current_dir, fs::create_dir_all};

type Opened = Arc<Computer<SilentSession>>;

/// Computers of the SDK by the names the harness has for them.
#[derive(Default)]
pub struct Computers {
    opened: RwLock<HashMap<String, Opened>>,
}

#[async_trait]
impl Commands for Computers {
    async fn carry_out(&self, command: &str, peer: String, args: Args) -> Outcome<Value> {
        if command == "open" {
            return self.open(peer, &args).await;
        }
        let computer = self.find(&peer).await?;
        match command {
            "connect" => connect(&computer, &args.text("url")?, &args.text("key")?).await?,
            "join" => computer.join_office(&args.text("office")?, computer.name()).await?,
            "leave" => computer.leave_office().await?,
            "add_server" => add_server(&computer, args.parsed("config")?).await?,
            "skills" => computer.emit_update_skills_now().await,
            "close" => computer.shutdown().await?,
            _ => return Err(format!("no command '{command}'").into()),
        }
        Ok(Value::Null)
    }
}

impl Computers {
    async fn open(&self, peer: String, args: &Args) -> Outcome<Value> {
        let servers: Vec<MCPServerConfig> = args.parsed("servers")?;
        let by_name = servers.into_iter().map(|server| (server.name().to_owned(), server)).collect();
        let choices: Vec<PickStringInput> = args.parsed("inputs")?;
        let inputs =
            choices.into_iter().map(|choice| (choice.id.clone(), MCPServerInput::PickString(choice))).collect();
        let session = SilentSession::new(peer.as_str());
        let landing = current_dir()?.join("uploads");
        create_dir_all(&landing)?;
        let mut computer = Computer::new(args.text("name")?, session, Some(inputs), Some(by_name), true, true)
            .with_landing_root(landing);
        if let Some(home) = args.text_if_any("skill_home") {
            computer = computer.with_skill_home(home);
        }
        computer.boot_up().await?;
        computer.start_all_mcp_clients().await?;
        self.opened.write().await.insert(peer, Arc::new(computer));
        Ok(Value::Null)
    }

    async fn find(&self, peer: &str) -> Outcome<Opened> {
        self.opened.read().await.get(peer).cloned().ok_or_else(|| format!("no computer '{peer}'").into())
    }
}

async fn connect(computer: &Opened, url: &str, key: &str) -> Outcome<()> {
    let options = ConnectOptions { auth_payload: Some(json!({ "token": key })), ..ConnectOptions::default() };
    Ok(computer.connect_socketio(url, options).await?)
}

/// Mounting announces the new configuration but starts nothing.
async fn add_server(computer: &Opened, config: MCPServerConfig) -> Outcome<()> {
    let id = resolve_bundle_id(&config);
    computer.mount_server(config).await?;
    Ok(computer.start_mcp_client(&id).await?)
}
