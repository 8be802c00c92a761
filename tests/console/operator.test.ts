import { operatorConsole } from '@a2c-smcp/console/operator';
import { SmcpServer } from '@a2c-smcp/server';
import { RawPeer } from '@a2c-smcp/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { rawUpgrade } from '../http.ts';
import { EventStream } from '../server/event-stream.ts';
import { ask, plainSite, tokenOf } from './console.ts';

const key = 'operator-key-for-tests';
const page = operatorConsole({ files: plainSite() });
let server: SmcpServer;
/** The headers of a request from a page of the console. */
let headers: Record<string, string>;

beforeAll(async () => {
  server = await SmcpServer.listen({ port: 0, operatorKeys: [key], console: page.console });
  page.open([server.url]);
  headers = { origin: server.url, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const body = JSON.stringify({ token: tokenOf(page.issueAddress()) });
  const signedIn = await ask(server.url, '/api/session', { method: 'POST', headers, body });
  headers.cookie = signedIn.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
});
afterAll(() => server.close());

const status = async (path: string, asked?: Parameters<typeof ask>[2]) => (await ask(server.url, path, asked)).status;

test('the console of a Server has its pages below /console/, beside health and the protocol', async () => {
  expect(page.issueAddress()).toMatch(new RegExp(`^${server.url}/console/#token=[\\w-]{43}$`));
  const start = await ask(server.url, '/', {});
  expect([start.status, start.headers.location]).toEqual([307, '/console/']);
  const { body, headers: received } = await ask(server.url, '/console/', {});
  expect(body).toContain('<title>console</title>');
  expect(String(received['content-security-policy'])).toContain("default-src 'none'");
  expect(await status('/console')).toBe(308);
  expect(await status('/health')).toBe(200);
  await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'pages');
  expect(agent.socket.connected).toBe(true);
});

test('a session of a browser reads the operator API, follows it and disconnects a member', async () => {
  await using computer = await RawPeer.join(server.url, 'computer', 'c1', 'o1');
  const about = await ask(server.url, '/api/v1/about', { headers });
  expect(about.json()).toEqual({ surface: 'operator' });
  expect((await ask(server.url, '/api/v1/offices', { headers })).body).toContain('"o1"');
  using stream = await EventStream.open(`${server.url}/api/v1/events`, headers);
  expect((await stream.has(1))[0]?.topic).toBe('snapshot');
  expect(await status('/api/v1/offices/o1/members/c1', { method: 'DELETE', headers })).toBe(200);
  await eventually(() => expect(computer.socket.connected).toBe(false));
});

test('foreign pages, names and tokens get nothing from the console of a Server', async () => {
  await using computer = await RawPeer.join(server.url, 'computer', 'c1', 'o2');
  const path = '/api/v1/offices/o2/members/c1';
  const { origin: _, ...withoutOrigin } = headers;
  const { cookie: __, ...stranger } = headers;
  for (const foreign of [
    { ...headers, origin: 'https://evil.example' },
    { ...headers, 'sec-fetch-site': 'cross-site' },
    withoutOrigin,
  ]) {
    expect(await status(path, { method: 'DELETE', headers: foreign })).toBe(403);
  }
  for (const each of ['/console/', '/api/session', '/api/v1/overview', '/api/v1/events']) {
    expect(await status(each, { headers: { ...headers, host: 'evil.example' } })).toBe(403);
  }
  expect(await status(path, { method: 'DELETE', headers: stranger })).toBe(401);
  expect(await status('/api/v1/events', { headers: stranger })).toBe(401);
  const token = tokenOf(page.issueAddress());
  expect(await status(`/console/?token=${token}`)).toBe(400);
  const exchange = () => status('/api/session', { method: 'POST', headers: stranger, body: JSON.stringify({ token }) });
  expect([await exchange(), await exchange()]).toEqual([204, 401]);
  expect(await status('/console/../package.json')).toBe(404);
  expect(await rawUpgrade(server.url, '/api/v1/events', { Cookie: headers.cookie ?? '' })).toBe('');
  expect(computer.socket.connected).toBe(true);
});

test('a program uses the API of a Server with a console by its key, and asks for the address of a browser', async () => {
  const program = { authorization: `Bearer ${key}` };
  expect(await status('/api/v1/overview', { headers: program })).toBe(200);
  expect(
    await status('/api/v1/overview', { headers: { ...program, host: `127.0.0.1:${new URL(server.url).port}` } }),
  ).toBe(200);
  expect(await status('/api/v1/overview', { headers: { authorization: 'Bearer another-key-of-length' } })).toBe(401);
  const made = await ask(server.url, '/api/v1/console/address', { method: 'POST', headers: program });
  expect(made.json<{ address: string }>().address).toContain('/console/#token=');
  expect(await status('/api/v1/console/address', { method: 'POST', headers: { 'content-length': '0' } })).toBe(403);
});

test('a console that is not open yet refuses everything, and one without keys admits no program', async () => {
  const closed = operatorConsole({ files: plainSite() });
  await using alone = await SmcpServer.listen({ port: 0, console: closed.console });
  expect((await ask(alone.url, '/console/', {})).status).toBe(403);
  closed.open([alone.url]);
  expect((await ask(alone.url, '/console/', {})).status).toBe(200);
  for (const authorization of ['', 'Bearer ', `Bearer ${key}`]) {
    expect((await ask(alone.url, '/api/v1/overview', { headers: { authorization } })).status).toBe(401);
  }
});
