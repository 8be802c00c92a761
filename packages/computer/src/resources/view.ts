/** A Desktop shows windows, a Finder shows documents; they are resources, and so are the skills of MCP servers. */
export type View = 'desktop' | 'finder' | 'skills';

export const views = ['desktop', 'finder', 'skills'] as const satisfies readonly View[];

/** Whether the name of an event is that of a view. */
export function isView(event: string): event is View {
  return views.some(view => view === event);
}

/** The view that a resource belongs to by its scheme, valid or not; none for resources of other schemes. */
export function viewOf(uri: string): View | undefined {
  if (/^window:\/\//i.test(uri)) return 'desktop';
  if (/^dpe:\/\//i.test(uri)) return 'finder';
  return /^skill:\/\//i.test(uri) ? 'skills' : undefined;
}

/**
 * Compares MCP servers by name for display: the one used last comes first, those never used follow by name.
 *
 * @param history names of the servers whose tools were called, oldest first
 */
export function byLastUse(history: readonly string[]): (a: string, b: string) => number {
  const lastUse = new Map(history.map((server, index) => [server, index]));
  return (a, b) => (lastUse.get(b) ?? -1) - (lastUse.get(a) ?? -1) || compare(a, b);
}

/** Orders by code unit: every implementation must sort alike, whatever its locale. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
