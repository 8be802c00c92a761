import type { AnswerTo, Confirm, Confirmation } from '@a2c-smcp/computer';
import { isObject } from '@a2c-smcp/core';
import type { World } from '../../command.ts';
import type { Style } from '../../output/style.ts';
import { briefLine, cut } from '../../output/table.ts';
import type { Terminal, TerminalSize } from '../../output/terminal.ts';
import { describeCall } from './call-description.ts';

type Desk = Pick<World, 'style'> & { terminal: Terminal };
type Answer = AnswerTo<'confirmation'>;

/** Characters of what the owner or an MCP server wrote. */
const MAX_TEXT_LENGTH = 500;
/** The part of the screen that shows how a tool has changed. */
const CHANGE_SHARE = 1 / 3;

const HELP = [
  'y  run it once                        n  refuse it',
  'a  run it, and from now on unasked    r  refuse it with a reason for the Agent',
  's  run it, also later in this session e  change the parameters, then run it',
];

/**
 * Asks at the terminal whether a tool may run, again if the answer is none. Enter alone refuses it; a terminal that is
 * closed gives no answer.
 */
export function confirmAt({ terminal, style }: Desk): Confirm {
  return confirmation =>
    terminal.converse(async ask => {
      const { signal } = confirmation;
      const { lines, question, more } = describeCall(confirmation, terminal.size, style);
      const view = more ? { onView: more } : {};
      let preface = [...changeLines(confirmation, terminal.size, style), ...lines];
      for (;;) {
        const answer = await ask(question, { preface, settle: true, signal, ...view });
        if (answer === undefined) return undefined;
        const found = await readAnswer(answer, text => ask(text, { signal }));
        if (typeof found === 'object') return found;
        preface = found === undefined ? HELP.map(line => style.dim(`  ${line}`)) : [style.yellow(`  ${found}`)];
      }
    });
}

/** The answer; a text if it is wrong, undefined if it is none. */
async function readAnswer(
  typed: string,
  ask: (question: string) => Promise<string | undefined>,
): Promise<Answer | string | undefined> {
  switch (typed.trim().toLowerCase()) {
    case 'y':
    case 'yes':
      return { action: 'run' };
    case 'a':
    case 'always':
      return { action: 'run', remember: 'always' };
    case 's':
    case 'session':
      return { action: 'run', remember: 'session' };
    case '':
    case 'n':
    case 'no':
      return { action: 'refuse' };
    case 'r': {
      const reason = await ask('  Reason for the Agent: ');
      return { action: 'refuse', ...(reason ? { reason } : {}) };
    }
    case 'e': {
      const params = readObject((await ask('  New parameters, as a JSON object: ')) ?? '');
      return params ? { action: 'run', params } : 'That is no JSON object; nothing was run';
    }
    default:
      return undefined;
  }
}

function readObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Why it is asked: the owner's reason, and how the tool has changed since it was last used. */
function changeLines({ reason, change }: Confirmation, { rows, columns }: TerminalSize, style: Style): string[] {
  const why = reason === undefined ? [] : [style.dim(`  ${briefLine(reason, MAX_TEXT_LENGTH)}`)];
  if (!change) return why;
  const shown = change.slice(0, Math.max(3, Math.floor(rows * CHANGE_SHARE)));
  const hidden = change.length - shown.length;
  return [
    ...why,
    style.red(style.bold('  This tool is not what it was when it was last used:')),
    ...shown.map(line => paint(cut(`    ${briefLine(line, MAX_TEXT_LENGTH)}`, columns - 1), style)),
    ...(hidden > 0 ? [style.dim(`    … ${hidden} more lines differ`)] : []),
  ];
}

function paint(line: string, style: Style): string {
  return line.trimStart().startsWith('+') ? style.green(line) : style.red(line);
}
