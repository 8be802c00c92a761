import { createHash } from 'node:crypto';
import { type Checks, expect } from '../../check.ts';
import { type AgentStage, COMPUTER, has, SILENCE, TOOL, textResult } from '../../stages/agent-stage.ts';
import type { Payload } from '../../stages/played-connection.ts';
import { waitFor } from '../../stages/wait.ts';

const CALL = { computer: COMPUTER, tool: TOOL.name, params: {} };
const BYTES = Buffer.from('bytes of an image that travels in two parts');
const PART = 20;

/** Checks how an Agent handles results and ends calls. */
export const results: Checks<AgentStage> = {
  'result.failure': async stage => {
    const { agent } = await stage.connect();
    stage.answers.set('client:tool_call', () => textResult('it failed', true));
    await agent.tools(COMPUTER);
    const result = await agent.callTool(CALL, 20);
    expect(result.isError === true, 'a failed result, not an exception', result);
  },
  'agent-timeout.cancels': async stage => {
    const { agent, member } = await stage.connect();
    stage.answers.set('client:tool_call', () => SILENCE);
    await agent.tools(COMPUTER);
    const result = agent.callTool(CALL, 1).catch((error: unknown) => error);
    const cancel = (await member.next('server:tool_call_cancel', 0, 12_000)) as Payload | undefined;
    const [call] = member.payloads('client:tool_call') as Payload[];
    expect(cancel?.req_id === call?.req_id, 'a cancellation with the req_id of the call', cancel);
    expect((cancel as Payload).agent === stage.start.name, 'its own name in the cancellation', cancel);
    const seen = (await result) as { isError?: unknown };
    expect(seen?.isError === true, 'a failed result, not an exception', seen);
  },
  'event.server.tool-call-cancel': async stage => {
    const { agent, member } = await stage.connect();
    const cancelCall = has(agent.callAndCancel?.bind(agent), 'cancel a call');
    let finish: ((result: unknown) => void) | undefined;
    stage.answers.set('client:tool_call', () => new Promise(resolve => (finish = resolve)));
    await agent.tools(COMPUTER);
    const running = waitFor(() => member.payloads('client:tool_call')[0]);
    const result = cancelCall(CALL, running).catch((error: unknown) => error);
    const cancel = (await member.next('server:tool_call_cancel', 0, 8000)) as Payload | undefined;
    const [call] = member.payloads('client:tool_call') as Payload[];
    const isIt = cancel?.req_id === call?.req_id && cancel?.agent === stage.start.name;
    expect(isIt, 'a cancellation with the name of the Agent and the req_id of the call', cancel);
    finish?.({ ...textResult('cancelled', true), meta: { a2c_cancelled: true } });
    const seen = (await result) as { isError?: unknown };
    expect(seen?.isError === true, 'the result of the Computer', seen);
  },
  'blob.drain': {
    since: '0.2',
    run: async stage => {
      const { agent } = await stage.connect();
      const sum = createHash('sha256').update(BYTES).digest('hex');
      const _meta = { a2c_blob_handle: 'h', a2c_total_size: BYTES.length, a2c_sha256: sum };
      const image = { type: 'image', mimeType: 'image/png', data: '', _meta };
      stage.answers.set('client:tool_call', () => ({ content: [image], isError: false }));
      stage.answers.set('client:get_blob', ({ req_id, chunk_offset = 0 }) => partAt(Number(chunk_offset), sum, req_id));
      await agent.tools(COMPUTER);
      const { content } = await agent.callTool(CALL, 20);
      expect(content?.[0]?.data === BYTES.toString('base64'), 'the bytes in their place', content);
      const left = JSON.stringify(content?.[0]).match(/a2c_\w+/g) ?? [];
      expect(left.length === 0, 'no key that begins with a2c_', left);
    },
  },
};

function partAt(offset: number, sha256: string, req_id: unknown): Payload {
  const bytes = BYTES.subarray(offset, offset + PART);
  return {
    blob_handle: 'h',
    mime_type: 'image/png',
    total_size: BYTES.length,
    sha256,
    chunk_offset: offset,
    eof: offset + bytes.length === BYTES.length,
    blob: bytes.toString('base64'),
    req_id,
  };
}
