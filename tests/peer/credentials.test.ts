import { type ConnectionState, Peer, type PeerOptions } from '@a2c-smcp/peer';
import { jwt, SmcpServer } from '@a2c-smcp/server';
import { SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { eventually } from '../eventually.ts';

const member: PeerOptions = { role: 'agent', name: 'a1', office: 'o1' };
const secret = 'a secret of at least thirty-two bytes';

const openServer = () => SmcpServer.listen({ port: 0, authenticate: jwt({ secret }) });

/** A token that is valid for so many seconds. */
async function tokenFor(seconds: number): Promise<string> {
  const expiry = Math.floor(Date.now() / 1000) + seconds;
  const token = new SignJWT({ sub: 'us' }).setProtectedHeader({ alg: 'HS256' }).setExpirationTime(expiry);
  return token.sign(new TextEncoder().encode(secret));
}

describe('credentials that are a function', () => {
  test.each([
    ['auth', (renew: () => Promise<string>) => ({ auth: async () => ({ token: await renew() }) })],
    [
      'headers',
      (renew: () => Promise<string>) => ({ headers: async () => ({ authorization: `Bearer ${await renew()}` }) }),
    ],
  ])('%s: an expired token is renewed when the Server ends the connection', async (_, options) => {
    await using server = await openServer();
    let calls = 0;
    const renew = () => {
      calls += 1;
      return tokenFor(calls === 1 ? 2 : 600);
    };
    await using peer = await Peer.join(server.url, { ...member, ...options(renew) });
    const states: ConnectionState[] = [];
    peer.on('connection', state => states.push(state));
    await eventually(() => expect(states.map(({ type }) => type)).toEqual(['lost', 'joined']));
    expect(calls).toBe(2);
  });

  verifies('auth.function', async () => {
    await using server = await openServer();
    const tokens = [await tokenFor(2), await tokenFor(-100), await tokenFor(600)];
    await using peer = await Peer.join(server.url, { ...member, auth: () => ({ token: tokens.shift() }) });
    const states: ConnectionState[] = [];
    peer.on('connection', state => states.push(state));
    await eventually(() => expect(states.at(-1)?.type).toBe('joined'));
    expect(states).toMatchObject([{ type: 'lost' }, { type: 'retrying', error: { code: 401 } }, { type: 'joined' }]);
    expect(tokens).toEqual([]);
    const failing = Peer.join(server.url, {
      ...member,
      name: 'a2',
      auth: () => Promise.reject(new Error('no network')),
    });
    await expect(failing).rejects.toMatchObject({ code: 401 });
  });

  test.each([
    ['throws', () => Promise.reject(new Error('no network')), "The function 'auth' failed: no network"],
    ['takes too long', () => new Promise<never>(() => {}), "The function 'auth' did not return within"],
    ['returns nothing', () => undefined as never, "The function 'auth' did not return an object"],
  ])('joining fails with 401 when the function %s', async (_, auth, message) => {
    await using server = await openServer();
    const joining = Peer.join(server.url, { ...member, auth, timeout: 300 });
    await expect(joining).rejects.toMatchObject({ code: 401, message: expect.stringContaining(message) });
  });

  test('joining ends at once when the signal fires while the function is pending', async () => {
    await using server = await openServer();
    const controller = new AbortController();
    const auth = () => {
      controller.abort(new Error('changed my mind'));
      return new Promise<never>(() => {});
    };
    await expect(Peer.join(server.url, { ...member, auth, signal: controller.signal })).rejects.toThrow(
      'changed my mind',
    );
  });
});
