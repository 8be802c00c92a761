import { readFileSync, readlinkSync, realpathSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Computer, type ComputerOptions, fileStore, inputEnvNames, memoryStore } from '@a2c-smcp/computer';
import type { MCPServerInput } from '@a2c-smcp/protocol';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fillPlaceholders } from '../../packages/computer/src/config/placeholders.ts';
import { verifies } from '../conformance/verifies.ts';
import { eventually, fixture, recordingLogger, stateOf, textOf } from './office.ts';
import { temporaryFolder } from './temporary.ts';

const token: MCPServerInput = { id: 'token', type: 'promptString', description: 'Token', password: true };
const region: MCPServerInput = {
  id: 'region',
  type: 'pickString',
  description: 'Region',
  options: ['eu', 'us', 'stored', 'from-env'],
  default: 'eu',
};

/** A server that shows its environment and arguments; `env` and `args` may hold placeholders. */
function showing(name: string, env: Record<string, string>, args: string[] = []) {
  return {
    type: 'stdio' as const,
    default_tool_meta: { auto_apply: true },
    server_parameters: {
      command: process.execPath,
      args: [fixture, JSON.stringify({ tools: [`${name}-env`] }), ...args],
      env,
    },
  };
}

async function environmentOf(computer: Computer, name: string): Promise<Record<string, string>> {
  return JSON.parse(textOf(await computer.callTool({ tool: `${name}-env` })));
}

function open(options: Partial<ComputerOptions>): Promise<Computer> {
  return Computer.open({ name: 'desk', env: {}, ...options });
}

describe('inputs', () => {
  verifies(['inputs.placeholder', 'inputs.embedded'], async () => {
    const env = { WHOLE: '${input:token}', PART: 'Bearer ${input:token}!', HOME_OF: '${env:SOMEWHERE}' };
    await using computer = await open({
      servers: { s: showing('s', env) },
      inputs: [token],
      env: { A2C_SMCP_token: 'sesame', SOMEWHERE: '/home' },
    });
    expect(await environmentOf(computer, 's')).toMatchObject({
      WHOLE: 'sesame',
      PART: 'Bearer sesame!',
      HOME_OF: '/home',
    });
  });

  verifies(
    'inputs.placeholder',
    async () => {
      const requests: [url: string | undefined, key: unknown][] = [];
      const http = createServer((request, response) => {
        requests.push([request.url, request.headers['x-key']]);
        response.writeHead(404).end();
      });
      await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => void http.close());
      const { port } = http.address() as AddressInfo;
      const url = `http://127.0.0.1:${port}/\${input:path}`;
      const program = showing('s', {});
      const [, ...args] = [process.execPath, ...program.server_parameters.args, '--token=${input:path}'];
      const folder = temporaryFolder();
      const servers = {
        s: { ...program, server_parameters: { command: '${input:node}', args, cwd: '${input:folder}' } },
        remote: { type: 'streamable' as const, server_parameters: { url, headers: { 'x-key': 'k-${input:path}' } } },
      };
      const ids = { path: 'sesame', node: process.execPath, folder };
      const inputs = Object.keys(ids).map(id => ({ id, type: 'promptString', description: '' }) as const);
      await using computer = await open({ servers, inputs, inputValues: ids, patience: 3000 });
      expect(stateOf(computer, 's')).toBe('ready');
      const { pid } = computer.status()[0] ?? {};
      if (process.platform === 'linux') {
        expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).toContain('--token=sesame');
        expect(readlinkSync(`/proc/${pid}/cwd`)).toBe(realpathSync(folder));
      }
      await eventually(() => expect(requests).toContainEqual(['/sesame', 'k-sesame']));
    },
    'command, arguments, folder, URL and headers',
  );

  verifies(
    'inputs.embedded',
    async () => {
      const values: Record<string, unknown> = { port: 8080, list: ['a'], on: true };
      const fill = (text: unknown) => fillPlaceholders(text, async ({ name }) => values[name]);
      expect(await fill(['${input:port}', '${input:list}', '${input:on}'])).toEqual([8080, ['a'], true]);
      expect(await fill('http://h:${input:port}/${input:on}')).toBe('http://h:8080/true');
    },
    'values of other types than text',
  );

  verifies(
    'inputs.unknown',
    async () => {
      const inputs = Array.from({ length: 15 }, (_, index) => ({
        type: 'promptString' as const,
        description: '',
        id: `i${index}`,
        default: index === 14 ? 'the end' : `\${input:i${index + 1}}`,
      }));
      const env = { FAR: '${input:i0}', NEAR: '${input:i6}' };
      await using computer = await open({ servers: { s: showing('s', env) }, inputs });
      expect(await environmentOf(computer, 's')).toMatchObject({ FAR: '${input:i10}', NEAR: 'the end' });
    },
    'values may have placeholders up to depth 10',
  );

  verifies(
    'inputs.env-context',
    () => {
      const names = inputEnvNames('key', { server: 'shop', tool: 'buy' });
      const own = names.filter(name => !/[A-Z]$/.test(name));
      expect(own).toEqual(['A2C_SMCP_key_shop_buy', 'A2C_SMCP_key_shop', 'A2C_SMCP_key']);
    },
    'the order of names for a program that resolves an input for a tool',
  );

  verifies('inputs.unknown', async () => {
    const logger = recordingLogger();
    await using computer = await open({ servers: { s: showing('s', { X: '${input:nowhere}' }) }, logger });
    expect(await environmentOf(computer, 's')).toMatchObject({ X: '${input:nowhere}' });
    expect(logger.lines).toContainEqual(
      expect.objectContaining({ level: 'warn', fields: expect.objectContaining({ input: 'nowhere' }) }),
    );
  });

  verifies('inputs.chain', async () => {
    const servers = { s: showing('s', { REGION: '${input:region}' }) };
    const value = async (options: Partial<ComputerOptions>) => {
      await using computer = await open({ servers, inputs: [region], ...options });
      return (await environmentOf(computer, 's')).REGION;
    };
    const store = memoryStore();
    await using earlier = await open({ store });
    await earlier.setInput('region', 'stored');
    const ask = async () => 'us';
    expect(await value({ env: { A2C_SMCP_region: 'from-env' }, store, ask })).toBe('from-env');
    expect(await value({ store, ask })).toBe('stored');
    expect(await value({ ask })).toBe('us');
    expect(await value({ ask: async () => undefined })).toBe('eu');
    expect(await value({})).toBe('eu');
  });

  verifies(['inputs.env-name', 'inputs.env-context'], async () => {
    const key: MCPServerInput = { id: 'api-key', type: 'promptString', description: 'Key' };
    const value = async (env: Record<string, string>) => {
      const servers = { 'My.Server': showing('s', { KEY: '${input:api-key}' }) };
      await using computer = await open({ servers, inputs: [key], env });
      return (await environmentOf(computer, 's')).KEY;
    };
    expect(await value({ A2C_SMCP_api_key: 'own-case', 'A2C_SMCP_API-KEY': 'upper' })).toBe('own-case');
    expect(await value({ 'A2C_SMCP_API-KEY': 'upper' })).toBe('upper');
    expect(await value({ A2C_SMCP_api_key_My_Server: 'server', A2C_SMCP_api_key: 'general' })).toBe('server');
    expect(await value({ 'A2C_SMCP_API-KEY_MY.SERVER': 'SERVER', A2C_SMCP_api_key: 'general' })).toBe('SERVER');
  });

  verifies('inputs.lazy', async () => {
    const asked: string[] = [];
    const ask = async ({ id }: { id: string }) => {
      asked.push(id);
      return 'typed-value';
    };
    const servers = {
      a: showing('a', { T: '${input:token}' }),
      b: showing('b', { T: '${input:token}${input:token}' }),
      c: showing('c', {}),
    };
    await using computer = await open({ servers, inputs: [token, region], ask });
    expect(computer.status().map(({ state }) => state)).toEqual(['ready', 'ready', 'ready']);
    await computer.restartServer('a');
    expect(asked).toEqual(['token']);
    await computer.clearInput('token');
    await computer.restartServer('a');
    expect(asked).toEqual(['token', 'token']);
  });

  verifies('inputs.command', async () => {
    const node = JSON.stringify(process.execPath);
    const inputs: MCPServerInput[] = [
      { id: 'shell', type: 'command', description: '', command: `${node} -p "[1,2].length" && echo more` },
      {
        id: 'args',
        type: 'command',
        description: '',
        command: process.execPath,
        args: { '-p': 'process.argv.slice(1).join("|")', '$(rm)': '; echo `pwned`' },
      },
    ];
    const servers = { s: showing('s', { SHELL_OUT: '${input:shell}', ARGS_OUT: '${input:args}' }) };
    await using computer = await open({ servers, inputs, env: process.env });
    expect(await environmentOf(computer, 's')).toMatchObject({
      SHELL_OUT: '2\nmore',
      ARGS_OUT: '$(rm)|; echo `pwned`',
    });
  });

  test('a missing value fails that server alone and says how to give it', async () => {
    const servers = {
      s: showing('s', { T: '${input:token}' }),
      t: showing('t', { T: '${env:NOT_THERE}' }),
      u: showing('u', {}),
    };
    await using computer = await open({ servers, inputs: [token] });
    expect(computer.status().map(({ state }) => state)).toEqual(['failed', 'failed', 'ready']);
    expect(computer.status()[0]?.error).toBe(
      'inputs.token: it has no value: set the environment variable A2C_SMCP_token, or answer when asked',
    );
    expect(computer.status()[1]?.error).toContain("'NOT_THERE'");
    await computer.setInput('token', 'given-later');
    await computer.restartServer('s');
    expect(stateOf(computer, 's')).toBe('ready');
  });

  test('a command that fails, an answer that is no option and an ask that throws fail their server alone', async () => {
    const broken: MCPServerInput = { id: 'broken', type: 'command', description: '', command: 'exit 7' };
    const servers = {
      a: showing('a', { X: '${input:broken}' }),
      b: showing('b', { X: '${input:region}' }),
      c: showing('c', { X: '${input:token}' }),
      d: showing('d', {}),
    };
    const ask = async ({ id }: { id: string }) => {
      if (id === 'token') throw new Error('closed');
      return 'mars';
    };
    await using computer = await open({ servers, inputs: [broken, region, token], ask });
    expect(computer.status().map(({ state }) => state)).toEqual(['failed', 'failed', 'failed', 'ready']);
    expect(computer.status()[0]?.error).toContain('exit code 7');
  });
});

describe('the value of an input belongs to its configuration', () => {
  /** A configuration file with one server that shows the input `token`, and its path. */
  function tokenFile(server = 's', folder = temporaryFolder()): string {
    const path = join(folder, 'mcp.json');
    const servers = { [server]: showing(server, { T: '${input:token}' }) };
    writeFileSync(path, JSON.stringify({ inputs: [token], servers }));
    return path;
  }

  /** Counts questions, and answers with their number. */
  function counting(prefix: string) {
    const questions: string[] = [];
    return { questions, ask: async ({ id }: { id: string }) => `${prefix}-${questions.push(id)}` };
  }

  async function valueIn(configFile: string, options: Partial<ComputerOptions>): Promise<string | undefined> {
    await using computer = await open({ configFile, ...options });
    return (await environmentOf(computer, 's')).T;
  }

  test('a value typed for one file is asked for anew by another file with the same input', async () => {
    const store = await fileStore(join(temporaryFolder(), 'inputs'));
    const person = counting('typed');
    const [mine, foreign] = [tokenFile(), tokenFile()];
    expect(await valueIn(mine, { store, ask: person.ask })).toBe('typed-1');
    expect(await valueIn(mine, { store, ask: person.ask })).toBe('typed-1');
    expect(await valueIn(foreign, { store, ask: person.ask })).toBe('typed-2');
    expect(person.questions).toHaveLength(2);
    await using unattended = await open({ configFile: tokenFile(), store });
    expect(unattended.status()[0]).toMatchObject({ state: 'failed', error: expect.stringContaining('has no value') });
  });

  test('a link to a file is that file, a moved file is another one', async () => {
    const store = memoryStore();
    const person = counting('typed');
    const path = tokenFile();
    const link = join(temporaryFolder(), 'link.json');
    symlinkSync(path, link);
    expect(await valueIn(path, { store, ask: person.ask })).toBe('typed-1');
    expect(await valueIn(link, { store, ask: person.ask })).toBe('typed-1');
    renameSync(path, `${path}.moved`);
    expect(await valueIn(`${path}.moved`, { store, ask: person.ask })).toBe('typed-2');
  });

  test('a value that is stored under the mere id, or under a key that an id imitates, reaches no server', async () => {
    const store = memoryStore();
    await store.set('token', 'from-former-times');
    const path = tokenFile();
    expect(await valueIn(path, { store, ask: async () => 'typed' })).toBe('typed');
    const keys: string[] = [];
    const spy = { ...memoryStore(), get: async (key: string) => void keys.push(key) };
    await using computer = await open({ configFile: path, store: spy });
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{64}:token$/)]);
    expect(computer.status()[0]?.state).toBe('failed');
  });

  test('servers of a file, of the options and of another file that is added each get a value of their own', async () => {
    const person = counting('typed');
    const servers = { own: showing('own', { T: '${input:token}' }) };
    await using computer = await open({ configFile: tokenFile(), servers, inputs: [token], ask: person.ask });
    const file = tokenFile();
    const added = { name: 'added', ...showing('added', { T: '${input:token}' }) };
    await computer.addServer(added, { file });
    const values = () => Promise.all(['s', 'own', 'added'].map(async name => (await environmentOf(computer, name)).T));
    expect(new Set(await values()).size).toBe(3);
    await computer.disableServer('added');
    await computer.enableServer('added');
    expect(new Set(await values()).size).toBe(3);
    expect(person.questions).toHaveLength(3);
    await computer.setInput('token', 'set');
    for (const name of ['s', 'own', 'added']) await computer.restartServer(name);
    expect(await values()).toEqual(['set', 'set', 'typed-3']);
    await computer.clearInput();
    await computer.restartServer('added');
    expect(await values()).toEqual(['set', 'set', 'typed-4']);
  });

  test('programs that name their configuration share its values, others do not', async () => {
    const store = memoryStore();
    const value = async (options: Partial<ComputerOptions>) => {
      await using computer = await open({
        servers: { s: showing('s', { T: '${input:token}' }) },
        inputs: [token],
        store,
        ...options,
      });
      return (await computer.storedInput('token')) ?? computer.status()[0]?.state;
    };
    expect(await value({ configuration: 'shop', ask: async () => 'typed' })).toBe('typed');
    expect(await value({ configuration: 'shop', name: 'other' })).toBe('typed');
    expect(await value({ configuration: 'bank' })).toBe('failed');
    expect(await value({ configuration: undefined })).toBe('failed');
  });

  test('a file that is changed to be a link to another one has the values of that one', async () => {
    const person = counting('typed');
    const store = memoryStore();
    const good = tokenFile();
    expect(await valueIn(good, { store, ask: person.ask })).toBe('typed-1');
    const path = tokenFile();
    await using computer = await open({ configFile: path, store, ask: person.ask });
    expect((await environmentOf(computer, 's')).T).toBe('typed-2');
    const next = JSON.parse(readFileSync(good, 'utf8'));
    next.servers.s.server_parameters.env.MORE = 'x';
    writeFileSync(good, JSON.stringify(next));
    symlinkSync(good, `${path}.new`);
    renameSync(`${path}.new`, path);
    await eventually(async () => expect(await environmentOf(computer, 's')).toMatchObject({ T: 'typed-1', MORE: 'x' }));
  });

  test('an asked value is stored and not asked for again', async () => {
    const path = join(temporaryFolder(), 'inputs.json');
    let asked = 0;
    const ask = async () => `answer-${++asked}`;
    const servers = { s: showing('s', { T: '${input:token}' }) };
    for (let session = 0; session < 2; session++) {
      await using computer = await open({ servers, inputs: [token], ask, store: await fileStore(path) });
      expect(await environmentOf(computer, 's')).toMatchObject({ T: 'answer-1' });
    }
  });
});
