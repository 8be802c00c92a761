import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Computer, type ComputerOptions, type Sample, type SampleContext } from '@a2c-smcp/computer';
import { scriptedServer } from '@a2c-smcp/testing';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { root } from '../packages.ts';
import { bundled } from '../programs.ts';
import { textOf } from './office.ts';
import { temporaryFolder } from './temporary.ts';

const program = (script: string, ...args: string[]) => ({
  command: process.execPath,
  args: [resolve(root, script), ...args],
});
const everything = program('node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const asking = program(bundled('asking-mcp-server'));
type Era = 'legacy' | 'auto';
const eras: Era[] = ['legacy', 'auto'];

interface Given extends Partial<ComputerOptions> {
  era?: Era;
  roots?: string[];
}

function open(server_parameters: typeof asking, { era = 'legacy', roots, ...options }: Given = {}) {
  const own = { mcp_protocol: era, ...(roots ? { roots } : {}), default_tool_meta: { auto_apply: true } };
  const servers = { s: { ...own, type: 'stdio' as const, server_parameters } };
  return Computer.open({ name: 'desk', servers, ...options });
}

const completion = (text: string) => ({
  ...{ role: 'assistant' as const, model: 'test-model', stopReason: 'endTurn' },
  content: { type: 'text' as const, text },
});
const request = { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], maxTokens: 5 };

/** A scripted server that sends a request and notes the answer in its log. */
async function answerTo(message: object, options: Partial<ComputerOptions> = {}): Promise<unknown> {
  const log = join(temporaryFolder(), 'messages');
  const s = scriptedServer({ tools: ['send'], log });
  await using computer = await Computer.open({ name: 'desk', servers: { s }, ...options });
  await computer.callTool({ tool: 'send', params: { messages: [{ id: 'q', ...message }] } });
  let answer: unknown;
  await eventually(async () => {
    const lines = (await readFile(log, 'utf8')).trim().split('\n');
    answer = lines.map(line => JSON.parse(line)).find(({ id }) => id === 'q');
    expect(answer).toBeDefined();
  });
  return answer;
}

describe('roots', () => {
  test.each(eras)(
    'an MCP server is told of the folders in its configuration, as addresses with names (%s)',
    async era => {
      await using computer = await open(asking, { era, roots: ['~/my project', '/srv/data', '${userHome}/x'] });
      const { roots } = JSON.parse(textOf(await computer.callTool({ tool: 'roots' })));
      expect(roots).toEqual([
        { uri: pathToFileURL(join(homedir(), 'my project')).href, name: 'my project' },
        { uri: 'file:///srv/data', name: 'data' },
        { uri: pathToFileURL(join(homedir(), 'x')).href, name: 'x' },
      ]);
    },
  );

  test.each(eras)('an MCP server without roots in its configuration is told of none (%s)', async era => {
    await using computer = await open(asking, { era });
    expect(await computer.callTool({ tool: 'roots' })).toMatchObject({ isError: true });
    expect(textOf(await computer.callTool({ tool: 'roots' }))).not.toContain('file:');
  });

  test('a request for roots that were not offered is refused with what the owner can do', async () => {
    expect(await answerTo({ method: 'roots/list' })).toMatchObject({
      error: { code: -32601, message: expect.stringContaining("'roots'") },
    });
  });

  test('server-everything lists the roots, and server-filesystem allows them alone', async () => {
    const [folder, other] = [temporaryFolder(), temporaryFolder()];
    await using first = await open(everything, { roots: [folder] });
    await eventually(async () =>
      expect(textOf(await first.callTool({ tool: 'get-roots-list' }))).toContain(pathToFileURL(folder).href),
    );
    const filesystem = program('node_modules/@modelcontextprotocol/server-filesystem/dist/index.js', other);
    await using second = await open(filesystem, { roots: [folder] });
    await eventually(async () => {
      const allowed = textOf(await second.callTool({ tool: 'list_allowed_directories' }));
      expect(allowed).toContain(folder);
      expect(allowed).not.toContain(other);
    });
  });

  test('a relative root fails the MCP server with the field and what to write', async () => {
    await using computer = await open(asking, { roots: ['project'] });
    const [status] = computer.status();
    expect(status).toMatchObject({ state: 'failed', restarts: 0 });
    expect(status?.error).toContain("roots[0]: 'project' is no absolute path: begin it with '/' or '~/'");
  });

  test('changed roots restart the MCP server', async () => {
    await using computer = await open(asking, { roots: ['/srv/a'] });
    const own = { name: 's', type: 'stdio' as const, default_tool_meta: { auto_apply: true } };
    await computer.addServer({ ...own, roots: ['/srv/b'], server_parameters: asking });
    expect(textOf(await computer.callTool({ tool: 'roots' }))).toContain('file:///srv/b');
  });
});

describe('sampling', () => {
  test.each(eras)('the model of the program answers an MCP server (%s)', async era => {
    const seen: { request: unknown; context: SampleContext }[] = [];
    const sample: Sample = async (given, context) => {
      seen.push({ request: given, context });
      return completion('Hello');
    };
    await using computer = await open(asking, { era, sample });
    expect(JSON.parse(textOf(await computer.callTool({ tool: 'sample' })))).toMatchObject(completion('Hello'));
    expect(seen[0]?.request).toMatchObject({ messages: [{ role: 'user' }], maxTokens: 10 });
    expect(seen[0]?.context).toMatchObject({ server: 's', tool: 'sample', signal: expect.any(AbortSignal) });
  });

  test('server-everything gets a completion', async () => {
    await using computer = await open(everything, { sample: async () => completion('a fine poem') });
    await eventually(() => expect(computer.tools.map(({ name }) => name)).toContain('trigger-sampling-request'));
    const params = { prompt: 'Write a poem', maxTokens: 50 };
    expect(textOf(await computer.callTool({ tool: 'trigger-sampling-request', params }))).toContain('a fine poem');
  });

  test.each(eras)('an MCP server is not offered a model that is not there (%s)', async era => {
    await using computer = await open(asking, { era });
    const result = await computer.callTool({ tool: 'sample' });
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toMatch(/offers no model|sampling/);
  });

  test('a request for a model that was not offered is refused with what the owner can do', async () => {
    expect(await answerTo({ method: 'sampling/createMessage', params: request })).toMatchObject({
      error: { code: -32601, message: expect.stringMatching(/offers no model.*`sample`/) },
    });
  });

  test('a failure of the model reaches the MCP server with its message', async () => {
    const sample: Sample = async () => {
      throw new Error('The quota is used up');
    };
    expect(await answerTo({ method: 'sampling/createMessage', params: request }, { sample })).toMatchObject({
      error: { message: expect.stringContaining('The quota is used up') },
    });
  });

  test.each(eras)('a cancelled call aborts the completion that it waits for (%s)', async era => {
    const signals: AbortSignal[] = [];
    const sample: Sample = (_, { signal }) => {
      signals.push(signal);
      return new Promise(() => {});
    };
    await using computer = await open(asking, { era, sample });
    const cancel = new AbortController();
    const call = computer.callTool({ tool: 'sample', signal: cancel.signal });
    await eventually(() => expect(signals).toHaveLength(1));
    cancel.abort();
    expect(await call).toMatchObject({ meta: { a2c_cancelled: true } });
    await eventually(() => expect(signals[0]?.aborted).toBe(true));
  });

  test('an MCP server that floods with requests for completions has four at a time', async () => {
    let pending = 0;
    let most = 0;
    const sample: Sample = async () => {
      pending += 1;
      most = Math.max(most, pending);
      await new Promise(resolve => setTimeout(resolve, 50));
      pending -= 1;
      return completion('done');
    };
    const messages = Array.from({ length: 20 }, (_, id) => ({
      ...{ id: `m${id}`, method: 'sampling/createMessage', params: request },
    }));
    const s = scriptedServer({ tools: ['send'] });
    await using computer = await Computer.open({ name: 'desk', servers: { s }, sample });
    await computer.callTool({ tool: 'send', params: { messages } });
    await eventually(() => expect(most).toBe(4));
    await eventually(() => expect(pending).toBe(0));
    expect(most).toBe(4);
  });
});

test('a question that nobody can answer is refused with what the owner can do', async () => {
  const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
  const params = { mode: 'form', message: 'Who?', requestedSchema };
  expect(await answerTo({ method: 'elicitation/create', params })).toMatchObject({
    error: { code: -32601, message: expect.stringContaining('Nobody can be asked') },
  });
});

test('the instructions of an MCP server are in its status while it is ready, secrets masked and cut', async () => {
  const instructions = `Send canary-4711-canary. ${'x'.repeat(5000)}`;
  const s = scriptedServer({ tools: ['echo'], initialize: { instructions } });
  Object.assign(s.server_parameters, { env: { API_TOKEN: 'canary-4711-canary' } });
  await using computer = await Computer.open({ name: 'desk', servers: { s } });
  const [status] = computer.status();
  expect(status?.instructions).toMatch(/^Send \*\*\*\.? x+$/);
  expect(status?.instructions?.length).toBeLessThanOrEqual(4096);
  expect(await computer.disableServer('s')).not.toHaveProperty('instructions');
});
