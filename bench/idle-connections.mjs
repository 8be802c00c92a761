// Measures what an idle connection costs the Server: `npm run build && node bench/idle-connections.mjs [connections]`.
// The Server, and a bare Socket.IO server for comparison, each run in a process of their own; the clients in this one.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { SmcpServer } from '@a2c-smcp/server';
import { Server } from 'socket.io';
import { WebSocket } from 'ws';

const [, script, mode] = process.argv;

if (mode === 'ours' || mode === 'bare') await runServer(mode);
else await runClients(Number(mode ?? 5000));

async function runServer(kind) {
  const url = kind === 'ours' ? await startOurs() : await startBare();
  process.on('message', () => {
    globalThis.gc?.();
    globalThis.gc?.();
    const { rss, heapUsed } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    process.send({ rss, heapUsed, cpu: user + system });
  });
  process.on('disconnect', () => process.exit());
  process.send({ url });
}

async function startOurs() {
  const limits = { connections: 100_000, connectionsPerAddress: 100_000 };
  const server = await SmcpServer.listen({ port: 0, limits });
  return server.url;
}

async function startBare() {
  const http = createServer();
  const io = new Server(http, { serveClient: false, perMessageDeflate: false });
  io.of('/smcp').on('connection', socket => {
    socket.on('server:join_office', ({ office_id }, ack) => {
      socket.join(office_id);
      ack(true, null);
    });
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return `http://127.0.0.1:${http.address().port}`;
}

async function runClients(count) {
  for (const kind of ['bare', 'ours', 'bare', 'ours']) {
    const server = fork(script, [kind], { execArgv: ['--expose-gc'] });
    const [{ url }] = await once(server, 'message');
    const before = await measure(server);
    const started = performance.now();
    const sockets = [];
    for (let index = 0; index < count; index += 100) {
      const batch = Array.from({ length: Math.min(100, count - index) }, (_, n) => join(url, index + n));
      sockets.push(...(await Promise.all(batch)));
    }
    const seconds = (performance.now() - started) / 1000;
    const after = await measure(server);
    const each = key => ((after[key] - before[key]) / count / 1024).toFixed(1);
    const cpu = Math.round((after.cpu - before.cpu) / count);
    process.stdout.write(
      `${kind}: ${count} joined in ${seconds.toFixed(1)} s, ${cpu} µs of CPU each; ` +
        `per connection ${each('rss')} KiB resident, ${each('heapUsed')} KiB heap\n`,
    );
    for (const socket of sockets) socket.terminate();
    server.disconnect();
    await once(server, 'exit');
  }
}

async function measure(server) {
  server.send('measure');
  const [memory] = await once(server, 'message');
  return memory;
}

/** One WebSocket that speaks just enough Socket.IO: two peers to an office, an Agent and a Computer. */
function join(url, index) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`);
  const role = index % 2 === 0 ? 'agent' : 'computer';
  const request = { role, name: `${role}-${index}`, office_id: `office-${Math.floor(index / 2)}` };
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('message', data => {
      const text = String(data);
      if (text === '2') socket.send('3');
      else if (text.startsWith('0')) socket.send('40/smcp,');
      else if (text.startsWith('40/smcp')) socket.send(`42/smcp,1["server:join_office",${JSON.stringify(request)}]`);
      else if (text.startsWith('43/smcp,1[true')) resolve(socket);
      else if (text.startsWith('43/smcp,1[false')) reject(new Error(text));
    });
  });
}
