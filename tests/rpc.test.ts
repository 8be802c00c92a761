import { call, type Logger, serve, silentLogger } from '@a2c-smcp/core';
import { ErrorCode, SmcpError } from '@a2c-smcp/protocol';
import { describe, expect, test } from 'vitest';
import { verifies } from './conformance/verifies.ts';
import { callerOver, openSocketPair } from './sockets.ts';

const identity = { agent: 'a1', req_id: 'r1', computer: 'c1' };
const options = { timeout: 2000 };

describe('call and serve', () => {
  test('carry a request and its answer, fields of a newer peer included', async () => {
    await using pair = await openSocketPair();
    serve(pair.server, 'client:get_tools', ({ req_id, future }) => ({ tools: [], req_id, echoed: future }));
    const answer = await call(callerOver(pair.client), 'client:get_tools', { ...identity, future: 7 }, options);
    expect(answer).toEqual({ tools: [], req_id: 'r1', echoed: 7 });
  });

  test('work from the Server to the client just the same', async () => {
    await using pair = await openSocketPair();
    serve(pair.client, 'client:get_tools', async ({ req_id }) => ({ tools: [], req_id }));
    expect(await call(callerOver(pair.server), 'client:get_tools', identity, options)).toEqual({
      tools: [],
      req_id: 'r1',
    });
  });

  test('throw at the caller what the handler threw', async () => {
    await using pair = await openSocketPair();
    serve(pair.server, 'client:get_dpe', () => {
      throw new SmcpError(ErrorCode.DocumentNotFound, 'No such document', { details: { doc_ref: 'x' } });
    });
    const answer = call(callerOver(pair.client), 'client:get_dpe', { ...identity, uri: 'dpe://h/x' }, options);
    await expect(answer).rejects.toMatchObject({
      name: 'SmcpError',
      code: 4201,
      message: 'No such document',
      details: { doc_ref: 'x' },
    });
  });

  verifies(
    ['ack.always', 'error.details'],
    async () => {
      await using pair = await openSocketPair();
      const logged: unknown[] = [];
      const logger: Logger = { ...silentLogger, error: (_, fields) => logged.push(fields?.error) };
      const stranger = new RangeError('the password is x');
      const handler = () => Promise.reject(stranger);
      serve(pair.server, 'client:get_tools', handler, { logger });
      const answer = call(callerOver(pair.client), 'client:get_tools', identity, options);
      const error = await answer.catch(reason => reason);
      expect(error).toMatchObject({ code: 500, message: 'Internal error', details: undefined });
      expect(logged).toEqual([stranger]);
    },
    'the text and the stack of an unknown error stay in the log',
  );

  test('refuse a malformed request and name the field', async () => {
    await using pair = await openSocketPair();
    serve(pair.server, 'client:tool_call', () => ({ content: [] }));
    const request = { ...identity, tool_name: 'echo', params: {}, timeout: 0 };
    const answer = call(callerOver(pair.client), 'client:tool_call', request, options);
    await expect(answer).rejects.toMatchObject({
      code: 400,
      message: expect.stringContaining('client:tool_call: timeout'),
    });
  });

  test('refuse a malformed answer and name the field', async () => {
    await using pair = await openSocketPair();
    pair.server.on('client:get_tools', (_, ack) => ack({ tools: [{ name: 1 }], req_id: 'r1' }));
    const answer = call(callerOver(pair.client), 'client:get_tools', identity, options);
    await expect(answer).rejects.toMatchObject({ code: 500, message: expect.stringContaining('tools.0.name') });
  });

  test('refuse the answer to another request', async () => {
    await using pair = await openSocketPair();
    pair.server.on('client:get_tools', (_, ack) => ack({ tools: [], req_id: 'r2' }));
    await expect(call(callerOver(pair.client), 'client:get_tools', identity, options)).rejects.toThrow(
      'req_id of another request',
    );
  });
});

describe('entering an office', () => {
  const join = { role: 'agent', name: 'a1', office_id: 'o1' } as const;

  test('is answered with two acknowledgement arguments', async () => {
    await using pair = await openSocketPair();
    serve(pair.server, 'server:join_office', () => [true, null]);
    const args = await new Promise(resolve => {
      pair.client.emit('server:join_office', join, (...ack: unknown[]) => resolve(ack));
    });
    expect(args).toEqual([true, null]);
  });

  test('is refused with false and the reason, also when the request is malformed', async () => {
    await using pair = await openSocketPair();
    serve(pair.server, 'server:join_office', () => {
      throw new SmcpError(ErrorCode.OfficeFull, 'Room already has an agent');
    });
    expect(await call(callerOver(pair.client), 'server:join_office', join, options)).toEqual([
      false,
      'Room already has an agent',
    ]);
    const args = await new Promise<unknown[]>(resolve => {
      pair.client.emit('server:join_office', { role: 'king' }, (...ack: unknown[]) => resolve(ack));
    });
    expect(args).toEqual([false, expect.stringContaining('role')]);
  });

  test.each([
    ['one array', [[true, null]], [true, null]],
    ['a bare true', [true], [true, null]],
    ['a refusal in one array', [[false, 'no']], [false, 'no']],
  ])('understands %s', async (_, ack, expected) => {
    await using pair = await openSocketPair();
    pair.server.on('server:join_office', (__, answer) => answer(...ack));
    expect(await call(callerOver(pair.client), 'server:join_office', join, options)).toEqual(expected);
  });
});

describe('other dialects', () => {
  test.each([
    ['nested', { error: { code: 404, message: 'gone' } }, 404],
    ['flat', { code: 4104, message: 'other office' }, 4104],
    ['Rust', { Err: 'Timeout error: no answer' }, 408],
  ])('%s errors are understood', async (_, payload, code) => {
    await using pair = await openSocketPair();
    pair.server.on('client:get_tools', (__, ack) => ack(payload));
    await expect(call(callerOver(pair.client), 'client:get_tools', identity, options)).rejects.toMatchObject({ code });
  });

  test("the Rust SDK's wrapper around an answer is removed", async () => {
    await using pair = await openSocketPair();
    pair.server.on('client:get_tools', (_, ack) => ack({ Ok: { tools: [], req_id: 'r1' } }));
    expect(await call(callerOver(pair.client), 'client:get_tools', identity, options)).toEqual({
      tools: [],
      req_id: 'r1',
    });
  });

  test('an empty acknowledgement means that the event is unknown there', async () => {
    await using pair = await openSocketPair();
    pair.server.on('client:get_config', (_, ack) => ack());
    await expect(call(callerOver(pair.client), 'client:get_config', identity, options)).rejects.toThrow(
      'does not know it',
    );
  });
});

test('a request without acknowledgement, or with something else in its place, is harmless', async () => {
  await using pair = await openSocketPair();
  const seen: string[] = [];
  serve(pair.server, 'client:get_tools', ({ req_id }) => {
    seen.push(req_id);
    return { tools: [], req_id };
  });
  pair.client.emit('client:get_tools', { ...identity, req_id: 'no-ack' });
  pair.client.emit('client:get_tools', { ...identity, req_id: 'odd' }, 5);
  pair.client.emit('client:get_tools');
  pair.client.emit('client:get_tools', null, null);
  await call(callerOver(pair.client), 'client:get_tools', identity, options);
  expect(seen).toEqual(['no-ack', 'odd', 'r1']);
});
