import type { Style } from './style.ts';
import { briefLine, cut, displayWidth, safeText } from './table.ts';

/** Columns of a frame without a terminal. Longer lines exceed the frame and are not cut. */
const MAX_FRAME_WIDTH = 200;
const MAX_TITLE_LENGTH = 1000;

/** A text with a title; either may be empty. */
export interface Pane {
  title: string;
  body: string;
}

/** A pane in a frame, as wide as its text, at most as wide as the terminal. */
export function frame({ title, body }: Pane, style: Style): string[] {
  const lines = safeText(body).replaceAll('\t', '  ').trimEnd().split('\n');
  const head = briefLine(title, MAX_TITLE_LENGTH);
  const widest = lines.reduce((width, line) => Math.max(width, displayWidth(line)), displayWidth(head) + 2);
  const room = Math.min(style.width - 4, MAX_FRAME_WIDTH, Math.max(44, widest));
  const lineRoom = Number.isFinite(style.width) ? room : Number.POSITIVE_INFINITY;
  const name = cut(head, room - 2);
  const rule = '─'.repeat(room - displayWidth(name) - 1);
  return [
    `${style.dim('╭─')} ${style.bold(name)} ${style.dim(`${rule}╮`)}`,
    ...lines.map(line => framed(cut(line, lineRoom), room, style)),
    style.dim(`╰${'─'.repeat(room + 2)}╯`),
  ];
}

function framed(line: string, room: number, style: Style): string {
  return `${style.dim('│')} ${line}${' '.repeat(Math.max(0, room - displayWidth(line)))} ${style.dim('│')}`;
}

/** Parses a window of a Desktop: its URI, an empty line and its contents. */
export function windowPane(text: string): Pane {
  const [first = '', ...rest] = text.split('\n');
  return first.startsWith('window://')
    ? { title: first, body: rest.join('\n').replace(/^\n/, '') }
    : { title: '', body: text };
}
