"""The Server of the official package, as its documentation starts it. Prints its address."""

import asyncio
import sys
from typing import Any

import a2c_smcp.server as smcp
import socketio
import uvicorn


class Everybody(smcp.AuthenticationProvider):
    async def authenticate(self, sio: Any, environ: dict[str, Any], auth: Any, headers: list[Any]) -> bool:
        return True


async def main() -> None:
    sio = socketio.AsyncServer(async_mode="asgi", max_http_buffer_size=16 * 1024 * 1024)
    sio.register_namespace(smcp.SMCPNamespace(Everybody()))
    config = uvicorn.Config(
        socketio.ASGIApp(sio),
        host="127.0.0.1",
        port=0,
        log_level="error",
        lifespan="off",
        ws_per_message_deflate=False,
        ws_max_size=64 * 1024 * 1024,
    )
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    print(f"http://127.0.0.1:{port}", flush=True)
    # The benchmark closes our standard input when it ends.
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    server.should_exit = server.force_exit = True
    await serving


asyncio.run(main())
