import { readFileSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { Agent } from '@a2c-smcp/agent';
import { SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { consoleOrigins } from '../../packages/cli/src/commands/server/console.ts';
import { reachableUrl } from '../../packages/cli/src/commands/server/invitation.ts';
import { temporaryFolder } from '../computer/temporary.ts';
import { root } from '../packages.ts';
import { a2c, type Running, startA2c } from './a2c.ts';

/** Starts `a2c server` on a free port and gives its URL. */
async function open(words: readonly string[] = [], env: Record<string, string> = {}) {
  const running: Running = startA2c(['server', '--port', '0', ...words], { env });
  await running.shows('Server on ');
  const [, url = ''] = /Server on (\S+)/.exec(running.out) ?? [];
  return {
    running,
    url,
    async [Symbol.asyncDispose]() {
      await running.stop();
    },
  };
}

/** A file of the certificates for tests, which are worthless elsewhere. */
const tls = (name: string) => join(root, 'tests/fixtures/tls', name);

const enter = (url: string, headers: Record<string, string> = {}) =>
  Agent.connect(url, { name: 'a', office: 'o', headers, connectTimeout: 3000 });

function settingsFile(settings: object): string {
  const path = join(temporaryFolder(), 'server.json');
  writeFileSync(path, JSON.stringify(settings));
  return path;
}

describe('a2c server', () => {
  test('a2c server serves this machine, and exits with 0 when it is stopped', async () => {
    await using server = await open();
    await (await enter(server.url)).close();
    expect(await server.running.stop()).toMatchObject({ code: 0 });
  });

  test('a2c server --print-key creates a key and refuses clients without it', async () => {
    await using server = await open(['--print-key']);
    const [, key = ''] = /Key (\S+)/.exec(server.running.out) ?? [];
    expect(key.length).toBeGreaterThanOrEqual(32);
    await expect(enter(server.url)).rejects.toMatchObject({ code: 401 });
    await (await enter(server.url, { 'x-api-key': key })).close();
    expect(server.running.err).not.toContain(key);
  });

  test('a2c server --print-key prints lines to paste, with an address that other machines reach', async () => {
    await using local = await open(['--print-key']);
    const [, key = ''] = /Key (\S+)/.exec(local.running.out) ?? [];
    expect(local.running.out).toContain(`In another terminal:\n  a2c computer -u ${local.url} --key ${key} `);
    await using shared = await open([
      '--print-key',
      '--host',
      '0.0.0.0',
      '--allow-host',
      '127.0.0.1,relay.example.com',
    ]);
    expect(shared.running.out).toMatch(
      /On another machine:\n {2}a2c computer -u http:\/\/relay\.example\.com:\d+ --key/,
    );
  });

  test('a2c server for all addresses names the first one of this machine in a network', () => {
    const place = { url: 'http://127.0.0.1:7000', host: '0.0.0.0', names: [] };
    const { hostname, port } = new URL(reachableUrl(place));
    const own = Object.values(networkInterfaces()).flatMap(each => each ?? []);
    const outside = own.filter(({ family, internal }) => family === 'IPv4' && !internal).map(({ address }) => address);
    expect([...outside, '127.0.0.1'][0]).toBe(hostname);
    expect(port).toBe('7000');
    expect(reachableUrl({ ...place, host: '127.0.0.1' })).toBe(place.url);
  });

  test('a2c server --cert speaks TLS, and a2c agent --ca trusts it', async () => {
    await using server = await open(['--cert', tls('localhost.pem'), '--key-file', tls('localhost-key.pem')]);
    expect(server.url).toMatch(/^https:/);
    const members = (url: string, ...words: string[]) => a2c(['agent', 'members', '--url', url, ...words]);
    const url = server.url.replace('127.0.0.1', 'localhost');
    const ca = ['--ca', tls('localhost.pem')];
    expect(await members(url, ...ca)).toMatchObject({ code: 0 });
    expect(await a2c(['agent', 'members', '--url', url], { env: { A2C_CA: tls('localhost.pem') } })).toMatchObject({
      code: 0,
    });
    const untrusted = 'is not trusted (self-signed certificate): trust its authority';
    expect(await members(url)).toMatchObject({ code: 1, err: expect.stringContaining(untrusted) });
    expect((await members(url)).err).toContain('--ca FILE');
    expect((await members(url, '--ca', tls('other.pem'))).err).toContain('is not trusted');
    expect((await members(server.url, ...ca)).err).toContain('is for another name: connect by one that it has');
    expect((await members(server.url.replace('https', 'http'))).err).toContain('if it speaks TLS, write https://');
    expect(await members(url, '--ca', tls('localhost-key.pem'))).toMatchObject({
      code: 2,
      err: expect.stringMatching(/--ca: '.*' has no certificate in PEM format/),
    });
    await using agent = await Agent.connect(url, {
      name: 'a',
      office: 'o',
      ca: readFileSync(tls('localhost.pem'), 'utf8'),
      transports: ['websocket'],
    });
    expect(await agent.members()).toHaveLength(1);
  });

  test('an https address of a Server without TLS is named as such', async () => {
    await using server = await open();
    const { err } = await a2c(['agent', 'members', '--url', server.url.replace('http', 'https')]);
    expect(err).toContain('speaks no TLS: write http:// in place of https://');
  });

  test('a2c server refuses a certificate without its key, and a key of another certificate', async () => {
    const [cert, key, other] = ['localhost.pem', 'localhost-key.pem', 'other.pem'].map(tls) as [string, string, string];
    expect(await a2c(['server', '--cert', cert])).toMatchObject({
      code: 2,
      err: /give both --cert FILE and --key-file/,
    });
    const wrong = ['server', '--cert', other, '--key-file', key];
    expect(await a2c(wrong)).toMatchObject({ code: 2, err: /has not the private key of/ });
    await using server = await open(['--settings', settingsFile({ certFile: cert, keyFile: key })]);
    expect(server.url).toMatch(/^https:/);
  });

  test('a2c server reads several keys from the environment', async () => {
    await using server = await open([], { A2C_KEYS: 'one, two' });
    for (const key of ['one', 'two']) await (await enter(server.url, { 'x-api-key': key })).close();
    await expect(enter(server.url)).rejects.toMatchObject({ code: 401 });
  });

  test('a2c server --operator-key serves the operator API, with keys that are not those of clients', async () => {
    const key = 'operator-key-for-tests';
    await using server = await open([], { A2C_OPERATOR_KEYS: key, A2C_KEYS: 'one' });
    const ask = (token: string) =>
      fetch(`${server.url}/api/v1/overview`, { headers: { authorization: `Bearer ${token}`, 'x-api-key': token } });
    expect([(await ask(key)).status, (await ask('one')).status]).toEqual([200, 401]);
    await expect(enter(server.url, { 'x-api-key': key })).rejects.toMatchObject({ code: 401 });
    const both = await a2c(['server', '--port', '0', '--key', key, '--operator-key', key]);
    expect(both).toMatchObject({ code: 2, err: /is a key of clients, too/ });
    const file = settingsFile({ operatorKeys: ['weak'] });
    expect(await a2c(['server', '--port', '0', '--settings', file])).toMatchObject({ code: 2, err: /is weak/ });
  });

  test('a2c server --console admits browsers of this machine, and others only where TLS protects them', () => {
    const local = { url: 'http://127.0.0.1:7000', names: ['relay.example.com'] };
    expect(consoleOrigins(local, {})).toEqual(['http://127.0.0.1:7000', 'http://localhost:7000', 'http://[::1]:7000']);
    expect(consoleOrigins({ ...local, url: 'http://[::1]:7000' }, {})[0]).toBe('http://[::1]:7000');
    expect(consoleOrigins(local, { trustProxy: true })).toContain('https://relay.example.com');
    const shared = { url: 'https://192.0.2.7:7000', names: ['relay.example.com'] };
    expect(consoleOrigins(shared, { tls: {} })).toEqual([
      'https://relay.example.com:7000',
      'https://relay.example.com',
      'https://192.0.2.7:7000',
    ]);
    expect(() => consoleOrigins({ url: 'http://192.0.2.7:7000', names: [] }, {})).toThrow(/without TLS/);
  });

  test('a2c server admits JWTs signed with the secret', async () => {
    const secret = 'a secret of at least thirty-two bytes';
    await using server = await open(['--jwt-secret', secret]);
    const key = new TextEncoder().encode(secret);
    const token = await new SignJWT({ role: 'agent' }).setProtectedHeader({ alg: 'HS256' }).sign(key);
    await (await enter(server.url, { authorization: `Bearer ${token}` })).close();
    const { code } = await a2c(['agent', 'members', '--url', server.url, '--token', token]);
    expect(code).toBe(0);
  });

  test('the command line of a2c server wins over its settings file', async () => {
    const keys = [{ key: 'k', id: 'desk', roles: ['agent'], offices: ['o'] }];
    const file = settingsFile({ port: 1, keys, limits: { messageBytes: 5_000_000 }, logs: 'json', logLevel: 'off' });
    await using server = await open(['--settings', file]);
    expect(new URL(server.url).port).not.toBe('1');
    await (await enter(server.url, { 'x-api-key': 'k' })).close();
    expect(server.running.err).toBe('');
  });

  test('a2c server names the invalid field of a settings file', async () => {
    const unknown = await a2c(['server', '--settings', settingsFile({ prot: 1 })]);
    expect(unknown.code).toBe(1);
    expect(unknown.err).toMatch(/prot.*server\.json/);
    const wrong = await a2c(['server', '--settings', settingsFile({ limits: { connections: -1 } })]);
    expect(wrong.err).toContain('limits.connections');
  });

  test('a2c server refuses --cluster without --redis, and a cluster name that Redis keys cannot have', async () => {
    expect(await a2c(['server', '--cluster', 'staging'])).toMatchObject({ code: 2, err: /redis/ });
    const named = ['server', '--redis', 'redis://127.0.0.1:1', '--cluster', 'a:b'];
    expect(await a2c(named)).toMatchObject({ code: 2, err: /'a:b'/ });
  });

  test('a2c server --logs json logs one JSON object per line', async () => {
    await using server = await open(['--logs', 'json']);
    await (await enter(server.url)).close();
    const entered = server.running.err.split('\n').map(line => (line.startsWith('{') ? JSON.parse(line) : {}));
    expect(entered).toContainEqual(expect.objectContaining({ level: 'info', role: 'agent', office: 'o' }));
  });
});
