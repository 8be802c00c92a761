import { expect, expectReason, failure } from './expect.ts';
import { agentOptions, type Cell, type Scene, type Step } from './scene.ts';

/** The version handshake, for Servers and clients that know it. */
export const handshakeSteps: Step[] = [
  {
    name: 'handshake: good',
    unless: serverLacksIt,
    run: async ({ server, cell }) => {
      const { status } = await handshake(server.url, cell.server.protocolVersion);
      expect(status === 200, 'HTTP 200', status);
    },
  },
  {
    name: 'handshake: bad',
    unless: serverLacksIt,
    run: async ({ server }) => {
      const { status, code, body } = await handshake(server.url, '99.0.0');
      expect(status === 400 && code === '4008' && body.code === 4008, 'HTTP 400 with 4008', { status, code, body });
      expect(typeof body.server_version === 'string', 'a body that tells the version of the Server', body);
      const other = await handshake(server.url, 'abc');
      expect(other.status === 400 && other.body.code === 400, 'HTTP 400 for what is no version', other);
    },
  },
  {
    name: 'handshake: missing',
    unless: cell => (cell.server.id === 'ours' ? undefined : serverLacksIt(cell)),
    run: async ({ server, cell }) => {
      const { status, body } = await handshake(server.url, undefined);
      // Ours lets in the clients of 0.1, which know no handshake; `requireVersion` changes that.
      if (cell.server.id === 'ours') expect(status === 200, 'HTTP 200', status);
      else expect(status === 400 && body.code === 400, 'HTTP 400', { status, body });
    },
  },
  {
    name: 'handshake: client explains',
    unless: clientLacksIt,
    run: async scene => {
      const reason = await failure(connectToAnotherVersion(scene));
      expectReason(reason, /version|speaks/i);
      expectReason(reason, /\d+\.\d+\.\d+.*\d+\.\d+\.\d+/);
    },
  },
];

function serverLacksIt({ server }: Cell): string | undefined {
  return server.protocolVersion === undefined ? 'the server does not know it' : undefined;
}

/** One of both must be able to choose its version for them to differ. */
function clientLacksIt(cell: Cell): string | undefined {
  if (cell.agent.protocolVersion === undefined) return 'the agent does not know it';
  if (cell.agent.id !== 'ours' && cell.server.id !== 'ours') return 'neither can choose its version';
  return serverLacksIt(cell);
}

async function connectToAnotherVersion(scene: Scene): Promise<unknown> {
  const { agent, server } = scene.cell;
  const options = agentOptions(scene, { name: 'foreigner', office: 'elsewhere', url: scene.server.url });
  if (agent.id === 'ours') return agent.connectAgent({ ...options, protocolVersion: '99.0.0' });
  await using another = await server.serve({ key: scene.key, versions: ['98.0'] });
  return await agent.connectAgent({ ...options, url: another.url });
}

interface Handshake {
  status: number;
  code: string | null;
  body: Record<string, unknown>;
}

async function handshake(url: string, version: string | undefined): Promise<Handshake> {
  const query = new URLSearchParams({ EIO: '4', transport: 'polling', ...(version && { a2c_version: version }) });
  const response = await fetch(`${url}/socket.io/?${query}`);
  const text = await response.text();
  const body = response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : {};
  return { status: response.status, code: response.headers.get('x-a2c-error-code'), body };
}
