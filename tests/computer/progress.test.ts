import { Agent, type CallProgress } from '@a2c-smcp/agent';
import type { LocalTool } from '@a2c-smcp/computer';
import { openOffice, RawPeer, recordingLogger, scriptedServer, testOffice } from '@a2c-smcp/testing';
import { describe, expect, test } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { eventually } from '../eventually.ts';
import { textOf } from './office.ts';

const servers = { s: scriptedServer({ tools: ['progress'] }) };
const openDesk = (agent = {}) => testOffice({ desk: {} }, { computer: { servers }, agent });
const call = (params: object) => ({ computer: 'desk', tool: 'progress', params: { ...params } });

describe('progress of a tool call', () => {
  test('progress reaches an Agent that wants it, with total and message, and grows', async () => {
    await using office = await openDesk();
    const reports: CallProgress[] = [];
    const onProgress = (report: CallProgress) => void reports.push(report);
    const params = { steps: 6, ms: 60, total: 6, message: 'a step' };
    expect(textOf(await office.agent.callTool(call(params), { onProgress }))).toBe('finished');
    expect(reports[0]).toEqual({ progress: 1, total: 6, message: 'a step' });
    const numbers = reports.map(({ progress }) => progress);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
  });

  test('a function reports progress through its context', async () => {
    const work: LocalTool = {
      run(_, { progress }) {
        progress({ progress: 1, total: 2 });
        return new Promise(resolve => setTimeout(() => resolve('done'), 300));
      },
    };
    await using office = await testOffice({ desk: { work } });
    const reports: CallProgress[] = [];
    const onProgress = (report: CallProgress) => void reports.push(report);
    await office.agent.callTool({ computer: 'desk', tool: 'work' }, { onProgress });
    expect(reports).toEqual([{ progress: 1, total: 2 }]);
    const local: CallProgress[] = [];
    await office.computers.desk.callTool({ tool: 'work', onProgress: report => void local.push(report) });
    expect(local).toEqual([{ progress: 1, total: 2 }]);
  });

  verifies(['progress.wanted', 'progress.audience'], async () => {
    await using office = await openOffice({ desk: { servers } });
    await using agent = await RawPeer.join(office.url, 'agent', 'a', 'test');
    await using bystander = await RawPeer.join(office.url, 'computer', 'bystander', 'test');
    const request = { agent: 'a', computer: 'desk', tool_name: 'progress', params: { steps: 3, ms: 20 }, timeout: 20 };
    await agent.ask('client:tool_call', { ...request, req_id: 'quiet' });
    expect(agent.payloads('notify:update_progress')).toEqual([]);
    await agent.ask('client:tool_call', { ...request, req_id: 'loud', progress: true });
    expect(agent.payloads('notify:update_progress')[0]).toEqual({ computer: 'desk', req_id: 'loud', progress: 1 });
    await bystander.settled();
    expect(bystander.payloads('notify:update_progress')).toEqual([]);
  });

  verifies('progress.bounded', async () => {
    await using office = await openDesk();
    const reports: CallProgress[] = [];
    const onProgress = (report: CallProgress) => void reports.push(report);
    const start = performance.now();
    await office.agent.callTool(call({ steps: 1000, ms: 1 }), { onProgress });
    const rounds = (performance.now() - start) / 200;
    expect(reports.length).toBeGreaterThan(1);
    expect(reports.length).toBeLessThanOrEqual(rounds + 1);
  });

  verifies('progress.message', async () => {
    const TOKEN = 'quite-secret-4711';
    const owned = { ...servers.s, server_parameters: { ...servers.s.server_parameters, env: { TOKEN } } };
    await using office = await testOffice({ desk: {} }, { computer: { servers: { s: owned as typeof servers.s } } });
    const reports: CallProgress[] = [];
    const onProgress = (report: CallProgress) => void reports.push(report);
    const message = `uses ${TOKEN} ${'x'.repeat(5000)}`;
    await office.agent.callTool(call({ steps: 3, ms: 100, message }), { onProgress });
    expect(reports[0]?.message).toMatch(/^uses \*\*\* x/);
    expect(reports[0]?.message?.length).toBeLessThanOrEqual(500);
  });

  test('a listener that throws is logged, and the call goes on', async () => {
    const logger = recordingLogger();
    await using office = await openDesk({ logger });
    const onProgress = () => {
      throw new Error('broken listener');
    };
    expect(textOf(await office.agent.callTool(call({ steps: 3, ms: 50 }), { onProgress }))).toBe('finished');
    expect(logger.lines.filter(({ level }) => level === 'error')[0]?.message).toBe('A listener of progress failed');
  });

  verifies('progress.foreign', async () => {
    await using office = await openOffice({});
    await using desk = await RawPeer.join(office.url, 'computer', 'desk', 'test');
    await using other = await RawPeer.join(office.url, 'computer', 'other', 'test');
    await using agent = await Agent.connect(office.url, { name: 'a', office: 'test' });
    const reports: CallProgress[] = [];
    const onProgress = (report: CallProgress) => void reports.push(report);
    let finish: (result: object) => void = () => {};
    desk.socket.on('client:tool_call', (_, ack) => {
      finish = ack;
    });
    const calling = agent.callTool({ computer: 'desk', tool: 't' }, { onProgress });
    await eventually(() => expect(desk.payloads('client:tool_call')).toHaveLength(1));
    const [{ req_id }] = desk.payloads('client:tool_call') as [{ req_id: string }];
    const [refusal] = await other.ask('server:update_progress', { computer: 'desk', req_id, progress: 9 });
    expect(refusal).toMatchObject({ code: 403 });
    expect(await other.ask('server:update_progress', { computer: 'other', req_id, progress: 9 })).toEqual([]);
    for (const progress of ['9', null, undefined]) {
      const [malformed] = await desk.ask('server:update_progress', { computer: 'desk', req_id, progress });
      expect(malformed).toMatchObject({ code: 400 });
    }
    expect(await desk.ask('server:update_progress', { computer: 'desk', req_id, progress: 1 })).toEqual([]);
    finish({ content: [] });
    await calling;
    expect(reports).toEqual([{ progress: 1 }]);
  });
});
