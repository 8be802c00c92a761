"""A Computer reads a result of an MCP server over stdio in a time that grows with the square of its size."""

import asyncio
import os
import sys
import time

SIZES = [5_000_000, 20_000_000]


def serve() -> None:
    from mcp.server.fastmcp import FastMCP

    server = FastMCP("large")

    @server.tool()
    def text(size: int) -> str:
        return "x" * size

    server.run()


async def main() -> int:
    # Imported here only: the package prints to stdout, which belongs to MCP in the other process.
    from a2c_smcp.computer import Computer
    from a2c_smcp.computer.mcp_clients.model import StdioServerConfig

    parameters = {"command": sys.executable, "args": [__file__, "serve"]}
    config = {"name": "m", "default_tool_meta": {"auto_apply": True}, "server_parameters": parameters}
    computer = Computer(name="c", mcp_servers={StdioServerConfig.model_validate(config)})
    await computer.boot_up()
    (tool,) = [tool["name"] for tool in await computer.aget_available_tools()]
    seconds = []
    for size in SIZES:
        # Processor time, so that the load of the machine does not matter.
        started = time.process_time()
        await computer.aexecute_tool("r", tool, {"size": size}, 50)
        seconds.append(time.process_time() - started)
        print(f"a result of {size:,} bytes took {seconds[-1]:.1f} s of processor time")
    # In proportion to the size it would be four.
    return 0 if seconds[1] > 7 * seconds[0] else 1


if "serve" in sys.argv:
    serve()
else:
    code = asyncio.new_event_loop().run_until_complete(main())
    sys.stdout.flush()
    os._exit(code)
