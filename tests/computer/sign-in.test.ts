import { readdirSync, readFileSync } from 'node:fs';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import {
  Computer,
  type ComputerOptions,
  type ErrorCode,
  fileStore,
  memoryStore,
  type Question,
  type SignInOptions,
} from '@a2c-smcp/computer';
import { expect, onTestFinished, test, vi } from 'vitest';
import { visit } from '../fixtures/authorization-server.mjs';
import { eventually, textOf } from './office.ts';
import { openProtectedServer, type ProtectedServer } from './protected.ts';
import { temporaryFolder } from './temporary.ts';

/** A person who signs in on the pages of the authorization server, in a browser of this machine. */
const person: SignInOptions = { onUrl: url => void visit(url).then(address => fetch(address)) };

function open({ config }: ProtectedServer, options: Partial<ComputerOptions> = {}): Promise<Computer> {
  return Computer.open({ name: 'desk', servers: { shop: config }, ...options });
}

async function openSignedIn(shop: ProtectedServer, options: Partial<ComputerOptions> = {}): Promise<Computer> {
  const computer = await open(shop, options);
  await computer.signIn('shop', person);
  return computer;
}

const echo = (computer: Computer) => computer.callTool({ tool: 'echo', params: { a: 1 } });
const statusOf = (computer: Computer) => computer.status()[0];
const lastToken = ({ tokens }: ProtectedServer) => [...tokens].at(-1) ?? '';

/** The result of a call that waits for a person. */
const refused = (code: (typeof ErrorCode)[keyof typeof ErrorCode], action: string) => ({
  isError: true,
  meta: {
    error_code: code,
    mcp_server: 'shop',
    auth_hint: { action, message: expect.stringContaining("run 'a2c computer sign-in shop'") },
  },
});

test('a person signs in to a server that asks for it, and it connects anew with its tools', async () => {
  const shop = await openProtectedServer();
  const asked: Question[] = [];
  await using computer = await open(shop, {
    faces: [{ name: 'page', kinds: ['sign-in'], ask: async question => void asked.push(question) }],
  });
  expect(statusOf(computer)).toMatchObject({ state: 'failed', auth: 'sign-in-needed', tools: 0 });
  expect(statusOf(computer)?.error).toBe("HTTP 401: run 'a2c computer sign-in shop'");
  // It stays open, although the only face has left it to others.
  expect(computer.questions.open).toMatchObject([{ kind: 'sign-in', server: 'shop', problem: 'required' }]);
  expect(asked).toEqual(computer.questions.open);
  const states: unknown[] = [];
  computer.on('servers', ([server]) => states.push(server?.auth));
  const lists: number[] = [];
  computer.on('tools', tools => lists.push(tools.length));
  const status = await computer.signIn('shop', person);
  expect(status).toMatchObject({ state: 'ready', auth: 'signed-in', era: 'modern', tools: 5 });
  expect(new Set(states)).toEqual(new Set(['signing-in', 'signed-in']));
  expect(lists.at(-1)).toBe(5);
  expect(computer.questions.open).toEqual([]);
  expect(textOf(await echo(computer))).toBe('{"a":1}');
  // Its session goes on with the same client and token.
  expect([shop.authServer.count('POST /reg'), shop.authServer.count('POST /token')]).toEqual([1, 1]);
});

test('20 calls with a token that is no longer good succeed after one refresh', async () => {
  const shop = await openProtectedServer();
  // A store of a program's own need not exclude anybody.
  const { get, set, delete: remove } = memoryStore();
  await using computer = await openSignedIn(shop, { store: { get, set, delete: remove } });
  for (const round of [1, 2]) {
    await shop.authServer.destroy(lastToken(shop));
    const results = await Promise.all(Array.from({ length: 20 }, () => echo(computer)));
    expect(results.map(({ isError }) => isError ?? false)).toEqual(Array(20).fill(false));
    expect(shop.authServer.count('POST /token')).toBe(1 + round);
  }
});

test('a token is refreshed before it expires, and an outage of the authorization server is no reason to sign in', async () => {
  const shop = await openProtectedServer({ accessTokenTtl: 3600 });
  await using computer = await openSignedIn(shop);
  const { refusals } = shop;
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_550_000 });
  const results = await Promise.all([echo(computer), echo(computer)]);
  expect(results.map(({ isError }) => isError ?? false)).toEqual([false, false]);
  expect([shop.authServer.count('POST /token'), shop.refusals - refusals]).toEqual([2, 0]);
  // A token is used until it expires while it cannot be renewed.
  vi.setSystemTime(Date.now() + 3_550_000);
  shop.authServer.down = true;
  expect((await echo(computer)).isError).toBeFalsy();
  await shop.authServer.destroy(lastToken(shop));
  expect(await echo(computer)).toMatchObject({ isError: true, meta: { error_code: 4003 } });
  expect(statusOf(computer)).toMatchObject({ auth: 'signed-in' });
  shop.authServer.down = false;
  expect((await echo(computer)).isError).toBeFalsy();
});

test('a grant that was withdrawn answers calls at once, and a person can renew it', async () => {
  const shop = await openProtectedServer();
  await using computer = await openSignedIn(shop);
  await shop.authServer.revoke(lastToken(shop));
  const result = await echo(computer);
  expect(result).toMatchObject(refused(4007, 'token_refresh_required'));
  expect(JSON.stringify(result)).not.toMatch(/https?:|client_id|127\.0\.0\.1/);
  expect(statusOf(computer)).toMatchObject({ auth: 'sign-in-needed', tools: 5 });
  expect(computer.questions.open).toMatchObject([{ kind: 'sign-in', problem: 'expired' }]);
  const before = shop.authServer.requests.length;
  expect(await echo(computer)).toMatchObject(refused(4007, 'token_refresh_required'));
  expect(shop.authServer.requests.length).toBe(before);
  // Its tools stay known when it cannot connect, so that calls still say why.
  await computer.restartServer('shop');
  expect(statusOf(computer)).toMatchObject({ state: 'failed', auth: 'sign-in-needed', tools: 5 });
  expect(await echo(computer)).toMatchObject(refused(4007, 'token_refresh_required'));
  await computer.signIn('shop', person);
  expect((await echo(computer)).isError).toBeFalsy();
});

test('stored tokens outlive the process, belong to one address, and sign-out revokes and forgets them', async () => {
  const shop = await openProtectedServer();
  const file = join(temporaryFolder(), 'inputs');
  await (await openSignedIn(shop, { store: await fileStore(file) })).close();
  const token = lastToken(shop);
  {
    await using computer = await open(shop, { store: await fileStore(file) });
    expect(statusOf(computer)).toMatchObject({ state: 'ready', auth: 'signed-in' });
    const other = { ...shop.config, server_parameters: { url: shop.url.replace('127.0.0.1', 'localhost') } };
    const moved = await computer.addServer(other as typeof shop.config);
    expect(moved).toMatchObject({ state: 'failed', auth: 'sign-in-needed' });
  }
  await using computer = await open(shop, { store: await fileStore(file) });
  expect(await shop.authServer.knows(token)).toBe(true);
  const status = await computer.signOut('shop');
  expect(status).toMatchObject({ state: 'failed', auth: 'sign-in-needed', tools: 0 });
  expect(await shop.authServer.knows(token)).toBe(false);
  expect(shop.authServer.count('POST /token/revocation')).toBe(2);
  // The person has just decided that.
  expect(computer.questions.open).toEqual([]);
  await using again = await open(shop, { store: await fileStore(file) });
  expect(statusOf(again)).toMatchObject({ auth: 'sign-in-needed' });
});

test.each(['a file', 'memory'])('two Computers with one store in %s share a refresh and a sign-in', async kind => {
  const shop = await openProtectedServer();
  const file = join(temporaryFolder(), 'inputs');
  const memory = memoryStore();
  const storeOf = async () => (kind === 'memory' ? memory : fileStore(file));
  await using first = await open(shop, { store: await storeOf() });
  await using second = await open(shop, { store: await storeOf() });
  await first.signIn('shop', person);
  await second.restartServer('shop');
  expect(statusOf(second)).toMatchObject({ state: 'ready', auth: 'signed-in' });
  await shop.authServer.destroy(lastToken(shop));
  const results = await Promise.all([first, second, first, second].map(echo));
  expect(results.map(({ isError }) => isError ?? false)).toEqual(Array(4).fill(false));
  expect(shop.authServer.count('POST /token')).toBe(2);
});

/** The status of a request for a path that no URL can have. */
function statusOfPath({ hostname, port }: URL, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get({ hostname, port, path }, response => resolve(response.resume().statusCode ?? 0)).on('error', reject);
  });
}

test('a return with another state changes nothing, and one of another issuer ends the sign-in', async () => {
  const shop = await openProtectedServer();
  await using computer = await open(shop);
  const answers: number[] = [];
  const status = await computer.signIn('shop', {
    onUrl: async (url, { redirectUri = '' }) => {
      const right = new URL(await visit(url));
      const wrong = new URL(right);
      wrong.searchParams.set('state', 'A'.repeat(43));
      for (const address of [wrong, redirectUri, new URL('/', right)]) answers.push((await fetch(address)).status);
      answers.push(await statusOfPath(right, '//'));
      answers.push((await fetch(right)).status);
      // It was for one use.
      answers.push(
        await fetch(right).then(
          ({ status }) => status,
          () => 0,
        ),
      );
    },
  });
  expect(status).toMatchObject({ state: 'ready', auth: 'signed-in' });
  await eventually(() => expect(answers).toHaveLength(6));
  expect(answers.slice(0, 5)).toEqual([400, 400, 404, 404, 200]);
  expect([0, 404]).toContain(answers[5]);

  const tokens = shop.authServer.count('POST /token');
  let page = '';
  const mixedUp = computer.signIn('shop', {
    onUrl: async url => {
      const address = new URL(await visit(url));
      address.searchParams.set('iss', 'https://evil.example/<b>');
      page = await (await fetch(address)).text();
    },
  });
  await expect(mixedUp).rejects.toThrow('issuer mismatch');
  expect(shop.authServer.count('POST /token')).toBe(tokens);
  await eventually(() => expect(page).toContain('Not signed in'));
  expect(page).not.toContain('evil');
  // The earlier grant still counts.
  expect((await echo(computer)).isError).toBeFalsy();
});

test('a sign-in that is denied, cancelled or replaced leaves the server waiting for one', async () => {
  const shop = await openProtectedServer();
  await using computer = await open(shop);
  const denied = computer.signIn('shop', { onUrl: url => void visit(url, { answer: 'no' }).then(fetch) });
  await expect(denied).rejects.toThrow('Access was denied on the sign-in page');
  expect(statusOf(computer)).toMatchObject({ auth: 'sign-in-needed' });
  const cancel = new AbortController();
  let callback = '';
  const cancelled = computer.signIn('shop', {
    signal: cancel.signal,
    onUrl: (_, { redirectUri = '' }) => {
      callback = redirectUri;
      cancel.abort(new Error('enough'));
    },
  });
  await expect(cancelled).rejects.toThrow('enough');
  expect(statusOf(computer)).toMatchObject({ auth: 'sign-in-needed' });
  await eventually(() => expect(fetch(callback)).rejects.toThrow());
  const replaced = computer.signIn('shop', { onUrl: () => {} }).catch(error => error);
  await eventually(() => expect(statusOf(computer)?.auth).toBe('signing-in'));
  await computer.signIn('shop', person);
  expect((await replaced).message).toBe('Another sign-in to this MCP server has begun');
  expect(statusOf(computer)).toMatchObject({ state: 'ready', auth: 'signed-in' });
  await expect(computer.signIn('nobody', person)).rejects.toMatchObject({ code: 4014 });
});

test('the return of a browser on another machine can be pasted, and a code typed on any device', async () => {
  const shop = await openProtectedServer();
  await using computer = await open(shop);
  const status = await computer.signIn('shop', {
    onUrl: async (url, { paste }) => {
      const address = await visit(url);
      expect(() => paste('nonsense')).toThrow('That is not the address of this sign-in');
      expect(() => paste(address.replace(/state=./, 'state='))).toThrow(TypeError);
      paste(` ${address}\n`);
    },
  });
  expect(status).toMatchObject({ state: 'ready', auth: 'signed-in' });
  await computer.signOut('shop');
  let page = '';
  const device = await computer.signIn('shop', {
    device: true,
    onUrl: async (url, { userCode = '' }) => {
      expect(url).not.toContain(userCode);
      page = await visit(url, { code: userCode });
    },
  });
  expect(page).toContain('Sign-in Success');
  expect(device).toMatchObject({ state: 'ready', auth: 'signed-in' });
});

test('a server that wants further rights is signed in to with all of them', async () => {
  const shop = await openProtectedServer();
  await using computer = await openSignedIn(shop);
  shop.requireScopes('admin');
  expect(await echo(computer)).toMatchObject(refused(4007, 'token_refresh_required'));
  expect(statusOf(computer)).toMatchObject({ state: 'ready', auth: 'sign-in-needed' });
  expect(computer.questions.open).toMatchObject([{ kind: 'sign-in', problem: 'scope' }]);
  let scope = '';
  await computer.signIn('shop', {
    onUrl: (url, step) => {
      scope = new URL(url).searchParams.get('scope') ?? '';
      person.onUrl(url, step);
    },
  });
  expect(scope.split(' ').toSorted()).toEqual(['admin', 'mcp', 'offline_access']);
  expect((await echo(computer)).isError).toBeFalsy();
});

test('a refresh token never goes to another authorization server than its own', async () => {
  const shop = await openProtectedServer();
  await using computer = await openSignedIn(shop);
  const former = shop.authServer;
  const next = await shop.openAuthServer();
  const tokens = former.count('POST /token');
  shop.moveTo(next);
  expect(await echo(computer)).toMatchObject(refused(4007, 'token_refresh_required'));
  expect([former.count('POST /token'), next.count('POST /token')]).toEqual([tokens, 0]);
  await computer.signIn('shop', person);
  expect((await echo(computer)).isError).toBeFalsy();
  expect(next.count('POST /reg')).toBe(1);
});

test('a server of the old transport asks for a sign-in too, and a Computer that closes ends a pending one', async () => {
  const http = createServer((_, response) => response.writeHead(401).end());
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void http.close());
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/sse`;
  const computer = await Computer.open({ name: 'desk', servers: { old: { type: 'sse', server_parameters: { url } } } });
  const error = "HTTP 401: run 'a2c computer sign-in old'";
  expect(statusOf(computer)).toMatchObject({ state: 'failed', auth: 'sign-in-needed', error });
  await expect(computer.signIn('old', person)).rejects.toThrow('It names no authorization server');
  await computer.close();
  const shop = await openProtectedServer();
  const closing = await open(shop);
  const pending = closing.signIn('shop', { onUrl: () => void closing.close() });
  await expect(pending).rejects.toThrow('The MCP server was stopped');
  await closing.close();
  expect(statusOf(closing)).toMatchObject({ state: 'stopped' });
});

test('nothing that a sign-in is made of is seen anywhere but in the store', async () => {
  const shop = await openProtectedServer();
  const folder = temporaryFolder();
  const seen: unknown[] = [];
  const see = (...values: unknown[]) =>
    void seen.push(
      ...values.map(value => (value instanceof Error ? [value.message, value.stack, value.cause] : value)),
    );
  const store = await fileStore(join(folder, 'inputs'));
  const secrets = new Set<string>();
  const computer = await open(shop, {
    logger: { debug: see, info: see, warn: see, error: see },
    store: {
      ...store,
      async set(id, value) {
        const { tokens = {}, client } = JSON.parse(value);
        for (const secret of [tokens.access_token, tokens.refresh_token, client.client_secret])
          if (secret) secrets.add(secret);
        await store.set(id, value);
      },
    },
  });
  for (const event of ['servers', 'tools', 'log', 'configError'] as const) computer.on(event, see);
  computer.questions.on('asked', see);
  computer.questions.on('settled', see);
  const { fetch } = globalThis;
  try {
    // Also what goes to the authorization server and is not stored: codes and verifiers.
    globalThis.fetch = (target, init) => {
      if (init?.body instanceof URLSearchParams) {
        for (const name of ['code', 'code_verifier', 'device_code'])
          if (init.body.has(name)) secrets.add(init.body.get(name) ?? '');
      }
      return fetch(target, init);
    };
    await computer.signIn('shop', person);
    await computer.signIn('shop', {
      device: true,
      onUrl: (url, { userCode = '' }) => void visit(url, { code: userCode }),
    });
    await shop.authServer.destroy(lastToken(shop));
    see(await echo(computer));
    // The server repeats the token in the answer to this one.
    await shop.authServer.revoke(lastToken(shop));
    see(await echo(computer), computer.status(), computer.config, computer.history, computer.logs('shop'));
    await computer.signIn('shop', { onUrl: url => void visit(url, { answer: 'no' }).then(fetch) }).catch(see);
  } finally {
    globalThis.fetch = fetch;
    await computer.close();
  }
  expect(secrets.size).toBeGreaterThanOrEqual(8);
  const text = JSON.stringify(seen);
  const files = readdirSync(folder).map(name => readFileSync(join(folder, name), 'latin1'));
  expect(files.length).toBe(2);
  for (const secret of secrets) for (const place of [text, ...files]) expect(place.includes(secret)).toBe(false);
});
