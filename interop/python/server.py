"""The Server of the official package, driven by the harness."""

import asyncio
from typing import Any

import a2c_smcp.server as smcp
import socketio
import uvicorn

from line import Line


class HeaderKey(smcp.AuthenticationProvider):
    """Releases before 0.2 never see a header in their own provider (see defects/default_auth.py)."""

    def __init__(self, key: str) -> None:
        self._key = key

    async def authenticate(self, sio: Any, environ: dict[str, Any], auth: Any, headers: list[Any]) -> bool:
        return environ.get("HTTP_X_API_KEY") == self._key


def application(key: str, own_provider: bool) -> Any:
    speaks_versions = hasattr(smcp, "A2CProtocolVersionASGIMiddleware")
    is_own = speaks_versions or own_provider
    provider = smcp.DefaultAuthenticationProvider(admin_secret=key) if is_own else HeaderKey(key)
    sio = socketio.AsyncServer(async_mode="asgi")
    sio.register_namespace(smcp.SMCPNamespace(provider))
    app = socketio.ASGIApp(sio)
    return smcp.A2CProtocolVersionASGIMiddleware(app) if speaks_versions else app


class Servers:
    def __init__(self) -> None:
        self._running: dict[str, tuple[uvicorn.Server, asyncio.Task[None]]] = {}

    async def listen(self, peer: str, key: str, own_provider: bool = False) -> str:
        app = application(key, own_provider)
        config = uvicorn.Config(app, host="127.0.0.1", port=0, log_level="warning", lifespan="off")
        server = uvicorn.Server(config)
        task = asyncio.create_task(server.serve())
        self._running[peer] = (server, task)
        while not server.started:
            if task.done():
                await task
            await asyncio.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        return f"http://127.0.0.1:{port}"

    async def close(self, peer: str) -> None:
        server, task = self._running.pop(peer)
        server.should_exit = server.force_exit = True
        await task


async def main() -> None:
    servers = Servers()
    await Line().serve({"listen": servers.listen, "close": servers.close})


asyncio.run(main())
