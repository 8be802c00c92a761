import { parseArgs } from 'node:util';
import { openDocuments } from './documents/target.ts';
import { openFrames } from './frames/target.ts';

import { openMcp } from './mcp/target.ts';
import { Random } from './random.ts';
import type { OpenTarget } from './target.ts';

const targets: Record<string, OpenTarget> = { frames: openFrames, mcp: openMcp, documents: openDocuments };

const HELP = `npm run fuzz [-- options]

Feeds random input to real processes on this machine and checks that they survive it and go on serving others:
frames to 'a2c server' by WebSocket, long polling and plain TCP, messages of an MCP server to a Computer, and
files of every format to 'a2c-documents'. Stops by itself, with 1 when something was harmed.

  --only NAME    one target (repeatable): ${Object.keys(targets).join(', ')}
  --seconds N    how long, for all targets together (default 60)
  --seed TEXT    repeats a run (default: a new one)
  --case N       runs this case alone, or those from N on with --seconds
`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    seconds: { type: 'string' },
    seed: { type: 'string', default: Date.now().toString(36) },
    case: { type: 'string' },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit();
}
const names = values.only ?? Object.keys(targets);
const unknown = names.find(name => !Object.hasOwn(targets, name));
if (unknown !== undefined) refuse(`There is no target '${unknown}', only ${Object.keys(targets).join(', ')}`);
const seconds = Number(values.seconds ?? 60);
if (!(seconds > 0)) refuse(`--seconds must be a positive number, not '${values.seconds}'`);
const first = Number(values.case ?? 0);
if (!Number.isSafeInteger(first) || first < 0) refuse(`--case must be a number, not '${values.case}'`);
const isSingle = values.case !== undefined && values.seconds === undefined;

process.stdout.write(`seed ${values.seed}\n`);
for (const name of names) await fuzz(name, (seconds * 1000) / names.length);
process.exit();

async function fuzz(name: string, milliseconds: number): Promise<void> {
  const target = await (targets[name] as OpenTarget)();
  const end = performance.now() + milliseconds;
  let next = first;
  try {
    do {
      const count = isSingle ? 1 : target.parallel;
      const cases = Array.from({ length: count }, (_, offset) => new Random(`${values.seed}/${name}/${next + offset}`));
      await Promise.all(cases.map(random => target.run(random)));
      next += count;
    } while (!isSingle && performance.now() < end);
    process.stdout.write(`${name}: ${next - first} cases, ${await target.settle()}\n`);
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const from = Math.max(first, next - target.parallel);
    process.stdout.write(`${name}: harmed at case ${next} or little before\n${reason}\n`);
    process.stdout.write(`again: npm run fuzz -- --only ${name} --seed ${values.seed} --case ${from} --seconds 10\n`);
    process.exit(1);
  } finally {
    await target[Symbol.asyncDispose]();
  }
}

function refuse(reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(2);
}
