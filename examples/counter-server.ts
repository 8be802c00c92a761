// An MCP server with one window and a tool that changes the text of the window.
import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const uri = 'window://com.example.counter/total';
let total = 0;

serveStdio(() => {
  const capabilities = { tools: {}, resources: { subscribe: true } };
  const server = new Server({ name: 'counter', version: '1.0.0' }, { capabilities });

  server.setRequestHandler('resources/list', () => ({
    resources: [{ uri, name: 'Total', annotations: { audience: ['assistant'] } }],
  }));
  server.setRequestHandler('resources/read', () => ({ contents: [{ uri, text: `The total is ${total}` }] }));
  server.setRequestHandler('resources/subscribe', () => ({}));
  server.setRequestHandler('resources/unsubscribe', () => ({}));

  server.setRequestHandler('tools/list', () => ({
    tools: [{ name: 'add', description: 'Adds to the total', inputSchema: { type: 'object' } }],
  }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    total += Number(params.arguments?.number);
    await server.sendResourceUpdated({ uri });
    return { content: [{ type: 'text', text: 'Added' }] };
  });
  return server;
});
