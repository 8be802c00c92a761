"""Agents of the official package, driven by the harness."""

import asyncio
import base64
from typing import Any

from a2c_smcp.agent import AsyncSMCPAgentClient, DefaultAgentAuthProvider
from a2c_smcp.smcp import CANCEL_TOOL_CALL_EVENT, GET_CONFIG_EVENT, SMCP_NAMESPACE, TOOL_CALL_EVENT

from line import Line
from office import explain_refusal, join_again, overhear, refused_join


class ToolWatcher:
    """The SDK fetches tools by itself and hands them to a handler like this."""

    def __init__(self, line: Line, peer: str) -> None:
        self._line, self._peer = line, peer

    async def on_computer_enter_office(self, data: Any, client: Any) -> None: ...

    async def on_computer_leave_office(self, data: Any, client: Any) -> None: ...

    async def on_computer_update_config(self, data: Any, client: Any) -> None: ...

    async def on_computer_update_tool_list(self, data: Any, client: Any) -> None: ...

    async def on_skills_received(self, computer: str, skills: list[Any], client: Any) -> None: ...

    async def on_tools_received(self, computer: str, tools: list[Any], client: Any) -> None:
        self._line.event(self._peer, "tools", {"computer": computer, "tools": [tool["name"] for tool in tools]})


class Agents:
    def __init__(self, line: Line) -> None:
        self._line = line
        self._clients: dict[str, AsyncSMCPAgentClient] = {}
        self._homes: dict[str, tuple[str, str]] = {}

    async def connect(
        self, peer: str, url: str, key: str, name: str, office: str, tool_seconds: int | None = None
    ) -> None:
        """Connects. Each call brings its own limit, whatever `tool_seconds` says."""
        provider = DefaultAgentAuthProvider(agent_id=name, office_id=office, api_key=key)
        client = AsyncSMCPAgentClient(provider, ToolWatcher(self._line, peer))
        overhear(client, lambda event, payload: self._line.event(peer, event, payload))
        self._clients[peer], self._homes[peer] = client, (name, office)
        await explain_refusal(client, client.connect_to_server(url))

    async def join(self, peer: str) -> None:
        client, (name, office) = self._clients[peer], self._homes[peer]
        await client.join_office(office, name, namespace=SMCP_NAMESPACE)
        # The SDK does not ask whether it was let in, but only a member may list the office.
        for _ in range(5):
            try:
                await client.get_computers_in_office(office, timeout=2)
            except Exception:
                continue
            break
        else:
            raise RuntimeError(f"join_office did not make {name} a member of {office}")
        join_again(client, lambda: self.join(peer))

    async def refused(self, peer: str, role: str, name: str, office: str) -> str:
        return await refused_join(self._clients[peer], role=role, name=name, office=office)

    async def tools(self, peer: str, computer: str) -> list[Any]:
        return list((await self._clients[peer].get_tools_from_computer(computer))["tools"])

    async def call_tool(self, peer: str, computer: str, tool: str, params: dict[str, Any], timeout: int) -> Any:
        result = await self._clients[peer].emit_tool_call(computer, tool, params, timeout)
        return result.model_dump(mode="json")

    async def call_and_cancel(self, peer: str, computer: str, tool: str, params: dict[str, Any], timeout: int) -> Any:
        """Calls a tool by hand, since the SDK keeps `req_id` to itself; `cancel` names it to end the call."""
        client = self._clients[peer]
        request = client.create_tool_call_request(computer, tool, params, timeout)
        self._line.event(peer, "calling", {"req_id": request["req_id"]})
        return await client.call(TOOL_CALL_EVENT, request, namespace=SMCP_NAMESPACE, timeout=timeout)

    async def cancel(self, peer: str, req_id: str) -> None:
        client = self._clients[peer]
        data = {"agent": self._homes[peer][0], "req_id": req_id}
        await client.emit(CANCEL_TOOL_CALL_EVENT, data, namespace=SMCP_NAMESPACE)

    async def desktop(self, peer: str, computer: str, size: int | None, window: str | None) -> list[str]:
        ret = await self._clients[peer].get_desktop_from_computer(computer, size=size, window=window)
        return list(ret["desktops"])

    async def config(self, peer: str, computer: str) -> Any:
        client = self._clients[peer]
        if hasattr(client, "get_config_from_computer"):
            return await client.get_config_from_computer(computer)
        request = client.create_get_tools_request(computer)
        return await client.call(GET_CONFIG_EVENT, request, namespace=SMCP_NAMESPACE, timeout=10)

    async def computers(self, peer: str) -> list[Any]:
        return list(await self._clients[peer].get_computers_in_office(self._homes[peer][1]))

    async def resources(self, peer: str, computer: str, server: str) -> list[Any]:
        return list((await self._clients[peer].get_resources(computer, server))["resources"])

    async def upload(self, peer: str, computer: str, name: str, data: str) -> str:
        landed = await self._clients[peer].put_blob(computer, base64.b64decode(data), name_hint=name)
        return landed.landing_path

    async def read_blob(self, peer: str, computer: str, handle: str) -> str:
        """The SDK has a function for this, but no method of the Agent."""
        from a2c_smcp.utils.blob import drain_blob

        data, _ = await drain_blob(self._clients[peer]._make_blob_call(), computer, handle)
        return base64.b64encode(data).decode()

    async def skills(self, peer: str, computer: str) -> list[str]:
        return [skill["name"] for skill in (await self._clients[peer].get_skills(computer))["skills"]]

    async def skill_file(self, peer: str, computer: str, name: str, path: str) -> str:
        """The SDK gives text as text, and for bytes a handle."""
        file = await self._clients[peer].get_skill(computer, name, path)
        if "body" in file:
            return base64.b64encode(file["body"].encode()).decode()
        return await self.read_blob(peer, computer, file["blob_handle"])

    async def close(self, peer: str) -> None:
        client = self._clients.pop(peer)
        join_again(client, None)
        await client.disconnect()


async def main() -> None:
    line = Line()
    agents = Agents(line)
    names = ["connect", "join", "refused", "tools", "call_tool", "call_and_cancel", "cancel", "desktop", "config"]
    more = ["computers", "resources", "upload", "read_blob", "skills", "skill_file", "close"]
    await line.serve({name: getattr(agents, name) for name in [*names, *more]})


asyncio.run(main())
