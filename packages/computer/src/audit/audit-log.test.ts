import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@a2c-smcp/core';
import { afterAll, describe, expect, test } from 'vitest';
import { auditedCalls, auditFiles, verifyAudit } from './audit-files.ts';
import { AuditLog, type AuditOptions } from './audit-log.ts';
import type { AuditEntry, AuditLine } from './line.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'a2c-audit-'));
  folders.push(folder);
  return join(folder, 'audit.jsonl');
}

function entry(reqId: string): AuditEntry {
  const call = { agent: 'a', office: 'o', server: 's', tool: 't', arguments: '{"text":"世界"}' };
  return { time: '2026-01-01T00:00:00.000Z', reqId, ...call, decidedBy: 'auto_apply', outcome: 'ok', duration: 0.1 };
}

async function write(file: string, ids: string[], options: Partial<AuditOptions> = {}): Promise<void> {
  const log = await AuditLog.open({ file, ...options }, silentLogger);
  for (const id of ids) log.record(entry(id));
  await log.close();
}

const linesOf = (file: string) => readFileSync(file, 'utf8').split('\n').slice(0, -1);

describe('an audit file', () => {
  test('is for its owner alone, and its chain goes on after a restart', async () => {
    const file = newFile();
    await write(file, ['1', '2']);
    await write(file, ['3']);
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(await verifyAudit(file)).toEqual({ lines: 3, problems: [], startsAt: 1 });
    const calls: AuditLine[] = [];
    for await (const call of auditedCalls(file)) calls.push(call);
    expect(calls.map(({ seq, reqId }) => [seq, reqId])).toEqual([
      [1, '1'],
      [2, '2'],
      [3, '3'],
    ]);
  });

  test.each([
    ['changed', (lines: string[]) => lines.with(1, (lines[1] ?? '').replace('"ok"', '"failed"')), 3],
    ['removed', (lines: string[]) => lines.toSpliced(1, 1), 2],
    ['added', (lines: string[]) => lines.toSpliced(1, 0, lines[0] ?? ''), 2],
    ['exchanged', (lines: string[]) => [lines[0], lines[2], lines[1], lines[3]].map(String), 2],
    ['damaged', (lines: string[]) => lines.with(1, '{"seq":2'), 2],
  ])('a line that was %s is found', async (_, change, at) => {
    const file = newFile();
    await write(file, ['1', '2', '3', '4']);
    writeFileSync(file, `${change(linesOf(file)).join('\n')}\n`);
    const { problems } = await verifyAudit(file);
    expect(problems[0]).toMatchObject({ line: at });
  });

  test('files are rotated at their size, the oldest is dropped, and the chain spans them', async () => {
    const file = newFile();
    for (let n = 0; n < 10; n++) await write(file, [`${n}`], { maxBytes: 300, keep: 2 });
    const parts = await auditFiles(file);
    expect(parts.length).toBe(3);
    const { problems, startsAt, lines } = await verifyAudit(file);
    expect(problems).toEqual([]);
    expect(startsAt).toBe(10 - lines + 1);
    expect(startsAt).toBeGreaterThan(1);
  });

  test('half a line of a process that was killed is shown, and later lines follow it', async () => {
    const file = newFile();
    await write(file, ['1']);
    appendFileSync(file, '{"seq":2,"prev":"');
    await write(file, ['2']);
    const { lines, problems } = await verifyAudit(file);
    expect(lines).toBe(3);
    expect(problems).toEqual([{ file, line: 2, problem: 'is damaged' }]);
  });

  test('a second writer is refused, and the lock of a process that has ended does not count', async () => {
    const file = newFile();
    const log = await AuditLog.open({ file }, silentLogger);
    await expect(AuditLog.open({ file }, silentLogger)).rejects.toThrow('choose another file');
    await log.close();
    writeFileSync(`${file}.lock`, '999999999', { mode: 0o600 });
    await write(file, ['1']);
    expect(linesOf(file)).toHaveLength(1);
  });
});
