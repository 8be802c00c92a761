import { parseMessage } from '@a2c-smcp/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { worked } from '../../../../tests/worked.ts';
import { isMessage, readRequest } from './json-scan.ts';

const isRead = (text: string) => isMessage(Buffer.from(`43/smcp,1${text}`), 9);

function isParsed(text: string): boolean {
  try {
    parseMessage(text);
    return true;
  } catch {
    return false;
  }
}

const numbers = ['0', '-0', '7', '-12', '1.5', '0.25e10', '1E-7', '2e+3', '123456789012345678901234567890'];
const noNumbers = ['01', '-', '+1', '1.', '.5', '1e', '1e+', '-a', '0x1', '1_000', '00', '1.e5', 'NaN', 'Infinity'];
const strings = [
  '""',
  '"a b"',
  '"\\n\\t\\"\\\\\\/\\b\\f\\r"',
  '"\\u00e9\\uABCD"',
  '"é 漢 😀"',
  `"${'x'.repeat(1000)}"`,
];
const noStrings = [
  '"',
  '"\\"',
  '"\\x"',
  '"\\u12g4"',
  '"\\u12"',
  "'a'",
  `"${'x'.repeat(1000)}`,
  `"${'x'.repeat(100)}\\"`,
];
const rest = ['[]', '{}', '[[],{}]', '{"a":{"b":[1,{"c":null}]}}', 'true', 'false', 'null', '{ "a" : [ 1 , 2 ] }'];
const noRest = [
  '[1,]',
  '[,1]',
  '{"a"}',
  '{"a":}',
  '{"a":1,}',
  '{a:1}',
  '[1 2]',
  '[}',
  '{]',
  'tru',
  'nulll',
  '',
  ']',
  '[1]]',
];

test.each([...numbers, ...strings, ...rest])('%s is read', text => {
  expect([isRead(`[${text}]`), isRead(`["e",${text}]`), isRead(`[{"k":${text}}]`)]).toEqual([true, true, true]);
});

test.each([...noNumbers, ...noStrings, ...noRest])('%s is left to the parser, which refuses it', text => {
  expect([isRead(`["e",${text}]`), isParsed(`["e",${text}]`)]).toEqual([false, false]);
});

test('control characters are left to the parser, wherever they are', () => {
  for (let at = 1; at < 12; at++) {
    const text = `["a",  "b"]`;
    expect(isRead(`${text.slice(0, at)}\n${text.slice(at)}`)).toBe(false);
  }
});

test('the limits of messages are kept', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  expect([isRead(nested(512)), isRead(nested(513))]).toEqual([true, false]);
  const args = (count: number) => `[${Array.from({ length: count }, () => '{"a":[1,2]}').join(',')}]`;
  expect([isRead(args(100)), isRead(args(101)), isParsed(args(100)), isParsed(args(101))]).toEqual([
    ...[true, false],
    ...[true, false],
  ]);
});

test('the time for a long string does not grow with the square of its length', () => {
  const start = worked();
  expect(isRead(`["${`${'x'.repeat(100)}\\n`.repeat(50_000)}"]`)).toBe(true);
  expect(isRead(`["${'\\"'.repeat(2_000_000)}"]`)).toBe(true);
  expect(isRead(`["${'x'.repeat(200)}${'\\'.repeat(3_000_000)}"]`)).toBe(true);
  expect(worked() - start).toBeLessThan(5000);
});

test('whatever is read is parsed, and whatever is written compactly is read', () => {
  const values = fc.array(fc.jsonValue(), { maxLength: 5 }).map(value => JSON.stringify(value));
  const odd = fc.constantFrom(...'"\\[]{},:-+.eE019tfnu \n\u0000é');
  const damaged = fc.tuple(values, odd, fc.nat(), fc.nat(2)).map(([json, character, place, removed]) => {
    const at = place % (json.length + 1);
    return json.slice(0, at) + (removed === 2 ? '' : character) + json.slice(at + Math.min(removed, 1));
  });
  fc.assert(
    fc.property(values, text => {
      expect(isRead(text)).toBe(true);
    }),
    { numRuns: 500 },
  );
  fc.assert(
    fc.property(damaged, text => {
      if (isRead(text)) expect(isParsed(text)).toBe(true);
    }),
    { numRuns: 5000 },
  );
});

const fieldsRead = (text: string) => readRequest(Buffer.from(`42/smcp,1${text}`), 9);
const noFields = { agent: undefined, computer: undefined, req_id: undefined, timeout: undefined, tool_name: undefined };

test('a request is read by the fields that route it', () => {
  const body = {
    agent: 'é',
    req_id: 'r',
    computer: '机器',
    tool_name: 't',
    params: { agent: 'x', a: [1, '"'] },
    timeout: 1.5,
  };
  const { params: _, ...fields } = body;
  expect(fieldsRead(JSON.stringify(['client:tool_call', body]))).toEqual({ event: 'client:tool_call', ...fields });
  expect(fieldsRead('["client:x",{"agent":"a","agent":"b"}]')).toEqual({ ...noFields, event: 'client:x', agent: 'b' });
});

test.each([
  '["server:x",{"agent":"a"}]',
  '["client:x"]',
  '["client:x",{}]',
  '["client:x",{"agent":"a"},1]',
  '["client:x",{"agent":"a"}] ',
  '["client:\\u0078",{"agent":"a"}]',
  '["client:x",{"\\u0061gent":"b","agent":"a"}]',
  '["client:x",{"agent":"\\u0061"}]',
  '["client:x",{"agent":7}]',
  '["client:x",{"timeout":"7"}]',
  '["client:x",{"timeout":-7}]',
  '["client:x",{"timeout":null}]',
  '["client:x",{"timeout":07}]',
  '["client:x",{"params":[1,]}]',
  '["client:x",{"agent":"a"',
  '["client:x',
])('%s is left to the parser', text => {
  expect(fieldsRead(text)).toBeUndefined();
});

test('a request nested as deeply as a message may be is read, and no deeper one', () => {
  const nested = (levels: number) => `["client:x",{"params":${'['.repeat(levels)}${']'.repeat(levels)}}]`;
  expect([fieldsRead(nested(510)), fieldsRead(nested(511))]).toEqual([{ ...noFields, event: 'client:x' }, undefined]);
  expect([isParsed(nested(510)), isParsed(nested(511))]).toEqual([true, false]);
});

test('a request that is read has the fields that the parser finds', () => {
  const key = fc.oneof(fc.constantFrom('agent', 'computer', 'req_id', 'timeout', 'tool_name', 'agenT'), fc.string());
  const value = fc.oneof(
    fc.string(),
    fc.string({ unit: 'grapheme' }),
    fc.double({ min: 0, noNaN: true }),
    fc.jsonValue(),
  );
  const requests = fc.array(fc.tuple(key, value), { minLength: 1, maxLength: 6 }).map(fields => {
    const entries = fields.map(([name, field]) => `${JSON.stringify(name)}:${JSON.stringify(field)}`);
    return `["client:é",{${entries.join(',')}}]`;
  });
  const odd = fc.constantFrom(...'"\\[]{},:-+.eE019tfnu \n\u0000é');
  const damaged = fc.tuple(requests, odd, fc.nat(), fc.boolean()).map(([json, character, place, isAdded]) => {
    const at = place % (json.length + 1);
    return json.slice(0, at) + character + json.slice(isAdded ? at : at + 1);
  });
  let read = 0;
  fc.assert(
    fc.property(fc.oneof(requests, damaged), text => {
      const request = fieldsRead(text);
      if (!request) return;
      read += 1;
      const [event, body, ...more] = JSON.parse(String(Buffer.from(text)));
      const { agent, computer, req_id, timeout, tool_name } = body;
      expect(request).toEqual({ event, agent, computer, req_id, timeout, tool_name });
      expect(more).toEqual([]);
    }),
    { numRuns: 5000 },
  );
  expect(read).toBeGreaterThan(500);
});
