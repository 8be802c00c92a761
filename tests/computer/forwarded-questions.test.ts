import type { CallAnswer, CallQuestion, OnQuestion } from '@a2c-smcp/agent';
import type { ComputerOptions } from '@a2c-smcp/computer';
import { RawPeer, testOffice } from '@a2c-smcp/testing';
import { describe, expect, test } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { eventually } from '../eventually.ts';
import { bundled } from '../programs.ts';
import { textOf } from './office.ts';

const asking = (era: 'legacy' | 'auto') => ({
  type: 'stdio' as const,
  mcp_protocol: era,
  default_tool_meta: { auto_apply: true },
  server_parameters: {
    command: process.execPath,
    args: [bundled('asking-mcp-server')],
    env: { KEY: 'canary-5521' },
  },
});

async function open(options: Partial<ComputerOptions> = {}, era: 'legacy' | 'auto' = 'legacy') {
  const computer = { servers: { s: asking(era) }, questions: { forward: 'agent' as const }, ...options };
  const office = await testOffice({ desk: {} }, { computer });
  const seen: CallQuestion[] = [];
  const ask = async (params: Record<string, unknown>, answer?: CallAnswer | OnQuestion) => {
    const onQuestion: OnQuestion = (question, context) => {
      seen.push(question);
      return typeof answer === 'function' ? answer(question, context) : (answer as CallAnswer);
    };
    const call = { computer: 'desk', tool: 'ask', params };
    return office.agent.callTool(call, answer === undefined ? {} : { onQuestion });
  };
  return {
    ...office,
    seen,
    ask,
    json: async (...given: Parameters<typeof ask>) => JSON.parse(textOf(await ask(...given))),
  };
}

const ada = { action: 'accept', content: { name: 'Ada' } } as const;

describe('a form that is forwarded to the Agent', () => {
  test.each(['legacy', 'auto'] as const)('is filled in by the call that it belongs to (%s era)', async era => {
    await using office = await open({}, era);
    expect(await office.json({}, ada)).toEqual(ada);
    expect(office.seen).toEqual([
      { server: 's', message: 'Please', schema: expect.objectContaining({ type: 'object' }) },
    ]);
    expect(await office.json({}, { action: 'decline' })).toEqual({ action: 'decline' });
    expect(await office.json({}, () => Promise.reject(new Error('no')))).toEqual({ action: 'cancel' });
  });

  verifies(['question.wanted', 'question.harmless'], async () => {
    await using office = await open();
    expect(await office.json({})).toEqual({ action: 'cancel' });
    const schema = { type: 'object', properties: { password: { type: 'string' } } };
    expect(await office.json({ schema }, ada)).toEqual({ action: 'cancel' });
    await using other = await open({ questions: { forward: 'agent', servers: ['t'] } });
    expect(await other.json({}, ada)).toEqual({ action: 'cancel' });
    await using none = await open({ questions: {} });
    expect(await none.ask({}, ada)).toMatchObject({ isError: true });
    expect([...office.seen, ...other.seen, ...none.seen]).toEqual([]);
  });

  verifies('question.answer', async () => {
    await using office = await open();
    const { questions } = office.computers.desk;
    questions.attend({ name: 'page' });
    const settled: unknown[] = [];
    questions.on('settled', ({ by }) => settled.push(by));
    const late = office.json({}, () => new Promise(() => {}));
    await eventually(() => expect(office.seen).toHaveLength(1));
    expect(questions.answer(questions.open[0]?.id ?? '', ada, 'page')).toBe(true);
    expect(await late).toEqual(ada);
    expect(await office.json({}, { action: 'accept', content: { name: 7 } })).toEqual({ action: 'cancel' });
    expect(settled).toEqual(['page', 'agent']);
  });

  verifies('question.end', async () => {
    await using office = await open();
    const stop = new AbortController();
    let signal: AbortSignal | undefined;
    const onQuestion: OnQuestion = (_, given) => {
      signal = given.signal;
      return new Promise(() => {});
    };
    const calling = office.agent.callTool(
      { computer: 'desk', tool: 'ask', params: {} },
      { onQuestion, signal: stop.signal },
    );
    await eventually(() => expect(signal).toBeDefined());
    stop.abort();
    expect(await calling).toMatchObject({ meta: { a2c_cancelled: true } });
    expect(signal?.aborted).toBe(true);
    await eventually(() => expect(office.computers.desk.questions.open).toEqual([]));
  });

  verifies('question.message', async () => {
    await using office = await open({
      servers: { s: asking('legacy') },
      inputs: [{ id: 'key', type: 'promptString', description: 'Key', password: true }],
      inputValues: { key: 'canary-5521' },
    });
    const schema = { type: 'object', properties: { name: { type: 'string', description: 'not canary-5521' } } };
    expect(await office.json({ schema, message: 'canary-5521?' }, ada)).toEqual(ada);
    expect(JSON.stringify(office.seen)).not.toContain('canary-5521');
  });
});

verifies(['question.answer', 'question.harmless'], async () => {
  await using office = await testOffice(
    { desk: {} },
    { computer: { servers: { s: { ...asking('legacy'), default_tool_meta: {} } }, questions: { forward: 'agent' } } },
  );
  const { questions } = office.computers.desk;
  questions.attend({ name: 'page', kinds: ['confirmation'] });
  await office.agent.close();
  const agent = await RawPeer.join(office.url, 'agent', 'second', office.agent.office);
  const to = { agent: 'second', computer: 'desk' };
  const call = { ...to, req_id: 'c', tool_name: 'ask', params: {}, timeout: 30, elicit: true };
  const calling = agent.ask('client:tool_call', call);
  await eventually(() => expect(questions.open).toMatchObject([{ kind: 'confirmation' }]));
  const [{ id = '' } = {}] = questions.open;
  for (const action of ['accept', 'decline', 'cancel']) {
    const answer = { ...to, req_id: action, question_id: id, action, content: {} };
    expect(await agent.ask('client:answer_question', answer)).toEqual([{ accepted: false, req_id: action }]);
  }
  expect(questions.open).toHaveLength(1);
  expect(agent.payloads('notify:ask_question')).toEqual([]);
  expect(questions.answer(id, { action: 'refuse' }, 'page')).toBe(true);
  expect(await calling).toMatchObject([{ isError: true, meta: { error_code: 4005 } }]);
  agent.close();
});
