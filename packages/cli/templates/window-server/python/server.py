from a2c_publish import Windows
from mcp.server.mcpserver import MCPServer

server = MCPServer("build", version="1.0.0")
desk = Windows(server, host="com.example.build")
log = desk.open("log", text="Nothing was built yet.", title="Build log", priority=0.8)


@server.tool()
async def build(target: str = "everything") -> str:
    """Builds a target"""
    await log.set(f"{log.text}\nBuilt {target}.")
    return "Done."


if __name__ == "__main__":
    server.run()
