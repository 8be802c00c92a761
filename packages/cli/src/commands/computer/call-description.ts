import type { Confirmation } from '@a2c-smcp/computer';
import { jsonLine } from '../../output/json.ts';
import type { Style } from '../../output/style.ts';
import { charWidth, columns, cut, displayWidth, safeText } from '../../output/table.ts';
import type { TerminalSize } from '../../output/terminal.ts';

/** Columns of the name of a tool or an MCP server, and of a parameter. Peers choose these names. */
const MAX_NAME_WIDTH = 48;
const MAX_PARAMETER_WIDTH = 24;
/** Rows of one value, if few parameters leave enough rows. */
const MAX_VALUE_ROWS = 4;
const INDENT = '    ';
/** Columns for `(1,234,567 characters in all)`. */
const COUNT_WIDTH = 32;

export interface CallDescription {
  /** Fit on one screen together with the question. */
  lines: string[];
  question: string;
  /** Returns the next page of the complete call, cyclically. Undefined if `lines` are complete. */
  more: (() => string[]) | undefined;
}

/** A tool call for the person who confirms it: at most one screen, the number of omitted parameters, and all on demand. */
export function describeCall(confirmation: Confirmation, size: TerminalSize, style: Style): CallDescription {
  const { agent, server, tool, params, annotations } = confirmation;
  const [toolName, serverName] = [shortName(tool), shortName(server)];
  const asker = agent === undefined ? '' : `, asked by Agent ${style.bold(shortName(agent))}`;
  const head = `${style.yellow('?')} Tool ${style.bold(toolName)} of MCP server ${style.bold(serverName)}${asker}${hintsOf(annotations, style)}`;
  const ask = (keys: string) => `  Run ${style.bold(toolName)} of ${style.bold(serverName)}? [y]es, [N]o, ${keys}: `;
  const full = ask('[a]lways, [s]ession, [e]dit, [r]eason, [v]iew all');
  // One row for the number of omitted parameters, one for the cursor.
  const room = Math.max(3, size.rows - rowsOf(head, size) - rowsOf(full, size) - 2);
  const { lines, hidden, isCut } = parameterLines(params, { room, size, style });
  const isWhole = hidden === 0 && !isCut && toolName === visible(tool) && serverName === visible(server);
  if (isWhole)
    return { lines: [head, ...lines], question: ask('[a]lways, [s]ession, [e]dit, [r]eason'), more: undefined };
  const rest = hidden > 0 ? `… ${hidden.toLocaleString('en')} more parameters; 'v' shows all` : "… 'v' shows all";
  return {
    lines: [head, ...lines, `${INDENT}${style.yellow(rest)}`],
    question: full,
    more: pages(() => wrappedCall(confirmation, size.columns - 1), size.rows - rowsOf(full, size) - 3),
  };
}

interface Shown {
  lines: string[];
  /** Number of omitted parameters. */
  hidden: number;
  /** True if a name or a value is shown in part. */
  isCut: boolean;
}

function parameterLines(
  params: Record<string, unknown>,
  { room, size, style }: { room: number; size: TerminalSize; style: Style },
): Shown {
  const entries = Object.entries(params);
  const rowsEach = Math.min(Math.max(1, Math.floor(room / Math.max(1, entries.length))), MAX_VALUE_ROWS);
  const shown = entries.slice(0, Math.floor(room / rowsEach));
  const valueWidth = Math.max(10, rowsEach * size.columns - INDENT.length - MAX_PARAMETER_WIDTH - 3);
  let isCut = false;
  const rows = shown.map(([name, value]) => {
    const [nameText, valueText] = [visible(name), safeText(jsonLine(value))];
    const [shortName, isNameCut] = beginning(nameText, MAX_PARAMETER_WIDTH);
    const [whole, isLong] = beginning(valueText, valueWidth);
    isCut ||= isNameCut || isLong;
    if (!isLong) return [style.dim(shortName), whole];
    const count = style.yellow(`(${valueText.length.toLocaleString('en')} characters in all)`);
    return [style.dim(shortName), `${beginning(valueText, Math.max(5, valueWidth - COUNT_WIDTH))[0]} ${count}`];
  });
  return { lines: columns(rows).map(line => INDENT + line), hidden: entries.length - shown.length, isCut };
}

/** The names and all parameters, wrapped to `width`. Lazy, because a value may have megabytes. */
function* wrappedCall({ server, tool, params }: Confirmation, width: number): Generator<string> {
  yield* wrapped(`Tool ${visible(tool)}`, width);
  yield* wrapped(`MCP server ${visible(server)}`, width);
  for (const [name, value] of Object.entries(params)) {
    for (const line of wrapped(`${visible(name)}  ${safeText(jsonLine(value))}`, width - INDENT.length)) {
      yield INDENT + line;
    }
  }
}

function* wrapped(text: string, width: number): Generator<string> {
  let [line, used] = ['', 0];
  for (const char of text) {
    const needed = charWidth(char);
    if (used + needed > width) {
      yield line;
      [line, used] = ['', 0];
    }
    line += char;
    used += needed;
  }
  yield line;
}

function pages(source: () => Generator<string>, length: number): () => string[] {
  let lines = source();
  return () => {
    const page: string[] = [];
    while (page.length < Math.max(3, length)) {
      const { value, done } = lines.next();
      if (done) {
        lines = source();
        return [...page, `${INDENT}That was all; 'v' begins again`];
      }
      page.push(value);
    }
    return [...page, `${INDENT}… 'v' shows more`];
  };
}

/** Cuts a text to `width`. Does not walk the rest of a long text. */
function beginning(text: string, width: number): [text: string, isCut: boolean] {
  // Enough for `width`: a character has at most two code units, at least one column, and at most eight combining marks.
  const start = text.slice(0, 20 * width);
  if (start === text && displayWidth(text) <= width) return [text, false];
  return [cut(`${start}…`, width), true];
}

function shortName(name: string): string {
  return beginning(visible(name), MAX_NAME_WIDTH)[0];
}

/** A name with escapes for invisible characters. */
function visible(name: string): string {
  return safeText(jsonLine(name).slice(1, -1));
}

function rowsOf(line: string, { columns: width }: TerminalSize): number {
  return Math.ceil(displayWidth(line) / width);
}

/** Words for the annotations of a tool, by value. */
const HINTS: Record<string, { yes: string; no: string }> = {
  readOnlyHint: { yes: 'read-only', no: 'not read-only' },
  destructiveHint: { yes: 'destructive', no: 'not destructive' },
  idempotentHint: { yes: 'repeatable without harm', no: 'not repeatable without harm' },
  openWorldHint: { yes: 'in touch with the outside world', no: 'confined to this machine' },
};

function hintsOf(annotations: Confirmation['annotations'], style: Style): string {
  const hints = Object.entries(HINTS).flatMap(([name, { yes, no }]) => {
    const value = annotations?.[name];
    if (typeof value !== 'boolean') return [];
    return name === 'destructiveHint' && value ? style.red(yes) : value ? yes : no;
  });
  return hints.length > 0 ? `; its MCP server says it is ${hints.join(', ')}` : '';
}
