import { randomUUID } from 'node:crypto';
import { connection } from '../checks/agent/connection.ts';
import { reactions } from '../checks/agent/reactions.ts';
import { requests } from '../checks/agent/requests.ts';
import { results } from '../checks/agent/results.ts';
import type { Line } from '../line.ts';
import { type PlayOptions, play, type Result } from '../play.ts';
import { AgentStage, type ConnectAgent, findAgentLine } from '../stages/agent-stage.ts';

export interface AgentOptions extends PlayOptions {
  /** @default 'conformance' */
  office?: string;
  /** The key that the played Server admits. @default a random one */
  key?: string;
  /** The line of the played Server. @default that of the version the Agent states */
  line?: Line | undefined;
}

export const agentChecks = [connection, requests, results, reactions];

/** Plays the rules for Agents against those that `connect` connects, a new one for each check. */
export async function playAgent(connect: ConnectAgent, options: AgentOptions = {}): Promise<Result[]> {
  const { office = 'conformance', key = randomUUID(), line: wanted, ...rest } = options;
  const line = wanted ?? (await findAgentLine(connect, { office, key }));
  return await play(agentChecks, {
    ...rest,
    line,
    concurrency: 1,
    open: () => AgentStage.open(connect, { office, key, line }),
    close: stage => stage[Symbol.asyncDispose](),
  });
}
