import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** A patch that breaks a rule of the register. The tests that cite the rule must fail with it. */
export interface Mutant {
  /** Relative to the folder of mutants: `server/join.name.patch`, or `server/join.name_2.patch` for a second one. */
  readonly path: string;
  readonly rule: string;
  /** The behaviour of the broken sources, which is the first line of the patch. */
  readonly breaks: string;
  /** Relative to the root of the repository. */
  readonly file: string;
  readonly hunks: readonly Hunk[];
}

/** Whole lines, each with its line break. */
interface Hunk {
  readonly before: string;
  readonly after: string;
}

/** Reads all patches below `folder`. Throws for one that `git apply` would not take. */
export function readMutants(folder: string): Mutant[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(path => path.endsWith('.patch'));
  return paths.sort().map(path => parseMutant(path.replaceAll('\\', '/'), readFileSync(join(folder, path), 'utf8')));
}

function parseMutant(path: string, patch: string): Mutant {
  const [breaks = '', ...lines] = patch.replace(/\n$/, '').split('\n');
  const [rule = ''] = basename(path, '.patch').split('_');
  const files = lines.flatMap(line => /^(?:---|\+\+\+) [ab]\/(\S+)/.exec(line)?.[1] ?? []);
  const [file = ''] = files;
  if (files.length !== 2 || file !== files[1]) throw new Error(`${path} must change one file`);
  return { path, rule, breaks, file, hunks: parseHunks(path, lines) };
}

function parseHunks(path: string, lines: readonly string[]): Hunk[] {
  const starts = [...lines.keys()].filter(index => lines[index]?.startsWith('@@'));
  if (starts.length === 0) throw new Error(`${path} has no hunk`);
  return starts.map((start, index) => {
    const [, before, after] = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(lines[start] ?? '') ?? [];
    const body = lines.slice(start + 1, starts[index + 1]);
    const hunk = { before: without('+', body), after: without('-', body) };
    const isCounted = countLines(hunk.before) === Number(before ?? 1) && countLines(hunk.after) === Number(after ?? 1);
    if (!isCounted || !body.every(line => /^([ +-]|$)/.test(line))) throw new Error(`${path} has a malformed hunk`);
    return hunk;
  });
}

function without(sign: '+' | '-', lines: readonly string[]): string {
  const kept = lines.filter(line => !line.startsWith(sign));
  return kept.map(line => `${line.slice(1)}\n`).join('');
}

function countLines(text: string): number {
  return text.split('\n').length - 1;
}

/**
 * The text of the file with the mutant, or undefined when the patch no longer applies. Line numbers do not matter: the
 * lines of each hunk must occur exactly once. `git apply` would take the nearest of several places.
 */
export function applyMutant({ hunks }: Mutant, text: string): string | undefined {
  let changed = `\n${text}`;
  for (const { before, after } of hunks) {
    if (changed.split(`\n${before}`).length !== 2) return undefined;
    changed = changed.replace(`\n${before}`, () => `\n${after}`);
  }
  return changed.slice(1);
}
