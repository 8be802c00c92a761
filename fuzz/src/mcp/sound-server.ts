import { createInterface } from 'node:readline';

// An MCP server with one tool, `echo`, that does what it should.

const results: Record<string, (params: { arguments?: { text?: string } }) => object> = {
  initialize: () => ({
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'sound', version: '1' },
  }),
  'tools/list': () => ({ tools: [{ name: 'echo', inputSchema: { type: 'object' } }] }),
  'tools/call': params => ({ content: [{ type: 'text', text: params.arguments?.text ?? '' }] }),
  ping: () => ({}),
};

createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line);
  const result = Object.hasOwn(results, method) ? results[method]?.(params ?? {}) : undefined;
  if (id === undefined) return;
  const answer = result ? { result } : { error: { code: -32601, message: 'Unknown method' } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
});
