// Two nodes under mixed load for a while: `npm run soak [seconds]`. Random calls, leaves, lost connections and, halfway,
// the death of a node. Every call must be answered exactly once and nobody may be missing at the end.
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { io } from 'socket.io-client';

const SECONDS = Math.min(Number(process.argv[2] ?? 120), 3600);
const OFFICES = 200;
const LIMIT = 20;

const counts = { calls: 0, answered: 0, refused: 0, twice: 0, rejoined: 0 };
let killed = false;
const redis = await startRedis();
const nodes = [await startNode(), await startNode()];
const offices = await Promise.all(Array.from({ length: OFFICES }, (_, n) => openOffice(n)));
const before = await memory();
const end = Date.now() + SECONDS * 1000;

await Promise.all(offices.map(work));
await delay(1000);

const missing = await findMissing();
const after = await memory();
const lost = counts.calls - counts.answered - counts.refused;
process.stdout.write(
  `${SECONDS} s, ${OFFICES} offices on two nodes: ${counts.calls} calls, ${counts.answered} answered, ` +
    `${counts.refused} refused with a reason, ${lost} without any answer, ${counts.twice} answered twice; ` +
    `${counts.rejoined} peers came back; ${missing} members missing at the end; ` +
    `memory of the surviving node ${mebibytes(before)} to ${mebibytes(after)} MiB\n`,
);
for (const { agent, computer } of offices) {
  agent.disconnect();
  computer.disconnect();
}
for (const { child } of nodes) child.kill('SIGKILL');
process.exit(lost === 0 && counts.twice === 0 && missing === 0 ? 0 : 1);

async function work(office) {
  while (Date.now() < end) {
    if (!killed && Date.now() > end - (SECONDS * 1000) / 2) await killNode();
    const dice = Math.random();
    if (dice < 0.96) await call(office);
    else if (dice < 0.98) loseConnection(office);
    else await moveOut(office);
    await delay(Math.random() * 20);
  }
}

async function call({ name, agent }) {
  const request = {
    agent: 'a',
    computer: 'c',
    req_id: crypto.randomUUID(),
    tool_name: 't',
    params: {},
    timeout: LIMIT,
  };
  if (!agent.connected) return;
  counts.calls += 1;
  let answers = 0;
  await new Promise(resolve => {
    const give = result => {
      answers += 1;
      if (answers > 1) counts.twice += 1;
      else if (result === 'gone') counts.refused += 1;
      else if (result?.code === undefined) counts.answered += 1;
      else counts.refused += 1;
      resolve();
    };
    const onGone = () => give('gone');
    agent.once('disconnect', onGone);
    agent.emit('client:tool_call', { ...request, office: name }, result => {
      agent.off('disconnect', onGone);
      if (answers === 0 || result !== undefined) give(result);
    });
    setTimeout(resolve, (LIMIT + 10) * 1000).unref();
  });
}

/** Only when there is one: a connection cut while it is made is noticed by Socket.IO after 20 s. */
function loseConnection({ computer }) {
  if (computer.connected) computer.io.engine.close();
}

async function moveOut({ name, computer }) {
  if (!computer.connected) return;
  await computer
    .timeout(10_000)
    .emitWithAck('server:leave_office', { office_id: name })
    .catch(() => {});
  await enter(computer, { role: 'computer', name: 'c', office_id: name });
}

/** The second node dies; its peers find the first one by themselves. */
async function killNode() {
  killed = true;
  nodes[1].child.kill('SIGKILL');
  nodes[1].url = nodes[0].url;
  for (const { agent, computer } of offices) {
    for (const socket of [agent, computer]) {
      if (socket.io.uri.startsWith(nodes[0].url)) continue;
      socket.io.uri = `${nodes[0].url}/smcp`;
    }
  }
}

async function openOffice(n) {
  const name = `office-${n}`;
  const agent = await openPeer(nodes[n % 2].url, { role: 'agent', name: 'a', office_id: name });
  const computer = await openPeer(nodes[(n >> 1) % 2].url, { role: 'computer', name: 'c', office_id: name });
  computer.on('client:tool_call', (_, ack) => setTimeout(ack, Math.random() * 30, { content: [] }));
  return { name, agent, computer };
}

async function openPeer(url, request) {
  const auth = { instance_id: crypto.randomUUID() };
  const options = { transports: ['websocket'], forceNew: true, auth, reconnectionDelay: 50, reconnectionDelayMax: 500 };
  const socket = io(`${url}/smcp`, options);
  let joined = false;
  socket.on('connect', async () => {
    if (joined) counts.rejoined += 1;
    joined = await enter(socket, request);
  });
  while (!joined) await delay(20);
  return socket;
}

async function enter(socket, request) {
  while (socket.connected) {
    const ok = await socket
      .timeout(10_000)
      .emitWithAck('server:join_office', request)
      .catch(() => false);
    if (ok) return true;
    await delay(200);
  }
  return false;
}

async function findMissing() {
  let missing = 0;
  for (const { name, agent } of offices) {
    const request = { agent: 'a', req_id: crypto.randomUUID(), office_id: name };
    for (let attempt = 0; ; attempt++) {
      const answer = await agent
        .timeout(10_000)
        .emitWithAck('server:list_room', request)
        .catch(() => ({}));
      if (answer.sessions?.length === 2) break;
      if (attempt === 50) {
        missing += 2 - (answer.sessions?.length ?? 0);
        break;
      }
      await delay(200);
    }
  }
  return missing;
}

async function startNode() {
  const script = fileURLToPath(new URL('server-process.mjs', import.meta.url));
  const child = fork(script, ['ours'], { execArgv: ['--expose-gc'], env: { ...process.env, REDIS: redis.url } });
  const [{ url }] = await once(child, 'message');
  return { child, url };
}

async function startRedis() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  const child = spawn('redis-server', ['--port', String(port), '--save', '', '--appendonly', 'no'], {
    stdio: 'ignore',
  });
  child.on('error', () => {
    process.stderr.write('redis-server is needed: apt-get install redis-server\n');
    process.exit(1);
  });
  process.on('exit', () => child.kill('SIGKILL'));
  await delay(500);
  return { child, url: `redis://127.0.0.1:${port}` };
}

async function memory() {
  const { child } = nodes[0];
  child.send('usage');
  const [{ rss }] = await once(child, 'message');
  return rss;
}

function mebibytes(bytes) {
  return Math.round(bytes / 1024 / 1024);
}
