import { sizeOf } from '../size-of.ts';

/** A server whose cursor never ends is given up after this many pages. */
const MAX_PAGES = 1000;
/** Characters of all entries. The tools of all servers must fit into one message, which has 16 MiB by default. */
const MAX_TOOLS_LENGTH = 4 * 1024 * 1024;
const MAX_RESOURCES_LENGTH = 64 * 1024 * 1024;
/** Each tool is read, compared and offered at every change. */
const MAX_TOOLS = 10_000;
const MAX_RESOURCES = 100_000;

/** The lists of an MCP server that come in pages. */
export const lists = {
  tools: { method: 'tools/list', what: 'tools', maxEntries: MAX_TOOLS, maxLength: MAX_TOOLS_LENGTH },
  resources: {
    method: 'resources/list',
    what: 'resources',
    maxEntries: MAX_RESOURCES,
    maxLength: MAX_RESOURCES_LENGTH,
  },
  templates: {
    method: 'resources/templates/list',
    what: 'resource templates',
    maxEntries: MAX_RESOURCES,
    maxLength: MAX_RESOURCES_LENGTH,
  },
} as const;

export interface ListPage {
  entries: readonly unknown[];
  nextCursor?: string | null | undefined;
}

/** The entries of all pages. Throws with the limit when there are too many of them or they are too large. */
export async function collectPages(
  { method, what, maxEntries, maxLength }: (typeof lists)[keyof typeof lists],
  request: (params: { cursor?: string }) => Promise<ListPage>,
): Promise<unknown[]> {
  const all: unknown[] = [];
  let length = 0;
  let cursor: string | undefined;
  for (let count = 0; count < MAX_PAGES; count++) {
    const { entries, nextCursor } = await request(cursor === undefined ? {} : { cursor });
    if (all.length + entries.length > maxEntries)
      throw new Error(`It lists more than ${thousands(maxEntries)} ${what}`);
    length += sizeOf(entries);
    if (length > maxLength) throw new Error(`Its ${what} take more than ${maxLength / 1024 / 1024} MiB`);
    for (const entry of entries) all.push(entry);
    if (nextCursor === undefined || nextCursor === null || nextCursor === cursor) return all;
    cursor = nextCursor;
  }
  throw new Error(`'${method}' did not end after ${MAX_PAGES} pages`);
}

function thousands(count: number): string {
  return count.toLocaleString('en-US');
}
