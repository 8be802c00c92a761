import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { silentLogger } from '@a2c-smcp/core';
import { expect, test } from 'vitest';
import { BatchReader, Link } from './link.ts';
import { NodeLinks } from './links.ts';

interface TestNode extends AsyncDisposable {
  name: string;
  links: NodeLinks;
  received: string[];
  lost: string[];
}

async function openNode(): Promise<TestNode> {
  const name = randomUUID();
  const [received, lost]: [string[], string[]] = [[], []];
  const links = await NodeLinks.open({
    node: name,
    host: '127.0.0.1',
    receive: messages => received.push(String(messages)),
    onLost: node => lost.push(node),
    logger: silentLogger,
  });
  if (!links) throw new Error('There is no free port');
  return { name, links, received, lost, [Symbol.asyncDispose]: async () => links.close() };
}

/** Two nodes, one of which has seen the lease of the other. */
async function openPair(): Promise<[TestNode, TestNode]> {
  const [one, two] = [await openNode(), await openNode()];
  one.links.meet(two.name, two.links.address);
  await expect.poll(() => one.links.to(two.name) && two.links.to(one.name)).toBeInstanceOf(Link);
  return [one, two];
}

const portOf = ({ links }: TestNode): number => JSON.parse(links.address).port;

/** Resolves when the other side has ended the connection, with what it sent. */
async function ended(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', chunk => {
    text += chunk;
  });
  socket.on('error', () => {});
  await new Promise(resolve => socket.once('close', resolve));
  return text;
}

test('a node that is met connects back, and messages arrive in order, whatever their size', async () => {
  const [one, two] = await openPair();
  await using _one = one;
  await using _two = two;
  const large = 'x'.repeat(3_000_000);
  for (const text of ['a', 'b', large, 'c']) one.links.to(two.name)?.add([Buffer.from(text), Buffer.from('.')]);
  two.links.to(one.name)?.add([Buffer.from('back')]);
  await expect.poll(() => two.received.join('').length).toBe(large.length + 7);
  expect(two.received.join('')).toBe(`a.b.${large}.c.`);
  await expect.poll(() => one.received).toEqual(['back']);
});

test('both nodes learn that a connection is lost, and it is made again when the lease is seen', async () => {
  const [one, two] = await openPair();
  await using _one = one;
  await using _two = two;
  one.links.drop(two.name);
  await expect.poll(() => [one.lost, two.lost]).toEqual([[two.name], [one.name]]);
  expect(one.links.to(two.name)).toBeUndefined();
  one.links.meet(two.name, two.links.address);
  await expect.poll(() => one.links.to(two.name)).toBeInstanceOf(Link);
});

test('a node that closes ends its connections', async () => {
  const [one, two] = await openPair();
  await using _two = two;
  one.links.close();
  // Its connection and ours.
  await expect.poll(() => two.lost).toEqual([one.name, one.name]);
  expect(one.lost).toEqual([]);
});

const greeting = { from: randomUUID(), back: '', challenge: 'c', proof: 'f'.repeat(64) };

test.each([
  ['nothing', ''],
  ['no JSON', 'GET / HTTP/1.1\r\n\r\n'],
  ['a false proof', `${JSON.stringify(greeting)}\n`],
  ['a proof of another length', `${JSON.stringify({ ...greeting, proof: '' })}\n`],
  ['no proof', `${JSON.stringify({ ...greeting, proof: undefined })}\n`],
  ['an address that is no text', `${JSON.stringify({ ...greeting, back: { toString: 0 } })}\n`],
  ['a proof that is no text', `${JSON.stringify({ ...greeting, proof: { toString: 0 } })}\n`],
  ['an endless line', 'x'.repeat(100_000)],
])('a client that sends %s gets the challenge and is disconnected', { timeout: 20_000 }, async (_, text) => {
  await using node = await openNode();
  const stranger = connect(portOf(node), '127.0.0.1');
  stranger.write(text);
  expect(await ended(stranger)).toMatch(/^[0-9a-f]{32}\n$/);
  expect([node.received, node.lost]).toEqual([[], []]);
});

test('a client that sends its greeting byte by byte is disconnected', { timeout: 30_000 }, async () => {
  await using node = await openNode();
  const stranger = connect(portOf(node), '127.0.0.1');
  // Would go on for twice the time of a greeting.
  const timer = setInterval(() => stranger.write('x'), 500);
  const started = performance.now();
  await ended(stranger);
  clearInterval(timer);
  expect(performance.now() - started).toBeLessThan(10_000);
});

test('a greeting that was overheard is of no use for another connection', async () => {
  await using node = await openNode();
  await using other = await openNode();
  const greetings: string[] = [];
  // Stands between the two, and sees all that is sent.
  const between = createServer(socket => {
    const onward = connect(portOf(node), '127.0.0.1').on('error', () => {});
    socket.on('error', () => {}).on('data', chunk => greetings.push(String(chunk)));
    socket.pipe(onward).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(between, 'listening');
  const { port } = between.address() as { port: number };
  other.links.meet(node.name, JSON.stringify({ ...JSON.parse(node.links.address), port }));
  await expect.poll(() => other.links.to(node.name)).toBeInstanceOf(Link);
  expect(greetings.join('')).not.toContain(JSON.parse(node.links.address).token);
  const stranger = connect(portOf(node), '127.0.0.1');
  stranger.write(greetings[0] ?? '');
  expect(await ended(stranger)).toMatch(/^[0-9a-f]{32}\n$/);
  other.links.close();
  between.close();
});

test.each(['', 'f'.repeat(64), '\n'])(
  'a program with the port of a node that answers %j gets no messages',
  async answer => {
    await using node = await openNode();
    const greetings: string[] = [];
    const impostor = createServer(socket => {
      socket
        .on('error', () => {})
        .on('data', chunk => {
          greetings.push(String(chunk));
          socket.write(`${answer}\n`);
        });
      socket.write('challenge\n');
    }).listen(0, '127.0.0.1');
    await once(impostor, 'listening');
    const { port } = impostor.address() as { port: number };
    const other = randomUUID();
    node.links.meet(other, JSON.stringify({ host: '127.0.0.1', port, token: 'a secret' }));
    await expect.poll(() => greetings.length).toBe(1);
    expect(greetings[0]).not.toContain('a secret');
    await new Promise<void>(resolve => impostor.close(() => resolve()));
    expect([node.links.to(other), node.lost]).toEqual([undefined, []]);
  },
);

test('strangers that say nothing do not keep nodes away', { timeout: 30_000 }, async () => {
  await using node = await openNode();
  const strangers = Array.from({ length: 150 }, () => connect(portOf(node), '127.0.0.1').on('error', () => {}));
  await Promise.all(strangers.map(stranger => ended(stranger)));
  await using other = await openNode();
  other.links.meet(node.name, node.links.address);
  await expect.poll(() => other.links.to(node.name)).toBeInstanceOf(Link);
});

test('a node that does not accept connections is not tried again at once', async () => {
  await using node = await openNode();
  let attempts = 0;
  const server = createServer(socket => {
    attempts += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const lease = JSON.stringify({ host: '127.0.0.1', port, token: 'x' });
  const other = randomUUID();
  node.links.meet(other, lease);
  await expect.poll(() => attempts).toBe(1);
  for (let count = 0; count < 20; count++) {
    await new Promise(resolve => setTimeout(resolve, 5));
    node.links.meet(other, lease);
  }
  expect(attempts).toBe(1);
  expect(node.lost).toEqual([]);
  server.close();
});

test.each([
  '',
  '1',
  '{}',
  'null',
  '{"host":"127.0.0.1","port":"1","token":"x"}',
  '{"host":"h","port":70000,"token":"x"}',
])('the lease %j is no address', async lease => {
  await using node = await openNode();
  node.links.meet(randomUUID(), lease);
  expect(node.lost).toEqual([]);
});

test('batches are found however they are cut', () => {
  const batches = ['', 'a', 'bc'.repeat(100), 'd'];
  const bytes = Buffer.concat(
    batches.flatMap(text => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(text.length);
      return [length, Buffer.from(text)];
    }),
  );
  for (const size of [1, 2, 3, 5, 7, 64, bytes.length]) {
    const found: string[] = [];
    const reader = new BatchReader(batch => found.push(String(batch)));
    for (let at = 0; at < bytes.length; at += size) expect(reader.read(bytes.subarray(at, at + size))).toBe(true);
    expect(found).toEqual(batches);
  }
  expect(new BatchReader(() => {}).read(Buffer.from([0xff, 0xff, 0xff, 0xff]))).toBe(false);
});
