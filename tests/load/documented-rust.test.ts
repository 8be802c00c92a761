import { execFile, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { VrlEngine } from '@a2c-smcp/vrl';
import { beforeEach, describe, expect, test } from 'vitest';
import { root } from '../packages.ts';
import { RUST_BUILDS } from '../stories/not-run.ts';
import { stories } from '../stories/played.ts';

/** The first build of all crates takes 15 minutes of a core. */
const LIMIT_MS = 1_800_000;
const run = promisify(execFile);
const commands = stories.flatMap(story => story.commands.map(({ text }) => text));
const [buildModule = '', buildCorpus = ''] = commands.filter(text => RUST_BUILDS.test(text));
/** A copy of the package in the cache folder of the user, which keeps the compiled crates. */
const workspace = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'a2c-smcp-vrl');
const wasm = join(workspace, 'packages/vrl/wasm');

/** Why Rust is not used here; undefined if it is. */
function reasonForNoRust(): string | undefined {
  const missing = ['cargo', 'clang'].filter(program => spawnSync(program, ['--version']).status !== 0);
  if (missing.length > 0) return `no ${missing.join(', ')}`;
  if (existsSync(join(wasm, 'target')) || process.env.A2C_RUST_BUILDS === '1') return undefined;
  return 'the first build takes long: set A2C_RUST_BUILDS=1';
}

const obstacle = reasonForNoRust();

/** Runs a command of the documents in the copy. */
async function runInCopy(command: string): Promise<void> {
  const isSource = (path: string) => !/[/\\](target|node_modules|dist)$/.test(path);
  const options = { recursive: true, preserveTimestamps: true, filter: isSource };
  mkdirSync(workspace, { recursive: true });
  cpSync(join(root, 'packages/vrl'), join(workspace, 'packages/vrl'), options);
  writeFileSync(join(workspace, 'package.json'), JSON.stringify({ private: true, workspaces: ['packages/*'] }));
  const [program = '', ...words] = command.split(' ');
  await run(program, words, { cwd: workspace, maxBuffer: 64 * 1024 ** 2 });
}

describe('Rust', { timeout: LIMIT_MS }, () => {
  beforeEach(({ skip }) => skip(obstacle !== undefined, obstacle));

  test('builds the module of VRL, which runs scripts', async () => {
    await runInCopy(buildModule);
    const module = readFileSync(join(wasm, 'vrl.wasm'));
    expect(JSON.parse(readFileSync(join(wasm, 'vrl.json'), 'utf8'))).toMatchObject({ size: module.length });
    const engine = await VrlEngine.load(module);
    expect(engine.compile('.total = to_int!(.a) + to_int!(.b)').run({ a: 1, b: 2 }).output).toBe(3);
  });

  test('writes the same corpus of answers again', async () => {
    await runInCopy(buildCorpus);
    const folders = [join(root, 'packages/vrl/wasm/tests/corpus'), join(wasm, 'tests/corpus')];
    expect((await run('diff', ['--recursive', '--brief', ...folders])).stdout).toBe('');
  });
});
