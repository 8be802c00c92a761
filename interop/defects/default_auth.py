"""The provider that comes with the Server refuses the right key: it never sees the headers of a real connection."""

import asyncio
import sys

import socketio
import uvicorn
from a2c_smcp.server import DefaultAuthenticationProvider, SMCPNamespace


async def main() -> int:
    sio = socketio.AsyncServer(async_mode="asgi")
    sio.register_namespace(SMCPNamespace(DefaultAuthenticationProvider(admin_secret="right")))
    server = uvicorn.Server(uvicorn.Config(socketio.ASGIApp(sio), port=0, log_level="error", lifespan="off"))
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.05)
    url = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    client = socketio.AsyncClient()
    try:
        await client.connect(url, namespaces=["/smcp"], headers={"x-api-key": "right"})
        refused = False
    except socketio.exceptions.ConnectionError as error:
        print(f"with the right key: {error}")
        refused = True
    await client.disconnect()
    server.should_exit = server.force_exit = True
    await serving
    return 0 if refused else 1


sys.exit(asyncio.run(main()))
