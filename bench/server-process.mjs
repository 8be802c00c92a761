// One server in a process of its own: `baseline` is the obvious relay in thirty lines of Socket.IO, `ours` is SmcpServer,
// one of several nodes when REDIS is set.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { SmcpServer } from '@a2c-smcp/server';
import { Server } from 'socket.io';

const limits = { connections: 100_000, connectionsPerAddress: 100_000, callsPerAgent: 100_000, eventsPerSecond: 1e9 };

const start = {
  async ours() {
    const { REDIS: redis } = process.env;
    const server = await SmcpServer.listen({ port: 0, limits, ...(redis ? { redis } : {}) });
    return server.url;
  },

  async baseline() {
    const http = createServer();
    const io = new Server(http, { serveClient: false, maxHttpBufferSize: 16 * 1024 * 1024 });
    const computers = new Map();
    io.of('/smcp').on('connection', socket => {
      socket.on('server:join_office', ({ role, name, office_id }, ack) => {
        socket.join(office_id);
        if (role === 'computer') computers.set(`${office_id}/${name}`, socket);
        socket.data.office = office_id;
        ack(true, null);
      });
      socket.on('client:tool_call', async (request, ack) => {
        const computer = computers.get(`${socket.data.office}/${request.computer}`);
        ack(await computer.timeout(request.timeout * 1000).emitWithAck('client:tool_call', request));
      });
    });
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    return `http://127.0.0.1:${http.address().port}`;
  },
};

process.on('message', () => {
  globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  process.send({ ...process.memoryUsage(), cpu: user + system });
});
process.on('disconnect', () => process.exit());
process.send({ url: await start[process.argv[2]]() });
