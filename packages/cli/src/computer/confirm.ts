import type { Confirm, Confirmation } from '@a2c-smcp/computer';
import type { World } from '../command.ts';
import type { Terminal } from '../keyboard/terminal.ts';
import { columns, cut, oneLine, safeText } from '../output/table.ts';

export interface ConfirmOptions extends Pick<World, 'print' | 'note' | 'style'> {
  terminal: Terminal;
  /** Makes "always" last. */
  remember: (confirmation: Confirmation) => Promise<void>;
}

/** Asks at the terminal whether a tool may run, showing all that is known of the call. */
export function confirmAt({ terminal, print, note, style, remember }: ConfirmOptions): Confirm {
  return async confirmation => {
    print(describeCall(confirmation, { style }).join('\n'));
    const { signal } = confirmation;
    const answer = await terminal.ask('  Run it? [y]es, [N]o, [a]lways for this tool: ', { signal });
    const word = answer?.trim().toLowerCase() ?? '';
    if (word === 'a' || word === 'always') {
      await remember(confirmation).catch(error => note(style.yellow(`It runs, but could not be remembered: ${error}`)));
      return true;
    }
    return word === 'y' || word === 'yes';
  };
}

function describeCall(
  { server, tool, params, annotations = {} }: Confirmation,
  { style }: Pick<World, 'style'>,
): string[] {
  const hints = Object.entries(annotations)
    .filter(([name]) => name in HINTS)
    .map(([name, value]) => ({ name, text: HINTS[name]?.[value === true ? 0 : 1] ?? '' }))
    .map(({ name, text }) => (name === 'destructiveHint' && annotations[name] === true ? style.red(text) : text));
  const rows = Object.entries(params).map(([name, value]) => [
    style.dim(oneLine(name)),
    cut(safeText(JSON.stringify(value)), style.width * 4),
  ]);
  return [
    `${style.yellow('?')} Tool ${style.bold(oneLine(tool))} of MCP server ${style.bold(oneLine(server))}${
      hints.length > 0 ? `, which says it is ${hints.join(', ')}` : ''
    }`,
    ...columns(rows).map(line => `    ${line}`),
  ];
}

/** What MCP servers say about their tools, when it is true and when it is false. */
const HINTS: Record<string, [yes: string, no: string]> = {
  readOnlyHint: ['read-only', 'not read-only'],
  destructiveHint: ['destructive', 'not destructive'],
  idempotentHint: ['repeatable without harm', 'not repeatable without harm'],
  openWorldHint: ['in touch with the outside world', 'confined to this machine'],
};
