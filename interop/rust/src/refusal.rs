use a2c_smcp::serde_json::Value;
use interop_peer::{connect, ignore, join, Outcome};

/// Asks to join where that must be refused. Agents of the SDK never ask, they only tell, and what they make of an
/// acknowledgement keeps no reason; so the Socket.IO client below them asks, on a connection of its own.
#[derive(Clone)]
pub struct Refusal {
    pub url: String,
    pub key: String,
}

impl Refusal {
    /// Why this member may not join.
    pub async fn reason(&self, role: &str, name: &str, office: &str) -> Outcome<Value> {
        let client = connect(&self.url, &self.key, ignore).await?;
        // Only who is an Agent already can be refused another role.
        if role != "agent" {
            join(&client, "agent", &format!("{name}-of-another-role"), &format!("{office}-elsewhere")).await?;
        }
        let answer = join(&client, role, name, office).await?;
        client.disconnect().await?;
        match answer {
            (false, reason) => Ok(reason),
            (true, _) => Err(format!("{role} {name} was let into {office}").into()),
        }
    }
}
