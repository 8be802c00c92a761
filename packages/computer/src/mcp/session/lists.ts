import { sizeOf } from '@a2c-smcp/core';
import * as z from 'zod';

/** A server whose cursor never ends is given up after this many pages. */
const MAX_PAGES = 1000;
/** Characters of all entries. The tools of all servers must fit into one message, which has 16 MiB by default. */
const MAX_TOOLS_LENGTH = 4 * 1024 * 1024;
const MAX_PROMPTS_LENGTH = 4 * 1024 * 1024;
const MAX_RESOURCES_LENGTH = 64 * 1024 * 1024;
/** Each tool is read, compared and offered at every change. */
const MAX_TOOLS = 10_000;
const MAX_PROMPTS = 10_000;
const MAX_RESOURCES = 100_000;

/** The lists of an MCP server that come in pages. */
export const lists = {
  tools: {
    method: 'tools/list',
    what: 'tools',
    page: pageOf('tools'),
    maxEntries: MAX_TOOLS,
    maxLength: MAX_TOOLS_LENGTH,
  },
  prompts: {
    method: 'prompts/list',
    what: 'prompts',
    page: pageOf('prompts'),
    maxEntries: MAX_PROMPTS,
    maxLength: MAX_PROMPTS_LENGTH,
  },
  resources: {
    method: 'resources/list',
    what: 'resources',
    page: pageOf('resources'),
    maxEntries: MAX_RESOURCES,
    maxLength: MAX_RESOURCES_LENGTH,
  },
  templates: {
    method: 'resources/templates/list',
    what: 'resource templates',
    page: pageOf('resourceTemplates'),
    maxEntries: MAX_RESOURCES,
    maxLength: MAX_RESOURCES_LENGTH,
  },
} as const;

export type PagedList = (typeof lists)[keyof typeof lists];
export type ListPage = z.infer<PagedList['page']>;

/** The entries of all pages. Throws with the limit when there are too many of them or they are too large. */
export async function collectPages(
  { method, what, maxEntries, maxLength }: PagedList,
  request: (params: { cursor?: string }) => Promise<ListPage>,
): Promise<unknown[]> {
  const all: unknown[] = [];
  let length = 0;
  let cursor: string | undefined;
  for (let count = 0; count < MAX_PAGES; count++) {
    const { entries, nextCursor } = await request(cursor === undefined ? {} : { cursor });
    if (all.length + entries.length > maxEntries)
      throw new Error(`It lists more than ${maxEntries.toLocaleString('en-US')} ${what}`);
    length += sizeOf(entries);
    if (length > maxLength) throw new Error(`Its ${what} take more than ${maxLength / 1024 / 1024} MiB`);
    for (const entry of entries) all.push(entry);
    if (nextCursor === undefined || nextCursor === null || nextCursor === cursor) return all;
    cursor = nextCursor;
  }
  throw new Error(`'${method}' did not end after ${MAX_PAGES} pages`);
}

/** The entries that match the schema; the others are given to `onOdd`. */
export function readable<S extends z.core.$ZodType>(
  entries: readonly unknown[],
  schema: S,
  onOdd: (entry: unknown) => void = () => {},
): z.infer<S>[] {
  return entries.flatMap(entry => {
    const read = z.safeParse(schema, entry);
    if (!read.success) onOdd(entry);
    return read.success ? [read.data] : [];
  });
}

/** A list that is requested once and cached until it is known to have changed. */
export class CachedList<T> {
  #pending: Promise<T[]> | undefined;

  /** The cached list, or the one that `list` gives. A failed request is not cached. */
  get(list: () => Promise<T[]>): Promise<T[]> {
    if (this.#pending) return this.#pending;
    const pending = list();
    this.#pending = pending;
    pending.catch(() => {
      if (this.#pending === pending) this.#pending = undefined;
    });
    return pending;
  }

  clear(): void {
    this.#pending = undefined;
  }
}

/** One page, its entries unchecked: a bad one must not cost the others. */
function pageOf(key: string) {
  const page = z.looseObject({ [key]: z.array(z.unknown()), nextCursor: z.string().nullish() });
  return page.transform(({ [key]: entries, nextCursor }) => ({
    entries: entries as unknown[],
    nextCursor: nextCursor as string | null | undefined,
  }));
}
