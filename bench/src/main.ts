import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { exitOnSignals } from './harness/ending.ts';
import { pinTo } from './harness/pinning.ts';
import { isQuick } from './harness/quick.ts';
import { toDocument } from './report/document.ts';
import { machine } from './report/machine.ts';
import { isMet, isReliable, type Section } from './report/result.ts';
import { printed } from './report/table.ts';
import { onRequest, sections } from './rows/index.ts';

const all = { ...sections, ...onRequest };

const HELP = `npm run bench [-- options]

Measures everything and prints tables. A row whose two equal stacks differ by more than 5 % is rejected.

  --only NAME    one section (repeatable): ${Object.keys(sections).join(', ')};
                 ${Object.keys(onRequest).join(', ')} only if it is named
  --json FILE    writes the results to a file
  --write        writes docs/reports/benchmarks.md
  --core N       the core that everything is pinned to (0 unless told)
  --strict       exits with 1 when a target is missed or a row is rejected

A2C_BENCH_QUICK=1 does a little of everything in one round, to show that it works. Its figures mean nothing.
`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    json: { type: 'string' },
    core: { type: 'string', default: '0' },
    write: { type: 'boolean' },
    strict: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit();
}

const unknown = values.only?.find(name => !Object.hasOwn(all, name));
if (unknown !== undefined) refuse(`There is no section '${unknown}', only ${Object.keys(all).join(', ')}`);
if (values.only && values.write) refuse('--write needs all sections; leave out --only');
if (isQuick && values.write) refuse('--write needs figures that mean something; unset A2C_BENCH_QUICK');

exitOnSignals();
// Processes started from here on run on the same core.
if (!pinTo(values.core)) {
  process.stderr.write('taskset is missing: processes are not pinned to one core\n');
}
const measured: Section[] = [];
const started = performance.now();
for (const [name, measure] of Object.entries(values.only ? all : sections)) {
  if (values.only && !values.only.includes(name)) continue;
  const begun = performance.now();
  const section = await measure();
  measured.push(section);
  process.stdout.write(`${printed(section)}in ${Math.round((performance.now() - begun) / 1000)} s\n`);
}
const seconds = Math.round((performance.now() - started) / 1000);
const results = measured.flatMap(section => section.results);
const missed = results.filter(result => isReliable(result) && isMet(result) === false);
const rejected = results.filter(result => !isReliable(result));
process.stdout.write(
  `\n${results.length} rows in ${seconds} s, ${missed.length} targets missed, ${rejected.length} rows rejected\n`,
);
if (isQuick) process.stdout.write('A quick run: these figures mean nothing\n');
const report = { machine: machine(), seconds, sections: measured };
if (values.json) await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`);
if (values.write) await writeFile(new URL('../../docs/reports/benchmarks.md', import.meta.url), toDocument(report));
process.exitCode = values.strict && missed.length + rejected.length > 0 ? 1 : 0;

function refuse(reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(2);
}
