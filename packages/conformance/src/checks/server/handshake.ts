import { get, type IncomingMessage } from 'node:http';
import { get as getSecure } from 'node:https';
import type { RawOptions } from '@a2c-smcp/testing';
import { type Checks, expect, skip } from '../../check.ts';
import { versionOf } from '../../line.ts';
import { failureOf } from '../../stages/answers.ts';
import { credentials, type ServerStage } from '../../stages/server-stage.ts';
import { ANSWER_MS, quiet } from '../../stages/wait.ts';

/** The version handshake, transports and admission. */
export const handshake: Checks<ServerStage> = {
  'version.malformed': {
    since: '0.2',
    run: async stage => {
      const seen = await knock(stage, 'abc');
      expect(seen.status === 400 && seen.body.code === 400, 'HTTP 400 with code 400 for a version "abc"', seen);
      expect(/^Invalid a2c_version/.test(String(seen.body.message)), 'a message that says what is invalid', seen.body);
    },
  },
  'version.mismatch': {
    since: '0.2',
    run: async stage => {
      const seen = await knock(stage, '99.0.0');
      expect(seen.status === 400, 'HTTP 400 for version 99.0.0', seen);
      expect(
        seen.code === '4008' && seen.body.code === 4008,
        '4008 in the header X-A2C-Error-Code and in the body',
        seen,
      );
      const fields = ['message', 'server_version', 'client_version', 'min_supported', 'max_supported'];
      const missing = fields.filter(field => typeof seen.body[field] !== 'string');
      expect(missing.length === 0, `a body with the texts ${fields.join(', ')}`, seen.body);
    },
  },
  'version.patch': {
    since: '0.2',
    run: async stage => {
      const seen = await knock(stage, `${stage.line}.77`);
      expect(seen.status === 200, `version ${stage.line}.77 to be accepted`, seen);
    },
  },
  'version.major': {
    since: '0.2',
    run: async stage => {
      const seen = await knock(stage, '1.0.0');
      expect(seen.status === 400 && seen.body.code === 4008, '4008 for version 1.0.0', seen);
    },
  },
  'version.websocket': {
    since: '0.2',
    run: async stage => {
      await stage.connect({ transports: ['websocket'] });
      const seen = await knock(stage, '99.0.0', 'websocket');
      expect(seen.status === 400, 'HTTP 400 in place of the upgrade for version 99.0.0', seen);
    },
  },
  'transport.both': async stage => {
    for (const transport of ['polling', 'websocket']) {
      const office = stage.unique();
      const agent = await stage.join('agent', transport, office, { transports: [transport] });
      const answer = await agent.ask('server:list_room', {
        agent: stage.name(transport),
        req_id: stage.unique(),
        office_id: office,
      });
      expect(hasSessions(answer), `an office that is listed over ${transport}`, answer);
    }
  },
  'auth.provider': async stage => {
    const { key } = stage.target;
    if (key === undefined) skip('no --key was given');
    const failure = await failureOf(stage.connect(credentials(`${key}-wrong`)));
    const isRefused = failure !== undefined && failure.message !== 'timeout';
    expect(isRefused, 'a wrong key to be refused', failure ?? 'success');
  },
  'auth.default-provider': async stage => {
    const { key } = stage.target;
    if (key === undefined) skip('no --key was given');
    const isAdmitted = (options: RawOptions) => staysConnected(stage, { auth: {}, extraHeaders: {}, ...options });
    expect(!(await isAdmitted({})), 'a connection without a key to be refused', 'success');
    if (await isAdmitted({ extraHeaders: { 'X-Api-Key': key } })) return;
    if (await isAdmitted({ auth: { token: key } })) skip('the Server takes the key in auth.token');
    expect(false, 'a connection with the key in x-api-key or auth.token to be admitted', 'refusals');
  },
  'auth.role': async stage => {
    const { auth } = credentials(stage.target.key) as { auth?: object };
    await stage.join('agent', 'a', stage.unique(), { auth: { ...auth, role: 'computer' } });
  },
};

/** Some Servers admit a peer and disconnect it at once. */
async function staysConnected(stage: ServerStage, options: RawOptions): Promise<boolean> {
  try {
    const { socket } = await stage.connect(options);
    await quiet();
    return socket.connected;
  } catch {
    return false;
  }
}

function hasSessions([payload]: readonly unknown[]): boolean {
  return Array.isArray((payload as { sessions?: unknown } | undefined)?.sessions);
}

interface Knock {
  status: number | undefined;
  code: string | undefined;
  body: Record<string, unknown>;
}

/** Sends the first request of a connection and reads the answer. */
export async function knock(
  { target: { url, key } }: Pick<ServerStage, 'target'>,
  version: string | undefined,
  transport: 'polling' | 'websocket' = 'polling',
): Promise<Knock> {
  const query = new URLSearchParams({ EIO: '4', transport, ...(version && { a2c_version: version }) });
  const upgrade = {
    connection: 'upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'Y29uZm9ybWFuY2Uta2l0IQ==',
  };
  const headers = { ...credentials(key).extraHeaders, ...(transport === 'websocket' && upgrade) };
  const address = new URL(`/socket.io/?${query}`, url);
  const start = address.protocol === 'https:' ? getSecure : get;
  return new Promise((resolve, reject) => {
    const request = start(address, { headers, timeout: ANSWER_MS }, answer => resolve(read(answer)));
    request.on('upgrade', (answer, socket) => {
      socket.destroy();
      resolve({ status: answer.statusCode, code: undefined, body: {} });
    });
    request.on('timeout', () => request.destroy(new Error('The handshake was not answered')));
    request.on('error', reject);
  });
}

async function read(answer: IncomingMessage): Promise<Knock> {
  let text = '';
  for await (const chunk of answer) text += chunk;
  const code = answer.headers['x-a2c-error-code'];
  return { status: answer.statusCode, code: String(code ?? ''), body: parse(text) };
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** True if the Server accepts any version: it knows no handshake. */
export async function isWithoutHandshake(target: ServerStage['target']): Promise<boolean> {
  return (await knock({ target }, '99.0.0')).status === 200;
}

/** The newest line of a Server, as it states it when it refuses a version. */
export async function newestVersionOf(target: ServerStage['target']): Promise<string | undefined> {
  const { body } = await knock({ target }, '99.0.0');
  return typeof body.max_supported === 'string' ? body.max_supported : versionOf('0.2');
}
