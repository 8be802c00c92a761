use crate::line::report;
use a2c_smcp::serde_json::{json, to_value, Value};
use a2c_smcp::smcp_agent::{AsyncAgentEventHandler, AsyncSmcpAgent, SmcpAgentError};
use a2c_smcp::{
    A2CSkillRef, EnterOfficeNotification, LeaveOfficeNotification, SMCPTool, UpdateMCPConfigNotification,
    UpdateToolListNotification,
};
use async_trait::async_trait;

/// Tells the harness what the SDK tells its user.
pub struct Watcher {
    pub peer: String,
}

impl Watcher {
    fn tell(&self, event: &str, payload: Value) -> Result<(), SmcpAgentError> {
        report(&self.peer, event, payload);
        Ok(())
    }
}

#[async_trait]
impl AsyncAgentEventHandler for Watcher {
    async fn on_computer_enter_office(
        &self,
        data: EnterOfficeNotification,
        _: &AsyncSmcpAgent,
    ) -> Result<(), SmcpAgentError> {
        self.tell("notify:enter_office", to_value(data)?)
    }

    async fn on_computer_leave_office(
        &self,
        data: LeaveOfficeNotification,
        _: &AsyncSmcpAgent,
    ) -> Result<(), SmcpAgentError> {
        self.tell("notify:leave_office", to_value(data)?)
    }

    async fn on_computer_update_config(
        &self,
        data: UpdateMCPConfigNotification,
        _: &AsyncSmcpAgent,
    ) -> Result<(), SmcpAgentError> {
        self.tell("notify:update_config", to_value(data)?)
    }

    async fn on_computer_update_tool_list(
        &self,
        data: UpdateToolListNotification,
        _: &AsyncSmcpAgent,
    ) -> Result<(), SmcpAgentError> {
        self.tell("notify:update_tool_list", to_value(data)?)
    }

    async fn on_tools_received(
        &self,
        computer: &str,
        tools: Vec<SMCPTool>,
        _: &AsyncSmcpAgent,
    ) -> Result<(), SmcpAgentError> {
        let names: Vec<_> = tools.into_iter().map(|tool| tool.name).collect();
        self.tell("tools", json!({ "computer": computer, "tools": names }))
    }

    async fn on_desktop_updated(
        &self,
        computer: &str,
        _: Vec<String>,
        _: &AsyncSmcpAgent,
    ) -> Result<(), SmcpAgentError> {
        self.tell("notify:update_desktop", json!({ "computer": computer }))
    }

    async fn on_skills_received(
        &self,
        computer: &str,
        _: Vec<A2CSkillRef>,
        _: &AsyncSmcpAgent,
    ) -> Result<(), SmcpAgentError> {
        self.tell("notify:update_skills", json!({ "computer": computer }))
    }
}
