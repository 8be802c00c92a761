import { randomUUID } from 'node:crypto';
import { blobs } from '../checks/computer/blobs.ts';
import { calls } from '../checks/computer/calls.ts';
import { config } from '../checks/computer/config.ts';
import { connection } from '../checks/computer/connection.ts';
import { desktop } from '../checks/computer/desktop.ts';
import { documents } from '../checks/computer/documents.ts';
import { prompts } from '../checks/computer/prompts.ts';
import { skills } from '../checks/computer/skills.ts';
import { tools } from '../checks/computer/tools.ts';
import { uploads } from '../checks/computer/uploads.ts';
import type { Line } from '../line.ts';
import { type PlayOptions, play, type Result } from '../play.ts';
import { ComputerStage, type OpenComputer } from '../stages/computer-stage.ts';

export interface ComputerOptions extends PlayOptions {
  /** @default 'conformance' */
  office?: string;
  /** The key that the played Server admits. @default a random one */
  key?: string;
  /** The only line that the played Server accepts. @default that of the Computer */
  line?: Line | undefined;
}

export const computerChecks = [connection, tools, calls, config, desktop, documents, prompts, blobs, uploads, skills];

/** Plays the rules for Computers against one that `open` starts, one after the other. */
export async function playComputer(open: OpenComputer, options: ComputerOptions = {}): Promise<Result[]> {
  const { office = 'conformance', key = randomUUID(), line, ...rest } = options;
  await using stage = await ComputerStage.open(open, { office, key, line });
  return await play(computerChecks, { ...rest, line: stage.line, concurrency: 1, open: () => stage });
}
