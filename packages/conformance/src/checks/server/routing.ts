import { isDeepStrictEqual } from 'node:util';
import { type Checks, expect, type Run, skip } from '../../check.ts';
import { codeOf } from '../../stages/answers.ts';
import { expectError, type ServerStage } from '../../stages/server-stage.ts';
import { quiet, waitFor } from '../../stages/wait.ts';

/** Longer than five seconds, which one official Server waits whatever the `timeout` of a call is. */
const SLOW_TOOL_MS = 6000;
const CALL = { tool_name: 't', params: {}, timeout: 20 };
const RESULT = { content: [{ type: 'text', text: 'done' }], isError: false };

/** Requests of an Agent on their way to a Computer, and the answers on their way back. */
export const routing: Checks<ServerStage> = {
  'event.client.tool-call': carries('client:tool_call', CALL, () => RESULT),
  'event.client.get-tools': carries('client:get_tools', {}, ({ req_id }) => ({ tools: [], req_id })),
  'event.client.get-config': carries('client:get_config', {}, () => ({ servers: {}, inputs: [] })),
  'event.client.get-desktop': carries('client:get_desktop', {}, ({ req_id }) => ({ desktops: ['w'], req_id })),
  'event.client.get-resources': {
    since: '0.2',
    run: carries('client:get_resources', { mcp_server: 'm' }, ({ req_id }) => ({ resources: [], req_id })),
  },
  'event.client.get-finder': carries(
    'client:get_finder',
    {},
    ({ req_id }) => ({ documents: [], total_count: 0, req_id }),
    'the Server knows no Finder',
  ),
  'event.client.get-dpe': carries(
    'client:get_dpe',
    { uri: 'dpe://h/d' },
    ({ req_id }) => ({ contents: [], req_id }),
    'the Server knows no documents',
  ),
  'event.client.read-resource': carries(
    'client:read_resource',
    { uri: 'file:///x' },
    ({ req_id }) => ({ contents: [], req_id }),
    'the Server knows no reading of resources',
  ),
  'event.client.get-prompts': carries(
    'client:get_prompts',
    {},
    ({ req_id }) => ({ prompts: [], req_id }),
    'the Server knows no prompts',
  ),
  'event.client.get-prompt': carries(
    'client:get_prompt',
    { mcp_server: 'm', name: 'p', arguments: { a: 'b' } },
    ({ req_id }) => ({ messages: [], req_id }),
    'the Server knows no prompts',
  ),
  'forward.unknown': carries(
    'client:get_conformance',
    {},
    () => ({ anything: 1 }),
    'the Server forwards what it knows only',
  ),
  'routing.caller': async stage => {
    const { agent, computer, office } = await stage.openOffice();
    expectError(await computer.ask('client:get_tools', stage.request({ agent: stage.name('c') })), 403);
    const outsider = await stage.connect();
    expectError(await outsider.ask('client:get_tools', stage.request()), 4103);
    await agent.leave(office);
    expectError(await agent.ask('client:get_tools', stage.request()), 4103);
  },
  'routing.unknown-computer': async stage => {
    const { agent, computer } = await stage.openOffice();
    await stage.join('computer', 'elsewhere', stage.unique());
    const answers = [];
    for (const name of ['nobody', 'elsewhere'].map(short => stage.name(short))) {
      const answer = await agent.ask('client:get_tools', stage.request({ computer: name }));
      expectError(answer, 404);
      answers.push(JSON.stringify(answer).replaceAll(name, 'NAME'));
    }
    const [unknown, foreign] = answers.map(text => text.replaceAll(/"req_id":"[^"]*"/g, ''));
    expect(unknown === foreign, 'the same answer for an unknown Computer and one of another office', answers);
    expect(computer.payloads('client:get_tools').length === 0, 'no request at another Computer', computer.heard);
  },
  'routing.unchanged': async stage => {
    const { agent, computer } = await stage.openOffice();
    const request = stage.request({ unheard_of: { deep: [1, null, 'grüße', true] } });
    const answer = { tools: [], req_id: request.req_id, unheard_of: { deep: [0.5, '语言', null] } };
    computer.reply('client:get_tools', () => answer);
    const [got] = await agent.ask('client:get_tools', request);
    const [asked] = computer.payloads('client:get_tools');
    expect(isDeepStrictEqual(asked, request), `the request as it was sent: ${JSON.stringify(request)}`, asked);
    expect(isDeepStrictEqual(got, answer), `the answer as it was given: ${JSON.stringify(answer)}`, got);
    const refusal = { code: 4014, message: 'No such MCP server', details: { name: 'm' } };
    computer.reply('client:get_config', () => refusal);
    const [passed] = await agent.ask('client:get_config', stage.request());
    expect(isDeepStrictEqual(passed, refusal), `the error as it was given: ${JSON.stringify(refusal)}`, passed);
  },
  'routing.spoofing': async stage => {
    const { agent, computer } = await stage.openOffice();
    expectError(await agent.ask('client:get_tools', stage.request({ agent: 'another' })), 403);
    const asked = computer.payloads('client:get_tools');
    expect(asked.length === 0, 'no request at the Computer', asked);
  },
  'routing.duplicate': async stage => {
    const { agent, computer } = await stage.openOffice();
    const request = stage.request(CALL);
    const first = agent.ask('client:tool_call', request).catch(() => {});
    await waitFor(() => computer.payloads('client:tool_call')[0]);
    expectError(await agent.ask('client:tool_call', request), 400);
    computer.close();
    await first;
  },
  'routing.timeout.tool-call': {
    timeout: 25_000,
    run: async stage => {
      const office = stage.unique();
      const computer = await stage.join('computer', 'c', office);
      const agent = await stage.join('agent', 'a', office, { ackTimeout: 15_000 });
      computer.socket.on('client:tool_call', (request: { tool_name: string }, ack: (answer: unknown) => void) => {
        if (request.tool_name === 'slow') setTimeout(() => ack(RESULT), SLOW_TOOL_MS);
      });
      const call = (fields: object) => agent.ask('client:tool_call', stage.request({ ...CALL, ...fields }));
      const settle = (asked: Promise<unknown[]>) => asked.catch((error: unknown) => [error]);
      const [slow, never] = await Promise.all([
        settle(call({ tool_name: 'slow' })),
        settle(call({ tool_name: 'never', timeout: 1 })),
      ]);
      expect(
        isDeepStrictEqual(slow, [RESULT]),
        `the result of a tool of ${SLOW_TOOL_MS / 1000} s, whose timeout is 20 s`,
        slow[0],
      );
      expectError(never, 408);
    },
  },
  'routing.computer-lost': async stage => {
    const { agent, computer } = await stage.openOffice();
    computer.socket.on('client:tool_call', () => computer.close());
    const answer = await agent.ask('client:tool_call', stage.request(CALL));
    expectError(answer, 404);
  },
  'ack.originator-gone': async stage => {
    const { office, agent, computer } = await stage.openOffice();
    let finish: (() => void) | undefined;
    computer.socket.on('client:tool_call', (_: unknown, ack: (answer: unknown) => void) => {
      finish = () => ack(RESULT);
    });
    void agent.ask('client:tool_call', stage.request(CALL)).catch(() => {});
    expect(await waitFor(() => finish), 'the request at the Computer', computer.heard);
    agent.close();
    await waitFor(() => computer.payloads('notify:leave_office')[0]);
    const before = computer.heard.length;
    finish?.();
    await quiet();
    expect(computer.heard.length === before, 'nothing about the lost answer', computer.heard.slice(before));
    await stage.join('agent', 'a', office);
  },
  'error.bad-request': async stage => {
    const { agent } = await stage.openOffice();
    for (const fields of [{ computer: 5 }, { req_id: undefined }, { agent: null }]) {
      const answer = await agent.ask('client:get_tools', stage.request(fields));
      expect([400, 403].includes(codeOf(answer[0]) ?? 0), `an error for ${JSON.stringify(fields)}`, answer);
    }
  },
  'error.payload': async stage => {
    const { agent } = await stage.openOffice();
    const [payload] = await agent.ask('client:get_tools', stage.request({ computer: stage.name('nobody') }));
    const { code, message, error } = (payload ?? {}) as { code?: unknown; message?: unknown; error?: object };
    expect(typeof code === 'number' && typeof message === 'string', 'a code and a message at the top level', payload);
    if (error === undefined) skip('the payload is flat, as official peers since 0.2 send it');
    expect(isDeepStrictEqual({ code, message }, pick(error)), 'the same again under `error`', payload);
  },
};

function pick(error: { code?: unknown; message?: unknown } | undefined): object {
  return { code: error?.code, message: error?.message };
}

type Answer = (request: Record<string, unknown>) => unknown;

/** A request reaches the Computer, and its answer the Agent. */
function carries(event: string, fields: object, answer: Answer, unknown?: string): Run<ServerStage> {
  return async stage => {
    const { agent, computer } = await stage.openOffice();
    computer.reply(event, answer);
    const request = stage.request(fields);
    const got = await agent.ask(event, request).catch((error: unknown) => [error]);
    const asked = computer.payloads(event);
    if (asked.length === 0 && unknown !== undefined) skip(unknown);
    expect(asked.length === 1, `${event} at the Computer, once`, { asked, answered: got });
    const wanted = answer(request);
    expect(isDeepStrictEqual(got, [wanted]), `the answer ${JSON.stringify(wanted)}`, got);
  };
}
