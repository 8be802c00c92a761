import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Vrl, VrlCompileError, VrlRuntimeError } from '@a2c-smcp/vrl';
import { describe, expect, test } from 'vitest';
import { root } from '../packages.ts';

/** A script and the answer of the native engine, written by `packages/vrl/wasm/tests/corpus.rs`. */
interface Case {
  name: string;
  timezone: string;
  event: string;
  source: string;
  answer: { event: string; output: string } | { refused: string } | { failed: string } | { aborted: string };
}

/** Milliseconds; some functions prepare large tables when they are first used. */
const timeout = 30_000;

const folder = join(root, 'packages/vrl/wasm/tests/corpus');
const files = readdirSync(folder);
const topics = files.filter(name => name.endsWith('.json'));

test('the corpus is large, and the native engine answered every case', () => {
  const count = (name: string, pattern: RegExp) => readFileSync(join(folder, name), 'utf8').match(pattern)?.length ?? 0;
  const written = files.filter(name => name.endsWith('.txt'));
  for (const name of written) expect(cases(name.replace('.txt', '.json'))).toHaveLength(count(name, /^=== /gm));
  expect(written.flatMap(name => cases(name.replace('.txt', '.json'))).length).toBeGreaterThan(80);
  expect(topics).toHaveLength(written.length + 1);
});

describe.each(topics)('the module agrees with the native engine on %s', topic => {
  test.each(cases(topic))('$name', { timeout }, async ({ answer, ...given }) => {
    expect(await answerOf(given)).toEqual(answer);
  });
});

function cases(topic: string): Case[] {
  return JSON.parse(readFileSync(join(folder, topic), 'utf8'));
}

async function answerOf({ source, event, timezone }: Omit<Case, 'answer'>): Promise<Case['answer']> {
  try {
    using program = await Vrl.compile(source, { timeout });
    return program.runJson(event, { timezone, timeout });
  } catch (error) {
    if (error instanceof VrlCompileError) return { refused: error.diagnostics[0]?.message ?? error.message };
    if (!(error instanceof VrlRuntimeError)) throw error;
    const message = error.message.replace(/ \(line \d+, column \d+\)$/, '');
    return error.reason === 'abort' ? { aborted: message } : { failed: message };
  }
}
