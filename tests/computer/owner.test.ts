import { expect, test } from 'vitest';
import { ownerCommands } from '../../packages/cli/src/commands/computer/shell/owner.ts';
import { createStyle } from '../../packages/cli/src/output/style.ts';
import { eventually, openComputer, openOffice, scripted, textOf } from './office.ts';

test('a pending call is reported from its start to its end, and stopped by the owner', async () => {
  await using office = await openOffice({ servers: { scripted: scripted({ tools: ['progress', 'hang'] }) } });
  const { computer } = office;
  const events: string[] = [];
  computer.on('callStarted', ({ tool }) => events.push(`started ${tool}`));
  computer.on('callChanged', ({ progress }) => events.push(`progress ${progress?.progress ?? 'none'}`));
  computer.on('callEnded', ({ record, result }) => events.push(`${record.outcome} ${textOf(result)}`));
  computer.questions.attend({ name: 'owner', ask: async () => ({ action: 'run' }) });
  await office.callTool('progress', { steps: 3, total: 3, ms: 20 });
  expect(events).toEqual(['started progress', 'progress none', 'progress 1', 'progress 2', 'ok finished']);
  const endless = office.callTool('hang');
  await eventually(() =>
    expect(computer.pendingCalls).toMatchObject([{ tool: 'hang', agent: 'assistant', isAsking: false }]),
  );
  const [{ id } = { id: 0 }] = computer.pendingCalls;
  const printed: string[] = [];
  const invocation = { session: { computer }, args: [String(id)], print: (line: string) => printed.push(line) };
  const style = createStyle({ colour: false, width: 120 });
  await ownerCommands.calls?.run({ ...invocation, style } as never);
  await ownerCommands.cancel?.run(invocation as never);
  expect(printed.join('\n')).toMatch(/hang +scripted +assistant[\s\S]*Cancelled \d+/);
  expect(textOf(await endless)).toBe('The owner of this computer stopped the call');
  expect([computer.cancelCall(id), computer.pendingCalls]).toEqual([false, []]);
});

test('the memory of an MCP server counts all processes of its group', async () => {
  await using computer = await openComputer({ small: {}, large: { spawn: 2 } });
  const memory = await computer.memory();
  const [small = 0, large = 0] = [memory.get('small'), memory.get('large')];
  expect(small).toBeGreaterThan(10_000_000);
  expect(large).toBeGreaterThan(1.5 * small);
  await computer.disableServer('small');
  expect((await computer.memory()).has('small')).toBe(false);
});

test('attention lists questions, missing inputs and failed servers, and nothing when all is well', async () => {
  await using calm = await openComputer({ fine: {} });
  expect(await calm.attention()).toEqual([]);
  await using computer = await openComputer(
    { broken: { exit: 'start' }, asking: {} },
    {
      inputs: [{ id: 'token', type: 'promptString', description: 'A token' }],
      faces: [{ name: 'nobody', kinds: ['confirmation'] }],
      policy: [{ decision: 'ask' }],
    },
  );
  const needy = {
    name: 'needy',
    type: 'stdio' as const,
    server_parameters: { command: 'node', args: ['${input:token}'] },
  };
  await computer.addServer(needy);
  const call = computer.callTool({ tool: 'echo' });
  await eventually(async () => {
    const kinds = (await computer.attention()).map(({ kind, server, subject }) => [kind, server ?? subject]);
    expect(kinds).toEqual([
      ['question', 'asking'],
      ['input', 'token'],
      ['server', 'broken'],
    ]);
  });
  const [question] = computer.questions.open;
  computer.questions.answer(question?.id ?? '', { action: 'refuse' });
  await call;
  expect((await computer.attention()).map(({ kind }) => kind)).toEqual(['input', 'server']);
});
