import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decode, encode, type NodeMessage, readGone } from './messages.ts';

/** What a node makes of bytes. */
function read(bytes: Buffer, isProven = false): { received: [NodeMessage, string][]; malformed: number } {
  const received: [NodeMessage, string][] = [];
  let malformed = 0;
  const onMalformed = () => {
    malformed += 1;
  };
  decode(bytes, { receive: (message, body) => received.push([message, String(body)]), onMalformed, isProven });
  return { received, malformed };
}

function bytesOf(...messages: [NodeMessage, string][]): Buffer {
  return Buffer.concat(messages.flatMap(([message, body]) => encode(message, body)));
}

const call: NodeMessage = {
  ...{ type: 'call', id: 7, from: 'node-a', event: 'client:tool_call' },
  ...{ office: 'office\n1', computer: '机 器', timeout: 1500 },
};
const request = '["client:tool_call",{"text":"é\\n"}]';
const all: [NodeMessage, string][] = [
  [call, request],
  [{ type: 'answer', id: 7 }, '[{"content":[]}]'],
  [{ type: 'answer', id: 8, missing: true }, ''],
  [{ type: 'abandon', id: 7, from: 'node-a' }, ''],
  [{ type: 'broadcast', from: 'node-a', office: 'o', to: 'agent' }, '["notify:update_tool_list",{}]'],
  [{ type: 'ask', id: 1, from: 'node-a' }, '{"members":true}'],
  [{ type: 'tell', id: 1 }, ''],
  [{ type: 'evict', sid: 's' }, ''],
  [{ type: 'disconnect', sid: 's' }, ''],
  [{ type: 'settling' }, ''],
  [{ type: 'gone' }, '[]'],
];

test.each([true, false])('messages that arrive together are read in order (from a proven node: %s)', isProven => {
  expect(read(bytesOf(...all), isProven)).toEqual({ received: all, malformed: 0 });
});

describe('a message that cannot be read is dropped, and the next one is not', () => {
  test.each<[name: string, head: string, body: string]>([
    ['no JSON', 'nonsense', ''],
    ['an unknown type', '{"type":"shutdown"}', ''],
    ['a call without an office', '{"type":"call","id":1,"from":"a","event":"e","computer":"c","timeout":1}', request],
    ['a call that waits for ever', JSON.stringify({ ...call, timeout: 2 ** 40 }), request],
    ['a call that is no request', JSON.stringify(call), '["notify:enter_office",{}]'],
    ['a call of broken JSON', JSON.stringify(call), '["client:tool_call",{]'],
    ['an answer of broken JSON', '7', '[{"content":]'],
    ['an answer that is no list', '7', '{}'],
    ['an answer without an id', '7.5', '[{}]'],
    ['a notification that is a request', '{"type":"broadcast","from":"a","office":"o"}', request],
  ])('%s', (_, head, body) => {
    const broken = Buffer.from(`${Buffer.byteLength(body)} ${head}\n${body}`);
    expect(read(Buffer.concat([broken, bytesOf([call, request])]))).toEqual({
      received: [[call, request]],
      malformed: 1,
    });
  });

  test('bytes that are no text', () => {
    const body = Buffer.concat([Buffer.from('["client:'), Buffer.from([0xff, 0xfe]), Buffer.from('"]')]);
    expect(read(Buffer.concat(encode(call, body)))).toEqual({ received: [], malformed: 1 });
  });

  test('one whose length is unknown takes the rest with it', () => {
    const rest = bytesOf([call, request]);
    for (const head of ['x {"type":"settling"}\n', '99999 {"type":"settling"}\n', '12345678901 {}\n', ' \n']) {
      expect(read(Buffer.concat([Buffer.from(head), rest]))).toEqual({ received: [], malformed: 1 });
    }
  });
});

test('a node that has proved itself has checked what it passes on, which is not parsed again', () => {
  expect(read(bytesOf([call, '["client:tool_call",{]']), true).malformed).toBe(0);
});

test('any bytes are harmless', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (bytes, isProven) => {
      read(Buffer.from(bytes), isProven);
      expect(readGone(Buffer.from(bytes))).toBeInstanceOf(Array);
    }),
  );
});
