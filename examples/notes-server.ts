// An ordinary MCP server with two tools. The Computer starts it.
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

const notes: string[] = [];
const server = new McpServer({ name: 'notes', version: '1.0.0' });

server.registerTool(
  'add_note',
  { description: 'Writes down a note', inputSchema: z.object({ text: z.string() }) },
  ({ text }) => {
    notes.push(text);
    return { content: [{ type: 'text', text: `Note ${notes.length} is written` }] };
  },
);

server.registerTool('list_notes', { description: 'Reads all notes', inputSchema: z.object({}) }, () => ({
  content: [{ type: 'text', text: notes.join('\n') }],
}));

await server.connect(new StdioServerTransport());
