/** A Desktop shows windows, a Finder shows documents; both are resources. */
export type View = 'desktop' | 'finder';

export const views = ['desktop', 'finder'] as const satisfies readonly View[];

/** The view that a resource belongs to by its scheme, valid or not; none for resources of other schemes. */
export function viewOf(uri: string): View | undefined {
  if (/^window:\/\//i.test(uri)) return 'desktop';
  return /^dpe:\/\//i.test(uri) ? 'finder' : undefined;
}
