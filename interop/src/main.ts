import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { document } from './document.ts';
import { checkEvidence, type Evidence } from './evidence.ts';
import { runMixed, runRelease } from './matrix.ts';
import { root } from './paths.ts';
import { install } from './peers/open-kind.ts';
import { ours } from './peers/ours.ts';
import { Unavailable } from './peers/unavailable.ts';
import { record } from './record.ts';
import { findRelease, idOf, type Release, releases } from './releases.ts';
import { type CellReport, runCell } from './run-cell.ts';
import { formatCell, formatSummary } from './table.ts';

const USAGE = `npm run interop [-- --release 0.4.2 --release rust-0.4.1] [--json] [--write] [--record]

  --release   only these releases, of the Python package unless they say rust; all without it
  --json      prints the results as JSON instead of a table
  --write     writes docs/reports/interop.md, for a run of all releases
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
const chosen: readonly (Release | undefined)[] = values.release?.map(findRelease) ?? releases;

if (values.help || chosen.includes(undefined)) {
  print(USAGE);
  process.exitCode = values.help ? 0 : 2;
} else {
  const installed = await installAll(chosen.flatMap(release => release ?? []));
  if (!values.record) await play(installed);
  else for (const release of installed) await record(release);
}

/** Those that can be on this machine. */
async function installAll(wanted: readonly Release[]): Promise<Release[]> {
  const installed: Release[] = [];
  // Side by side, where they are not there from an earlier run.
  await Promise.all(
    wanted.map(async release => {
      try {
        await install(release);
        installed.push(release);
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        process.stderr.write(`skipped ${idOf(release)}: ${error.message}\n`);
      }
    }),
  );
  return wanted.filter(release => installed.includes(release));
}

async function play(installed: readonly Release[]): Promise<void> {
  const reports: CellReport[] = [];
  const add = (report: CellReport) => {
    reports.push(report);
    if (!values.json) print(`${formatCell(report)}\n`);
  };
  const kind = ours();
  add(await runCell({ agent: kind, server: kind, computer: kind }));
  const evidence: Evidence[] = [];
  for (const release of installed) {
    await runRelease(release, add);
    evidence.push(...(await checkEvidence(release)));
  }
  await runMixed(installed, add);
  if (values.json) print(`${JSON.stringify({ reports, evidence }, null, 2)}\n`);
  if (values.write && installed.length === releases.length) {
    await writeFile(join(root, 'docs/reports/interop.md'), document(reports));
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
