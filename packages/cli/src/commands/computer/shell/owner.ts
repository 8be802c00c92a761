import { UsageError } from '../../../command.ts';
import { readNumber } from '../../../options.ts';
import { briefLine, oneLine, table } from '../../../output/table.ts';
import { openConsole } from '../console.ts';
import type { ShellCommands } from './shell-command.ts';

/** Characters of the arguments of a call. */
const MAX_ARGUMENTS_LENGTH = 200;

/** The commands about what waits for the owner and what runs. */
export const ownerCommands: ShellCommands = {
  attention: {
    summary: 'What waits for you: questions, failed MCP servers, missing values, changed tools',
    async run({ session, print, style }) {
      const items = await session.computer.attention();
      if (items.length === 0) print('Nothing needs your attention');
      for (const { problem, fix } of items) {
        print(oneLine(problem));
        print(style.dim(`  ${oneLine(fix)}`));
      }
    },
  },
  calls: {
    summary: 'The tool calls that run at the moment',
    async run({ session, print, style }) {
      const rows = session.computer.pendingCalls.map(call => [
        String(call.id),
        call.tool,
        call.server ?? '',
        call.agent ?? '(here)',
        `${((Date.now() - call.startedAt) / 1000).toFixed(1)} s`,
        call.isAsking ? 'waits for you' : (call.progress?.message ?? ''),
        briefLine(JSON.stringify(call.params), MAX_ARGUMENTS_LENGTH),
      ]);
      const headings = ['ID', 'TOOL', 'MCP SERVER', 'AGENT', 'FOR', 'STATE', 'ARGUMENTS'];
      if (rows.length === 0) print("No call runs; 'history' has the last ones");
      else for (const line of table(headings, rows, { style })) print(line);
    },
  },
  cancel: {
    args: 'ID',
    summary: 'Cancel a tool call that runs',
    complete: ({ computer }) => computer.pendingCalls.map(({ id }) => String(id)),
    async run({ session, args: [id], print }) {
      if (id === undefined) throw new UsageError("Which call? 'calls' lists them");
      const isCancelled = session.computer.cancelCall(readNumber('cancel', id, { min: 1, max: 2 ** 53 - 1 }));
      print(isCancelled ? `Cancelled ${id}` : `No call ${id} runs`);
    },
  },
  console: {
    args: '[PORT]',
    summary: 'Open the console, and print an address for one browser',
    async run({ session, args: [port], print }) {
      print(
        await openConsole(
          session,
          port === undefined ? undefined : readNumber('console', port, { min: 0, max: 65_535 }),
        ),
      );
    },
  },
};
