import { expect, test } from 'vitest';
import * as times from './times.ts';

test('the limit nearest to the tool fires first', () => {
  const toolCall = [0, times.AGENT_TOOL_SLACK_MS, times.SERVER_TOOL_SLACK_MS];
  const others = [
    times.RESOURCE_TIMEOUT_MS,
    times.FINDER_TIMEOUT_MS,
    times.COMPUTER_TIMEOUT_MS,
    times.SERVER_TIMEOUT_MS,
    times.AGENT_TIMEOUT_MS,
  ];
  for (const limits of [toolCall, others]) expect(limits).toEqual(limits.toSorted((a, b) => a - b));
  expect(new Set(others).size).toBe(others.length);
});
