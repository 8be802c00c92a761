import { openScene } from './open-scene.ts';
import { openKind } from './peers/open-kind.ts';
import { ours } from './peers/ours.ts';
import type { Release } from './releases.ts';
import { type CellReport, cellReport, playStep } from './run-cell.ts';
import { expectPicture } from './story/blobs.ts';
import { type Cell, COMPUTER, nameOf } from './story/scene.ts';

export const LARGE_BYTES = 50_000_000;
/** Seconds for the call and for fetching the bytes. Our Agent's own default is 60. */
const LIMIT = 300;

/** Sends an image of 50 MB from a Computer of a release to our Agent, and from our Computer to an Agent of the release. */
export async function runLarge(release: Release, onReport: (report: CellReport) => void): Promise<void> {
  if (release.protocolVersion === undefined) return;
  const theirs = await openKind(release);
  const own = ours();
  try {
    for (const cell of [
      { agent: own, server: own, computer: theirs },
      { agent: theirs, server: own, computer: own },
    ]) {
      const step = await playStep(cell, 'image of 50,000,000 bytes', () => fetchImage(cell), LIMIT * 1000);
      onReport(cellReport(cell, [step], step.seconds ?? 0));
    }
  } finally {
    await theirs.close();
  }
}

async function fetchImage(cell: Cell): Promise<void> {
  await using scene = await openScene(cell, { toolSeconds: LIMIT });
  const tool = await nameOf('picture', scene);
  const call = { computer: COMPUTER, tool, params: { size: LARGE_BYTES } };
  expectPicture(await scene.agent.callTool(call, LIMIT), LARGE_BYTES);
}
