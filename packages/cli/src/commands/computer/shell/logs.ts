import type { ServerLogLine } from '@a2c-smcp/computer';
import { stopped, UsageError } from '../../../command.ts';
import type { Style } from '../../../output/style.ts';
import { briefLine, safeText } from '../../../output/table.ts';
import { requiredServer, type ShellCommands, serverNames } from './shell-command.ts';

/** Columns of the longest level. */
const LEVEL_WIDTH = 'emergency'.length;
const MAX_LOGGER_LENGTH = 100;

/** The command about the lines that MCP servers write. */
export const logCommands: ShellCommands = {
  logs: {
    args: 'NAME [-f]',
    summary: 'The last lines of an MCP server on its standard error, and its log messages; -f follows until Ctrl-C',
    complete: serverNames,
    async run({ session: { computer, followed }, args, print, style, signal }) {
      const unknown = args.find(word => word.startsWith('-') && !FOLLOW.has(word));
      if (unknown !== undefined) throw new UsageError(`Unknown option '${unknown}': logs NAME [-f]`);
      const name = requiredServer(args.filter(word => !FOLLOW.has(word)));
      const show = (line: ServerLogLine) => {
        for (const shown of logLines(line, style)) print(shown);
      };
      const lines = computer.logs(name);
      for (const line of lines) show(line);
      if (lines.length === 0) print(`'${name}' has written nothing`);
      if (!args.some(word => FOLLOW.has(word))) return;
      computer.on('log', line => line.server === name && show(line), { signal });
      followed.add(name);
      await stopped(signal);
      followed.delete(name);
    },
  },
};

const FOLLOW = new Set(['-f', '--follow']);

/** The rows of a line: its level, its logger, its text. */
function logLines({ source, level, logger, text }: ServerLogLine, style: Style): string[] {
  const colours: Partial<Record<string, (text: string) => string>> = {
    debug: style.dim,
    info: style.cyan,
    notice: style.cyan,
    warning: style.yellow,
  };
  const paint = source === 'stderr' ? style.dim : (colours[level] ?? style.red);
  const from = logger === undefined ? '' : `${style.dim(`${briefLine(logger, MAX_LOGGER_LENGTH)}:`)} `;
  const head = `${paint((source === 'stderr' ? source : level).padEnd(LEVEL_WIDTH))} ${from}`;
  const indent = ' '.repeat(LEVEL_WIDTH + 1);
  return text.split(/\r?\n/).map((row, index) => `${index === 0 ? head : indent}${safeText(row)}`);
}
