import type { Answer, ComputerOptions, Confirmation, Question } from '@a2c-smcp/computer';
import { scriptedServer, testOffice } from '@a2c-smcp/testing';
import { describe, expect, test } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { eventually } from '../eventually.ts';
import { textOf } from './office.ts';

const servers = { s: scriptedServer({ tools: ['echo'] }, { default_tool_meta: { auto_apply: false } }) };
const openDesk = (options: Partial<ComputerOptions> = {}) =>
  testOffice({ desk: {} }, { computer: { servers, ...options } });
const echo = { computer: 'desk', tool: 'echo', params: { text: 'hi' } };

/** A face that notes the questions and answers none. */
function watcher() {
  const seen: Question[] = [];
  const withdrawn: string[] = [];
  const ask = (question: Question, signal: AbortSignal) => {
    seen.push(question);
    signal.addEventListener('abort', () => withdrawn.push(question.id));
    return new Promise<Answer | undefined>(() => {});
  };
  return { seen, withdrawn, face: { name: 'watcher', ask } };
}

describe('a confirmation', () => {
  test('a question tells server, tool, Agent, office, all parameters and the deadline', async () => {
    await using office = await openDesk();
    const { questions } = office.computers.desk;
    const { seen, face } = watcher();
    questions.attend(face);
    const calling = office.agent.callTool(echo, { timeout: 20_000 });
    await eventually(() => expect(questions.open).toHaveLength(1));
    expect(questions.open).toEqual(seen);
    expect(seen[0]).toMatchObject({
      kind: 'confirmation',
      server: 's',
      tool: 'echo',
      originalTool: 'echo',
      agent: 'agent',
      office: 'test',
      params: { text: 'hi' },
    });
    expect(seen[0]?.deadline).toBeGreaterThan(Date.now());
    expect(questions.answer(seen[0]?.id ?? '', { action: 'run' }, 'page')).toBe(true);
    expect(textOf(await calling)).toBe('{"text":"hi"}');
  });

  test('the first answer wins, the others are withdrawn and learn by whom', async () => {
    await using office = await openDesk();
    const { questions } = office.computers.desk;
    const one = watcher();
    questions.attend(one.face);
    questions.attend({ name: 'page' });
    const settled: unknown[] = [];
    questions.on('settled', ({ answer, by }) => void settled.push({ answer, by }));
    const calling = office.agent.callTool(echo);
    await eventually(() => expect(questions.open).toHaveLength(1));
    const [{ id }] = questions.open as [Question];
    expect(questions.answer(id, { action: 'refuse', reason: 'not today' }, 'page')).toBe(true);
    expect(questions.answer(id, { action: 'run' }, 'late')).toBe(false);
    const result = await calling;
    expect(result).toMatchObject({ isError: true, meta: { error_code: 4005 } });
    expect(textOf(result)).toBe("Tool 'echo' was refused by the owner: not today");
    expect(one.withdrawn).toEqual([id]);
    expect(settled).toEqual([{ answer: { action: 'refuse', reason: 'not today' }, by: 'page' }]);
    expect(questions.open).toEqual([]);
  });

  test.each([
    ['no face', () => undefined],
    ['a face that gives up', () => ({ name: 'f', ask: async () => undefined })],
    ['a face that fails', () => ({ name: 'f', ask: async () => Promise.reject(new Error('gone')) })],
    ['a face that answers nonsense', () => ({ name: 'f', ask: async () => 'yes' as unknown as Answer })],
  ])('with %s a call is refused, never run', async (_, face) => {
    await using office = await openDesk();
    const made = face();
    if (made) office.computers.desk.questions.attend(made);
    expect(await office.agent.callTool(echo)).toMatchObject({ isError: true, meta: { error_code: 4005 } });
  });

  test('an Agent that wants progress learns that its call waits for the owner, and that it was confirmed', async () => {
    await using office = await openDesk();
    const { questions } = office.computers.desk;
    questions.attend({ name: 'page' });
    const messages: (string | undefined)[] = [];
    const calling = office.agent.callTool(echo, { onProgress: ({ message }) => void messages.push(message) });
    await eventually(() => expect(messages).toEqual(["waiting for the owner's confirmation"]));
    expect(questions.answer(questions.open[0]?.id ?? '', { action: 'run' }, 'page')).toBe(true);
    expect(textOf(await calling)).toBe('{"text":"hi"}');
    const local: (string | undefined)[] = [];
    const onProgress = ({ message }: { message?: string }) => void local.push(message);
    const again = office.computers.desk.callTool({ tool: 'echo', params: { text: 'hi' }, onProgress });
    await eventually(() => expect(questions.open).toHaveLength(1));
    expect(questions.answer(questions.open[0]?.id ?? '', { action: 'run' }, 'page')).toBe(true);
    await again;
    expect(local).toEqual(["waiting for the owner's confirmation", 'confirmed by the owner']);
  });

  test('a face that leaves does not answer', async () => {
    await using office = await openDesk();
    const { questions } = office.computers.desk;
    const leave = questions.attend({ name: 'page' });
    const calling = office.agent.callTool(echo);
    await eventually(() => expect(questions.open).toHaveLength(1));
    leave();
    expect(await calling).toMatchObject({ meta: { error_code: 4005 } });
    expect(questions.open).toEqual([]);
  });

  test('a face that comes later gets the open questions', async () => {
    await using office = await openDesk();
    const { questions } = office.computers.desk;
    questions.attend({ name: 'page' });
    const calling = office.agent.callTool(echo);
    await eventually(() => expect(questions.open).toHaveLength(1));
    questions.attend({ name: 'late', ask: async () => ({ action: 'run' }) });
    expect(textOf(await calling)).toBe('{"text":"hi"}');
  });

  test('a cancelled call withdraws its question, and a late answer runs nothing', async () => {
    await using office = await openDesk();
    const { questions, history } = office.computers.desk;
    questions.attend({ name: 'page' });
    const stop = new AbortController();
    const calling = office.agent.callTool(echo, { signal: stop.signal });
    await eventually(() => expect(questions.open).toHaveLength(1));
    const [{ id }] = questions.open as [Question];
    stop.abort();
    expect(await calling).toMatchObject({ meta: { a2c_cancelled: true } });
    expect(questions.open).toEqual([]);
    expect(questions.answer(id, { action: 'run' })).toBe(false);
    expect(history.filter(({ success }) => success)).toEqual([]);
  });

  verifies('confirm.edited', async () => {
    await using office = await openDesk({ confirm: () => ({ action: 'run', params: { text: 'safe' } }) });
    const result = await office.agent.callTool(echo);
    expect(result.content[0]).toMatchObject({ text: '{"text":"safe"}' });
    expect(result.content[1]?.text).toContain('changed the parameters');
    expect(result.meta).toMatchObject({ a2c_edited_params: { text: 'safe' } });
  });

  test('a yes for the session counts until another Agent comes, one for minutes until they are over', async () => {
    const asked: Confirmation[] = [];
    await using office = await openDesk({
      confirm: confirmation => {
        asked.push(confirmation);
        return { action: 'run', remember: 'session' };
      },
    });
    await office.agent.callTool(echo);
    await office.agent.callTool(echo);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ agent: 'agent', office: 'test' });
    expect(await office.computers.desk.callTool({ tool: 'echo' })).not.toHaveProperty('isError');
    expect(asked).toHaveLength(2);
  });

  test('"always" is stored by the program, once', async () => {
    const stored: unknown[] = [];
    await using office = await openDesk({
      confirm: () => ({ action: 'run', remember: 'always' }),
      remember: async ({ server, originalTool }) => void stored.push([server, originalTool]),
    });
    await office.agent.callTool(echo);
    await office.agent.callTool(echo);
    expect(stored).toEqual([['s', 'echo']]);
  });

  test('racing answers, cancellations and leaving faces never run a call twice, nor one that was refused', async () => {
    const runs = new Map<string, number>();
    const work = {
      needsConfirmation: true,
      run: ({ id }: { id?: string }) => void runs.set(String(id), (runs.get(String(id)) ?? 0) + 1),
    };
    await using office = await testOffice({ desk: { work } });
    const { questions } = office.computers.desk;
    const allowed = new Set<string>();
    questions.attend({ name: 'anchor' });
    const random = (n: number) => Math.floor(Math.random() * n);
    questions.on('asked', question => {
      if (question.kind !== 'confirmation') return;
      const id = String(question.params.id);
      const leave = questions.attend({ name: 'brief' });
      const act = [
        () => questions.answer(question.id, { action: 'run' }) && allowed.add(id),
        () => questions.answer(question.id, { action: 'refuse' }),
        leave,
      ];
      for (let time = 0; time < 3; time++) setTimeout(act[random(3)] ?? leave, random(4));
      setTimeout(() => questions.answer(question.id, { action: 'refuse' }), 5);
    });
    const callWork = async (id: string) => {
      const stop = new AbortController();
      if (random(3) === 0) setTimeout(() => stop.abort(), random(8));
      await office.agent.callTool({ computer: 'desk', tool: 'work', params: { id } }, { signal: stop.signal });
    };
    for (let round = 0; round < 10; round++) {
      await Promise.all(Array.from({ length: 100 }, (_, n) => callWork(`${round}/${n}`)));
    }
    expect([...runs.values()].every(count => count === 1)).toBe(true);
    expect([...runs.keys()].filter(id => !allowed.has(id))).toEqual([]);
    expect(runs.size).toBeGreaterThan(100);
    expect(questions.open).toEqual([]);
  });
});
