import { generateKeyPairSync } from 'node:crypto';
import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { Computer } from '@a2c-smcp/computer';
import { expect, onTestFinished, test } from 'vitest';
import { chromiumPath, openPage } from '../chromium.ts';
import { visit } from '../fixtures/authorization-server.mjs';
import { textOf } from './office.ts';
import { openProtectedServer, type ProtectedServer } from './protected.ts';

const SECRET = 'canary-secret-of-the-client-0123456789';
const alone = { grant_types: ['client_credentials'], redirect_uris: [], response_types: [] };

function open({ config }: ProtectedServer, oauth: Record<string, unknown>): Promise<Computer> {
  const inputs = [{ id: 'secret', type: 'promptString', description: 'secret' } as const];
  const servers = { shop: { ...config, oauth } as typeof config };
  return Computer.open({ name: 'desk', inputs, inputValues: { secret: SECRET }, servers });
}

const echo = (computer: Computer) => computer.callTool({ tool: 'echo', params: { a: 1 } });

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const signing = {
  token_endpoint_auth_method: 'private_key_jwt',
  token_endpoint_auth_signing_alg: 'ES256',
  jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: 'k' }] },
};

test.each([
  [
    'a secret in a header',
    { client_secret: SECRET, token_endpoint_auth_method: 'client_secret_basic' },
    { client_secret: '${input:secret}' },
  ],
  ['a key', signing, { private_key: key, algorithm: 'ES256' }],
])('a client with %s needs no person, and gets further rights by itself', async (_, client, oauth) => {
  const shop = await openProtectedServer({ clients: [{ client_id: 'robot', ...alone, ...client }] });
  const { issuer } = shop.authServer;
  const settings = { grant: 'client_credentials', client_id: 'robot', issuer, ...oauth };
  await using computer = await open(shop, settings);
  expect(computer.status()).toMatchObject([{ state: 'ready', auth: 'signed-in' }]);
  expect(textOf(await echo(computer))).toBe('{"a":1}');
  shop.requireScopes('admin');
  expect((await echo(computer)).isError).toBeFalsy();
  expect(shop.authServer.count('POST /token')).toBe(2);
  // Agents see neither the settings nor the secret.
  expect(JSON.stringify(computer.config)).not.toMatch(/oauth|robot|secret-of|PRIVATE/);
  expect(computer.questions.open).toEqual([]);
});

test('credentials go to the named issuer only, and wrong ones are told apart from missing ones', async () => {
  const client = {
    client_id: 'robot',
    ...alone,
    client_secret: SECRET,
    token_endpoint_auth_method: 'client_secret_post',
  };
  const shop = await openProtectedServer({ clients: [client] });
  const settings = { grant: 'client_credentials', client_id: 'robot', client_secret: SECRET };
  const problemWith = async (oauth: Record<string, unknown>) => {
    await using computer = await open(shop, { ...settings, ...oauth });
    const [status] = computer.status();
    return [status?.auth, status?.error];
  };
  expect(await problemWith({ issuer: 'https://login.example.com' })).toEqual([
    'refused',
    "Its authorization server is not the one that 'oauth.issuer' names",
  ]);
  expect(shop.authServer.count('POST /token')).toBe(0);
  expect(await problemWith({ client_secret: 'wrong-secret-of-the-client' })).toEqual([
    'refused',
    "Its authorization server refuses the client of 'oauth'",
  ]);
  expect(await problemWith({ private_key: 'no key' })).toEqual([
    'refused',
    "'oauth.private_key' is no PKCS #8 key in PEM for RS256",
  ]);
  expect(await problemWith({})).toEqual(['signed-in', undefined]);
});

test('a client that is registered already returns to its own address', async () => {
  const port = await freePort();
  const redirect = `http://127.0.0.1:${port}/callback`;
  const client = {
    client_id: 'known',
    redirect_uris: [redirect],
    grant_types: ['authorization_code', 'refresh_token'],
  };
  const shop = await openProtectedServer({ clients: [{ ...client, application_type: 'native' }] });
  await using computer = await open(shop, { client_id: 'known', callback_port: port });
  const status = await computer.signIn('shop', { onUrl: url => void visit(url).then(fetch) });
  expect(status).toMatchObject({ state: 'ready', auth: 'signed-in' });
  expect(shop.authServer.count('POST /reg')).toBe(0);
  // A grant for one client is not used for another.
  const other = { ...shop.config, oauth: { client_id: 'other', callback_port: port } } as typeof shop.config;
  expect(await computer.addServer(other)).toMatchObject({ auth: 'sign-in-needed' });
  const taken = createServer().listen(port, '127.0.0.1');
  await new Promise(resolve => taken.once('listening', resolve));
  const blocked = computer.signIn('shop', { onUrl: () => {} });
  await expect(blocked).rejects.toThrow(`Port ${port} of this machine is taken`);
  taken.close();
  await using elsewhere = await open(shop, { client_id: 'known', redirect_uri: 'https://example.com/callback' });
  await expect(elsewhere.signIn('shop', { onUrl: () => {} })).rejects.toThrow(
    'oauth.redirect_uri: expected an address of this machine',
  );
});

test('a server of the old transport is signed in to, and its stream and messages come with the token', async () => {
  const { authServer } = await openProtectedServer();
  let stream: ServerResponse | undefined;
  const tokens: (string | undefined)[] = [];
  const http = createHttpServer(async (request, response) => {
    const url = `http://${request.headers.host}/sse`;
    if (request.url?.startsWith('/.well-known/oauth-protected-resource')) {
      const metadata = { resource: url, authorization_servers: [authServer.issuer], scopes_supported: ['mcp'] };
      return response.end(JSON.stringify(metadata));
    }
    const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    if (!(await authServer.verifyAccessToken(token))) return response.writeHead(401).end(`no such token: ${token}`);
    tokens.push(`${request.method} ${request.url}`);
    if (request.method === 'GET') {
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
      return stream.write('event: endpoint\ndata: /messages\n\n');
    }
    const { id, method } = JSON.parse((await request.toArray()).join(''));
    const tools = [{ name: 'echo', inputSchema: { type: 'object' } }];
    const serverInfo = { name: 'old', version: '1' };
    const results: Record<string, unknown> = {
      initialize: { protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo },
      'tools/list': { tools },
      'tools/call': { content: [{ type: 'text', text: 'old but gold' }] },
    };
    if (id !== undefined) stream?.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: results[method] })}\n\n`);
    return response.writeHead(202).end();
  });
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/sse`;
  const old = { type: 'sse', default_tool_meta: { auto_apply: true }, server_parameters: { url } } as const;
  await using computer = await Computer.open({ name: 'desk', servers: { old } });
  expect(computer.status()).toMatchObject([{ state: 'failed', auth: 'sign-in-needed' }]);
  const status = await computer.signIn('old', { onUrl: address => void visit(address).then(fetch) });
  expect(status).toMatchObject({ state: 'ready', auth: 'signed-in', tools: 1 });
  expect(textOf(await echo(computer))).toBe('old but gold');
  expect(new Set(tokens)).toEqual(new Set(['GET /sse', 'POST /messages']));
});

test.runIf(chromiumPath)(
  'a person signs in with a real browser, on the pages for login and consent',
  async () => {
    const shop = await openProtectedServer();
    await using computer = await open(shop, {});
    await using browser = await openPage('');
    const { page, problems } = browser;
    // The pages of the authorization server want a font from elsewhere.
    await page.route(
      ({ hostname }) => hostname !== '127.0.0.1',
      route => route.abort(),
    );
    const status = await computer.signIn('shop', {
      onUrl: async url => {
        await page.goto(url);
        await page.fill('input[name=login]', 'ada');
        await page.fill('input[name=password]', 'x');
        await page.click('button[type=submit]');
        await page.waitForSelector('input[name=prompt][value=consent]', { state: 'attached' });
        await page.click('button[type=submit]');
      },
    });
    expect(status).toMatchObject({ state: 'ready', auth: 'signed-in', tools: 5 });
    await page.waitForSelector('h1');
    expect(await page.textContent('h1')).toBe('Signed in');
    expect(new URL(page.url()).pathname).toMatch(/^\/callback\/[\w-]{22}$/);
    expect(problems).toEqual([]);
  },
  60_000,
);

function freePort(): Promise<number> {
  return new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
