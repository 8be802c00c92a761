import type { Emitter } from '@a2c-smcp/core';
import { ErrorCode, type SMCPTool, SmcpError } from '@a2c-smcp/protocol';
import type { ToolWanted } from '../options.ts';
import type { RequestOptions } from '../requests.ts';
import type { AgentEvents } from './events.ts';
import type { OfficeView } from './office-view.ts';

/** A tool and where it is. */
export interface ToolFound {
  computer: string;
  tool: SMCPTool;
}

/** Waits for a tool to be offered, as far as the Agent refreshes its picture of the office by itself. */
export function waitForTool(
  view: OfficeView,
  events: Emitter<AgentEvents>,
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
      const found = view.isCurrent ? find(view.computers, wanted) : undefined;
      if (found) settle(() => resolve(found));
    };
    const giveUp = (reason: string) => settle(() => reject(notOffered(wanted, reason)));
    const timer = timeout === undefined ? undefined : setTimeout(() => giveUp('in time'), timeout);
    signal?.addEventListener('abort', () => settle(() => reject(signal.reason)), { signal: settled.signal });
    events.on('tools', look, { signal: settled.signal });
    events.on('connection', ({ type }) => type === 'closed' && giveUp('before the Agent was closed'), {
      signal: settled.signal,
    });
    look();
  });
}

function find(computers: OfficeView['computers'], { computer, tool: name }: ToolWanted): ToolFound | undefined {
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
