import type { CallToolResult } from '@a2c-smcp/protocol';
import { expect, test } from 'vitest';
import { answerText } from './parts.ts';

const odd = { toString: 0 };

test.each([
  [{ type: 'text', text: odd }, '{"type":"text","text":{"toString":0}}'],
  [{ type: 'image', data: 'AAAA', mimeType: odd }, '[image of type {"toString":0}]'],
  [
    { type: 'resource', resource: { uri: odd, blob: 'AAAA' } },
    '[resource {"toString":0} of type application/octet-stream]',
  ],
  [{ type: 'resource_link', name: odd, uri: odd }, '[resource {"toString":0} {"toString":0}]'],
  [{ type: 'resource_link', uri: 'a://b' }, '[resource  a://b]'],
])('a model is shown the block %j of a result, whatever its fields are', (block, shown) => {
  expect(answerText({ content: [block] } as unknown as CallToolResult)).toBe(shown);
});
