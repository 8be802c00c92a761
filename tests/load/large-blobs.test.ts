import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Agent, type CallToolResult } from '@a2c-smcp/agent';
import { scriptedServer } from '@a2c-smcp/testing';
import { expect, test } from 'vitest';
import { openBlobOffice } from '../computer/blob-office.ts';

const MB = 1_000_000;
const servers = { s: scriptedServer({ tools: ['picture', 'echo'] }, { name: 's' }) };

test.each([
  ['a picture of 60 MB', { size: 60 * MB }],
  ['a picture of 20 MB with a copy in its structured content', { size: 20 * MB, typed: true }],
])(
  '%s of a process reaches the Agent, and memory is free afterwards',
  async (_, params) => {
    await using office = await openBlobOffice({}, { computer: { servers } });
    const { url } = office.server;
    await using agent = await Agent.connect(url, { name: 'a', office: 'demo', protocolVersion: '0.4.0' });
    const call = (fill: number) =>
      agent.callTool({ computer: 'desk', tool: 'picture', params: { ...params, fill } }, { timeout: 60_000 });
    check(await call(1), params, 1);
    const before = usedAfterCollection();
    for (const fill of [2, 3]) check(await call(fill), params, fill);
    // Were something retained, it would be 80 MB for each result at least.
    expect(usedAfterCollection() - before).toBeLessThan(40 * MB);
  },
  120_000,
);

function check(result: CallToolResult, { size, typed }: { size: number; typed?: boolean }, fill: number): void {
  const expected = Buffer.alloc(size, fill).toString('base64');
  const [item] = result.content;
  expect(item?.type).toBe('image');
  expect(item?.data === expected).toBe(true);
  if (typed) expect(Object(result.structuredContent).result.data === expected).toBe(true);
}

function usedAfterCollection(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
