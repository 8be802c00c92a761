import { openKind } from './peers/open-kind.ts';
import { ours } from './peers/ours.ts';
import type { Kind } from './peers/peer.ts';
import type { Release } from './releases.ts';
import { type CellReport, runCell } from './run-cell.ts';
import type { Cell } from './story/scene.ts';

/** Plays the story with a release in every combination of roles with ours. */
export async function runRelease(release: Release, onReport: (report: CellReport) => void): Promise<void> {
  const theirs = await openKind(release);
  try {
    for (const cell of combinations(theirs, ours())) onReport(await runCell(cell));
  } finally {
    await theirs.close();
  }
}

/** Plays the story with Agents and Computers of different releases on our Server. */
export async function runMixed(releases: readonly Release[], onReport: (report: CellReport) => void): Promise<void> {
  const pairs = releases.flatMap(agent => releases.map(computer => ({ agent, computer })));
  for (const pair of pairs.filter(({ agent, computer }) => agent !== computer)) {
    const [agent, computer] = [await openKind(pair.agent), await openKind(pair.computer)];
    try {
      onReport(await runCell({ agent, server: ours(), computer }));
    } finally {
      await Promise.all([agent.close(), computer.close()]);
    }
  }
}

/** All cells but those of one implementation alone. */
function combinations(theirs: Kind, own: Kind): Cell[] {
  const both = [theirs, own];
  const cells = both.flatMap(server => both.flatMap(agent => both.map(computer => ({ agent, server, computer }))));
  return cells.filter(({ agent, server, computer }) => !(agent === server && server === computer));
}
