import { desktopPrompt } from '@a2c-smcp/agent';
import { aiTools } from '@a2c-smcp/agent/ai-sdk';
import { anthropicTools } from '@a2c-smcp/agent/anthropic';
import { chatTools, responsesTools } from '@a2c-smcp/agent/openai';
import type { MessageParam, Tool, ToolResultBlockParam } from '@anthropic-ai/sdk/resources/messages';
import { generateText, stepCountIs } from 'ai';
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions';
import type { FunctionTool, ResponseInputItem, ResponseOutputItem } from 'openai/resources/responses/responses';
import { describe, expect, test } from 'vitest';
import { toModelOutput } from '../../packages/agent/src/models/ai-sdk-output.ts';
import { eventually } from '../eventually.ts';
import { openOffice } from './office.ts';
import { type Script, ScriptedComputer, text } from './scripted-computer.ts';
import { scriptedModel, toolUse } from './scripted-model.ts';

const picture = { type: 'image', data: 'AAAA', mimeType: 'image/png' } as const;
const scripts: Record<string, Script> = {
  echo: ({ say }) => text(String(say)),
  'take.picture': () => ({ content: [{ type: 'text', text: 'Here' }, picture] }),
  fail: () => ({ ...text('no disk'), isError: true }),
};

describe("the office's tools for OpenAI", () => {
  test('chat completions get tools, run calls and get messages', async () => {
    await using office = await openOffice({ tools: scripts });
    const kit = chatTools(office.agent);
    const tools: ChatCompletionTool[] = kit.tools;
    expect(tools).toMatchObject([
      { type: 'function', function: { name: 'echo', description: 'Runs echo', parameters: { type: 'object' } } },
      { type: 'function', function: { name: 'take_picture' } },
      { type: 'function', function: { name: 'fail' } },
    ]);
    const messages: ChatCompletionMessageParam[] = await kit.run([
      { id: '1', type: 'function', function: { name: 'echo', arguments: '{"say":"hi"}' } },
      { id: '2', type: 'function', function: { name: 'take_picture', arguments: '' } },
      { id: '3', type: 'function', function: { name: 'fail', arguments: '{}' } },
      { id: '4', type: 'custom' },
    ]);
    expect(messages).toEqual([
      { role: 'tool', tool_call_id: '1', content: 'hi' },
      { role: 'tool', tool_call_id: '2', content: 'Here\n\n[image of type image/png]' },
      { role: 'tool', tool_call_id: '3', content: 'The tool failed: no disk' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Images of tool call 2' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        ],
      },
    ]);
    expect(await kit.run(null)).toEqual([]);
  });

  test('responses get tools, run calls and get items', async () => {
    await using office = await openOffice({ tools: scripts });
    const kit = responsesTools(office.agent);
    const tools: FunctionTool[] = kit.tools;
    expect(tools[0]).toMatchObject({ type: 'function', name: 'echo', parameters: { type: 'object' }, strict: false });
    const items: ResponseInputItem[] = await kit.run([
      { type: 'reasoning' },
      { type: 'function_call', call_id: '1', name: 'take_picture', arguments: '{}' },
      { type: 'function_call', call_id: '2', name: 'fail', arguments: '{}' },
    ]);
    expect(items).toEqual([
      {
        type: 'function_call_output',
        call_id: '1',
        output: [
          { type: 'input_text', text: 'Here' },
          { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' },
        ],
      },
      {
        type: 'function_call_output',
        call_id: '2',
        output: [
          { type: 'input_text', text: 'The tool failed' },
          { type: 'input_text', text: 'no disk' },
        ],
      },
    ]);
  });
});

test('the Messages API gets tools, runs calls and gets results', async () => {
  await using office = await openOffice({ tools: scripts });
  const kit = anthropicTools(office.agent);
  const tools: Tool[] = kit.tools;
  expect(tools[0]).toMatchObject({ name: 'echo', input_schema: { type: 'object' } });
  const content: ToolResultBlockParam[] = await kit.run([
    { type: 'text' },
    { type: 'tool_use', id: '1', name: 'take_picture', input: {} },
    { type: 'tool_use', id: '2', name: 'fail', input: {} },
  ]);
  const message: MessageParam = { role: 'user', content };
  expect(message.content).toEqual([
    {
      type: 'tool_result',
      tool_use_id: '1',
      content: [
        { type: 'text', text: 'Here' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
      ],
    },
    { type: 'tool_result', tool_use_id: '2', content: [{ type: 'text', text: 'no disk' }], is_error: true },
  ]);
});

describe("the office's tools for the AI SDK", () => {
  test('a model of the AI SDK calls tools and gets the results', async () => {
    await using office = await openOffice({ tools: scripts });
    const model = scriptedModel([
      [toolUse('echo', '{"say":"hi"}'), toolUse('take_picture', '{}'), toolUse('fail', '{}')],
      [{ type: 'text', text: 'Done' }],
    ]);
    const tools = aiTools(office.agent);
    const answer = await generateText({ model, tools, prompt: 'Say hi', stopWhen: stepCountIs(3) });
    expect(answer.text).toBe('Done');
    expect(office.computer.askedFor('client:tool_call')[0]).toMatchObject({ tool_name: 'echo', params: { say: 'hi' } });
    const shown = model.doGenerateCalls[1]?.prompt.at(-1);
    expect(shown).toMatchObject({
      role: 'tool',
      content: [
        { toolName: 'echo', output: { type: 'text', value: 'hi' } },
        {
          toolName: 'take_picture',
          output: { type: 'content', value: [{ type: 'text' }, { type: 'image-data', data: 'AAAA' }] },
        },
        { toolName: 'fail', output: { type: 'error-text', value: 'no disk' } },
      ],
    });
  });

  test('images go to version 7 of the AI SDK as files, which it does not warn of', () => {
    const result = { content: [{ type: 'text' as const, text: 'Here' }, picture] };
    expect(toModelOutput(result, { hasFileParts: true })).toEqual({
      type: 'content',
      value: [
        { type: 'text', text: 'Here' },
        { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } },
      ],
    });
  });

  test('aborting a generation cancels its tools on the Computer', async () => {
    const stop = new AbortController();
    await using office = await openOffice({
      tools: {
        hang: () => {
          stop.abort();
          return new Promise(() => {});
        },
      },
    });
    const model = scriptedModel([[toolUse('hang', '{}')]]);
    const tools = aiTools(office.agent);
    await generateText({ model, tools, prompt: 'Go', abortSignal: stop.signal }).catch(() => {});
    await eventually(() => expect(office.computer.cancelled).toHaveLength(1));
  });
});

describe('calls of a model', () => {
  const call = (name: string) => ({ id: name, type: 'function', function: { name, arguments: '{"say":"hi"}' } });

  test('a call needs the consent of confirm, and its refusal is a result', async () => {
    await using office = await openOffice({ tools: scripts });
    const asked: unknown[] = [];
    const kit = chatTools(office.agent, {
      confirm: ({ name, computer, tool, params }) => {
        asked.push([name, computer, tool.name, params]);
        return name === 'echo' ? true : name === 'fail' ? 'not today' : false;
      },
    });
    const messages = await kit.run([call('echo'), call('take_picture'), call('fail')]);
    expect(messages.map(({ content }) => content)).toEqual([
      'hi',
      "The tool failed: The call of tool 'take_picture' was refused",
      "The tool failed: The call of tool 'fail' was refused: not today",
    ]);
    expect(asked[1]).toEqual(['take_picture', 'desk', 'take.picture', { say: 'hi' }]);
    expect(office.computer.askedFor('client:tool_call')).toHaveLength(1);
  });

  test('calls and results are reported, and the timeout may depend on the tool', async () => {
    await using office = await openOffice({ tools: scripts });
    const seen: unknown[] = [];
    const kit = chatTools(office.agent, {
      onCall: ({ name }) => seen.push(name),
      onResult: ({ name }, { isError = false }) => seen.push([name, isError]),
      timeout: ({ name }) => (name === 'echo' ? 5000 : undefined),
    });
    await kit.run([call('echo')]);
    await kit.run([call('fail')]);
    expect(seen).toEqual(['echo', ['echo', false], 'fail', ['fail', true]]);
    expect(office.computer.askedFor('client:tool_call').map(({ timeout }) => timeout)).toEqual([5, 60]);
  });

  test('calls of the program’s own tools are left to it, and their names are not given away', async () => {
    await using office = await openOffice({ tools: scripts });
    const ownTools = ['echo', 'weather'];
    const kit = chatTools(office.agent, { ownTools });
    expect(kit.tools.map(tool => tool.function.name)).toEqual(['desk__echo', 'take_picture', 'fail']);
    expect(['echo', 'weather', 'nonsense', 'fail'].map(name => kit.has(name))).toEqual([false, false, false, true]);
    expect(await kit.run([call('weather'), call('echo'), call('desk__echo')])).toMatchObject([
      { tool_call_id: 'desk__echo' },
    ]);
    const claude = anthropicTools(office.agent, { ownTools });
    expect(await claude.run([{ type: 'tool_use', id: '1', name: 'weather', input: {} }])).toEqual([]);
    const responses = responsesTools(office.agent, { ownTools });
    expect(await responses.run([{ type: 'function_call', call_id: '1', name: 'weather' }])).toEqual([]);
  });

  test('the AI SDK asks for approval where a tool needs it', async () => {
    await using office = await openOffice({ tools: scripts });
    const model = scriptedModel([[toolUse('echo', '{"say":"hi"}'), toolUse('fail', '{}')]]);
    const tools = aiTools(office.agent, { needsApproval: tool => tool.name === 'fail' });
    const { content } = await generateText({ model, tools, prompt: 'Go' });
    expect(content.filter(({ type }) => type === 'tool-approval-request')).toMatchObject([
      { toolCall: { toolName: 'fail' } },
    ]);
    expect(office.computer.askedFor('client:tool_call').map(({ tool_name }) => tool_name)).toEqual(['echo']);
  });

  test('the output of a response is taken as the OpenAI SDK types it', async () => {
    await using office = await openOffice({ tools: scripts });
    const output: ResponseOutputItem[] = [];
    expect(await responsesTools(office.agent).run(output)).toEqual([]);
  });
});

describe('the tools that a model gets', () => {
  test('tools are selected by Computer, tag and name', async () => {
    await using office = await openOffice({ tools: scripts });
    const { agent, computer, server } = office;
    computer.descriptions.set('echo', { meta: { a2c_tool_meta: '{"tags": ["safe"]}' } });
    computer.announce('tool_list');
    await using _lab = await ScriptedComputer.join(server.url, { name: 'lab', tools: { echo: () => text('lab') } });
    await agent.waitFor({ computer: 'lab', tool: 'echo' });
    const names = (filter: Parameters<typeof chatTools>[1]) =>
      chatTools(agent, filter).tools.map(tool => tool.function.name);
    expect(names({ computers: ['lab'] })).toEqual(['echo']);
    expect(names({ names: ['fail'] })).toEqual(['fail']);
    await eventually(() => expect(names({ tags: ['safe'] })).toEqual(['echo']));
    expect(names({})).toEqual(['desk__echo', 'take_picture', 'fail', 'lab__echo']);
  });

  test('a tool on two Computers runs on the right one, which its description names', async () => {
    await using office = await openOffice({ tools: scripts });
    const { agent, server } = office;
    await using _lab = await ScriptedComputer.join(server.url, {
      name: 'lab',
      tools: { echo: () => text('from lab') },
    });
    await agent.waitFor({ computer: 'lab', tool: 'echo' });
    const kit = chatTools(agent);
    expect(kit.tools.at(-1)?.function.description).toBe("Runs echo\n\nRuns on computer 'lab'");
    const call = { id: '1', type: 'function', function: { name: 'lab__echo', arguments: '{}' } };
    expect(await kit.run([call])).toEqual([{ role: 'tool', tool_call_id: '1', content: 'from lab' }]);
  });

  test('a name never moves to another Computer when one leaves and joins again', async () => {
    await using office = await openOffice({ tools: { echo: () => text('from desk') } });
    const { agent, server } = office;
    const tools = { echo: () => text('from lab') };
    const lab = await ScriptedComputer.join(server.url, { name: 'lab', tools });
    await agent.waitFor({ computer: 'lab', tool: 'echo' });
    const offered = () => Object.keys(aiTools(agent));
    const before = offered();
    expect(before).toEqual(['desk__echo', 'lab__echo']);
    await lab.close();
    await eventually(() => expect(agent.computers.size).toBe(1));
    expect(offered()).toEqual(['echo']);
    await office.computer.close();
    await using _lab = await ScriptedComputer.join(server.url, { name: 'lab', tools });
    await agent.waitFor({ computer: 'lab', tool: 'echo' });
    await eventually(() => expect(agent.computers.size).toBe(1));
    expect(offered()).toEqual(['lab__echo']);
    await using _desk = await ScriptedComputer.join(server.url, { tools: { echo: () => text('from desk') } });
    await agent.waitFor({ computer: 'desk', tool: 'echo' });
    expect(offered()).toEqual(before);
    expect(Object.keys(aiTools(agent, { alwaysPrefix: true, computers: ['lab'] }))).toEqual(['lab__echo']);
  });

  test('calls of a conversation that began elsewhere are run, or refused if several tools are meant', async () => {
    await using office = await openOffice({ tools: scripts });
    const { agent, server } = office;
    const run = async (name: string) => {
      const [message] = await chatTools({ computers: agent.computers, callTool: agent.callTool.bind(agent) }).run([
        { id: '1', type: 'function', function: { name, arguments: '{"say":"hi"}' } },
      ]);
      return message?.content;
    };
    expect(await run('echo')).toBe('hi');
    expect(await run('desk__echo')).toBe('hi');
    await using _lab = await ScriptedComputer.join(server.url, { name: 'lab', tools: { echo: () => text('lab') } });
    await agent.waitFor({ computer: 'lab', tool: 'echo' });
    expect(await run('echo')).toBe("The tool failed: There is no tool 'echo'; use one of 'desk__echo', 'lab__echo'");
    expect(await run('lab__echo')).toBe('lab');
  });

  test.each([
    ['of an unknown tool', 'nonsense', '{}', "There is no tool 'nonsense'"],
    ['with malformed JSON', 'echo', '{', 'not a JSON object'],
    ['with an array for arguments', 'echo', '[1]', 'not a JSON object'],
  ])('a call %s gets a failure that the model can read', async (_, name, input, problem) => {
    await using office = await openOffice({ tools: scripts });
    const kit = chatTools(office.agent);
    expect(kit.tools).toHaveLength(3);
    const [message] = await kit.run([{ id: '1', type: 'function', function: { name, arguments: input } }]);
    expect(message).toMatchObject({ role: 'tool', content: expect.stringContaining(problem) });
  });

  test('a call gets a failure after the Computer has left', async () => {
    await using office = await openOffice({ tools: scripts });
    const kit = anthropicTools(office.agent);
    expect(kit.tools).toHaveLength(3);
    await office.computer.close();
    const [result] = await kit.run([{ type: 'tool_use', id: '1', name: 'echo', input: {} }]);
    expect(result).toMatchObject({ is_error: true });
  });
});

test('desktopPrompt writes all desktops as one text', async () => {
  await using office = await openOffice();
  const { agent, computer, server } = office;
  computer.windows.push('window://editor/main\n\nline 1\n\nline 2', 'window://empty');
  await using _lab = await ScriptedComputer.join(server.url, { name: 'lab' });
  await eventually(() => expect(agent.computers.has('lab')).toBe(true));
  expect(await desktopPrompt(agent)).toBe(
    [
      "# Desktop of computer 'desk'",
      '<window uri="window://editor/main">\nline 1\n\nline 2\n</window>',
      '<window uri="window://empty"/>',
      "# Desktop of computer 'lab'",
      '(no windows)',
    ].join('\n\n'),
  );
  expect(await desktopPrompt(agent, { computers: ['gone'] })).toContain('(could not be read)');
});
