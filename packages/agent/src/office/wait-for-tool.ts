import type { Emitter } from '@a2c-smcp/peer';
import { ErrorCode, type SMCPTool, SmcpError } from '@a2c-smcp/protocol';
import type { ToolWanted } from '../options.ts';
import type { RequestOptions } from '../requests.ts';
import type { AgentEvents, ComputerView } from './events.ts';

/** A tool and where it is. */
export interface ToolFound {
  computer: string;
  tool: SMCPTool;
}

type Computers = ReadonlyMap<string, ComputerView>;

/** Waits for a tool to be offered. It sees what the Agent refreshes by itself. */
export function waitForTool(
  agent: { computers: Computers; on: Emitter<AgentEvents>['on'] },
  wanted: ToolWanted,
  { timeout, signal }: RequestOptions,
): Promise<ToolFound> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const settled = new AbortController();
    const settle = (finish: () => void) => {
      clearTimeout(timer);
      settled.abort();
      finish();
    };
    const look = () => {
      const found = find(agent.computers, wanted);
      if (found) settle(() => resolve(found));
    };
    const giveUp = (reason: string) => settle(() => reject(notOffered(wanted, reason)));
    const timer = timeout === undefined ? undefined : setTimeout(() => giveUp('in time'), timeout);
    signal?.addEventListener('abort', () => settle(() => reject(signal.reason)), { signal: settled.signal });
    agent.on('tools', look, { signal: settled.signal });
    agent.on('connection', ({ type }) => type === 'closed' && giveUp('before the Agent was closed'), {
      signal: settled.signal,
    });
    look();
  });
}

function find(computers: Computers, { computer, tool: name }: ToolWanted): ToolFound | undefined {
  for (const [candidate, { tools }] of computers) {
    const tool = tools.find(offered => offered.name === name);
    if (tool && (computer === undefined || computer === candidate)) return { computer: candidate, tool };
  }
  return undefined;
}

function notOffered({ computer, tool }: ToolWanted, reason: string): SmcpError {
  const where = computer === undefined ? 'No computer' : `Computer '${computer}' has not`;
  return new SmcpError(ErrorCode.Timeout, `${where} offered tool '${tool}' ${reason}`);
}
