import { createReadStream } from 'node:fs';
import { access, open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { hashOf } from '../config/origin.ts';
import { type AuditLine, CHAIN_START, readAuditLine } from './line.ts';

/** The name of an older part; 0 is the file itself. */
export function rotatedName(file: string, number: number): string {
  return number === 0 ? file : `${file}.${number}`;
}

/** The parts of an audit file that exist, oldest first. */
export async function auditFiles(file: string): Promise<string[]> {
  const parts: string[] = [];
  for (let number = 0; await exists(rotatedName(file, number)); number++) parts.unshift(rotatedName(file, number));
  return parts;
}

/** All lines of an audit file and its older parts, oldest first. */
export async function* readAudit(file: string): AsyncGenerator<{ file: string; number: number; text: string }> {
  for (const part of await auditFiles(file)) {
    let number = 0;
    for await (const text of createInterface({ input: createReadStream(part, 'utf8'), crlfDelay: Infinity })) {
      number += 1;
      yield { file: part, number, text };
    }
  }
}

/** The calls of an audit file, oldest first. Damaged lines are left out. */
export async function* auditedCalls(file: string): AsyncGenerator<AuditLine> {
  for await (const { text } of readAudit(file)) {
    const line = readAuditLine(text);
    if (line) yield line;
  }
}

export interface AuditProblem {
  file: string;
  /** From 1. */
  line: number;
  problem: string;
}

export interface AuditVerification {
  lines: number;
  /** The first few; one change shows at the line itself and at the next. */
  problems: AuditProblem[];
  /** The first line is not the first of all: older files were removed. */
  startsAt: number | undefined;
}

const MAX_PROBLEMS = 20;

/** Checks that no line was changed, added or removed, except at the end and with whole old files. */
export async function verifyAudit(file: string): Promise<AuditVerification> {
  const problems: AuditProblem[] = [];
  let [lines, startsAt]: [number, number | undefined] = [0, undefined];
  let before: { seq: number; sum: string } | undefined;
  for await (const { file: part, number, text } of readAudit(file)) {
    lines += 1;
    const problem = problemOf(text, before);
    if (problem !== undefined && problems.length < MAX_PROBLEMS) problems.push({ file: part, line: number, problem });
    const seq = readAuditLine(text)?.seq ?? (before?.seq ?? 0) + 1;
    startsAt ??= seq;
    before = { seq, sum: hashOf(text) };
  }
  return { lines, problems, startsAt };
}

function problemOf(text: string, before: { seq: number; sum: string } | undefined): string | undefined {
  const line = readAuditLine(text);
  if (!line) return 'is damaged';
  if (!before) return line.seq === 1 && line.prev !== CHAIN_START ? 'does not begin the chain' : undefined;
  if (line.seq !== before.seq + 1) return `has number ${line.seq} where ${before.seq + 1} is expected`;
  return line.prev === before.sum ? undefined : 'does not match the line before, which was changed';
}

/** Longer than any line. */
const TAIL_BYTES = 64 * 1024;

/** Where the chain of an audit file ends; undefined when it is empty. Lines that are damaged count too. */
export async function endOf(file: string): Promise<{ seq: number; sum: string } | undefined> {
  for (const part of (await auditFiles(file)).toReversed()) {
    const handle = await open(part);
    try {
      const { size } = await handle.stat();
      const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
      await handle.read(tail, 0, tail.length, size - tail.length);
      const lines = tail.toString('utf8').trimEnd().split('\n').toReversed();
      const [last] = lines;
      const damaged = lines.findIndex(line => readAuditLine(line) !== undefined);
      const seq = damaged === -1 ? 0 : (readAuditLine(lines[damaged] ?? '')?.seq ?? 0) + damaged;
      if (last) return { seq, sum: hashOf(last) };
    } finally {
      await handle.close();
    }
  }
  return undefined;
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
