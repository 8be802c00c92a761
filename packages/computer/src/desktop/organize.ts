import { byLastUse } from '../resources/view.ts';
import { describeContents, describeWindow, type WindowResource } from './describe.ts';

/** A window as its MCP server lists and renders it. */
export interface PublishedWindow {
  /** The name of the MCP server. */
  server: string;
  resource: WindowResource;
  /** The contents that `resources/read` gave. */
  contents: readonly unknown[];
}

/**
 * Chooses, orders and renders windows. Servers come in order of last use, then by name; within a server the window
 * with the highest priority comes first, and its first fullscreen window hides its others.
 *
 * @param windows in the order the servers listed them
 * @param size how many windows at most; undefined or null means all, zero or less none
 * @param history names of the servers whose tools were called, oldest first
 */
export function organizeDesktop(
  windows: readonly PublishedWindow[],
  size?: number | null,
  history: readonly string[] = [],
): string[] {
  const shown = windows.flatMap(({ server, resource, contents }): ShownWindow[] => {
    const { uri, priority, fullscreen } = describeWindow(resource);
    const { texts } = describeContents(contents ?? []);
    return uri === undefined ? [] : [{ server, uri, priority, fullscreen, texts }];
  });
  return arrangeWindows(shown, size, history);
}

/** A window that was described. */
export interface ShownWindow {
  server: string;
  uri: string;
  priority: number;
  fullscreen: boolean;
  texts: string[];
}

/** As `organizeDesktop`, for windows that were described already. Those without a text are left out. */
export function arrangeWindows(
  windows: readonly ShownWindow[],
  size: number | null | undefined,
  history: readonly string[],
): string[] {
  const limit = size ?? Number.POSITIVE_INFINITY;
  if (limit <= 0) return [];
  const inServerOrder = byLastUse(history);
  return [...groupByServer(windows.filter(({ texts }) => texts.length > 0))]
    .toSorted(([a], [b]) => inServerOrder(a, b))
    .flatMap(([, shown]) => arrange(shown))
    .slice(0, limit)
    .map(render);
}

/**
 * The first entries of a desktop that together have at most `budget` characters. The one that exceeds it is cut, and
 * its last line says how many of its characters are missing.
 */
export function fitDesktop(desktops: readonly string[], budget: number): string[] {
  const fitting: string[] = [];
  let left = budget;
  for (const desktop of desktops) {
    if (desktop.length > left) return [...fitting, ...cut(desktop, left)];
    fitting.push(desktop);
    left -= desktop.length;
  }
  return fitting;
}

function groupByServer(windows: readonly ShownWindow[]): Map<string, ShownWindow[]> {
  const groups = new Map<string, ShownWindow[]>();
  for (const window of windows) {
    const group = groups.get(window.server);
    if (group) group.push(window);
    else groups.set(window.server, [window]);
  }
  return groups;
}

function arrange(windows: readonly ShownWindow[]): ShownWindow[] {
  const fullscreen = windows.find(window => window.fullscreen);
  return fullscreen ? [fullscreen] : windows.toSorted((a, b) => b.priority - a.priority);
}

function render({ uri, texts }: ShownWindow): string {
  return texts.every(text => text === '') ? uri : `${uri}\n\n${texts.join('\n\n')}`;
}

/** As much of one entry as fits, or nothing when there is not even room to say what is missing. */
function cut(desktop: string, room: number): string[] {
  const bodyStart = desktop.indexOf('\n\n') + 2;
  // The longest notice there can be, so that the shorter one that results fits too.
  const noticeRoom = missing(desktop.length).length;
  const end = wholeCharacters(desktop, room - noticeRoom);
  return bodyStart < 2 || end < bodyStart ? [] : [desktop.slice(0, end) + missing(desktop.length - end)];
}

function missing(count: number): string {
  return `\n[${count} characters missing]`;
}

/** The largest index up to `index` that does not split a surrogate pair. */
function wholeCharacters(text: string, index: number): number {
  return /[\uD800-\uDBFF]/.test(text.charAt(index - 1)) ? index - 1 : index;
}
