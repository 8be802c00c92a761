//! An Agent waits for ever for an answer that does not come, whatever its limits, and hears nothing meanwhile.

use a2c_smcp::smcp_agent::{
    AsyncAgentEventHandler, AsyncSmcpAgent, DefaultAuthProvider, SmcpAgentConfig, SmcpAgentError,
};
use a2c_smcp::tokio::{runtime::Runtime, time::sleep};
use a2c_smcp::LeaveOfficeNotification;
use async_trait::async_trait;
use interop_peer::{connect, ignore, join, serve, Outcome};
use std::sync::atomic::{AtomicBool, Ordering};
use std::{process::exit, time::Duration};

static HEARD: AtomicBool = AtomicBool::new(false);

struct Watcher;

#[async_trait]
impl AsyncAgentEventHandler for Watcher {
    async fn on_computer_leave_office(
        &self,
        _: LeaveOfficeNotification,
        _: &AsyncSmcpAgent,
    ) -> Result<(), SmcpAgentError> {
        HEARD.store(true, Ordering::SeqCst);
        Ok(())
    }
}

fn main() -> Outcome<()> {
    Runtime::new()?.block_on(async {
        let (_server, url) = serve("k").await?;
        let auth = DefaultAuthProvider::new("a".into(), "o".into()).with_api_key("k".into());
        let config = SmcpAgentConfig::new().with_get_timeout(1).with_default_timeout(1);
        let mut agent = AsyncSmcpAgent::new(auth, config).with_event_handler(Watcher);
        agent.connect(&url).await?;
        agent.join_office("a").await?;
        sleep(Duration::from_secs(1)).await;

        // The Agent asks whoever enters for tools.
        let silent = connect(&url, "k", ignore).await?;
        join(&silent, "computer", "silent", "o").await?;
        sleep(Duration::from_secs(10)).await;
        let passing = connect(&url, "k", ignore).await?;
        join(&passing, "computer", "passing", "o").await?;
        passing.disconnect().await?;
        sleep(Duration::from_secs(5)).await;
        let heard = HEARD.load(Ordering::SeqCst);
        println!("after a Computer that did not answer, the Agent hears of others: {heard}");
        exit(if heard { 1 } else { 0 })
    })
}
