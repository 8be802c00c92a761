import { blobSteps, largeTypedSteps } from './blobs.ts';
import { handshakeSteps } from './handshake.ts';
import { farewellSteps, officeSteps } from './office.ts';
import type { Step } from './scene.ts';
import { slowToolSteps, toolSteps } from './tools.ts';
import { viewSteps } from './views.ts';

/** The steps that are played in every cell, in this order. */
export const story: readonly Step[] = [
  ...officeSteps,
  ...toolSteps,
  ...blobSteps,
  ...viewSteps,
  ...slowToolSteps,
  ...handshakeSteps,
  ...farewellSteps,
  ...largeTypedSteps,
];
