import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Computer, type ComputerOptions, fileStore, keychainStore, memoryStore } from '@a2c-smcp/computer';
import type { MCPServerInput } from '@a2c-smcp/protocol';
import { describe, expect, test } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { fixture, recordingLogger, stateOf, textOf } from './office.ts';
import { temporaryFolder } from './temporary.ts';

const token: MCPServerInput = { id: 'token', type: 'promptString', description: 'Token', password: true };
const region: MCPServerInput = {
  id: 'region',
  type: 'pickString',
  description: 'Region',
  options: ['eu', 'us'],
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
    await store.set('region', 'stored');
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

describe('stores', () => {
  test('a file holds values encrypted, for its owner alone', async () => {
    const path = join(temporaryFolder(), 'deep', 'inputs.json');
    const store = await fileStore(path);
    await store.set('token', 'canary-value');
    await store.set('other', 'x');
    await store.delete('other');
    expect(readFileSync(path, 'utf8')).not.toContain('canary-value');
    for (const file of [path, `${path}.key`]) expect(statSync(file).mode & 0o777).toBe(0o600);
    const again = await fileStore(path);
    expect(await again.get('token')).toBe('canary-value');
    expect(await again.get('other')).toBeUndefined();
  });

  test('a passphrase replaces the key file, and the wrong one opens nothing', async () => {
    const path = join(temporaryFolder(), 'inputs.json');
    await (await fileStore(path, { passphrase: 'right' })).set('token', 'v');
    expect(await (await fileStore(path, { passphrase: 'right' })).get('token')).toBe('v');
    await expect(fileStore(path, { passphrase: 'wrong' })).rejects.toThrow(/wrong passphrase/);
    writeFileSync(path, '{}');
    await expect(fileStore(path, { passphrase: 'right' })).rejects.toThrow(/cannot be read/);
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

  test('a keychain works, or says at once that it does not', async () => {
    const store = await keychainStore('a2c-smcp-test').catch((error: Error) => error);
    if (store instanceof Error) {
      expect(store.message).toMatch(/keychain/i);
      return;
    }
    await store.set('token', 'v');
    expect(await store.get('token')).toBe('v');
    await store.delete('token');
    expect(await store.get('token')).toBeUndefined();
  });
});
