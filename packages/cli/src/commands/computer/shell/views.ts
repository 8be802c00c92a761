import type { ResourceProblem } from '@a2c-smcp/computer';
import { readNumber } from '../../../options.ts';
import { skillTable } from '../../../output/skills.ts';
import { oneLine, table } from '../../../output/table.ts';
import { frame, windowPane } from '../../../output/windows.ts';
import type { ShellCommands } from './shell-command.ts';

/** Problems that are printed below a view. */
const MAX_PROBLEMS = 10;

/** The first problems of a view, one line each. */
function collectProblems() {
  const problems: string[] = [];
  const onProblem = ({ server, uri, message }: ResourceProblem) => {
    if (problems.length < MAX_PROBLEMS) problems.push(oneLine(`${message} (${uri ?? `MCP server '${server}'`})`));
  };
  return { problems, onProblem };
}

/** The commands about what an Agent sees. */
export const viewCommands: ShellCommands = {
  desktop: {
    args: '[SIZE] [WINDOW_URI]',
    summary: 'The Desktop an Agent sees',
    async run({ session, args, print, style }) {
      const count = args.find(arg => /^\d+$/.test(arg));
      const window = args.find(arg => arg.startsWith('window:'));
      const size = count === undefined ? undefined : readNumber('desktop', count, { min: 0, max: 10_000 });
      const { problems, onProblem } = collectProblems();
      const windows = await session.computer.desktop({ size, window, onProblem });
      for (const line of windows.flatMap(text => frame(windowPane(text), style))) print(line);
      for (const line of problems) print(style.dim(line));
      if (windows.length === 0 && problems.length === 0) print('No windows: no MCP server has window:// resources');
    },
  },
  finder: {
    args: '[KEYWORD…]',
    summary: 'The documents an Agent finds',
    async run({ session, args, print, style }) {
      const { problems, onProblem } = collectProblems();
      const { documents, totalCount } = await session.computer.finder({ keywords: args, onProblem });
      const rows = documents.map(({ file_type, title, server, uri }) => [file_type, title, server, uri]);
      for (const line of table(['TYPE', 'TITLE', 'MCP SERVER', 'URI'], rows, { style })) print(line);
      if (documents.length < totalCount) print(style.dim(`${documents.length} of ${totalCount}`));
      for (const line of problems) print(style.dim(line));
    },
  },
  skills: {
    summary: 'The skills an Agent finds',
    async run({ session, print, style }) {
      const skills = await session.computer.skills();
      for (const line of skillTable(skills, style)) print(line);
      if (skills.length === 0) print('No skills: start this Computer with --skills FOLDER');
    },
  },
};
