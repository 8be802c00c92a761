"""Computers of the official package, driven by the harness."""

import asyncio
import json
from pathlib import Path
from typing import Any

from a2c_smcp.computer import Computer, SMCPComputerClient
from a2c_smcp.computer.mcp_clients.model import MCPServerPickStringInput, StdioServerConfig
from a2c_smcp.smcp import SMCP_NAMESPACE

from line import Line
from office import explain_refusal, join_again, overhear, refused_join


def allow_uploads() -> None:
    """Names a folder for uploads in the user's settings, below the home folder that the harness gave."""
    if not hasattr(Computer, "landing_root"):
        return
    from a2c_smcp.computer.settings import user_settings_path

    settings, folder = Path(user_settings_path()), Path.cwd() / "uploads"
    for path in (settings.parent, folder):
        path.mkdir(parents=True, exist_ok=True)
    settings.write_text(json.dumps({"landingRoot": str(folder)}))


class Computers:
    def __init__(self, line: Line) -> None:
        self._line = line
        self._computers: dict[str, Computer] = {}
        self._clients: dict[str, SMCPComputerClient] = {}
        self._offices: dict[str, str] = {}

    async def open(
        self,
        peer: str,
        name: str,
        servers: list[dict[str, Any]],
        inputs: list[dict[str, Any]],
        skill_home: str | None = None,
    ) -> None:
        configs = {StdioServerConfig.model_validate(config) for config in servers}
        choices = {MCPServerPickStringInput.model_validate(choice) for choice in inputs}
        skills = {} if skill_home is None else {"skill_home": Path(skill_home)}
        computer = Computer(name=name, mcp_servers=configs, inputs=choices, **skills)
        self._computers[peer] = computer
        await computer.boot_up()

    async def connect(self, peer: str, url: str, key: str) -> None:
        client = SMCPComputerClient(computer=self._computers[peer])
        self._clients[peer] = client
        overhear(client, lambda event, payload: self._line.event(peer, event, payload))
        credentials = {"headers": {"x-api-key": key}, "auth": {"token": key}}
        await explain_refusal(client, client.connect(url, namespaces=[SMCP_NAMESPACE], **credentials))

    async def join(self, peer: str, office: str) -> None:
        client = self._clients[peer]
        await client.join_office(office)
        self._offices[peer] = office
        join_again(client, lambda: client.join_office(office))

    async def refused(self, peer: str, role: str, name: str, office: str) -> str:
        return await refused_join(self._clients[peer], role=role, name=name, office=office)

    async def add_server(self, peer: str, config: dict[str, Any]) -> None:
        await self._computers[peer].aadd_or_aupdate_server(StdioServerConfig.model_validate(config))
        await self._clients[peer].emit_update_config()

    async def skills(self, peer: str) -> None:
        await self._clients[peer].emit_update_skills()

    async def leave(self, peer: str) -> None:
        await self._clients[peer].leave_office(self._offices[peer])

    async def close(self, peer: str) -> None:
        client = self._clients.pop(peer, None)
        if client is not None:
            join_again(client, None)
            await client.disconnect()
        # Release 0.1.2 does not come back from here; the harness ends the process, and the MCP servers with it.
        await asyncio.wait({asyncio.create_task(self._computers.pop(peer).shutdown())}, timeout=2)


async def main() -> None:
    allow_uploads()
    line = Line()
    computers = Computers(line)
    names = ["open", "connect", "join", "refused", "add_server", "skills", "leave", "close"]
    await line.serve({name: getattr(computers, name) for name in names})


asyncio.run(main())
