import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AuditLine, auditedCalls, verifyAudit } from '@a2c-smcp/computer';
import { scriptedServer, testOffice } from '@a2c-smcp/testing';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from './temporary.ts';

const TOKEN = 'quite-secret-4711';
const s = scriptedServer({ tools: ['echo', 'fail', 'slow'] }, { tool_meta: { slow: { auto_apply: false } } });
const servers = { s: { ...s, server_parameters: { ...s.server_parameters, env: { TOKEN } } } as typeof s };

async function callAll(options: object): Promise<{ file: string; lines: AuditLine[] }> {
  const file = join(temporaryFolder(), 'audit', 'calls.jsonl');
  const confirm = () => ({ action: 'run' as const, params: { ms: 1 } });
  const computer = {
    servers,
    confirm,
    policy: [{ decision: 'deny' as const, tool: 'fail' }],
    audit: { file, ...options },
  };
  {
    await using office = await testOffice({ desk: {} }, { computer });
    const call = (tool: string, params = {}) => office.agent.callTool({ computer: 'desk', tool, params });
    await call('echo', { text: `with ${TOKEN}` });
    await call('fail');
    await call('slow', { ms: 9 });
    await call('nothing');
    await office.computers.desk.callTool({ tool: 'echo' });
  }
  const lines: AuditLine[] = [];
  for await (const line of auditedCalls(file)) lines.push(line);
  return { file, lines };
}

describe('the audit of a Computer', () => {
  test('every call is recorded with Agent, office, decision, outcome and duration', async () => {
    const { file, lines } = await callAll({});
    expect(await verifyAudit(file)).toMatchObject({ lines: 5, problems: [] });
    expect(
      lines.map(({ agent, office, server, tool, decidedBy, outcome, code }) => [
        agent,
        office,
        server,
        tool,
        decidedBy,
        outcome,
        code,
      ]),
    ).toEqual([
      ['agent', 'test', 's', 'echo', 'auto_apply', 'ok', undefined],
      ['agent', 'test', 's', 'fail', 'rule 1', 'refused', 4005],
      ['agent', 'test', 's', 'slow', 'program', 'ok', undefined],
      ['agent', 'test', '', 'nothing', 'nobody', 'failed', 4001],
      [null, null, 's', 'echo', 'auto_apply', 'ok', undefined],
    ]);
    expect(lines[2]?.arguments).toBe('{"ms":1}');
    expect(lines[0]?.duration).toBeGreaterThanOrEqual(0);
  });

  test('no secret is in the file, and arguments are left out where only their sum is wanted', async () => {
    const { file, lines } = await callAll({});
    expect(readFileSync(file, 'utf8')).not.toContain(TOKEN);
    expect(lines[0]?.arguments).toBe('{"text":"with ***"}');
    const sums = (await callAll({ arguments: 'sum' })).lines;
    expect(sums[0]).not.toHaveProperty('arguments');
    expect(sums[0]?.argumentsSum).toBe(lines[0]?.argumentsSum);
  });
});
