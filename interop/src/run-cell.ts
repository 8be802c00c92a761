import { explain } from './defects.ts';
import { within } from './eventually.ts';
import { openScene } from './open-scene.ts';
import type { Cell, Scene, Step } from './story/scene.ts';
import { story } from './story/story.ts';

/** How a step ended. `defect`: the official peer is to blame, with evidence. */
export type Outcome = 'pass' | 'fail' | 'defect' | 'n/a';

export interface StepReport {
  step: string;
  outcome: Outcome;
  seconds?: number;
  /** Why, unless it passed. */
  reason?: string;
  /** The observed symptom of a defect. */
  seen?: string;
  /** The script that shows a defect without our code. */
  evidence?: string;
}

export interface CellReport {
  agent: string;
  server: string;
  computer: string;
  outcome: Outcome;
  seconds: number;
  steps: StepReport[];
}

/** Milliseconds for one step, and for bringing all peers together. */
const LIMIT = { step: 40_000, opening: 90_000 };

/** Brings three peers together and plays the story. */
export async function runCell(cell: Cell): Promise<CellReport> {
  const started = performance.now();
  const steps: StepReport[] = [];
  try {
    await using scene = await within(LIMIT.opening, 'Opening the cell', openScene(cell));
    for (const step of story) steps.push(await play(step, scene));
  } catch (error) {
    steps.push(report(cell, 'open', error));
  }
  return cellReport(cell, steps, secondsSince(started));
}

export function cellReport(cell: Cell, steps: StepReport[], seconds: number): CellReport {
  const { agent, server, computer } = cell;
  return { agent: agent.id, server: server.id, computer: computer.id, outcome: worst(steps), seconds, steps };
}

export function secondsSince(started: number): number {
  return Math.round((performance.now() - started) / 100) / 10;
}

async function play({ name, unless, run }: Step, scene: Scene): Promise<StepReport> {
  const reason = unless?.(scene.cell);
  return reason === undefined ? playStep(scene.cell, name, () => run(scene)) : { step: name, outcome: 'n/a', reason };
}

/** Plays one step and says how it ended, with the defect that explains a failure. */
export async function playStep(
  cell: Cell,
  step: string,
  run: () => Promise<void>,
  limit = LIMIT.step,
): Promise<StepReport> {
  const started = performance.now();
  try {
    await within(limit, 'This step', run());
    return { ...passed(cell, step), seconds: secondsSince(started) };
  } catch (error) {
    return { ...report(cell, step, error), seconds: secondsSince(started) };
  }
}

/** A known defect that does not show must leave the list, so that the list stays true. */
function passed(cell: Cell, step: string): StepReport {
  const defect = explain(cell, step);
  if (!defect || defect.sometimes) return { step, outcome: 'pass' };
  return { step, outcome: 'fail', reason: `Passed, though it is listed as a defect: ${defect.reason}` };
}

function report(cell: Cell, step: string, error: unknown): StepReport {
  const message = error instanceof Error ? error.message : String(error);
  const defect = explain(cell, step);
  if (!defect) return { step, outcome: 'fail', reason: message };
  return { step, outcome: 'defect', reason: defect.reason, seen: message, evidence: defect.evidence };
}

function worst(steps: readonly StepReport[]): Outcome {
  const outcomes = steps.map(({ outcome }) => outcome);
  if (outcomes.includes('fail')) return 'fail';
  return outcomes.includes('defect') ? 'defect' : 'pass';
}
