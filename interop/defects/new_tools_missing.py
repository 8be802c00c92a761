"""A Computer tells the office that its tools changed, but goes on listing the old ones."""

import asyncio
import os
import sys

from mcp.server.fastmcp import Context, FastMCP


def serve() -> None:
    server = FastMCP("growing")

    @server.tool()
    async def grow(ctx: Context) -> str:
        server.add_tool(lambda: "new", name="extra", description="")
        await ctx.session.send_tool_list_changed()
        return "grown"

    server.run()


async def main() -> int:
    # Imported here only: the package prints to stdout, which belongs to MCP in the other process.
    from a2c_smcp.computer import Computer
    from a2c_smcp.computer.mcp_clients.model import StdioServerConfig

    parameters = {"command": sys.executable, "args": [__file__, "serve"]}
    config = {"name": "m", "default_tool_meta": {"auto_apply": True}, "server_parameters": parameters}
    computer = Computer(name="c", mcp_servers={StdioServerConfig.model_validate(config)})
    await computer.boot_up()
    (grow,) = [tool["name"] for tool in await computer.aget_available_tools()]
    await computer.aexecute_tool("r", grow, {}, 5)
    names = [tool["name"] for tool in await computer.aget_available_tools()]
    print(f"after its MCP server got a tool 'extra' the Computer lists {names}")
    return 1 if any("extra" in name for name in names) else 0


if "serve" in sys.argv:
    serve()
else:
    code = asyncio.new_event_loop().run_until_complete(main())
    sys.stdout.flush()
    os._exit(code)  # shutting down hangs in this release
