import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { document } from './document.ts';
import { checkEvidence, type Evidence } from './evidence.ts';
import { runRelease } from './matrix.ts';
import { root } from './paths.ts';
import { ours } from './peers/ours.ts';
import { pythonEnvironment } from './peers/python-environment.ts';
import { record } from './record.ts';
import { releases } from './releases.ts';
import { type CellReport, runCell } from './run-cell.ts';
import { formatCell, formatSummary } from './table.ts';

const USAGE = `npm run interop [-- --release 0.1.2 --release 0.4.2] [--json] [--write] [--record]

  --release   only these releases; all without it
  --json      prints the results as JSON instead of a table
  --write     writes docs/interop.md, for a run of all releases
  --record    records golden frames into interop/fixtures instead of playing the story
`;

const { values } = parseArgs({
  options: {
    release: { type: 'string', multiple: true },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const chosen = releases.filter(({ version }) => values.release?.includes(version) ?? true);

if (values.help || chosen.length !== (values.release?.length ?? releases.length)) {
  print(USAGE);
  process.exitCode = values.help ? 0 : 2;
} else if (values.record) {
  for (const release of chosen) await record(release);
} else {
  await play();
}

async function play(): Promise<void> {
  const show = (report: CellReport) => {
    if (!values.json) print(`${formatCell(report)}\n`);
  };
  // Side by side, where they are not there from an earlier run.
  await Promise.all(chosen.map(({ version }) => pythonEnvironment(version)));
  const kind = ours();
  const alone = await runCell({ agent: kind, server: kind, computer: kind });
  show(alone);
  const reports = [alone];
  const evidence: Evidence[] = [];
  for (const release of chosen) {
    reports.push(...(await runRelease(release, show)));
    evidence.push(...(await checkEvidence(release.version)));
  }
  if (values.json) print(`${JSON.stringify({ reports, evidence }, null, 2)}\n`);
  if (values.write && chosen.length === releases.length) {
    await writeFile(join(root, 'docs', 'interop.md'), document(reports));
  }
  const failed = reports.filter(({ outcome }) => outcome === 'fail');
  const unproven = evidence.filter(({ shown }) => !shown);
  for (const { script, release } of unproven) print(`defects/${script} does not show its defect with ${release}\n`);
  if (!values.json) print(`${formatSummary(reports)}\n`);
  if (failed.length > 0 || unproven.length > 0) process.exitCode = 1;
}

function print(text: string): void {
  process.stdout.write(text);
}
