"""The Server acknowledges client:get_config with nothing instead of asking the Computer."""

import asyncio
import sys

import socketio
import uvicorn
from a2c_smcp.server import AuthenticationProvider, SMCPNamespace

ROOM = {"office_id": "o"}


class Everybody(AuthenticationProvider):
    async def authenticate(self, *_: object) -> bool:
        return True


async def join(url: str, role: str, name: str) -> socketio.AsyncClient:
    client = socketio.AsyncClient()
    await client.connect(url, namespaces=["/smcp"])
    await client.call("server:join_office", {**ROOM, "role": role, "name": name}, namespace="/smcp")
    return client


async def main() -> int:
    sio = socketio.AsyncServer(async_mode="asgi")
    sio.register_namespace(SMCPNamespace(Everybody()))
    server = uvicorn.Server(uvicorn.Config(socketio.ASGIApp(sio), port=0, log_level="error", lifespan="off"))
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.05)
    url = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"

    asked: list[object] = []
    computer = await join(url, "computer", "c")
    computer.on("client:get_config", lambda data: asked.append(data) or {"servers": {}}, namespace="/smcp")
    agent = await join(url, "agent", "a")
    request = {"agent": "a", "computer": "c", "req_id": "r"}
    answer = await agent.call("client:get_config", request, namespace="/smcp", timeout=5)
    print(f"the Computer was asked {len(asked)} times, the Agent was answered {answer!r}")
    for client in (agent, computer):
        await client.disconnect()
    server.should_exit = server.force_exit = True
    await serving
    return 0 if not asked and answer is None else 1


sys.exit(asyncio.run(main()))
