import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Result } from '@a2c-smcp/conformance';
import { document, type Run } from './document.ts';
import { checkEvidence, type Evidence } from './evidence.ts';
import { kitDocument } from './kit/document.ts';
import { findDefects, type KitReport, runKit } from './kit/run-kit.ts';
import { runLarge } from './large.ts';
import { runMixed, runRelease } from './matrix.ts';
import { root } from './paths.ts';
import { install } from './peers/open-kind.ts';
import { ours } from './peers/ours.ts';
import { Unavailable } from './peers/unavailable.ts';
import { record } from './record.ts';
import { findRelease, idOf, type Release, releases } from './releases.ts';
import { type CellReport, runCell } from './run-cell.ts';
import { runSharedOffice } from './shared-office.ts';
import { formatCell, formatSummary } from './table.ts';

const USAGE = `npm run interop [-- --release 0.4.2 --release rust-0.4.1] [--only CHAPTER …] [--json] [--write] [--record]

  --release   only these releases, of the Python package unless they say rust; all without it
  --only      story, large (images of 50 MB), office (all releases in one office) or conformance (the conformance kit
              against each role); all without it
  --json      prints the results as JSON instead of a table
  --write     writes docs/reports/interop.md for a run of everything, and docs/reports/conformance.md for one of conformance
  --record    records golden frames into interop/fixtures instead of playing the story
`;

const { values } = parseArgs({
  options: {
    release: { type: 'string', multiple: true },
    only: { type: 'string', multiple: true },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const CHAPTERS = ['story', 'large', 'office', 'conformance'];
const isMisspelled = values.only?.some(chapter => !CHAPTERS.includes(chapter)) ?? false;
const chosen: readonly (Release | undefined)[] = values.release?.map(findRelease) ?? releases;

if (values.help || isMisspelled || chosen.includes(undefined)) {
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
  const run: Run = { story: [], large: [], office: [] };
  const addTo = (reports: CellReport[]) => (report: CellReport) => {
    reports.push(report);
    if (!values.json) print(`${formatCell(report)}\n`);
  };
  const isWanted = (chapter: keyof Run | 'conformance') => values.only?.includes(chapter) ?? true;
  const evidence: Evidence[] = [];
  if (isWanted('story')) evidence.push(...(await playStory(installed, addTo(run.story))));
  if (isWanted('large')) for (const release of installed) await runLarge(release, addTo(run.large));
  if (isWanted('office')) await runSharedOffice(installed, addTo(run.office));
  if (isWanted('conformance')) await playKit(installed);
  const reports = [...run.story, ...run.large, ...run.office];
  if (values.json) print(`${JSON.stringify({ ...run, evidence }, null, 2)}\n`);
  if (values.write && values.only === undefined && installed.length === releases.length) {
    await writeFile(join(root, 'docs/reports/interop.md'), document(run, new Date()));
  }
  const failed = reports.filter(({ outcome }) => outcome === 'fail');
  const unproven = evidence.filter(({ shown }) => !shown);
  for (const { script, release } of unproven) print(`defects/${script} does not show its defect with ${release}\n`);
  if (!values.json && reports.length > 0) print(`${formatSummary(reports)}\n`);
  if (failed.length > 0 || unproven.length > 0) process.exitCode = 1;
}

/** Ours must pass, and what is known to be wrong in official releases must be found. */
async function playKit(installed: readonly Release[]): Promise<void> {
  const reports: KitReport[] = [];
  await runKit(installed, report => {
    reports.push(report);
    const { kind, role, results } = report;
    const failed = results.filter(({ outcome }) => outcome === 'fail').map(({ rule }) => rule);
    if (!values.json)
      print(`${kind} as ${role}: ${results.length} rules, ${failed.length} fail: ${failed.join(', ')}\n`);
  });
  const found = findDefects(reports);
  if (values.json) print(`${JSON.stringify({ reports, found }, null, 2)}\n`);
  if (values.write && installed.length === releases.length)
    await writeFile(join(root, 'docs/reports/conformance.md'), kitDocument(reports, found, new Date()));
  const missed = found.filter(({ isFound, defect }) => !isFound && !defect.sometimes);
  for (const { kind, defect } of missed)
    print(`the kit does not find ${defect.evidence} in ${kind} (${defect.rule})\n`);
  const isOursWrong = reports.some(({ kind, results }) => kind === 'ours' && results.some(isFailure));
  if (missed.length > 0 || isOursWrong) process.exitCode = 1;
}

function isFailure({ outcome }: Result): boolean {
  return outcome === 'fail';
}

async function playStory(installed: readonly Release[], onReport: (report: CellReport) => void): Promise<Evidence[]> {
  const kind = ours();
  onReport(await runCell({ agent: kind, server: kind, computer: kind }));
  const evidence: Evidence[] = [];
  for (const release of installed) {
    await runRelease(release, onReport);
    evidence.push(...(await checkEvidence(release)));
  }
  await runMixed(installed, onReport);
  return evidence;
}

function print(text: string): void {
  process.stdout.write(text);
}
