import { langchainTools } from '@a2c-smcp/agent/langchain';
import { mastraTools } from '@a2c-smcp/agent/mastra';
import { agentsTools } from '@a2c-smcp/agent/openai-agents';
import { expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { openOffice } from './office.ts';
import { type Script, text } from './scripted-computer.ts';

const picture = { type: 'image', data: 'AAAA', mimeType: 'image/png' } as const;
const tools: Record<string, Script> = {
  echo: ({ say }) => text(String(say)),
  'take.picture': () => ({ content: [{ type: 'text', text: 'Here' }, picture] }),
  fail: () => ({ ...text('no disk'), isError: true }),
};
const url = 'data:image/png;base64,AAAA';
const described = 'Here\n\n[image of type image/png]';

test('LangChain’s tool function gets name, schema and content with the result as artifact', async () => {
  await using office = await openOffice({ tools });
  // As `tool` of @langchain/core/tools: the function first, then the fields.
  const made = langchainTools(office.agent, (run, fields) => ({ run, ...fields }));
  expect(made[0]).toMatchObject({ name: 'echo', description: 'Runs echo', schema: { type: 'object', properties: {} } });
  expect(made.map(({ responseFormat }) => responseFormat)).toEqual(Array(3).fill('content_and_artifact'));
  const [echo, shot, fail] = await Promise.all(made.map(({ run }) => run({ say: 'hi' })));
  expect(echo).toEqual(['hi', text('hi')]);
  expect(shot?.[0]).toEqual([
    { type: 'text', text: described },
    { type: 'image_url', image_url: { url } },
  ]);
  expect(fail).toMatchObject(['The tool failed: no disk', { isError: true }]);
});

test('the tool function of OpenAI Agents gets a schema that is not strict, and approval where it is wanted', async () => {
  await using office = await openOffice({ tools });
  const needsApproval = (tool: { name: string }) => tool.name === 'fail';
  const made = agentsTools(office.agent, fields => fields, { needsApproval });
  expect(made[0]).toMatchObject({
    ...{ name: 'echo', description: 'Runs echo', strict: false },
    parameters: { type: 'object', properties: {}, required: [], additionalProperties: true },
  });
  expect(await Promise.all(made.map(tool => tool.needsApproval?.(undefined, {})))).toEqual([false, false, true]);
  expect(await Promise.all(made.map(({ execute }) => execute({ say: 'hi' })))).toEqual([
    'hi',
    [
      { type: 'text', text: described },
      { type: 'image', image: url },
    ],
    'The tool failed: no disk',
  ]);
  const plain = agentsTools(office.agent, fields => fields, { confirm: () => 'not today' });
  expect(plain[0]).not.toHaveProperty('needsApproval');
  expect(await plain[0]?.execute({})).toBe("The tool failed: The call of tool 'echo' was refused: not today");
});

test('Mastra gets tools with JSON Schema in parameters, and results as text', async () => {
  await using office = await openOffice({ tools });
  const made = mastraTools(office.agent);
  expect(Object.keys(made)).toEqual(['echo', 'take_picture', 'fail']);
  expect(made.echo).toMatchObject({ id: 'echo', description: 'Runs echo', parameters: { type: 'object' } });
  const results = await Promise.all(Object.values(made).map(tool => tool.execute({ say: 'hi' })));
  expect(results).toEqual(['hi', described, 'The tool failed: no disk']);
});

test.each([
  ['LangChain', 'signal'],
  ['OpenAI Agents', 'signal'],
  ['Mastra', 'abortSignal'],
])('aborting a run of %s cancels the call on the Computer', async (framework, field) => {
  await using office = await openOffice({ tools: { hang: () => new Promise(() => {}) } });
  const controller = new AbortController();
  const options = { [field]: controller.signal };
  const { agent, computer } = office;
  const running =
    framework === 'LangChain'
      ? langchainTools(agent, run => run)[0]?.({}, options)
      : framework === 'Mastra'
        ? mastraTools(agent).hang?.execute({}, options)
        : agentsTools(agent, ({ execute }) => execute)[0]?.({}, undefined, options);
  await eventually(() => expect(computer.askedFor('client:tool_call')).toHaveLength(1));
  controller.abort();
  await eventually(() => expect(computer.cancelled).toHaveLength(1));
  expect(JSON.stringify(await running)).toContain('was cancelled');
});
