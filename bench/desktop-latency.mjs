// Measures how long a changed window takes to reach the Agent as text, from the MCP server's notification on:
// `npm run build && node bench/desktop-latency.mjs [changes]`. Server, Computer and Agent share this process; the MCP
// server has its own.
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Agent } from '@a2c-smcp/agent';
import { Computer } from '@a2c-smcp/computer';
import { SmcpServer } from '@a2c-smcp/server';

const uri = 'window://com.example.clock/now';
/** Milliseconds between two changes: longer than a storm is slowed down to, so that each is told for itself. */
const PAUSE = 250;

if (process.argv[2] === 'mcp-server') serveClock();
else for (const era of ['legacy', 'auto']) await measure(era, Number(process.argv[2] ?? 100));

async function measure(mcp_protocol, changes) {
  const server = await SmcpServer.listen({ port: 0 });
  const server_parameters = { command: process.execPath, args: [fileURLToPath(import.meta.url), 'mcp-server'] };
  const servers = { clock: { name: 'clock', type: 'stdio', mcp_protocol, server_parameters } };
  const computer = await Computer.open({ name: 'desk', servers });
  await computer.join(server.url, { office: 'bench' });
  const agent = await Agent.connect(server.url, { name: 'bench', office: 'bench', autoRefresh: ['desktop'] });
  const latencies = await new Promise(resolve => {
    const measured = [];
    agent.on('desktop', ({ desktop: [entry] }) => {
      measured.push(Date.now() - Number(entry.split('\n').at(-1)));
      if (measured.length > changes) resolve(measured.slice(1));
    });
  });
  latencies.sort((a, b) => a - b);
  const at = share => latencies[Math.floor(share * (latencies.length - 1))];
  const [{ era }] = computer.status();
  process.stdout.write(`${era}: median ${at(0.5)} ms, 95 % ${at(0.95)} ms, worst ${at(1)} ms, ${changes} changes\n`);
  await agent.close();
  await computer.close();
  await server.close();
}

/** A window that holds the time of its last change, in both eras. */
function serveClock() {
  const send = message => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const capabilities = { resources: { subscribe: true, listChanged: true } };
  let stream;
  let now = Date.now();
  const answers = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities,
      serverInfo: { name: 'clock', version: '1' },
    }),
    'server/discover': () => ({ supportedVersions: ['2026-07-28'], capabilities, ttlMs: 0, cacheScope: 'private' }),
    'resources/list': () => ({ resources: [{ uri, name: 'Clock' }] }),
    'resources/read': () => ({ contents: [{ uri, text: String(now) }] }),
  };
  createInterface({ input: process.stdin })
    .on('line', line => {
      const { id, method, params } = JSON.parse(line);
      if (id === undefined) return;
      if (method !== 'subscriptions/listen') {
        return send({ id, result: { resultType: 'complete', ...answers[method]?.(params) } });
      }
      stream = { 'io.modelcontextprotocol/subscriptionId': id };
      const { notifications } = params;
      send({ method: 'notifications/subscriptions/acknowledged', params: { notifications, _meta: stream } });
    })
    .on('close', () => process.exit());
  setInterval(() => {
    now = Date.now();
    send({ method: 'notifications/resources/updated', params: { uri, ...(stream && { _meta: stream }) } });
  }, PAUSE);
}
