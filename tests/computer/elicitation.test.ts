import { resolve } from 'node:path';
import type { AnswerTo, ComputerOptions, FormQuestion, UrlQuestion } from '@a2c-smcp/computer';
import { testOffice } from '@a2c-smcp/testing';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { root } from '../packages.ts';
import { bundled } from '../programs.ts';
import { textOf } from './office.ts';

type Elicited = FormQuestion | UrlQuestion;

const serverOf = (script: string, era: 'legacy' | 'auto') => ({
  type: 'stdio' as const,
  mcp_protocol: era,
  default_tool_meta: { auto_apply: true },
  server_parameters: { command: process.execPath, args: [resolve(root, script)] },
});
const everything = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js';
const asking = bundled('asking-mcp-server');

async function open(server: ReturnType<typeof serverOf>, options: Partial<ComputerOptions> = {}) {
  const seen: Elicited[] = [];
  const answers: AnswerTo<'form' | 'url'>[] = [];
  const elicit: ComputerOptions['elicit'] = async question => {
    seen.push(question);
    return answers.shift();
  };
  const office = await testOffice({ desk: {} }, { computer: { servers: { s: server }, elicit, ...options } });
  const call = async (tool: string, params: Record<string, unknown> = {}, more = {}) =>
    office.agent.callTool({ computer: 'desk', tool, params }, more);
  return {
    ...office,
    seen,
    answers,
    call,
    json: async (tool: string, params = {}) => JSON.parse(textOf(await call(tool, params))),
  };
}

test('server-everything asks with its form, and gets what was entered with the defaults of the rest', async () => {
  await using office = await open(serverOf(everything, 'legacy'));
  office.answers.push({ action: 'accept', content: { name: 'Ada', check: 'yes', integer: '42' } });
  const text = textOf(await office.call('trigger-elicitation-request'));
  expect(text).toContain('Ada');
  expect(text).toContain('"integer": 42');
  expect(text).toContain('"check": true');
  const [form] = office.seen as [FormQuestion];
  expect(form).toMatchObject({ kind: 'form', server: 's', tool: 'trigger-elicitation-request', agent: 'agent' });
  expect(form.fields.find(({ name }) => name === 'name')).toMatchObject({ type: 'string', isRequired: true });
});

describe.each(['legacy', 'auto'] as const)('an MCP server of the %s era', era => {
  test(`gets the three answers of a person (${era})`, async () => {
    await using office = await open(serverOf(asking, era));
    office.answers.push({ action: 'accept', content: { name: 'Ada' } }, { action: 'decline' }, { action: 'cancel' });
    expect(await office.json('ask')).toEqual({ action: 'accept', content: { name: 'Ada' } });
    expect(await office.json('ask')).toEqual({ action: 'decline' });
    expect(await office.json('ask')).toEqual({ action: 'cancel' });
  });

  test(`asks twice in one call (${era})`, async () => {
    await using office = await open(serverOf(asking, era));
    office.answers.push({ action: 'accept', content: { name: 'Ada' } }, { action: 'accept', content: { name: 'Bo' } });
    const [first, second] = await office.json('twice');
    expect(JSON.stringify(first)).toContain('Ada');
    expect(second).toEqual({ action: 'accept', content: { name: 'Bo' } });
    expect(office.seen.map(({ tool }) => tool)).toEqual(['twice', 'twice']);
  });

  test(`asks to visit an address, which is never opened by itself (${era})`, async () => {
    await using office = await open(serverOf(asking, era));
    office.answers.push({ action: 'accept' });
    const url = 'https://example.com/sign?x=1';
    expect(await office.json('ask', { url })).toMatchObject({ action: 'accept' });
    expect(office.seen[0]).toMatchObject({ kind: 'url', url, message: 'Please' });
    expect(await office.json('ask', { url: 'file:///etc/passwd' })).toMatchObject({ action: 'cancel' });
    expect(office.seen).toHaveLength(1);
  });

  test(`is not offered elicitation without a face that answers (${era})`, async () => {
    await using office = await open(serverOf(asking, era), { elicit: undefined as never });
    expect(await office.call('ask')).toMatchObject({ isError: true });
    expect(office.seen).toEqual([]);
  });

  test(`gets a cancel, never a decline, when its call is cancelled or not answered (${era})`, async () => {
    await using office = await open(serverOf(asking, era));
    expect(await office.json('ask')).toEqual({ action: 'cancel' });
    const { questions } = office.computers.desk;
    questions.attend({ name: 'page' });
    const stop = new AbortController();
    const calling = office.call('ask', {}, { signal: stop.signal });
    await eventually(() => expect(questions.open).toHaveLength(1));
    stop.abort();
    expect(await calling).toMatchObject({ meta: { a2c_cancelled: true } });
    await eventually(() => expect(questions.open).toEqual([]));
  });

  test(`a form that MCP does not allow is not shown (${era})`, async () => {
    await using office = await open(serverOf(asking, era));
    const schema = { type: 'object', properties: { deep: { type: 'object', properties: {} } } };
    const result = await office.call('ask', { schema });
    expect(office.seen).toEqual([]);
    expect(textOf(result)).not.toContain('accept');
  });
});
