import { requestEvents } from '@a2c-smcp/protocol';
import { type Checks, expect } from '../../check.ts';
import { type AgentStage, COMPUTER, has, SILENCE, TOOL } from '../../stages/agent-stage.ts';
import { failureOf } from '../../stages/answers.ts';
import type { Payload } from '../../stages/played-connection.ts';
import { MESSAGE_BYTES } from '../../stages/played-server.ts';
import { waitFor } from '../../stages/wait.ts';
import { within } from '../../within.ts';

/** Longer than a lost request may be noticed. */
const SOON_MS = 5000;

/** Checks the requests of an Agent, and its handling of odd or missing answers. */
export const requests: Checks<AgentStage> = {
  'event.client.get-tools': async stage => {
    const { agent, member } = await stage.connect();
    const tools = await agent.tools(COMPUTER);
    expect(tools[0]?.name === TOOL.name, `the tool '${TOOL.name}'`, tools);
    expectWhole('client:get_tools', member.payloads('client:get_tools').at(-1));
  },
  'event.client.tool-call': async stage => {
    const { agent, member } = await stage.connect();
    await agent.tools(COMPUTER);
    const call = { computer: COMPUTER, tool: TOOL.name, params: { text: 'grüße' } };
    const { content, isError } = await agent.callTool(call, 20);
    expect(!isError && content?.[0]?.text === '{"text":"grüße"}', 'the result of the tool', content);
    const request = member.payloads('client:tool_call')[0];
    expectWhole('client:tool_call', request);
    expect((request as Payload).tool_name === TOOL.name, `tool_name '${TOOL.name}'`, request);
  },
  'event.client.get-desktop': async stage => {
    const { agent, member } = await stage.connect();
    stage.answers.set('client:get_desktop', ({ req_id }) => ({ desktops: ['window://h/w\n\ntext'], req_id }));
    const windows = await has(agent.desktop?.bind(agent), 'fetch a Desktop')(COMPUTER);
    expect(windows[0]?.startsWith('window://h/w'), 'the window', windows);
    expectWhole('client:get_desktop', member.payloads('client:get_desktop').at(-1));
  },
  'event.client.get-config': async stage => {
    const { agent, member } = await stage.connect();
    await has(agent.config?.bind(agent), 'fetch a configuration')(COMPUTER);
    expectWhole('client:get_config', member.payloads('client:get_config').at(-1));
  },
  'ack.req-id.check': async stage => {
    const { agent, member } = await stage.connect();
    await agent.tools(COMPUTER);
    await agent.tools(COMPUTER);
    const ids = member.payloads('client:get_tools').map(request => (request as Payload).req_id);
    expect(new Set(ids).size === ids.length, 'a req_id of its own for each request', ids);
    stage.answers.set('client:get_tools', () => ({ tools: [stage.tool()], req_id: 'of another request' }));
    const failure = await failureOf(agent.tools(COMPUTER));
    expect(failure !== undefined, 'an answer with another req_id to be rejected', 'success');
  },
  'struct.smcp-tool': async stage => {
    const { agent } = await stage.connect();
    stage.answers.set('client:get_tools', ({ req_id }) => ({ tools: [TOOL], req_id }));
    const tools = await agent.tools(COMPUTER);
    expect(tools[0]?.name === TOOL.name, 'a tool without meta and bundle_id to be read', tools);
  },
  'error.decode': async stage => {
    const { agent } = await stage.connect();
    const error = { code: 404, message: 'No such computer' };
    for (const payload of [error, { error }, { ...error, error }]) {
      stage.answers.set('client:get_tools', () => payload);
      const failure = await failureOf(agent.tools(COMPUTER));
      expect(failure !== undefined, `an error for ${JSON.stringify(payload)}`, 'success');
    }
  },
  'ack.nothing': async stage => {
    const { agent } = await stage.connect();
    for (const answer of [undefined, {}]) {
      stage.answers.set('client:get_tools', () => answer);
      const failure = await within(SOON_MS, failureOf(agent.tools(COMPUTER)));
      expect(failure !== 'late', 'a request that is answered with nothing to fail at once', 'no end');
      expect(failure !== undefined, 'a request that is answered with nothing to fail', 'success');
    }
  },
  'limits.answer': async stage => {
    const { agent, member } = await stage.connect();
    await agent.tools(COMPUTER);
    const params = { text: 'x'.repeat(2 * MESSAGE_BYTES) };
    const failure = await failureOf(agent.callTool({ computer: COMPUTER, tool: TOOL.name, params }, 5));
    expect(failure !== undefined, `a request above ${MESSAGE_BYTES} bytes to fail`, 'success');
    expect(member.isOpen, 'the connection to survive', 'its end');
  },
  'ack.own-disconnect': {
    timeout: 30_000,
    run: async stage => {
      const { agent, member } = await stage.connect();
      stage.answers.set('client:get_tools', () => SILENCE);
      const mark = member.mark;
      const asked = failureOf(agent.tools(COMPUTER));
      await waitFor(() => member.payloads('client:get_tools', mark)[0]);
      stage.server.policy.down = true;
      member.cut();
      const failure = await within(SOON_MS, asked);
      expect(failure !== 'late', `an error within ${SOON_MS / 1000} s of the lost connection`, 'no end');
      expect(failure !== undefined, 'an error for a request whose connection is lost', 'success');
    },
  },
};

/** Fails the check unless the request has all fields of its event. */
function expectWhole(
  event: 'client:get_tools' | 'client:tool_call' | 'client:get_desktop' | 'client:get_config',
  request: unknown,
): void {
  const parsed = requestEvents[event].request.safeParse(request);
  expect(parsed.success, `a whole request ${event}`, request);
}
