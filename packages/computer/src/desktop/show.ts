import { sizeOf } from '@a2c-smcp/core';
import type { ListedResource, ResourceCatalog } from '../resources/catalog.ts';
import type { Problem, ResourceProblem } from '../warnings.ts';
import { describeContents, describeWindow } from './describe.ts';
import { arrangeWindows, fitDesktop, type ShownWindow } from './organize.ts';

/** Selects the windows of a desktop. */
export interface DesktopQuery {
  /** How many windows at most. Absent or null: all. Zero or less: none. */
  size?: number | null;
  /** Only the window with this URI. */
  window?: string | null;
  /** How many characters all windows together may have. */
  maxChars?: number | undefined;
  /** Called with everything that is left out or ignored, and why. The log has each problem once. */
  onProblem?: (problem: ResourceProblem) => void;
}

const UNREADABLE = { code: 'window-unreadable', message: 'A window is left out: it could not be read' };
const NO_TEXT = { code: 'window-no-text', message: 'A window is left out: it has no text' };
const HELD_BACK = {
  code: 'window-host-new',
  message: "A window is left out: its host is new for this MCP server; 'a2c computer pins accept' shows it",
};
const TOO_MUCH = {
  code: 'windows-too-many',
  message: 'Windows are left out: the MCP server publishes too many or too much',
};

/** Windows of one MCP server, and characters of all their contents. */
const MAX_WINDOWS = 1000;
const MAX_WINDOWS_LENGTH = 32 * 1024 * 1024;

/** The desktop of all servers that publish windows, the most important window first. */
export async function showDesktop(
  catalog: ResourceCatalog,
  { size, window, maxChars, onProblem }: DesktopQuery,
  history: readonly string[],
): Promise<string[]> {
  if (typeof size === 'number' && size <= 0) return [];
  const report = (problem: ResourceProblem) => {
    catalog.report(problem);
    onProblem?.(problem);
  };
  if (onProblem) for (const problem of await catalog.problemsOf('desktop')) onProblem(problem);
  const windows = await collectWindows(catalog, { wanted: window ?? undefined, report });
  const desktops = arrangeWindows(windows, size, history);
  return maxChars === undefined ? desktops : fitDesktop(desktops, maxChars);
}

interface Collecting {
  /** Only windows with this URI, as published or without its query. */
  wanted: string | undefined;
  report: (problem: ResourceProblem) => void;
}

/** The windows of all servers in the order the servers list them. A window that cannot be read in time is left out. */
async function collectWindows(catalog: ResourceCatalog, { wanted, report }: Collecting): Promise<ShownWindow[]> {
  const lists = await catalog.list('desktop');
  const windows = lists.map(async ({ source, resources }) => {
    const budget = { windows: MAX_WINDOWS, length: MAX_WINDOWS_LENGTH };
    const hosts = catalog.acceptedHosts(source.server, resources);
    const read = await Promise.all(
      resources.map(resource => collectWindow(catalog, { source, resource }, { wanted, report, budget, hosts })),
    );
    if (budget.windows < 0 || budget.length < 0) report({ server: source.server, ...TOO_MUCH });
    return read.flat();
  });
  return (await Promise.all(windows)).flat();
}

/** How much one MCP server may still show. */
interface Budget {
  windows: number;
  length: number;
}

async function collectWindow(
  catalog: ResourceCatalog,
  { source, resource }: ListedResource,
  { wanted, report, budget, hosts }: Collecting & { budget: Budget; hosts: ReadonlySet<string> },
): Promise<ShownWindow[]> {
  const { server } = source;
  const note = (problem: Problem) => report({ server, uri: resource.uri, ...problem });
  const { uri, host, priority, fullscreen, problems } = describeWindow(resource);
  problems.forEach(note);
  const isWanted = wanted === undefined || wanted === uri || wanted === resource.uri;
  if (uri === undefined || host === undefined || !isWanted) return [];
  if (!hosts.has(host)) {
    note(HELD_BACK);
    return [];
  }
  budget.windows -= 1;
  if (budget.windows < 0) return [];
  const cause = { mcp_server: server, uri: resource.uri };
  try {
    const { contents } = await source.read(resource.uri, { cached: true });
    catalog.warnings.settle(UNREADABLE.message, cause);
    const list = Array.isArray(contents) ? contents : [];
    if (budget.length >= 0) budget.length -= sizeOf(list);
    if (budget.length < 0) return [];
    const { texts, problems: odd } = describeContents(list);
    odd.forEach(note);
    if (texts.length > 0) catalog.warnings.settle(NO_TEXT.message, cause);
    else note(NO_TEXT);
    return [{ server, uri, priority, fullscreen, texts }];
  } catch (error) {
    note({ ...UNREADABLE, fields: { error } });
    return [];
  }
}
