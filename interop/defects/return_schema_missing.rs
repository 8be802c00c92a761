//! A Computer lists a tool without the schema of its result, whatever its MCP server says.

use a2c_smcp::serde_json::{from_str, json, Value};
use a2c_smcp::tokio::runtime::Runtime;
use interop_peer::{ask, connect, ignore, join, serve, Outcome};
use smcp_computer::computer::{Computer, ConnectOptions, SilentSession};
use std::env::{args, current_exe};
use std::io::{stdin, BufRead};
use std::process::exit;

fn main() -> Outcome<()> {
    if args().nth(1).is_some() {
        return be_mcp_server();
    }
    Runtime::new()?.block_on(async {
        let (_server, url) = serve("k").await?;
        let config = json!({
            "name": "m", "type": "stdio", "server_parameters": { "command": current_exe()?, "args": ["serve"] },
            "disabled": false, "forbidden_tools": [], "tool_meta": {},
        });
        let servers = [("m".to_owned(), a2c_smcp::serde_json::from_value(config)?)].into();
        let computer = Computer::new("c", SilentSession::new("c"), None, Some(servers), true, true);
        computer.boot_up().await?;
        computer.start_all_mcp_clients().await?;
        let options = ConnectOptions { auth_payload: Some(json!({ "token": "k" })), ..ConnectOptions::default() };
        computer.connect_socketio(&url, options).await?;
        computer.join_office("o", "c").await?;
        let agent = connect(&url, "k", ignore).await?;
        join(&agent, "agent", "a", "o").await?;
        let request = json!({ "agent": "a", "req_id": "r", "computer": "c" });
        let answer = ask(&agent, "client:get_tools", request).await.ok_or("get_tools was not answered")?;
        let tool = &answer[0]["tools"][0];
        println!("a tool with an output schema is listed as {tool}");
        exit(if tool["name"].is_string() && tool["return_schema"].is_null() { 0 } else { 1 })
    })
}

/// Has one tool with an output schema.
fn be_mcp_server() -> Outcome<()> {
    for line in stdin().lock().lines() {
        let message: Value = from_str(&line?)?;
        let result = match message["method"].as_str() {
            Some("initialize") => json!({
                "protocolVersion": message["params"]["protocolVersion"], "capabilities": { "tools": {} },
                "serverInfo": { "name": "typed", "version": "1" },
            }),
            Some("tools/list") => {
                json!({ "tools": [{ "name": "t", "inputSchema": { "type": "object" }, "outputSchema": { "type": "object" } }] })
            }
            _ => json!({}),
        };
        if !message["id"].is_null() {
            println!("{}", json!({ "jsonrpc": "2.0", "id": message["id"], "result": result }));
        }
    }
    Ok(())
}
