import { closest } from '@a2c-smcp/protocol';
import { UsageError, type World } from '../../../command.ts';
import { explainFailure } from '../../../failure.ts';
import { columns, oneLine } from '../../../output/table.ts';
import type { Terminal } from '../../../output/terminal.ts';
import type { ComputerSession } from '../session.ts';
import { completeFile } from './complete-file.ts';
import { ShellHistory } from './history.ts';
import { inputCommands } from './inputs.ts';
import { logCommands } from './logs.ts';
import { officeCommands } from './office.ts';
import { ownerCommands } from './owner.ts';
import { serverCommands } from './servers.ts';
import type { ShellCommand, ShellCommands, ShellContext } from './shell-command.ts';
import { toolCommands } from './tools.ts';
import { viewCommands } from './views.ts';

const MAX_CANDIDATES = 500;
const MAX_CANDIDATE_LENGTH = 200;

const commands: ShellCommands = {
  ...serverCommands,
  ...logCommands,
  ...toolCommands,
  ...ownerCommands,
  ...viewCommands,
  ...inputCommands,
  ...officeCommands,
};

/** Runs commands from the terminal until `quit`, the end of input, or the signal. */
export async function runShell(
  session: ComputerSession,
  world: World & { terminal: Terminal },
  historyFile?: string,
): Promise<void> {
  const { terminal, style, note, signal } = world;
  const left = new AbortController();
  const history = await openHistory(historyFile, session);
  const reader = {
    prompt: `${style.bold('a2c>')} `,
    history: history?.lines ?? [],
    async onLine(line: string, interrupted: AbortSignal) {
      if (/^\s*(quit|exit)\s*$/i.test(line)) return left.abort();
      if (isPublic(line, session)) await history?.add(line).catch(error => warnOfHistory(session, error));
      try {
        await runLine(line, { ...world, session, signal: interrupted });
      } catch (error) {
        note(interrupted.aborted ? 'Interrupted' : `${style.red('a2c:')} ${explainFailure(error).message}`);
      }
    },
    complete: (line: string) => completeLine(line, session),
  };
  await terminal.readCommands(reader, AbortSignal.any([signal, left.signal]));
}

/** A shell without a history is better than none. */
async function openHistory(file: string | undefined, session: ComputerSession): Promise<ShellHistory | undefined> {
  try {
    return file === undefined ? undefined : await ShellHistory.open(file);
  } catch (error) {
    warnOfHistory(session, error);
    return undefined;
  }
}

function warnOfHistory({ logger }: ComputerSession, error: unknown): void {
  logger.warn('The history of the shell is not kept', { error });
}

/** True if a line is a command without secrets. What is none may be a password that was typed in the wrong place. */
function isPublic(line: string, { computer }: ComputerSession): boolean {
  const found = findCommand(line.trim());
  return (
    found !== undefined && (found.command.isPrivate !== true || found.rest === '') && computer.redact(line) === line
  );
}

async function runLine(line: string, context: ShellContext): Promise<void> {
  const text = line.trim();
  if (text === '') return;
  if (/^(help|\?)$/i.test(text)) return help(context);
  const found = findCommand(text);
  if (!found) throw new UsageError(unknown(text));
  await found.command.run({ ...context, rest: found.rest, args: found.rest.split(/\s+/).filter(Boolean) });
}

/** The command with the longest name that the line begins with, and the rest of the line. */
function findCommand(text: string): { command: ShellCommand; rest: string } | undefined {
  const words = text.split(/\s+/);
  for (let count = Math.min(3, words.length); count > 0; count--) {
    const name = words
      .slice(0, count)
      .join(' ')
      .toLowerCase()
      .replace(/ remove$/, ' rm');
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command) return { command, rest: text.replace(new RegExp(`^(\\S+\\s*){${count}}`), '') };
  }
  return undefined;
}

function unknown(text: string): string {
  const [first = ''] = text.split(/\s+/);
  const below = Object.keys(commands).filter(name => name.startsWith(`${first.toLowerCase()} `));
  if (below.length > 0) return `'${first}' needs more: ${below.join(', ')}`;
  const near = closest(first.toLowerCase(), [...new Set(Object.keys(commands).map(name => name.split(' ')[0] ?? ''))]);
  return `Unknown command '${first}': ${near ? `did you mean '${near}'?` : "'help' lists them"}`;
}

function help({ print, style }: ShellContext): void {
  const rows = Object.entries(commands).map(([name, { args = '', summary }]) => [
    `${style.cyan(name)} ${style.dim(args)}`.trimEnd(),
    summary,
  ]);
  const more = [
    [style.cyan('help'), 'Show this list'],
    [style.cyan('quit'), 'Leave the office and stop all MCP servers'],
  ];
  for (const row of columns([...rows, ...more])) print(row);
}

/** Candidates for the next word: of the command's name, or those of the command itself. */
export function completeLine(line: string, session: ComputerSession): [candidates: string[], fragment: string] {
  const typed = line.trimStart();
  const found = findCommand(typed);
  if (found && /\s$/.test(typed.slice(0, typed.length - found.rest.length))) {
    const fragment = found.rest.split(/\s+/).at(-1) ?? '';
    const candidates = [...(found.command.complete?.(session, found.rest) ?? []), ...completeFile(fragment)];
    const fitting = candidates.filter(candidate => candidate.startsWith(fragment) && isHarmless(candidate));
    return [fitting.slice(0, MAX_CANDIDATES).map(spaced), fragment];
  }
  const names = [...Object.keys(commands), 'help', 'quit'].filter(name => name.startsWith(typed.toLowerCase()));
  const wordCount = typed.split(/\s+/).length;
  const nexts = names.map(name => spaced(name.split(' ').slice(0, wordCount).join(' ')));
  return [[...new Set(nexts)], typed];
}

/** MCP servers choose names of tools and parameters, and readline prints candidates without escaping. */
function isHarmless(candidate: string): boolean {
  return candidate.length <= MAX_CANDIDATE_LENGTH && candidate === oneLine(candidate);
}

/** Adds a space after a word, unless a value or a file follows. */
function spaced(word: string): string {
  return /[=/]$/.test(word) ? word : `${word} `;
}
