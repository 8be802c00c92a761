import { indentOf, isBlank, isBreak, listMark, wholeComment } from './lines.ts';

/** Begins a listing, a comment or other HTML that blank lines do not end. */
const lasting = /^(?:`{3}|~{3}|<(?:[!?]|(?:script|pre|style|textarea)(?:[ \t>]|$)))/i;
const TAB_COLUMNS = 4;

/**
 * The end of the lines that have to be parsed together with the doubtful line at `from`: the first line after it at which
 * certainly no block is open. No block before `from` is open.
 */
export function doubtfulEnd(lines: readonly string[], from: number): number {
  const end = endOfComment(lines, from);
  if (end !== undefined) return end;
  let isAfterBlank = false;
  let hasList = false;
  /** Columns before the text of the item that lines belong to. Undefined if they may belong to none. */
  let column = itemColumn(lines[from] ?? '');
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (isBlank(line)) {
      isAfterBlank = true;
      continue;
    }
    const indent = indentOf(line);
    const text = indent === 0 ? line : line.slice(indent);
    const isMarked = listMark.test(text);
    if (isAfterBlank && indent === 0 && !(hasList && isMarked)) return at;
    isAfterBlank = false;
    hasList ||= isMarked;
    if (column !== undefined && columnsOf(line, indent) < column) column = itemColumn(line);
    if (column === undefined && lasting.test(text) && !wholeComment.test(text)) return lines.length;
  }
  return lines.length;
}

/** The column of the text of a list's item, if a line without indentation begins one and no tab hides it. */
function itemColumn(line: string): number | undefined {
  const [mark, space] = listMark.exec(line) ?? [];
  if (mark === undefined || mark.includes('\t') || isBreak(line)) return undefined;
  // Behind five blanks and more, the text is a listing that begins with the second of them.
  return space === undefined || space.length > 4 ? mark.trimEnd().length + 1 : mark.length;
}

/** The end of a comment that begins at a line. */
function endOfComment(lines: readonly string[], from: number): number | undefined {
  const first = lines[from] ?? '';
  if (!/^<!--(?!-?>)/.test(first)) return undefined;
  for (let at = from + 1; at < lines.length; at += 1) if (lines[at]?.includes('-->')) return at + 1;
  return lines.length;
}

function columnsOf(line: string, indent: number): number {
  let columns = 0;
  for (let at = 0; at < indent; at += 1) columns += line[at] === '\t' ? TAB_COLUMNS - (columns % TAB_COLUMNS) : 1;
  return columns;
}
