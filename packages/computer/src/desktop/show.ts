import { sizeOf } from '@a2c-smcp/core';
import type { ListedResource, ResourceCatalog } from '../resources/catalog.ts';
import { describeContents, describeWindow } from './describe.ts';
import { arrangeWindows, fitDesktop, type ShownWindow } from './organize.ts';

/** Selects the windows of a desktop. */
export interface DesktopQuery {
  /** How many windows at most. Absent or null: all. Zero or less: none. */
  size?: number | null;
  /** Only the window with this URI. */
  window?: string | null;
  /** How many characters all windows together may have. */
  maxChars?: number;
}

const UNREADABLE = 'A window is left out: it could not be read';
const TOO_MUCH = 'Windows are left out: the MCP server publishes too many or too much';

/** Windows of one MCP server, and characters of all their contents. */
const MAX_WINDOWS = 1000;
const MAX_WINDOWS_LENGTH = 32 * 1024 * 1024;

/** The desktop of all servers that publish windows, the most important window first. */
export async function showDesktop(
  catalog: ResourceCatalog,
  { size, window, maxChars }: DesktopQuery,
  history: readonly string[],
): Promise<string[]> {
  if (typeof size === 'number' && size <= 0) return [];
  const desktops = arrangeWindows(await collectWindows(catalog, window ?? undefined), size, history);
  return maxChars === undefined ? desktops : fitDesktop(desktops, maxChars);
}

/**
 * The windows of all servers in the order the servers list them. A window that cannot be read in time is left out.
 *
 * @param wanted only windows with this URI, as published or without its query
 */
async function collectWindows(catalog: ResourceCatalog, wanted: string | undefined): Promise<ShownWindow[]> {
  const lists = await catalog.list('desktop');
  const windows = lists.map(async ({ source, resources }) => {
    const budget = { windows: MAX_WINDOWS, length: MAX_WINDOWS_LENGTH };
    const read = await Promise.all(
      resources.map(resource => collectWindow(catalog, { source, resource }, { wanted, budget })),
    );
    if (budget.windows < 0 || budget.length < 0) catalog.warnings.warn(TOO_MUCH, { mcp_server: source.server });
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
  entry: ListedResource,
  { wanted, budget }: { wanted: string | undefined; budget: Budget },
): Promise<ShownWindow[]> {
  const { source, resource } = entry;
  const { server } = source;
  const { uri, priority, fullscreen, problems } = describeWindow(resource);
  catalog.report(entry, problems);
  const isWanted = wanted === undefined || wanted === uri || wanted === resource.uri;
  if (uri === undefined || !isWanted) return [];
  budget.windows -= 1;
  if (budget.windows < 0) return [];
  const cause = { mcp_server: server, uri: resource.uri };
  try {
    const { contents } = await source.read(resource.uri, { cached: true });
    catalog.warnings.settle(UNREADABLE, cause);
    const list = Array.isArray(contents) ? contents : [];
    if (budget.length >= 0) budget.length -= sizeOf(list);
    if (budget.length < 0) return [];
    const { texts, problems: odd } = describeContents(list);
    catalog.report(entry, odd);
    return [{ server, uri, priority, fullscreen, texts }];
  } catch (error) {
    catalog.warnings.warn(UNREADABLE, cause, { error });
    return [];
  }
}
