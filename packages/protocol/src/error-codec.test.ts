import { describe, expect, test } from 'vitest';
import { readError, toErrorPayload, unwrapOk } from './error-codec.ts';
import { ErrorCode, SmcpError } from './errors.ts';

describe('writing an error', () => {
  test('an error is written for readers of both dialects', () => {
    const payload = toErrorPayload(new SmcpError(404, 'No computer', { details: { computer: 'desk' } }));
    expect(payload).toEqual({
      code: 404,
      message: 'No computer',
      details: { computer: 'desk' },
      error: { code: 404, message: 'No computer', details: { computer: 'desk' } },
    });
  });

  test('an error without details is written without them', () => {
    expect(Object.keys(toErrorPayload(new SmcpError(403, 'No')))).toEqual(['code', 'message', 'error']);
  });

  test('details that flat readers expect on top are repeated there', () => {
    const details = { mcp_server: 'files', mcp_server_name: 'files', capability: 'resources', other: 1 };
    const payload = toErrorPayload(new SmcpError(ErrorCode.McpCapabilityMissing, 'No resources', { details }));
    expect(payload).toMatchObject({ mcp_server: 'files', mcp_server_name: 'files', capability: 'resources' });
    expect(payload).not.toHaveProperty('other');
  });

  test('an error that is no SmcpError is written as a bare Internal', () => {
    const unknown = new TypeError('secret token abc', { cause: new Error('more') });
    expect(JSON.stringify(toErrorPayload(unknown))).toBe(
      '{"code":500,"message":"Internal error","error":{"code":500,"message":"Internal error"}}',
    );
  });

  test('the cause of an error is not written', () => {
    const error = new SmcpError(408, 'Too slow', { cause: new Error('internals') });
    expect(JSON.stringify(toErrorPayload(error))).not.toContain('internals');
  });
});

describe('reading an error', () => {
  const cases: [string, unknown, { code: number; message: string; details?: unknown }][] = [
    ['nested', { error: { code: 404, message: 'gone' } }, { code: 404, message: 'gone' }],
    [
      'nested with details',
      { error: { code: 4202, message: 'no page', details: { page_index: 99 } } },
      { code: 4202, message: 'no page', details: { page_index: 99 } },
    ],
    ['flat', { code: 403, message: 'no' }, { code: 403, message: 'no' }],
    [
      'flat with code-specific fields',
      { code: 4014, message: 'unknown', mcp_server: 'x', details: { hint: 'y' } },
      { code: 4014, message: 'unknown', details: { mcp_server: 'x', hint: 'y' } },
    ],
    [
      'flat and nested at once',
      { code: 408, message: 'late', error: { code: 408, message: 'late' } },
      { code: 408, message: 'late' },
    ],
    [
      'Rust, missing Computer',
      { Err: "Invalid request: Computer 'x' not found in office" },
      { code: 404, message: "Invalid request: Computer 'x' not found in office" },
    ],
    ['Rust, time-out', { Err: 'Timeout error: no answer' }, { code: 408, message: 'Timeout error: no answer' }],
    ['Rust, bad request', { Err: 'Invalid request: role' }, { code: 400, message: 'Invalid request: role' }],
    ['Rust, anything else', { Err: 'Socket error' }, { code: 500, message: 'Socket error' }],
  ];
  test.each(cases)('%s', (_, payload, expected) => {
    const error = readError(payload);
    expect(error).toBeInstanceOf(SmcpError);
    expect({ code: error?.code, message: error?.message, details: error?.details }).toEqual({
      details: undefined,
      ...expected,
    });
  });

  const answers = [
    null,
    undefined,
    true,
    'text',
    [],
    {},
    { error: 'text' },
    { error: { code: '404', message: 'x' } },
    { code: 'E1', message: 'x' },
    { code: 1.5, message: 'x' },
    { content: [], isError: true },
    { Err: 'x', content: [] },
  ];
  test.each(answers)('%j is an answer, not an error', answer => {
    expect(readError(answer)).toBeUndefined();
  });

  test('writing and reading gives the same error', () => {
    const details = { mcp_server: 'files', mcp_server_name: 'files' };
    const read = readError(toErrorPayload(new SmcpError(4014, 'No MCP server', { details })));
    expect(read).toMatchObject({ code: 4014, message: 'No MCP server', details });
  });
});

test("an answer loses the Rust SDK's wrapper and nothing else", () => {
  expect(unwrapOk({ Ok: { tools: [] } })).toEqual({ tools: [] });
  expect(unwrapOk({ Ok: null })).toBeNull();
  expect(unwrapOk({ Ok: 1, more: 2 })).toEqual({ Ok: 1, more: 2 });
  expect(unwrapOk('plain')).toBe('plain');
});
