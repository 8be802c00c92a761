import { connect } from 'node:net';
import type { Computer } from '@a2c-smcp/computer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openComputer } from '../computer/office.ts';
import { rawUpgrade } from '../http.ts';
import { ask, type Client, openClient, tokenOf } from './console.ts';

let computer: Computer;
let client: Client;
let url: string;
let host: string;

beforeAll(async () => {
  computer = await openComputer({ scripted: {} });
  client = await openClient({ computer });
  ({ url } = client.console);
  ({ host } = new URL(url));
});
afterAll(async () => {
  await client.console.close();
  await computer.close();
});

const status = async (path: string, asked?: Parameters<typeof ask>[2]) => (await ask(url, path, asked)).status;
const stop = '/api/v1/servers/scripted/stop';

test('a page of the console reads and changes, and its cookie is for it alone', async () => {
  expect(await client.get('/about')).toMatchObject({ surface: 'owner', name: 'desk' });
  expect((await client.send('POST', '/servers/scripted/stop')).status).toBe(200);
  expect((await client.send('POST', '/servers/scripted/start')).status).toBe(200);
  const body = JSON.stringify({ token: tokenOf(client.console.issueAddress()) });
  const { headers } = await ask(url, '/api/session', { method: 'POST', headers: client.headers, body });
  const [cookie = ''] = headers['set-cookie'] ?? [];
  expect(cookie).toContain(`a2c_console_${new URL(url).port}=`);
  for (const part of ['HttpOnly', 'SameSite=Strict', 'Path=/']) expect(cookie).toContain(part);
});

test('every path refuses a foreign host name, as of DNS rebinding', async () => {
  for (const foreign of ['evil.example', `evil.example:${new URL(url).port}`, '127.0.0.1']) {
    for (const path of ['/', '/icon.svg', '/api/session', '/api/v1/about', '/api/v1/events']) {
      const answer = await ask(url, path, { headers: { ...client.headers, host: foreign } });
      expect([path, answer.status]).toEqual([path, 403]);
      expect(answer.body).not.toContain('desk');
    }
  }
  const local = {
    ...client.headers,
    host: `localhost:${new URL(url).port}`,
    origin: `http://localhost:${new URL(url).port}`,
  };
  expect(await status('/', { headers: local })).toBe(200);
});

test('a foreign or missing Origin changes nothing', async () => {
  const { origin: _, ...withoutOrigin } = client.headers;
  for (const headers of [
    { ...client.headers, origin: 'https://evil.example' },
    { ...client.headers, origin: 'null' },
    { ...client.headers, origin: url.replace('127.0.0.1', 'localhost').slice(0, -1) },
    withoutOrigin,
    { ...client.headers, 'sec-fetch-site': 'cross-site' },
    { ...client.headers, 'sec-fetch-site': 'same-site' },
    { ...client.headers, 'sec-fetch-site': 'none' },
  ]) {
    expect(await status(stop, { method: 'POST', headers, body: '{}' })).toBe(403);
  }
  expect(await status('/api/v1/about', { headers: { ...client.headers, 'sec-fetch-site': 'cross-site' } })).toBe(403);
  expect(computer.status()[0]?.state).toBe('ready');
});

test('requests that are no requests, and connections that are reset, harm nothing', async () => {
  const { hostname, port } = new URL(url);
  const send = (text: string) =>
    new Promise<string>(resolve => {
      const socket = connect(Number(port), hostname, () => socket.write(text));
      socket.setEncoding('utf8').once('data', answer => {
        resolve(String(answer).split('\r\n', 1)[0] ?? '');
        socket.resetAndDestroy();
      });
      socket.on('error', () => {});
    });
  const head = `Host: ${host}\r\n`;
  expect(await send(`OPTIONS * HTTP/1.1\r\n${head}\r\n`)).toBe('HTTP/1.1 404 Not Found');
  expect(await send(`GET // HTTP/1.1\r\n${head}\r\n`)).toBe('HTTP/1.1 404 Not Found');
  const upgrade = `GET / HTTP/1.1\r\n${head}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
  for (let count = 0; count < 20; count++) expect(await send(upgrade)).toBe('HTTP/1.1 400 Bad Request');
  expect(await status('/', { headers: client.headers })).toBe(200);
});

test('a form post is refused, with the session and all', async () => {
  for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data', '']) {
    const headers = { ...client.headers, 'content-type': type };
    expect(await status(stop, { method: 'POST', headers, body: '{}' })).toBe(415);
  }
});

test('without a session the API answers nothing, and a token is worth one session', async () => {
  const { cookie: _, ...stranger } = client.headers;
  for (const path of ['/api/v1/about', '/api/v1/events', '/api/v1/config/file', '/api/v1/nothing']) {
    expect(await status(path, { headers: stranger })).toBe(401);
    expect(await status(path, { headers: { ...stranger, cookie: 'a2c_console_1=x; other=y' } })).toBe(401);
    expect(await status(path, { headers: { ...stranger, authorization: 'Bearer x' } })).toBe(401);
  }
  const exchange = (token: unknown) =>
    status('/api/session', { method: 'POST', headers: stranger, body: JSON.stringify({ token }) });
  const token = tokenOf(client.console.issueAddress());
  expect(await exchange(token)).toBe(204);
  expect(await exchange(token)).toBe(401);
  for (const wrong of ['', 'x', null, 1, [token], { token }]) expect(await exchange(wrong)).toBe(401);
  expect(await status('/api/session', { method: 'POST', headers: stranger, body: 'no json' })).toBe(400);
  expect(await status('/api/session', { method: 'POST', headers: stranger, body: '['.repeat(100_000) })).toBe(400);
});

test('a token in the query is refused and stays good', async () => {
  const token = tokenOf(client.console.issueAddress());
  for (const path of [`/?token=${token}`, `/api/session?token=${token}`, `/api/v1/about?a=b&token=${token}`]) {
    expect(await status(path, { headers: client.headers })).toBe(400);
  }
  const { cookie: _, ...stranger } = client.headers;
  expect(await status('/api/session', { method: 'POST', headers: stranger, body: JSON.stringify({ token }) })).toBe(
    204,
  );
});

test('a WebSocket upgrade is refused', async () => {
  for (const path of ['/', '/api/v1/events', '/socket.io/?EIO=4&transport=websocket']) {
    expect(await rawUpgrade(url, path, { Origin: new URL(url).origin, Cookie: client.headers.cookie ?? '' })).toMatch(
      /^HTTP\/1\.1 400/,
    );
  }
});

test('no path leads out of the pages', async () => {
  for (const path of [
    '/../package.json',
    '/..%2f..%2fpackage.json',
    '/%2e%2e/%2e%2e/package.json',
    '/assets/../../package.json',
    '//etc/passwd',
    '/\\..\\package.json',
    '/assets/%00',
    '/index.html/../../src/index.ts',
  ]) {
    expect([path, await status(path, { headers: { host } })]).toEqual([path, 404]);
  }
  expect(await status('/', { method: 'POST', headers: client.headers, body: '{}' })).toBe(405);
});

test('every answer forbids foreign scripts, frames and guesses of its type', async () => {
  for (const path of ['/', '/nothing', '/api/v1/about', '/api/v1/nothing']) {
    const { headers } = await ask(url, path, { headers: client.headers });
    const policy = String(headers['content-security-policy']);
    for (const rule of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "form-action 'none'"]) {
      expect(policy).toContain(rule);
    }
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
    expect(policy).not.toContain('unsafe');
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    });
  }
});

test('a request that is too large, or names a wrong method, is refused with a reason', async () => {
  const large = await client.send('POST', '/policy/test', { tool: 'x'.repeat(5 * 1024 * 1024) });
  expect([large.status, large.body]).toEqual([413, expect.stringContaining('larger than')]);
  expect((await client.send('PUT', '/servers')).status).toBe(405);
  expect((await client.send('POST', '/servers/%E0%A4%A/stop')).status).toBe(400);
  const unknown = await client.send('POST', '/servers/nobody/stop');
  expect([unknown.status, unknown.body]).toEqual([404, expect.stringContaining("'nobody'")]);
});
