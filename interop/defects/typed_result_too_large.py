"""A Computer takes a large image out of a result but leaves its copy in `structuredContent`, and the Server drops it."""

import asyncio
import base64
import os
import sys
from typing import Any

DATA = base64.b64encode(bytes(900_000)).decode()


async def serve() -> None:
    """An MCP server with a typed tool, whose image is in the content and in the structured content."""
    from mcp import types
    from mcp.server.lowlevel import Server
    from mcp.server.stdio import stdio_server

    server: Server = Server("typed")
    schema = {"type": "object", "properties": {"data": {"type": "string"}}, "required": ["data"]}

    @server.list_tools()
    async def list_tools() -> list[types.Tool]:
        return [types.Tool(name="draw", inputSchema={"type": "object"}, outputSchema=schema)]

    @server.call_tool()
    async def call_tool(name: str, arguments: dict[str, Any]) -> Any:
        return [types.ImageContent(type="image", mimeType="image/png", data=DATA)], {"data": DATA}

    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


async def main() -> int:
    # Imported here only: the package prints to stdout, which belongs to MCP in the other process.
    import a2c_smcp.server as smcp
    import socketio
    import uvicorn
    from a2c_smcp.agent import AsyncSMCPAgentClient, DefaultAgentAuthProvider
    from a2c_smcp.computer import Computer, SMCPComputerClient
    from a2c_smcp.computer.mcp_clients.model import StdioServerConfig

    sio = socketio.AsyncServer(async_mode="asgi")
    sio.register_namespace(smcp.SMCPNamespace(smcp.DefaultAuthenticationProvider(admin_secret="k")))
    app = smcp.A2CProtocolVersionASGIMiddleware(socketio.ASGIApp(sio))
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error", lifespan="off"))
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.05)
    url = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"

    parameters = {"command": sys.executable, "args": [__file__, "serve"]}
    config = {"name": "m", "default_tool_meta": {"auto_apply": True}, "server_parameters": parameters}
    computer = Computer(name="c", mcp_servers={StdioServerConfig.model_validate(config)})
    await computer.boot_up()
    client = SMCPComputerClient(computer=computer)
    await client.connect(url, namespaces=["/smcp"], auth={"token": "k"})
    await client.join_office("o")
    agent = AsyncSMCPAgentClient(DefaultAgentAuthProvider(agent_id="a", office_id="o", api_key="k"))
    await agent.connect_to_server(url)
    await agent.join_office("o", "a", namespace="/smcp")
    await asyncio.sleep(1)
    (tool,) = [tool["name"] for tool in (await agent.get_tools_from_computer("c"))["tools"]]
    try:
        result = await agent.emit_tool_call("c", tool, {}, 10)
        seen = "an image" if result.content[0].type == "image" else str(result.content[0])[:200]
    except Exception as error:
        seen = f"{type(error).__name__}: {error}"
    print(f"a typed image of 900,000 bytes arrives as {seen}")
    return 1 if seen == "an image" else 0


if "serve" in sys.argv:
    asyncio.run(serve())
else:
    code = asyncio.new_event_loop().run_until_complete(main())
    sys.stdout.flush()
    os._exit(code)
