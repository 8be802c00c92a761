import type { Confirm, Confirmation } from '@a2c-smcp/computer';
import type { World } from '../command.ts';
import type { Terminal } from '../keyboard/terminal.ts';
import type { Style } from '../output/style.ts';
import { columns, cut, oneLine, safeText } from '../output/table.ts';

export interface ConfirmOptions extends Pick<World, 'note' | 'style'> {
  terminal: Terminal;
  /** Makes "always" last. */
  remember: (confirmation: Confirmation) => Promise<void>;
}

/** Asks at the terminal whether a tool may run, showing all that is known of the call. */
export function confirmAt({ terminal, note, style, remember }: ConfirmOptions): Confirm {
  return async confirmation => {
    const { signal } = confirmation;
    const preface = describeCall(confirmation, style);
    const answer = await terminal.ask('  Run it? [y]es, [N]o, [a]lways for this tool: ', { preface, signal });
    const word = answer?.trim().toLowerCase() ?? '';
    if (word === 'a' || word === 'always') {
      await remember(confirmation).catch(error => note(style.yellow(`It runs, but could not be remembered: ${error}`)));
      return true;
    }
    return word === 'y' || word === 'yes';
  };
}

function describeCall({ server, tool, params, annotations = {} }: Confirmation, style: Style): string[] {
  const hints = Object.entries(HINTS).flatMap(([name, { yes, no }]) => {
    const value = annotations[name];
    if (typeof value !== 'boolean') return [];
    return name === 'destructiveHint' && value ? style.red(yes) : value ? yes : no;
  });
  const claim = hints.length > 0 ? `, which says it is ${hints.join(', ')}` : '';
  const rows = Object.entries(params).map(([name, value]) => [style.dim(oneLine(name)), shorten(value, style)]);
  return [
    `${style.yellow('?')} Tool ${style.bold(oneLine(tool))} of MCP server ${style.bold(oneLine(server))}${claim}`,
    ...columns(rows).map(line => `    ${line}`),
  ];
}

/** As much of a value as a person reads, and how much there is: nobody should approve what was hidden from them. */
function shorten(value: unknown, style: Style): string {
  const text = safeText(JSON.stringify(value) ?? '');
  const shown = cut(text, style.width * 4);
  return shown === text ? text : `${shown} ${style.yellow(`(${text.length} characters in all)`)}`;
}

/** What MCP servers say about their tools, when it is true and when it is false. */
const HINTS: Record<string, { yes: string; no: string }> = {
  readOnlyHint: { yes: 'read-only', no: 'not read-only' },
  destructiveHint: { yes: 'destructive', no: 'not destructive' },
  idempotentHint: { yes: 'repeatable without harm', no: 'not repeatable without harm' },
  openWorldHint: { yes: 'in touch with the outside world', no: 'confined to this machine' },
};
