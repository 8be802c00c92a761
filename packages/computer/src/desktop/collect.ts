import { sizeOf } from '../size-of.ts';
import type { Listed, Published } from '../views/published.ts';
import { describeContents, describeWindow } from './describe.ts';
import type { PublishedWindow } from './organize.ts';

const UNREADABLE = 'A window is left out: it could not be read';
const TOO_MUCH = 'Windows are left out: the MCP server publishes too many or too much';

/** Windows of one MCP server, and characters of all that is in them. */
const MAX_WINDOWS = 1000;
const MAX_WINDOWS_LENGTH = 32 * 1024 * 1024;

/**
 * The windows of all servers with what is in them, in the order the servers list them. A window that cannot be read
 * in time is left out.
 *
 * @param window only windows with this URI, as published or without its query
 */
export async function collectWindows(published: Published, window?: string | null): Promise<PublishedWindow[]> {
  const listed = await published.list('desktop');
  const budgets = new Map<string, Budget>();
  const windows = await Promise.all(
    listed.map(entry => {
      const { uri, problems } = describeWindow(entry.resource);
      published.report(entry, problems);
      const isWanted = !isPresent(window) || window === uri || window === entry.resource.uri;
      if (uri === undefined || !isWanted) return [];
      const { server } = entry.publisher;
      const budget = budgets.get(server) ?? { windows: MAX_WINDOWS, length: MAX_WINDOWS_LENGTH };
      budgets.set(server, budget);
      budget.windows -= 1;
      return budget.windows >= 0 ? readWindow(published, entry, budget) : [];
    }),
  );
  for (const [server, { windows: left, length }] of budgets) {
    if (left < 0 || length < 0) published.warnings.warn(TOO_MUCH, { mcp_server: server });
  }
  return windows.flat();
}

/** What one MCP server may still show. */
interface Budget {
  windows: number;
  length: number;
}

async function readWindow(published: Published, entry: Listed, budget: Budget): Promise<PublishedWindow[]> {
  const { publisher, resource } = entry;
  const cause = { mcp_server: publisher.server, uri: resource.uri };
  try {
    const { contents } = await publisher.read(resource.uri);
    published.warnings.settle(UNREADABLE, cause);
    const list = Array.isArray(contents) ? contents : [];
    if (budget.length >= 0) budget.length -= sizeOf(list);
    if (budget.length < 0) return [];
    published.report(entry, describeContents(list).problems);
    return [{ server: publisher.server, resource, contents: list }];
  } catch (error) {
    published.warnings.warn(UNREADABLE, cause, { error });
    return [];
  }
}

function isPresent(window: string | null | undefined): window is string {
  return window !== undefined && window !== null;
}
