from a2c_publish import Documents
from mcp.server.mcpserver import MCPServer


class Reports:
    def list(self):
        return [{"ref": "report", "title": "Report", "type": "pdf", "keywords": ["sales"], "summary": "The first quarter"}]

    def open(self, ref):
        table = {"headers": ["Month", "Cups"], "rows": [["January", 310], ["February", 402]]}
        sales = {"title": "Sales", "elements": ["Sales went up.", {"category": "table", "content": table}]}
        return [sales, "Costs went down."]


server = MCPServer("library", version="1.0.0")
Documents(server, Reports(), host="com.example.library")

if __name__ == "__main__":
    server.run()
