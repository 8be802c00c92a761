import { apiKeys, SmcpServer } from '@a2c-smcp/server';
import { describe, expect, test } from 'vitest';
import { type Frame, format, parse, recordings, withoutSids } from './golden.ts';
import { RawConnection } from './raw-connection.ts';

const all = recordings('clients');

test('there are recordings of every line of releases', () => {
  const lines = all.map(({ name }) => name.replace(/\.\d+$/, '')).toSorted();
  expect(lines).toEqual(['python-0.1', 'python-0.2', 'python-0.3', 'python-0.4', 'rust-0.4']);
});

describe.each(all)('clients of $name', ({ protocolVersion, key, frames }) => {
  const version: Record<string, string> = protocolVersion ? { a2c_version: protocolVersion } : {};

  test('hear from our Server what they expect', async () => {
    const acceptVersions = [(protocolVersion ?? '0.2.0').replace(/\.\d+$/, '')];
    await using server = await SmcpServer.listen({ port: 0, authenticate: apiKeys(key), acceptVersions });
    using agent = await RawConnection.open(server.url, { 'x-api-key': key }, version);
    using computer = await RawConnection.open(server.url, { 'x-api-key': key }, version);
    const replay = new Replay({ agent, computer });
    for (const frame of frames) await replay.play(frame);
  });
});

const versioned = all.flatMap(({ name, protocolVersion }) => (protocolVersion ? [{ name, protocolVersion }] : []));

test.each(versioned)('clients of $name are refused by HTTP where their version is not served', async client => {
  await using server = await SmcpServer.listen({ port: 0, acceptVersions: ['9.9'] });
  await expect(RawConnection.open(server.url, {}, { a2c_version: client.protocolVersion })).rejects.toThrow('400');
});

/** Says what the clients said, and waits for what the Server answered then. */
class Replay {
  readonly #connections: Record<Frame['peer'], RawConnection>;
  /** The ids of the Server's requests now, by the recorded ones. */
  readonly #ids = new Map<string, string>();

  constructor(connections: Record<Frame['peer'], RawConnection>) {
    this.#connections = connections;
  }

  async play({ peer, from, packet }: Frame): Promise<void> {
    const connection = this.#connections[peer];
    const recorded = parse(packet);
    if (from === 'peer') {
      const id = recorded.type === '3' ? (this.#ids.get(recorded.id) ?? recorded.id) : recorded.id;
      return connection.send(recorded.type === '3' ? format({ ...recorded, id }) : packet);
    }
    const wanted = JSON.stringify(withoutSids(recorded.data));
    const received = await connection.receive(
      ({ type, id, data }) =>
        type === recorded.type && JSON.stringify(withoutSids(data)) === wanted && (type !== '3' || id === recorded.id),
    );
    if (recorded.type === '2') this.#ids.set(recorded.id, received.id);
  }
}
