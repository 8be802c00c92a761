import { ours } from './peers/ours.ts';
import type { Kind } from './peers/peer.ts';
import { python, type Release } from './peers/python.ts';
import { pythonEnvironment } from './peers/python-environment.ts';
import { type CellReport, runCell } from './run-cell.ts';
import type { Cell } from './story/scene.ts';

/** Plays the story with a release in every combination of roles with ours. */
export async function runRelease(release: Release, onReport: (report: CellReport) => void): Promise<CellReport[]> {
  const theirs = python(release, await pythonEnvironment(release.version));
  const reports: CellReport[] = [];
  try {
    for (const cell of combinations(theirs, ours(release.protocolVersion))) {
      const report = await runCell(cell);
      reports.push(report);
      onReport(report);
    }
  } finally {
    await theirs.close();
  }
  return reports;
}

/** All cells but those of one implementation alone. */
function combinations(theirs: Kind, own: Kind): Cell[] {
  const both = [theirs, own];
  const cells = both.flatMap(server => both.flatMap(agent => both.map(computer => ({ agent, server, computer }))));
  return cells.filter(({ agent, server, computer }) => !(agent === server && server === computer));
}
